"""What the lines of a report say together: counts are summed, and rates never averaged instead.

Of lines that print no count at all the lengths are weighted by the requests in the batch where
every line prints them, else equally, and the report says so. Lines of another gamma than most are
left out, for the same reason that a log of two servers is two reports.

By hand: 2 of 4 drafted tokens accepted in 2 rounds and 90 of 300 in 100 rounds are 92 of 304 in
102, a length of 1 + 92 / 102 = 1.90; the mean of the two lengths, 2 and 1.9, would be 1.95.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from specdec_widgets.maths.cost import MAX_SCAN
from specdec_widgets.maths.reports.checks import contradictions, two_gammas
from specdec_widgets.maths.reports.lines import Line, Printed, how_many
from specdec_widgets.maths.reports.report import Caveat, Finding, Origin, Report
from specdec_widgets.maths.reports.rounds import Chain, Rounds, draft_tokens, rounds_of

_COUNTS = ("rounds", "drafted", "accepted")
_FIGURES = (
    *_COUNTS,
    "acceptance_rate",
    "mean_acceptance_length",
    "joint_acceptance",
    "gamma",
)


def pool(
    engine: str | None,
    lines: Sequence[Line],
    gamma: int | None = None,
    findings: Iterable[Finding] = (),
) -> Report:
    """The report of these lines, at least one; `gamma` is what the reader knows, if anything.

    >>> lines = [Line(rounds=2, drafted=4, accepted=2), Line(rounds=100, drafted=300, accepted=90)]
    >>> round(pool("TensorRT-LLM", lines).mean_acceptance_length, 2)
    1.9
    """
    notes = _Notes(findings)
    readings, requests = sum([line.readings for line in lines]), how_many(lines)
    if readings > requests:
        notes.add(
            Caveat(
                "These figures were printed while requests ran and count since each began: of "
                "{all} readings the last of every request is taken, {requests} in all.",
                all=readings,
                requests=requests,
            )
        )
    lines = _of_one_gamma(_with_counts(lines, notes), notes)
    chain = draft_tokens(lines)
    said = _gamma_said(lines, chain)
    known = _gamma_known(said, gamma, notes)
    settled = _settled(lines, known)
    for line, own in zip(lines, settled, strict=True):
        for found in contradictions(line, own.number, line.gamma or known):
            notes.add(found)

    rounds, drafted, accepted = (
        _sum([own.number for own in settled]),
        _sum([line.drafted for line in lines]),
        _sum([line.accepted for line in lines]),
    )
    _open_rounds(lines, settled, known, notes)
    weights = _weights(lines, settled, notes)
    joint = _joint(lines, weights)
    length = _length(lines, weights, accepted, joint)
    rate = _rate(lines, chain, drafted, accepted)
    if rate is None and accepted is None and joint is None and known and length is not None:
        rate = (length - 1) / known  # SGLang's drafts are all as long as one another
    if lines[0].sglang_rate:
        _sglang_meaning(lines[0].sglang_rate, chain, notes)
    about = rounds if rounds is not None else round(math.fsum(weights or ()))
    if drafted and known and drafted < about * known:
        notes.add(
            Caveat(
                "The draft tokens, {drafted}, are fewer than rounds x gamma, {rounds} x {gamma}: "
                "some drafts were shorter, and a position that was not drafted counts as not "
                "accepted.",
                drafted=drafted,
                gamma=known,
                rounds=about,
            )
        )
    report = Report(
        engine=engine,
        lines=how_many(lines),
        rounds=rounds,
        drafted=drafted,
        accepted=accepted,
        acceptance_rate=rate,
        mean_acceptance_length=length,
        joint_acceptance=joint,
        gamma=known,
        findings=notes.all(),
    )
    determined = [name for name in _FIGURES if getattr(report, name) is not None]
    return replace(report, origin={name: _origin(name, lines, chain, said) for name in determined})


class _Notes:
    """Findings, one of a kind, with how many lines show it."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._first: dict[str, Finding] = {}
        self._times: dict[str, int] = {}
        for finding in findings:
            self.add(finding)

    def add(self, finding: Finding) -> None:
        self._first.setdefault(finding.template, finding)
        self._times[finding.template] = self._times.get(finding.template, 0) + finding.lines

    def all(self) -> tuple[Finding, ...]:
        return tuple(
            [
                type(first)(template, lines=self._times[template], **first.fields)
                for template, first in self._first.items()
            ]
        )


def _sum(numbers: Sequence[int | None]) -> int | None:
    known = [n for n in numbers if n is not None]
    return sum(known) if len(known) == len(numbers) else None


def _with_counts(lines: Sequence[Line], notes: _Notes) -> Sequence[Line]:
    """The lines with counts and a draft where there are any, else all of them."""
    counted = [n for n in lines if n.accepted is not None and n.drafted is not None]
    if counted and len(counted) < len(lines):
        left = how_many(lines) - how_many(counted)
        notes.add(
            Caveat(
                "Lines that print no counts are left out: {left} of {all}.",
                lines=left,
                left=left,
                all=how_many(lines),
            )
        )
    counted = [line for line in counted if line.drafted] or counted
    return counted or lines


def _of_one_gamma(lines: Sequence[Line], notes: _Notes) -> Sequence[Line]:
    """The lines with the gamma that most lines have: positions compare within one gamma only."""
    times: Counter[int] = Counter()
    for line in lines:
        if line.gamma:
            times[line.gamma] += line.lines
    gamma = max(times, key=lambda g: (times[g], g), default=None)
    left = how_many(lines) - times[gamma] if gamma else 0
    if not left:
        return lines
    notes.add(
        Caveat(
            "Lines without gamma {gamma}, which most have, are left out: {left} of {all}.",
            lines=left,
            left=left,
            all=how_many(lines),
            gamma=gamma,
        )
    )
    return [line for line in lines if line.gamma == gamma]


def _gamma_said(lines: Sequence[Line], chain: Chain) -> int | None:
    """The gamma that the lines say, the same for all of them."""
    said = {chain.gamma or line.gamma or _full_drafts(line) for line in lines}
    gamma = said.pop() if len(said) == 1 else None
    return None if gamma is None or gamma > MAX_SCAN else gamma


def _full_drafts(line: Line) -> int | None:
    if line.rounds and line.drafted and line.drafted % line.rounds == 0:
        return line.drafted // line.rounds
    return None


def _settled(lines: Sequence[Line], gamma: int | None) -> Sequence[Rounds]:
    """The rounds of each line; full drafts are not taken for granted where a line had shorter."""
    settled = [rounds_of(line, line.gamma or gamma) for line in lines]
    if not any([own.taken for own in settled]):
        return settled
    full = all(
        own.taken
        or (own.number is not None and own.number * (line.gamma or gamma or 0) == line.drafted)
        for line, own in zip(lines, settled, strict=True)
    )
    return [own._replace(number=None) if own.taken and not full else own for own in settled]


def _gamma_known(said: int | None, given: int | None, notes: _Notes) -> int | None:
    if said is not None and given is not None and said != given:
        notes.add(two_gammas(given, said))
    return given if said is None else said


def _open_rounds(
    lines: Sequence[Line], settled: Sequence[Rounds], gamma: int | None, notes: _Notes
) -> None:
    """Say on what the rounds rest, and which of them stay open."""
    both = list(zip(lines, settled, strict=True))
    none_tells = all(own.taken or own.number is None for own in settled)
    full = [
        line
        for line, own in both
        if own.number
        and ((own.taken and none_tells) or ("drafted" in line.computed and line.gamma))
    ]
    if full:
        notes.add(
            Caveat(
                "Every draft is taken to be of length {gamma}.",
                lines=how_many(full),
                gamma=full[0].gamma or gamma,
            )
        )
    unsettled = [(line, own) for line, own in both if own.number is None]
    for line, own in unsettled:
        if line.length is not None or line.joint is not None:
            if own.weight is not None:
                notes.add(
                    Caveat(
                        "The printed figures are rounded and leave the rounds open: a line weighs "
                        "as many as accepted / (length - 1) makes, or drafted / gamma where that "
                        "is nothing."
                    )
                )
        elif gamma and line.drafted and line.drafted % gamma:
            notes.add(
                Caveat(
                    "The draft tokens, {drafted}, are no multiple of gamma {gamma}: some drafts "
                    "were shorter, and the rounds were {rounds} or more.",
                    drafted=line.drafted,
                    gamma=gamma,
                    rounds=-(-line.drafted // gamma),
                )
            )


def _weights(lines: Sequence[Line], settled: Sequence[Rounds], notes: _Notes) -> list[float] | None:
    """How much each line weighs, in rounds; None where that is not known of every line."""
    if len(lines) == 1 and lines[0].accepted is None:
        return [1.0]
    weights = [own.weight for own in settled if own.weight is not None]
    if len(weights) == len(lines):
        return weights
    if any(line.accepted is not None for line in lines):
        return None
    running = [float(line.running) for line in lines if line.running]
    if len(running) == len(lines):
        notes.add(
            Caveat(
                "The lines print no counts: their lengths are weighted by the running requests, as "
                "if every line stood for as many steps.",
                lines=len(lines),
            )
        )
        return running
    notes.add(
        Caveat(
            "The lines print no counts: their lengths are averaged, as if every line stood for as "
            "many rounds.",
            lines=len(lines),
        )
    )
    return [1.0] * len(lines)


def _joint(lines: Sequence[Line], weights: list[float] | None) -> tuple[float, ...] | None:
    total = math.fsum(weights or ())
    if weights is None or not total:
        return None
    printed = [line.joint for line in lines if line.joint]
    if len(printed) == len(lines) == 1:
        return printed[0]
    rows = [
        [rate * weight for rate in line.joint] if line.joint else line.accepted_at
        for line, weight in zip(lines, weights, strict=True)
    ]
    known = [row for row in rows if row]
    if len(known) < len(rows) or any(n.rounds is None and not n.joint for n in lines):
        return None
    return tuple([math.fsum(column) / total for column in zip(*known, strict=True)])


def _length(
    lines: Sequence[Line],
    weights: list[float] | None,
    accepted: int | None,
    joint: tuple[float, ...] | None,
) -> float | None:
    lengths = [line.length.value for line in lines if line.length]
    if len(lengths) == len(lines) == 1:
        return lengths[0]
    total = math.fsum(weights or ())
    if weights and total and accepted is not None:
        return 1 + accepted / total
    if joint is not None:
        return 1 + math.fsum(joint)
    if weights and total and len(lengths) == len(lines):
        return math.fsum(map(math.prod, zip(weights, lengths, strict=True))) / total
    return None


def _rate(
    lines: Sequence[Line],
    chain: Chain,
    drafted: int | None,
    accepted: int | None,
) -> float | None:
    printed = _printed_rate(lines, chain)
    if printed is not None:
        return printed.value
    return accepted / drafted if drafted and accepted is not None else None


def _printed_rate(lines: Sequence[Line], chain: Chain) -> Printed | None:
    """The accepted / drafted that a single line prints."""
    if len(lines) > 1:
        return None
    is_rate = chain.gamma is not None and bool(chain.by_drafts)
    return lines[0].rate or (lines[0].sglang_rate if is_rate else None)


def _sglang_meaning(printed: Printed, chain: Chain, notes: _Notes) -> None:
    rate = printed.value
    if chain.gamma is None:
        notes.add(
            Caveat(
                "SGLang's accept rate {rate} was length / draft tokens and is (length - 1) / "
                "(draft tokens - 1) since April 2026; the figures do not tell which, and it is "
                "left out.",
                rate=rate,
            )
        )
    elif not chain.by_drafts:
        notes.add(
            Caveat(
                "SGLang's accept rate {rate} is read as length / draft tokens, its meaning before "
                "April 2026: a chain of {tokens}, the first of them the target's own.",
                rate=rate,
                tokens=chain.gamma + 1,
            )
        )
    elif not chain.by_length:
        notes.add(
            Caveat(
                "SGLang's accept rate {rate} is read as (length - 1) / (draft tokens - 1), its "
                "meaning since April 2026: a chain of {tokens}, the first of them the target's "
                "own.",
                rate=rate,
                tokens=chain.gamma + 1,
            )
        )


def _origin(name: str, lines: Sequence[Line], chain: Chain, said: int | None) -> Origin:
    if name == "gamma" and said is None:
        return "given"
    alone = len(lines) == 1
    if name in _COUNTS or name == "gamma":
        printed = all(getattr(n, name) is not None and name not in n.computed for n in lines)
    elif name == "acceptance_rate":
        printed = _printed_rate(lines, chain) is not None
    elif name == "mean_acceptance_length":
        printed = alone and lines[0].length is not None and "length" not in lines[0].computed
    else:
        printed = alone and lines[0].joint is not None
    return "reported" if printed else "derived"
