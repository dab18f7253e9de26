"""Speculative decoding, to be computed, seen and tried.

The models are in `specdec_widgets.maths`, what is drawn from them in `specdec_widgets.figures`, the
panels that bind both to controls in `specdec_widgets.panels`, and the words of each language in
`specdec_widgets.words`.
"""

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
    best_gamma_map,
    gate,
    simulate_rounds,
)
from specdec_widgets.panels import (
    CostPanel,
    PeakMapPanel,
    Prediction,
    Quiz,
    RoundsPanel,
    SamplingPanel,
    Simulator,
)
from specdec_widgets.words import set_language

__version__ = "0.1.0"
__all__ = [
    "Best",
    "CostModel",
    "CostPanel",
    "GateResult",
    "PeakMapPanel",
    "Prediction",
    "Quiz",
    "Refused",
    "Rounds",
    "RoundsPanel",
    "SamplingPanel",
    "SamplingRule",
    "Simulator",
    "TypeRefused",
    "Unfinished",
    "ValueRefused",
    "best_gamma_map",
    "gate",
    "set_language",
    "simulate_rounds",
]
