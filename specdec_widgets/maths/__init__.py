"""The mathematics: numbers and tables of numbers; no widget, no figure, no language."""

from specdec_widgets.maths.cost import Best, CostModel
from specdec_widgets.maths.errors import Refused, TypeRefused, ValueRefused

__all__ = ["Best", "CostModel", "Refused", "TypeRefused", "ValueRefused"]
