"""Speculative decoding, to be computed, seen and tried."""

from specdec_widgets.maths import (
    Best,
    CostModel,
    GateResult,
    Refused,
    Rounds,
    SamplingRule,
    TypeRefused,
    Unfinished,
    ValueRefused,
    exact,
    gate,
    simulate_rounds,
)

__version__ = "0.1.0"
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
