"""Speculative decoding, to be computed, seen and tried."""

from specdec_widgets.maths import Best, CostModel, Refused, TypeRefused, ValueRefused

__version__ = "0.1.0"
__all__ = ["Best", "CostModel", "Refused", "TypeRefused", "ValueRefused"]
