"""The panels: controls bound to tables and figures."""

from .cost import CostPanel
from .draws import DrawsPanel
from .falling import FallingPanel
from .memory import MemoryPanel
from .pass_cost import PassCostPanel
from .peak_map import PeakMapPanel
from .prediction import Prediction
from .quiz import Quiz
from .report import ReportPanel
from .rounds import RoundsPanel
from .sampling import SamplingPanel
from .server import BatchPanel, VerifyPanel
from .simulator import Simulator

__all__ = [
    "BatchPanel",
    "CostPanel",
    "DrawsPanel",
    "FallingPanel",
    "MemoryPanel",
    "PassCostPanel",
    "PeakMapPanel",
    "Prediction",
    "Quiz",
    "ReportPanel",
    "RoundsPanel",
    "SamplingPanel",
    "Simulator",
    "VerifyPanel",
]
