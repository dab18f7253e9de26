"""Speculative decoding, to be computed, seen and tried.

The models are in `specdec_widgets.maths`, what is drawn from them in `specdec_widgets.figures`, the
panels that bind both to controls in `specdec_widgets.panels`, and the words of each language in
`specdec_widgets.words`.
"""

from specdec_widgets.maths import (
    Best,
    BusyServer,
    CostModel,
    FallingAcceptance,
    GateResult,
    Hardware,
    MemoryPlan,
    Pass,
    Refused,
    Rounds,
    SamplingRule,
    Transformer,
    TypeRefused,
    Unfinished,
    ValueRefused,
    best_gamma_map,
    gate,
    hardware_table,
    simulate_rounds,
    transformer_table,
)
from specdec_widgets.panels import (
    BatchPanel,
    CostPanel,
    FallingPanel,
    MemoryPanel,
    PassCostPanel,
    PeakMapPanel,
    Prediction,
    Quiz,
    RoundsPanel,
    SamplingPanel,
    Simulator,
    VerifyPanel,
)
from specdec_widgets.words import set_language

__version__ = "0.1.0"
__all__ = [
    "BatchPanel",
    "Best",
    "BusyServer",
    "CostModel",
    "CostPanel",
    "FallingAcceptance",
    "FallingPanel",
    "GateResult",
    "Hardware",
    "MemoryPanel",
    "MemoryPlan",
    "Pass",
    "PassCostPanel",
    "PeakMapPanel",
    "Prediction",
    "Quiz",
    "Refused",
    "Rounds",
    "RoundsPanel",
    "SamplingPanel",
    "SamplingRule",
    "Simulator",
    "Transformer",
    "TypeRefused",
    "Unfinished",
    "ValueRefused",
    "VerifyPanel",
    "best_gamma_map",
    "gate",
    "hardware_table",
    "set_language",
    "simulate_rounds",
    "transformer_table",
]
