"""The panels: controls bound to tables and figures."""

from .cost import CostPanel
from .peak_map import PeakMapPanel
from .prediction import Prediction
from .quiz import Quiz
from .rounds import RoundsPanel
from .sampling import SamplingPanel
from .simulator import Simulator

__all__ = [
    "CostPanel",
    "PeakMapPanel",
    "Prediction",
    "Quiz",
    "RoundsPanel",
    "SamplingPanel",
    "Simulator",
]
