"""The mathematics: numbers and tables of numbers; no widget, no figure, no language."""

from specdec_widgets.maths.acceptance import FallingAcceptance
from specdec_widgets.maths.block_verification import (
    AcceptedTokens,
    block_verification,
    block_verification_example,
)
from specdec_widgets.maths.cost import Best, CostModel
from specdec_widgets.maths.cost_fit import CostFit, fit_costs
from specdec_widgets.maths.draws import Draws, draw_tokens, redraw_bug
from specdec_widgets.maths.enumeration import Enumeration, enumerate_outcomes
from specdec_widgets.maths.errors import Refused, TypeRefused, ValueRefused
from specdec_widgets.maths.goodness import ChiSquare, chi_square_test
from specdec_widgets.maths.independence import implied_alpha, independent_tokens
from specdec_widgets.maths.memory import MemoryPlan
from specdec_widgets.maths.ngram import NGram, join_tokens, load_text, tokenise
from specdec_widgets.maths.numbers import exact
from specdec_widgets.maths.peak_map import best_gamma_map
from specdec_widgets.maths.published import (
    published_lengths,
    published_servers,
    published_speedups,
)
from specdec_widgets.maths.quiz import quiz_numbers
from specdec_widgets.maths.reports.report import (
    Caveat,
    Choice,
    Contradiction,
    Finding,
    Report,
    SingleAlpha,
)
from specdec_widgets.maths.reports.sources import EXAMPLES
from specdec_widgets.maths.reports.text import (
    read_report,
    report_from_counts,
    report_from_histogram,
    report_from_rates,
)
from specdec_widgets.maths.roofline import (
    Hardware,
    Pass,
    Transformer,
    hardware_table,
    transformer_table,
)
from specdec_widgets.maths.rounds import Rounds, Unfinished, simulate_rounds
from specdec_widgets.maths.rules import compare_rules
from specdec_widgets.maths.sampling import GateResult, SamplingRule, gate
from specdec_widgets.maths.server import BusyServer
from specdec_widgets.maths.speculation import Speculation
from specdec_widgets.maths.toy import (
    ToyPair,
    acceptance_by_temperature,
    sample_plain,
    speculate,
    toy_pair,
)

__all__ = [
    "EXAMPLES",
    "AcceptedTokens",
    "Best",
    "BusyServer",
    "Caveat",
    "ChiSquare",
    "Choice",
    "Contradiction",
    "CostFit",
    "CostModel",
    "Draws",
    "Enumeration",
    "FallingAcceptance",
    "Finding",
    "GateResult",
    "Hardware",
    "MemoryPlan",
    "NGram",
    "Pass",
    "Refused",
    "Report",
    "Rounds",
    "SamplingRule",
    "SingleAlpha",
    "Speculation",
    "ToyPair",
    "Transformer",
    "TypeRefused",
    "Unfinished",
    "ValueRefused",
    "acceptance_by_temperature",
    "best_gamma_map",
    "block_verification",
    "block_verification_example",
    "chi_square_test",
    "compare_rules",
    "draw_tokens",
    "enumerate_outcomes",
    "exact",
    "fit_costs",
    "gate",
    "hardware_table",
    "implied_alpha",
    "independent_tokens",
    "join_tokens",
    "load_text",
    "published_lengths",
    "published_servers",
    "published_speedups",
    "quiz_numbers",
    "read_report",
    "redraw_bug",
    "report_from_counts",
    "report_from_histogram",
    "report_from_rates",
    "sample_plain",
    "simulate_rounds",
    "speculate",
    "tokenise",
    "toy_pair",
    "transformer_table",
]
