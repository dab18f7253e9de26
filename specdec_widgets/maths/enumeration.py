"""All that can happen, added up exactly: the output of several rounds against the target's own.

A tiny vocabulary, models written as tables of rational numbers, and every outcome followed with
its probability: what the draft draws at each position, where the first rejection falls, what is
drawn then, and the rounds after it, until the wanted number of tokens is there. The probabilities
of the sequences that come out must equal those of plain sampling from the target, to the last
digit. A wrong rule is caught the same way.

Left out: nothing; that is why it only works for tiny vocabularies.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Literal

import pandas as pd

from specdec_widgets.maths.ngram import context_of, table_of
from specdec_widgets.maths.numbers import entries_of, exact, integer, one_of, real
from specdec_widgets.maths.sampling import SamplingRule, distribution

Context = tuple[int, ...]
Table = Mapping[Context, Sequence[object]]
Model = dict[Context, tuple[Fraction, ...]]
Rule = Literal["accept_resample", "redraw_from_target", "drop_unsure"]

RULES = ("accept_resample", "redraw_from_target", "drop_unsure")
MAX_LENGTH = 6  # tokens
MAX_TOKENS = 4  # in the vocabulary
MAX_DRAFTED = 4
MAX_SEQUENCES = 1024

# A target that looks at two tokens and a draft that looks at one, over two tokens.
TINY_TARGET: Table = {
    (): ("1/2", "1/2"),
    (0,): ("3/4", "1/4"),
    (1,): ("1/3", "2/3"),
    (0, 0): ("1/5", "4/5"),
    (1, 1): ("9/10", "1/10"),
}
TINY_DRAFT: Table = {(): ("2/3", "1/3"), (0,): ("1/2", "1/2"), (1,): ("1/4", "3/4")}


@dataclass(frozen=True, eq=False)
class Enumeration:
    """What came out, against what should.

    table:    one row a sequence of tokens: sequence (a tuple of indices), target (its probability
              under plain sampling from the target), output (under the rule), difference; Fractions
    outcomes: ways of getting there that were followed
    mean_accepted: draft tokens accepted in the first round, on average, 0..gamma; a Fraction

    >>> right, wrong = enumerate_outcomes(), enumerate_outcomes(rule="redraw_from_target")
    >>> right.is_lossless, wrong.is_lossless, wrong.total_variation
    (True, False, Fraction(409, 4800))
    """

    table: pd.DataFrame
    outcomes: int
    mean_accepted: Fraction

    @property
    def is_lossless(self) -> bool:
        """Whether every sequence comes out exactly as often as from the target."""
        return bool((self.table["difference"] == 0).all())

    @property
    def total_variation(self) -> Fraction:
        """How far the output is from the target's, 0..1: half the sum of the differences."""
        return sum(map(abs, self.table["difference"]), Fraction(0)) / 2


def enumerate_outcomes(
    target: Table = TINY_TARGET,
    draft: Table = TINY_DRAFT,
    length: int = 3,
    gamma: int = 2,
    *,
    rule: Rule = "accept_resample",
    threshold: object = 0,
) -> Enumeration:
    """Follow every outcome.

    target, draft: context (indices, oldest token first) -> probabilities, read as by
                   `SamplingRule`, but exactly, a float as the decimal it prints as. A history is
                   looked up by the longest context that it ends in; the empty context must be
                   there. At most 4 tokens
    length:        tokens of a sequence, 1..6; at most 1024 sequences
    gamma:         draft tokens a round, 0..4
    rule:          "accept_resample"; "redraw_from_target", the bug of drawing from p and not from
                   the residual; "drop_unsure", the bug of throwing the unsure token away
    threshold:     the draft stops after a token to which it gave less, 0..1. The right rule still
                   proposes that token: then stopping depends on nothing that is left out of the
                   verification. "drop_unsure" does not propose it, and so keeps only draws that
                   the draft liked: the output changes even where p = q

    Raises ValueRefused and TypeRefused for all else, and for rows that `SamplingRule` refuses.

    >>> result = enumerate_outcomes(gamma=3)
    >>> result.is_lossless, len(result.table), result.outcomes
    (True, 8, 112)
    >>> float(enumerate_outcomes(rule="redraw_from_target").total_variation) > 0.02
    True
    """
    one_of(rule, "rule", RULES)
    steps = integer(gamma, "gamma", 0, MAX_DRAFTED)
    count = integer(length, "length", 1, MAX_LENGTH)
    sure = exact(threshold, "threshold")
    real(sure, "threshold", 0, 1)
    p, q = _read(target, "target"), _read(draft, "draft")
    size = integer(len(p[()]), "tokens", 1, MAX_TOKENS)
    integer(len(q[()]), "tokens of the draft", size, size)
    integer(size**count, "sequences", 1, MAX_SEQUENCES)
    outcomes = 0
    first = Fraction(0)
    mass: dict[Context, Fraction] = defaultdict(Fraction, {(): Fraction(1)})
    # A round always adds a token, so that shorter prefixes are done before longer ones.
    for known in range(count):
        for prefix in [c for c in mass if len(c) == known]:
            before = mass.pop(prefix)
            for emitted, chance in _rounds(prefix, p, q, steps, rule, sure):
                outcomes += 1
                mass[(prefix + emitted)[:count]] += before * chance
                if not prefix:
                    first += chance * (len(emitted) - 1)
    rows = []
    for sequence in product(range(size), repeat=count):
        wanted = Fraction(1)
        for i, token in enumerate(sequence):
            wanted *= _after(p, sequence[:i])[token]
        rows.append((sequence, wanted, mass[sequence], mass[sequence] - wanted))
    table = pd.DataFrame(rows, columns=["sequence", "target", "output", "difference"])
    return Enumeration(table, outcomes, first)


def _rounds(
    prefix: Context, p: Model, q: Model, gamma: int, rule: str, threshold: Fraction
) -> Iterator[tuple[Context, Fraction]]:
    """Every outcome of a round after `prefix`: the tokens it gives, and its probability."""
    for drafted, chance in _drafts(prefix, q, gamma, rule, threshold):
        reached = chance
        for i, x in enumerate(drafted):
            context = prefix + drafted[:i]
            target, draft = _after(p, context), _after(q, context)
            accept = min(Fraction(1), target[x] / draft[x])
            rejected = reached * (1 - accept)
            if rejected:
                again = target
                if rule != "redraw_from_target":
                    again = SamplingRule(target, draft).normalised_residual  # type: ignore[assignment]
                for y, share in enumerate(again):
                    if share:
                        yield (*drafted[:i], y), rejected * share
            reached *= accept
        if reached:
            for y, share in enumerate(_after(p, prefix + drafted)):
                if share:
                    yield (*drafted, y), reached * share


def _drafts(
    prefix: Context, q: Model, gamma: int, rule: str, threshold: Fraction
) -> Iterator[tuple[Context, Fraction]]:
    """Everything the draft may propose after `prefix`, and its probability."""
    if gamma == 0:
        yield (), Fraction(1)
        return
    for x, chance in enumerate(_after(q, prefix)):
        if chance == 0:
            continue
        if chance >= threshold:
            for rest, share in _drafts((*prefix, x), q, gamma - 1, rule, threshold):
                yield (x, *rest), chance * share
        else:
            yield (() if rule == "drop_unsure" else (x,)), chance


def _after(model: Model, history: Context) -> tuple[Fraction, ...]:
    for start in range(len(history) + 1):
        if history[start:] in model:
            return model[history[start:]]
    raise AssertionError("every model holds the empty context")


def _read(table: Table, argument: str) -> Model:
    model: Model = {}
    read = table_of(table, argument)
    size = len(entries_of(read[()], f"{argument}[()]"))
    for context, row in read.items():
        known = context_of(context, f"contexts of {argument}", size)
        numbers = distribution(entries_of(row, name := f"{argument}[{known}]"), name)
        integer(len(numbers), f"probabilities of {argument}", size, size)
        model[known] = tuple([exact(number, name) for number in numbers])
    return model
