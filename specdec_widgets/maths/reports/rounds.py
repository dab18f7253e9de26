"""What printed figures, each rounded to its last digit, leave possible: rounds, and draft tokens.

Rounds. A line that prints a length or rates beside its counts does not print its rounds. They are
taken to be drafted / gamma where that agrees with the length (every draft was full), else the one
whole number that agrees with every printed figure, if there is just one. A line that rounds to
length 1 would agree with any number, so it goes by what the other lines say of full drafts.

By hand, for length 2.16, 150 accepted of 387 drafted, and three positions: 387 / 3 = 129 rounds,
and 1 + 150 / 129 = 2.163 prints as 2.16. So 129 rounds, in 70, 46 and 34 of which position 1, 2 and
3 was accepted, as 0.543, 0.357 and 0.264 say.

Draft tokens. SGLang prints a length and a rate that has meant two things; which one it is shows in
which of them makes the number of draft tokens a whole one. By hand, for length 2.17 and rate 0.54:
2.17 / 0.54 = 4.02 is 4 within the rounding, 1 + 1.17 / 0.54 = 3.17 is nothing.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from specdec_widgets.maths.reports.lines import MAX_POSITIONS, Line, Printed

SLACK = 1e-9  # of floats, beside the rounding of what was printed
_MOST_TRIED = 64  # numbers of rounds that are tried one by one


class Rounds(NamedTuple):
    """The rounds of a line where they are determined, and how much it weighs in any case.

    Where the rounds are not determined the weight is accepted / (length - 1), right to the
    rounding; None where nothing is known. `taken` is True where full drafts are no more than
    possible: no length is printed, or one that rounds to 1.

    >>> rounds_of(Line(rounds=5, drafted=20, accepted=8), gamma=4)
    Rounds(number=5, weight=5, taken=False)
    """

    number: int | None = None
    weight: float | None = None
    taken: bool = False


class Chain(NamedTuple):
    """SGLang's draft tokens, the target's own among them, by each meaning of its rate; and gamma.

    by_length: possible where the rate is length / draft tokens (before April 2026)
    by_drafts: possible where it is (length - 1) / (draft tokens - 1)
    gamma:     draft tokens - 1, where only one number is possible

    >>> draft_tokens([Line(length=Printed(2.2, 0.005))])
    Chain(by_length=(), by_drafts=(), gamma=None)
    """

    by_length: tuple[int, ...] = ()
    by_drafts: tuple[int, ...] = ()
    gamma: int | None = None


def length_of(line: Line) -> Printed | None:
    """The length a line prints, or 1 + its joint rates, with how far it may be rounded.

    >>> length_of(Line(joint=(0.5, 0.25), half=0.005))
    Printed(value=1.75, half=0.01)
    """
    if line.length is not None or line.joint is None:
        return line.length
    return Printed(1 + math.fsum(line.joint), line.half * len(line.joint))


def rounds_between(accepted: int, length: Printed) -> tuple[float, float]:
    """The least and the most rounds, accepted / (length - 1), that the length's rounding allows.

    >>> [round(n) for n in rounds_between(150, Printed(2.16, 0.005))]
    [129, 130]
    """
    most, least = length.value + length.half - 1, length.value - length.half - 1
    low = accepted / most * (1 - SLACK) if most > 0 else 0.0
    return low, accepted / least * (1 + SLACK) if least > 0 else math.inf


def rounds_of(line: Line, gamma: int | None) -> Rounds:
    """The rounds of one line with at most `gamma` draft tokens in each.

    >>> rounds_of(Line(drafted=387, accepted=150, length=Printed(2.16, 0.005)), gamma=3)
    Rounds(number=129, weight=129, taken=False)
    >>> rounds_of(Line(drafted=3800, accepted=1500, length=Printed(2.25, 0.005)), gamma=None)
    Rounds(number=None, weight=1200.0, taken=False)
    """
    if line.rounds is not None:
        return Rounds(line.rounds, line.rounds)
    if line.drafted is None or line.accepted is None:
        return Rounds()
    length = length_of(line)
    full = line.drafted // gamma if gamma and line.drafted % gamma == 0 else None
    if length is None:
        return Rounds(full, full, taken=full is not None)
    low, high = rounds_between(line.accepted, length)
    if full is not None and low <= full <= high:
        return Rounds(full, full, taken=math.isinf(high))
    least = max(low, max(line.drafted, line.accepted) / gamma if gamma else 0)
    if high - least < _MOST_TRIED:
        tried = range(math.ceil(least), math.floor(high) + 1)
        fitting = [n for n in tried if n and _fits(line, n)]
        if len(fitting) == 1:
            return Rounds(fitting[0], fitting[0])
    if line.accepted and length.value > 1:
        return Rounds(None, line.accepted / (length.value - 1))
    return Rounds()


def _fits(line: Line, rounds: int) -> bool:
    """Whether whole numbers of acceptances, one a position, print as the rates and sum right."""
    if line.joint is None or line.accepted is None:
        return True
    spare = line.half * rounds + SLACK
    fewest = [math.ceil(rate * rounds - spare) for rate in line.joint]
    most = [math.floor(rate * rounds + spare) for rate in line.joint]
    possible = all(low <= high for low, high in zip(fewest, most, strict=True))
    return possible and sum(fewest) <= line.accepted <= sum(most)


def draft_tokens(lines: Sequence[Line]) -> Chain:
    """SGLang's draft tokens, the same in every line.

    >>> draft_tokens([Line(length=Printed(2.17, 0.005), sglang_rate=Printed(0.54, 0.005))])
    Chain(by_length=(4,), by_drafts=(), gamma=3)
    """
    told = [(line.length, line.sglang_rate) for line in lines if line.length and line.sglang_rate]
    if not told:
        return Chain()
    by_length = _whole_quotients((length, rate) for length, rate in told)
    by_drafts = _whole_quotients((Printed(n.value - 1, n.half), rate) for n, rate in told)
    totals = tuple([n for n in by_length if n > 1]), tuple([n + 1 for n in by_drafts if n > 0])
    possible = {*totals[0], *totals[1]}
    return Chain(*totals, possible.pop() - 1 if len(possible) == 1 else None)


def _whole_quotients(pairs: Iterable[tuple[Printed, Printed]]) -> range:
    """The whole numbers that every pair's quotient may be; none where that leaves too many."""
    low, high = 0.0, math.inf
    for above, below in pairs:
        least, most = below.value - below.half, below.value + below.half
        low = max(low, (above.value - above.half) / most * (1 - SLACK))
        high = min(
            high, (above.value + above.half) / least * (1 + SLACK) if least > 0 else math.inf
        )
    if high > MAX_POSITIONS:
        return range(0)
    return range(max(0, math.ceil(low)), max(0, math.floor(high) + 1))
