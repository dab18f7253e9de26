"""What vLLM prints: its log of today and of 2024, and the JSON of a request."""

import re
from collections import Counter
from itertools import repeat
from operator import add

from specdec_widgets.maths.reports.lines import (
    COMMA,
    COUNT,
    KEY,
    LIST,
    MAX_POSITIONS,
    NUMBER,
    Line,
    decimal,
    innermost,
    listed,
    of_histogram,
    printed,
    rest_of_line,
    share,
    whole,
    windows,
)

_LENGTH = re.compile(rf"ean acceptance length: {{0,8}}{NUMBER}")
_RATE = re.compile(rf"raft acceptance rate: {{0,8}}{NUMBER} {{0,4}}(%?)")
_ACCEPTED = re.compile(rf"Accepted: {{0,8}}{COUNT}")
_DRAFTED = re.compile(rf"Drafted: {{0,8}}{COUNT}")
_POSITIONS = re.compile(rf"er-position acceptance rate: {{0,8}}\[?{LIST}")
_NOTHING = Line(computed=("gamma",))


def vllm_log(text: str) -> list[Line]:
    """The "SpecDecoding metrics" of vLLM, of the seconds since its last line, fields in any order.

    The length is 1 + accepted / rounds, a position's rate joint, and the rounds are not printed.

    >>> (line,) = vllm_log("SpecDecoding metrics: Accepted: 150 tokens, Drafted: 387 tokens")
    >>> line.accepted, line.drafted, line.rounds
    (150, 387, None)
    """
    lines = []
    for _, at, end in windows(text, "SpecDecoding metrics:"):
        said = rest_of_line(text, at, end)
        positions = _POSITIONS.search(said)
        joint, half = listed(positions and positions[1])
        line = Line(
            drafted=whole(_DRAFTED.search(said)),
            accepted=whole(_ACCEPTED.search(said)),
            rate=share(_RATE.search(said)),
            length=decimal(_LENGTH.search(said)),
            joint=joint,
            half=half,
            gamma=len(joint) if joint else None,
            computed=("gamma",),
        )
        if line != _NOTHING:
            lines.append(line)
    return lines


_OLD_GAMMA = re.compile(rf"Number of speculative tokens: {COUNT}")
_OLD_DRAFTED = re.compile(rf"Number of draft tokens: {COUNT}")
_OLD_EMITTED = re.compile(rf"Number of emitted tokens: {COUNT}")


def vllm_old_log(text: str) -> list[Line]:
    """The "Speculative metrics" of vLLM in 2024, totals since the start.

    Its "accepted tokens" counts those after a rejection too, which nobody ever sees, and its "draft
    acceptance rate" likewise; so neither is taken. Emitted tokens less one a round are the ones
    that survived.

    >>> (line,) = vllm_old_log(
    ...     "Speculative metrics: Number of speculative tokens: 3, Number of draft tokens: 30, "
    ...     "Number of emitted tokens: 24."
    ... )
    >>> line.rounds, line.accepted
    (10, 14)
    """
    lines = []
    for _, at, end in windows(text, "Speculative metrics:"):
        said = rest_of_line(text, at, end)
        gamma, drafted = whole(_OLD_GAMMA.search(said)), whole(_OLD_DRAFTED.search(said))
        emitted = whole(_OLD_EMITTED.search(said))
        if not gamma or drafted is None or emitted is None or drafted % gamma:
            continue
        rounds = drafted // gamma
        if emitted >= rounds:
            survived = emitted - rounds
            lines.append(
                Line(rounds, drafted, survived, gamma=gamma, computed=("rounds", "accepted"))
            )
    return lines


_HISTOGRAM = re.compile(
    rf"acceptance_histogram(?<=[\"']acceptance_histogram){KEY}\[\s{{0,64}}"
    r"(?=[0,\s]*+[1-9])"  # not all of them 0
    rf"((?>[0-9]{{1,15}}(?:{COMMA}[0-9]{{1,15}}){{0,{MAX_POSITIONS}}}))\s{{0,64}}\]"
)
_FIELD = re.compile(
    r"""["'](mean_acceptance_length|draft_acceptance_rate|num_draft_tokens|num_spec_tokens)"""
    rf"{KEY}([0-9]{{1,15}}(?![0-9])(?:\.[0-9]{{1,15}})?)"
)


def vllm_requests(text: str) -> list[Line]:
    """The JSON of a request to vLLM: in how many rounds it accepted 0, 1, ... gamma tokens.

    Those that say nothing else are summed to one line for each number of counts.

    >>> (line,) = vllm_requests('{"acceptance_histogram": [39, 1, 0, 3]}')
    >>> line.rounds, line.accepted_at
    (43, (4, 3, 3))
    """
    lines = []
    sums: dict[int, list[int]] = {}  # by the number of counts
    times: Counter[int] = Counter()
    for begin, at, end in windows(text, "acceptance_histogram"):
        found = _HISTOGRAM.match(text, at)
        if not found:
            continue
        counts = found[1].split(",")
        said = dict(_FIELD.findall(innermost(text, begin, at, end)))
        if not said:
            size = len(counts)
            sums[size] = [*map(add, sums.get(size, repeat(0)), map(int, counts))]
            times[size] += 1
            continue
        gamma, drafted = said.get("num_spec_tokens"), said.get("num_draft_tokens")
        rate, length = said.get("draft_acceptance_rate"), said.get("mean_acceptance_length")
        lines.append(
            of_histogram(
                [*map(int, counts)],
                gamma=int(float(gamma)) if gamma else None,
                drafted=int(float(drafted)) if drafted else None,
                rate=printed(rate) if rate else None,
                length=printed(length) if length else None,
            )
        )
    return lines + [of_histogram(sums[size])._replace(lines=n) for size, n in times.items()]
