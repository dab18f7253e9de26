"""The parameters of the panels, as traits: set and observed from code, refused when out of range.

Each group is a mix-in, so that a panel has the parameters it uses and no others, and the simulator
has all of them. A trait carries its check, which asks the models what is allowed, so that there is
one rule for code, slider and text box.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any as Anything

import traitlets
from traitlets import Any, HasTraits, TraitError, Undefined

from specdec_widgets.maths import (
    CostModel,
    Refused,
    SamplingRule,
    TypeRefused,
    ValueRefused,
    exact,
    simulate_rounds,
)
from specdec_widgets.maths.errors import shown
from specdec_widgets.maths.numbers import integer, real
from specdec_widgets.maths.sampling import distribution, entries_of, token_names
from specdec_widgets.words import get_words

COST_PARAMETERS = ("gamma", "alpha", "draft_cost", "verify_cost")
DEFAULT_FLAGS = "111111001110101111"
DEFAULT_P = ("0.50", "0.25", "0.15", "0.10")
DEFAULT_Q = ("0.40", "0.30", "0.20", "0.10")
MIN_TOKENS, MAX_TOKENS, MAX_NAME = 2, 12, 40
MAX_TEMPERATURE = 3
MAX_FLAGS = 1_000_000


def default_tokens(language: str) -> tuple[str, ...]:
    """The four weather tokens in a language."""
    _ = get_words(language).gettext
    return (_("rain"), _("sun"), _("wind"), _("storm"))


class TraitRefused(ValueRefused, TraitError):  # noqa: N818
    """A refused value of a trait; being a TraitError, it makes a held change roll back."""


class TraitTypeRefused(TypeRefused, TraitError):  # noqa: N818
    """The same for a value of a wrong type."""


@contextmanager
def _as_trait_errors() -> Iterator[None]:
    try:
        yield
    except Refused as refusal:
        kind = TraitTypeRefused if isinstance(refusal, TypeError) else TraitRefused
        raise kind(refusal.template, **refusal.fields) from None


class Parameter(Any):
    """A trait that is what `check(value, name)` makes of a value, or refuses.

    None is checked like anything else, unless `allow_none` lets it through.
    """

    allow_none = False

    def __init__(
        self,
        default: Anything = Undefined,
        check: Callable[[Anything, str], Anything] = lambda value, _name: value,
        **keywords: Anything,
    ) -> None:
        """Keep the check."""
        super().__init__(default, **keywords)
        self.check = check

    def validate(self, _obj: Anything, value: Anything) -> Anything:
        """What the check makes of the value."""
        with _as_trait_errors():
            return self.check(value, self.name or "")


def checked(proposal: Anything, check: Callable[[Anything], Anything]) -> Anything:
    """What `check` makes of the proposed value of a trait, where its owner must be asked."""
    with _as_trait_errors():
        return check(proposal["value"])


@dataclass(frozen=True)
class Between:
    """A check: a number from `low` to `high`, or text that is one."""

    low: float | Fraction
    high: float

    def __call__(self, value: Anything, name: str) -> float:
        """The number as a float."""
        return real(exact(value, name), name, self.low, self.high)


@dataclass(frozen=True)
class Whole:
    """A check: a whole number from `low` to `high`."""

    low: int
    high: int

    def __call__(self, value: Anything, name: str) -> int:
        """The number as an int."""
        return integer(value, name, self.low, self.high)


@dataclass(frozen=True)
class OneOf:
    """A check: one of these names."""

    names: tuple[str, ...]

    def __call__(self, value: Anything, name: str) -> str:
        """The name."""
        if not isinstance(value, str) or value not in self.names:
            raise ValueRefused(
                "{argument} must be one of {allowed}, not {value}.",
                argument=name,
                allowed=", ".join(self.names),
                value=shown(value),
            )
        return value


def of_cost_model(value: Anything, name: str) -> Anything:
    """The value as `CostModel` keeps its parameter of this name."""
    return getattr(CostModel(**{name: value}), name)


class AlphaParameter(HasTraits):
    """alpha, in the range of `CostModel`."""

    alpha = Parameter(0.8, of_cost_model)


class Costs(HasTraits):
    """draft_cost and verify_cost, in the ranges of `CostModel`."""

    draft_cost = Parameter(0.10, of_cost_model)
    verify_cost = Parameter(1.00, of_cost_model)


class PeakParameters(Costs, AlphaParameter):
    """alpha, draft_cost and verify_cost: what moves the peak."""


class GammaParameter(HasTraits):
    """gamma, in the range of `CostModel`."""

    gamma = Parameter(4, of_cost_model)


class CostParameters(GammaParameter, PeakParameters):
    """alpha, gamma, draft_cost and verify_cost, in the ranges of `CostModel`."""


def check_flags(value: Anything, name: str = "flags") -> str:
    """The acceptance string, when it holds nothing but flags and white space."""
    if not isinstance(value, str):
        raise TypeRefused(
            "{argument} must be text made of 1 and 0, not {value}.",
            argument=name,
            value=type(value).__name__,
        )
    if len(value) > MAX_FLAGS:
        raise ValueRefused(
            "{argument} may hold at most {high} characters, not {value}.",
            argument=name,
            high=MAX_FLAGS,
            value=len(value),
        )
    simulate_rounds(value)
    return value


def check_distribution(values: Anything, name: str) -> tuple[Fraction, ...]:
    """The values as exact fractions, when they are a distribution over 2 to 12 tokens."""
    shares = entries_of(values, name)
    _check_size(name, len(shares))
    return tuple(Fraction(share) for share in distribution(shares, name))


def check_tokens(names: Anything, name: str = "tokens") -> tuple[str, ...]:
    """The token names, when there are 2 to 12, different, not blank, at most 40 characters."""
    entries = entries_of(names, name)
    _check_size(name, len(entries))
    tokens = token_names(entries, len(entries))
    for token in tokens:
        if len(token) > MAX_NAME:
            raise ValueRefused(
                "A token name may have at most {high} characters; {value} has {size}.",
                high=MAX_NAME,
                value=token[:MAX_NAME] + "…",
                size=len(token),
            )
    return tokens


def _check_size(name: str, size: int) -> None:
    if not MIN_TOKENS <= size <= MAX_TOKENS:
        raise ValueRefused(
            "{argument} must have between {low} and {high} entries, not {value}.",
            argument=name,
            low=MIN_TOKENS,
            high=MAX_TOKENS,
            value=size,
        )


class FlagsParameter(HasTraits):
    """flags: the acceptance string, as typed (spaces and line breaks are kept)."""

    flags = Parameter(DEFAULT_FLAGS, check_flags)


class PairParameters(HasTraits):
    """tokens, p, q (tuples of equal length, exact fractions) and the sampling temperature."""

    tokens = Parameter(check=check_tokens)
    p = Parameter(check=check_distribution)
    q = Parameter(check=check_distribution)
    temperature = Parameter(1.0, Between(0, MAX_TEMPERATURE))

    def check_fit(self) -> None:
        """Refuse tokens, p and q of different length."""
        SamplingRule(self.p, self.q, self.tokens)

    @traitlets.default("tokens")
    def _default_tokens(self) -> tuple[str, ...]:
        return default_tokens(getattr(self, "language", get_words().language))

    @traitlets.default("p")
    def _default_p(self) -> tuple[Fraction, ...]:
        return tuple(map(Fraction, DEFAULT_P))

    @traitlets.default("q")
    def _default_q(self) -> tuple[Fraction, ...]:
        return tuple(map(Fraction, DEFAULT_Q))
