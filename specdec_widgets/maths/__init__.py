"""The mathematics: numbers and tables of numbers; no widget, no figure, no language."""

from specdec_widgets.maths.cost import Best, CostModel
from specdec_widgets.maths.errors import Refused, TypeRefused, ValueRefused
from specdec_widgets.maths.numbers import exact
from specdec_widgets.maths.rounds import Rounds, Unfinished, simulate_rounds
from specdec_widgets.maths.sampling import GateResult, SamplingRule, gate

__all__ = [
    "Best",
    "CostModel",
    "GateResult",
    "Refused",
    "Rounds",
    "SamplingRule",
    "TypeRefused",
    "Unfinished",
    "ValueRefused",
    "exact",
    "gate",
    "simulate_rounds",
]
