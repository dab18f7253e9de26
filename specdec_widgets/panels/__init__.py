"""The panels: controls bound to tables and figures."""

from .cost import CostPanel
from .prediction import Prediction
from .rounds import RoundsPanel
from .sampling import SamplingPanel
from .simulator import Simulator

__all__ = ["CostPanel", "Prediction", "RoundsPanel", "SamplingPanel", "Simulator"]
