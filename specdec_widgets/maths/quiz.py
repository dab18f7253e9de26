"""The quiz: its numbers, its answers, and which mistake gives a wrong one.

Three questions, by name:
    tokens  the expected tokens of a round, a number
    fall    why the speedup at its peak falls back by gamma 32, a choice
    same    why this is faster without changing the result, a choice

The words of the questions are made from these numbers elsewhere; here are only the names of the
choices and of the mistakes. Every figure is asked of `CostModel` and `SamplingRule`, so that
an answer holds for new numbers too.

By hand, with alpha 0.8 and gamma 4: E = 3.3616 is right. 3.2 is gamma x alpha, 4.2 is
1 + gamma x alpha, 2.3616 is E without the token that the verify pass gives, 0.4096 is
alpha^gamma, and 5 is both gamma + 1 and the limit 1 / (1 - alpha).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import NamedTuple, TypeVar

import numpy as np

from specdec_widgets.maths.cost import MAX_GAMMA, CostModel
from specdec_widgets.maths.draws import redraw_bug
from specdec_widgets.maths.numbers import exact, integer, one_of
from specdec_widgets.maths.sampling import SamplingRule

Item = TypeVar("Item")

QUESTIONS = ("tokens", "fall", "same")
CHOICES = {
    "fall": ("fewer", "acceptance", "saturates", "verify"),
    "same": ("close", "rule", "redraw", "likeliest"),
}
RIGHT = {"fall": "saturates", "same": "rule"}
TOLERANCE = Fraction(1, 200)  # how far a number may be off, 0.005: two decimals will do
MAX_SEED = 999_999

# Of the course: four weather tokens. New numbers deal the same shares out anew.
_P = tuple(map(Fraction, ("0.50", "0.25", "0.15", "0.10")))
_Q = tuple(map(Fraction, ("0.40", "0.30", "0.20", "0.10")))
# What new numbers are drawn from: short enough for a pocket calculator.
_ALPHAS = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
_GAMMAS = (2, 3, 4, 5, 6)
_DRAFT_COSTS = (0.05, 0.10, 0.15, 0.20)
_CLEARANCE = 0.05  # how far every mistake lies from the right answer, in tokens


@dataclass(frozen=True)
class QuizNumbers:
    """The numbers that the three questions are asked with. Immutable.

    seed:       what they were drawn with; None for those of the course
    alpha, gamma, draft_cost: of the questions `tokens` and `fall`; the verify cost is 1
    p, q:       of the question `same`, over four tokens
    choices:    the choices of a question in the order they are offered in
    """

    seed: int | None = None
    alpha: float = 0.8
    gamma: int = 4
    draft_cost: float = 0.10
    p: tuple[Fraction, ...] = _P
    q: tuple[Fraction, ...] = _Q
    fall: tuple[str, ...] = CHOICES["fall"]
    same: tuple[str, ...] = CHOICES["same"]

    @property
    def model(self) -> CostModel:
        """The cost model that `tokens` and `fall` ask about."""
        return CostModel(self.alpha, self.gamma, self.draft_cost)

    @property
    def peak(self) -> CostModel:
        """The same at the best gamma.

        >>> QuizNumbers().peak.gamma, round(QuizNumbers().peak.speedup, 2)
        (6, 2.47)
        """
        return CostModel(self.alpha, self.model.best().gamma, self.draft_cost)

    @property
    def far(self) -> CostModel:
        """The same at gamma 32, the end of the scan."""
        return CostModel(self.alpha, MAX_GAMMA, self.draft_cost)

    @property
    def asked(self) -> int:
        """Which token `same` asks about: the first of those the draft proposes most too often."""
        excess = [q - p for p, q in zip(self.p, self.q, strict=True)]
        return excess.index(max(excess))

    @property
    def redrawn(self) -> Fraction:
        """How often that token would come out if a rejected one were drawn again from p.

        >>> float(QuizNumbers().redrawn)
        0.275
        """
        return Fraction(redraw_bug(SamplingRule(self.p, self.q))[self.asked])


class Mark(NamedTuple):
    """Whether an answer is right, and if not, what may have led to it, by name.

    For a choice that is the choice itself; for a number every mistake that gives it, or else
    "below_one", "above_ceiling", "too_low" or "too_high".
    """

    right: bool
    reasons: tuple[str, ...]


def quiz_numbers(seed: int | None = None) -> QuizNumbers:
    """The numbers of the course, or new ones drawn with numpy.random.default_rng(seed).

    seed: whole number 0..999,999; the same seed gives the same numbers

    Raises TypeRefused where it is no whole number, ValueRefused where it is out of range.

    >>> quiz_numbers().alpha, quiz_numbers().gamma
    (0.8, 4)
    >>> quiz_numbers(7) == quiz_numbers(7), quiz_numbers(7) == quiz_numbers(8)
    (True, False)
    """
    if seed is None:
        return QuizNumbers()
    seed = integer(seed, "seed", 0, MAX_SEED)
    rng = np.random.default_rng(seed)
    alpha, gamma, draft_cost = _fit()[rng.integers(len(_fit()))]
    return QuizNumbers(
        seed,
        alpha,
        gamma,
        draft_cost,
        p=_dealt(_P, rng),
        q=_dealt(_Q, rng),
        fall=_dealt(CHOICES["fall"], rng),
        same=_dealt(CHOICES["same"], rng),
    )


def mistakes(model: CostModel) -> dict[str, float]:
    """The wrong answers to `tokens` that a known mistake gives, by its name.

    >>> found = mistakes(CostModel(alpha=0.8, gamma=4))
    >>> [round(found[name], 4) for name in ("product", "no_extra", "chance", "limit")]
    [3.2, 2.3616, 0.4096, 5.0]
    """
    last = model.series_terms[-1]
    return {
        "all_kept": model.gamma,
        "ceiling": model.gamma + 1,
        "product": model.gamma * model.alpha,
        "product_and_one": model.gamma * model.alpha + 1,
        "no_extra": model.expected_tokens - 1,
        "short": model.expected_tokens - last,
        "chance": last,
        "limit": model.token_limit,
        "speedup": model.speedup,
    }


def mark(question: str, answer: object, numbers: QuizNumbers) -> Mark:
    """Mark one answer.

    question: "tokens", "fall" or "same"
    answer:   for `tokens` a number, or text such as "3,36"; else the name of a choice

    A number is right within 0.005 of E. Raises ValueRefused for text that is no number and for
    names there are none of, TypeRefused for another type.

    >>> mark("tokens", "3,36", QuizNumbers())
    Mark(right=True, reasons=())
    >>> mark("tokens", 5, QuizNumbers()).reasons
    ('ceiling', 'limit')
    >>> mark("fall", "verify", QuizNumbers())
    Mark(right=False, reasons=('verify',))
    """
    one_of(question, "question", QUESTIONS)
    if question == "tokens":
        return _mark_tokens(exact(answer, "answer"), numbers.model)
    chosen = one_of(answer, "answer", CHOICES[question])
    return Mark(chosen == RIGHT[question], (chosen,))


def _mark_tokens(guess: Fraction, model: CostModel) -> Mark:
    expected = _decimal(model.expected_tokens)
    if abs(guess - expected) <= TOLERANCE:
        return Mark(True, ())
    found = [name for name, value in mistakes(model).items() if _is(guess, value)]
    if not found and guess in (round(expected), round(expected, 1)):
        found = ["rounded"]
    if not found and guess < 1:
        found = ["below_one"]
    if not found and guess > model.gamma + 1:
        found = ["above_ceiling"]
    return Mark(False, tuple(found) or ("too_low" if guess < expected else "too_high",))


def _is(guess: Fraction, value: float) -> bool:
    return math.isfinite(value) and abs(guess - _decimal(value)) <= TOLERANCE


def _decimal(value: float) -> Fraction:
    """The value without the noise of floats, so that the tolerance has an exact edge."""
    return exact(round(value, 12), "answer")


@lru_cache(maxsize=1)
def _fit() -> tuple[tuple[float, int, float], ...]:
    """Every alpha, gamma and draft cost that makes all three questions sensible."""
    grid = product(_ALPHAS, _GAMMAS, _DRAFT_COSTS)
    return tuple(numbers for numbers in grid if _sensible(QuizNumbers(None, *numbers)))


def _sensible(numbers: QuizNumbers) -> bool:
    """Whether they are new, no mistake is nearly right, and the speedup rises and clearly falls."""
    model, peak, far = numbers.model, numbers.peak, numbers.far
    apart = [abs(value - model.expected_tokens) for value in mistakes(model).values()]
    return (
        (numbers.alpha, numbers.gamma) != (QuizNumbers.alpha, QuizNumbers.gamma)
        and min(apart) >= _CLEARANCE
        and peak.speedup >= 1.2
        and far.speedup <= 0.8 * peak.speedup
    )


def _dealt(items: Sequence[Item], rng: np.random.Generator) -> tuple[Item, ...]:
    return tuple(items[place] for place in rng.permutation(len(items)))
