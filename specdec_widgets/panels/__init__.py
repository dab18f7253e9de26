"""The panels: controls bound to tables and figures."""

from .cost import CostPanel
from .rounds import RoundsPanel
from .sampling import SamplingPanel
from .simulator import Simulator

__all__ = ["CostPanel", "RoundsPanel", "SamplingPanel", "Simulator"]
