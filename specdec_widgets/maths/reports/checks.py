"""Figures of one line that cannot all be right, beyond the rounding of what was printed."""

import math
from itertools import pairwise

from specdec_widgets.maths.reports.lines import Line, Printed
from specdec_widgets.maths.reports.report import Contradiction
from specdec_widgets.maths.reports.rounds import SLACK, length_of, rounds_between


def contradictions(line: Line, rounds: int | None, gamma: int | None) -> list[Contradiction]:
    """The contradictions of a line that has this many rounds of at most `gamma` draft tokens.

    >>> [str(found) for found in contradictions(Line(drafted=100, accepted=120), None, None)]
    ['The accepted tokens, 120, are more than the drafted ones, 100.']
    """
    found: list[Contradiction] = []
    if line.other_gamma is not None:
        found.append(two_gammas(line.other_gamma, line.gamma or 0))
    if "drafted" in line.computed and line.rate is None and line.length is None:
        return found  # all of it computed from one histogram
    if line.accepted is not None and line.drafted is not None:
        _counts(line, line.accepted, line.drafted, found)
    if line.joint is not None:
        _positions(line, line.joint, found)
    if line.length is not None:
        _length(line.length, line.accepted, rounds, gamma, found)
    most = max(line.joint) if line.joint else 0.0
    if line.rate is not None:
        most = max(most, line.rate.value)
    if most > 1:
        found.append(
            Contradiction(
                "An acceptance of {rate} is more than 1, which is all there is.", rate=most
            )
        )
    if line.accepted_at is not None and "accepted" not in line.computed:  # from one another
        _times(line.accepted_at, line.accepted, rounds, found)
    tokens = line.drafted or line.accepted
    if line.rounds == 0 and tokens:
        found.append(
            Contradiction("No round is counted, and yet draft tokens are: {tokens}.", tokens=tokens)
        )
    elif gamma and line.drafted:
        _rounds(line, line.drafted, rounds, gamma, found)
    return found


def two_gammas(given: int, gamma: int) -> Contradiction:
    """That the report has another gamma than is said.

    >>> str(two_gammas(5, 3))
    'Gamma is said to be 5, and the report has 3.'
    """
    return Contradiction(
        "Gamma is said to be {given}, and the report has {gamma}.", given=given, gamma=gamma
    )


def _agree(printed: Printed, value: float, more: float = 0) -> bool:
    return abs(printed.value - value) <= printed.half + more + SLACK * max(1, abs(value))


def _counts(line: Line, accepted: int, drafted: int, found: list[Contradiction]) -> None:
    if accepted > drafted:
        found.append(
            Contradiction(
                "The accepted tokens, {accepted}, are more than the drafted ones, {drafted}.",
                accepted=accepted,
                drafted=drafted,
            )
        )
    if line.rate is not None and drafted and not _agree(line.rate, accepted / drafted):
        found.append(
            Contradiction(
                "The acceptance rate {rate} is not accepted / drafted, which is {quotient}.",
                rate=line.rate.value,
                quotient=round(accepted / drafted, 4),
            )
        )


def _positions(line: Line, joint: tuple[float, ...], found: list[Contradiction]) -> None:
    total = 1 + math.fsum(joint)
    if line.length is not None and not _agree(line.length, total, line.half * len(joint)):
        found.append(
            Contradiction(
                "The acceptance length {length} is not 1 + the sum of the positions, which is "
                "{total}.",
                length=line.length.value,
                total=round(total, 4),
            )
        )
    for position, (before, after) in enumerate(pairwise(joint), start=2):
        if after > before:
            found.append(
                Contradiction(
                    "Position {position} has the acceptance {after}, more than {before} before it: "
                    "a joint acceptance can only fall.",
                    position=position,
                    after=after,
                    before=before,
                )
            )
            break


def _length(
    length: Printed,
    accepted: int | None,
    rounds: int | None,
    gamma: int | None,
    found: list[Contradiction],
) -> None:
    if rounds and accepted is not None and not _agree(length, 1 + accepted / rounds):
        found.append(
            Contradiction(
                "The acceptance length {length} is not 1 + accepted / rounds, which is {quotient}.",
                length=length.value,
                quotient=round(1 + accepted / rounds, 4),
            )
        )
    if length.value < 1:
        found.append(
            Contradiction(
                "The acceptance length {length} is less than 1, the target's own token.",
                length=length.value,
            )
        )
    if gamma and length.value - length.half > gamma + 1 + SLACK:
        found.append(
            Contradiction(
                "The acceptance length {length} is more than gamma + 1, which is {most}.",
                length=length.value,
                most=gamma + 1,
            )
        )


def _times(
    times: tuple[int, ...], accepted: int | None, rounds: int | None, found: list[Contradiction]
) -> None:
    if accepted is not None and sum(times) != accepted:
        found.append(
            Contradiction(
                "The tokens accepted at each position sum to {total}, not to the accepted tokens, "
                "{accepted}.",
                total=sum(times),
                accepted=accepted,
            )
        )
    for position, (before, after) in enumerate(pairwise((rounds, *times)), start=1):
        if before is not None and after is not None and after > before:
            found.append(
                Contradiction(
                    "Position {position} was accepted more often than reached: {after} against "
                    "{before}.",
                    position=position,
                    after=after,
                    before=before,
                )
            )
            break


def _rounds(
    line: Line, drafted: int, rounds: int | None, gamma: int, found: list[Contradiction]
) -> None:
    if rounds is None and line.accepted and (length := length_of(line)) is not None:
        most = rounds_between(line.accepted, length)[1]
        rounds = math.floor(most) if math.isfinite(most) else None
    if rounds is not None and drafted > rounds * gamma:
        found.append(
            Contradiction(
                "The draft tokens, {drafted}, are more than rounds x gamma, {rounds} x {gamma}.",
                drafted=drafted,
                gamma=gamma,
                rounds=rounds,
            )
        )
