"""What llama.cpp prints: its server, its command line, and the JSON timings of a request."""

import re
from operator import ge

from specdec_widgets.maths.report_lines import (
    COMMA,
    COUNT,
    KEY,
    LIST,
    NUMBER,
    Line,
    Printed,
    innermost,
    listed,
    named,
    printed,
    share,
    whole,
    windows,
)

_SERVER = re.compile(
    rf"draft acceptance(?: rate)? {{0,8}}= {{0,8}}{NUMBER} {{0,8}}"
    r"\( {0,16}([0-9]{1,15}) accepted {0,8}/ {0,16}([0-9]{1,15}) generated {0,8}\)"
    rf"(?:{COMMA}mean acceptance length {{0,8}}= {{0,8}}{NUMBER})?"
    rf"(?:{COMMA}acceptance rate per position {{0,8}}= {{0,8}}\( {{0,8}}{LIST})?"
)


def llama_server(text: str) -> list[Line]:
    """llama.cpp's server, of one request: accepted / drafted, newer ones with length and positions.

    The rounds are those that had a draft, and drafts may be shorter than the longest.

    >>> (line,) = llama_server("draft acceptance = 0.5 ( 2 accepted / 4 generated)")
    >>> line.accepted, line.drafted
    (2, 4)
    """
    lines = []
    for found in _SERVER.finditer(text):
        rate, accepted, drafted, length, positions = found.groups()
        joint, half = listed(positions)
        lines.append(
            Line(
                drafted=int(drafted),
                accepted=int(accepted),
                rate=printed(rate),
                length=printed(length) if length else None,
                joint=joint,
                half=half,
                gamma=len(joint) if joint else None,
                computed=("gamma",),
            )
        )
    return lines


_TIMING = re.compile(
    r"""["'](cache_n|prompt_n|prompt_ms|predicted_n|draft_n)"""
    rf"{KEY}([0-9]{{1,15}}(?:\.[0-9]{{1,15}})?)(?![0-9])"
)
_TIMINGS_ACCEPTED = re.compile(rf"draft_n_accepted{KEY}{COUNT}")


def llama_timings(text: str) -> list[Line]:
    """llama.cpp's JSON timings of a request: draft tokens and how many were accepted.

    A stream with `timings_per_token` prints them beside every token, counted since the request
    began. The time that the prompt took stays the same, so that it tells the request; the last
    reading is taken, unless a count fell: then another request took just as long. (llama.cpp, pull
    request 12603.)

    >>> token = '{"prompt_ms": 9.5, "draft_n": %d, "draft_n_accepted": %d}'
    >>> [(n.drafted, n.readings) for n in llama_timings(token % (4, 2) + token % (8, 5))]
    [(8, 2)]
    """
    lines: list[Line] = []
    running: dict[tuple[str | None, ...], tuple[int, tuple[float, ...]]] = {}
    for begin, at, end in windows(text, "draft_n_accepted"):
        accepted = whole(_TIMINGS_ACCEPTED.match(text, at))
        said = dict(_TIMING.findall(innermost(text, begin, at, end)))
        drafted = said.get("draft_n", "")
        if accepted is None or not drafted.isdecimal():
            continue
        line = Line(drafted=int(drafted), accepted=accepted)
        if "prompt_ms" in said:
            request = said.get("cache_n"), said.get("prompt_n"), said["prompt_ms"]
            counts = int(drafted), accepted, float(said.get("predicted_n", 0))
            place, before = running.get(request, (len(lines), counts))
            if place < len(lines) and all(map(ge, counts, before)):
                running[request] = place, counts
                lines[place] = line._replace(readings=lines[place].readings + 1)
                continue
            running[request] = len(lines), counts
        lines.append(line)
    return lines


_CLI_DRAFTED = re.compile(rf"n_drafted\s{{0,8}}=\s{{0,8}}{COUNT}")
_CLI_GAMMA = re.compile(named("n_draft") + rf"\s{{0,8}}=\s{{0,8}}{COUNT}")
_CLI_PREDICTED = re.compile(named("n_predict") + rf"\s{{0,8}}=\s{{0,8}}{COUNT}")
_CLI_ACCEPTED = re.compile(named("n_accept") + rf"\s{{0,8}}=\s{{0,8}}{COUNT}")
_CLI_RATE = re.compile(named("accept") + rf"\s{{0,8}}=\s{{0,8}}{NUMBER} {{0,4}}(%)")


def llama_cli(text: str) -> list[Line]:
    r"""llama.cpp's block of one run: n_draft, n_predict, n_drafted, n_accept and accept.

    Every verify pass gives one token of its own, so n_predict - n_accept counts the passes; one of
    the two programs that print the block counts the prompt's pass too. Full drafts tell which.

    >>> block = "n_draft = 4\nn_predict = 13\nn_drafted = 20\nn_accept = 8\naccept = 40.000%"
    >>> [(line.rounds, line.drafted, line.accepted) for line in llama_cli(block)]
    [(5, 20, 8)]
    """
    lines = []
    for begin, at, end in windows(text, "n_drafted"):
        drafted = whole(_CLI_DRAFTED.match(text, at))
        accepted = whole(_CLI_ACCEPTED.search(text, at, end))
        if drafted is None or accepted is None:
            continue
        gamma = _last(_CLI_GAMMA.findall(text, begin, at))
        predicted = _last(_CLI_PREDICTED.findall(text, begin, at))
        passes = 0 if predicted is None else predicted - accepted
        full = [n for n in (passes, passes - 1) if gamma and n > 0 and n * gamma == drafted]
        length = predicted / passes if predicted and passes > 0 and not full else None
        lines.append(
            Line(
                rounds=full[0] if full else None,
                drafted=drafted,
                accepted=accepted,
                rate=share(_CLI_RATE.search(text, at, end)),
                length=None if length is None else Printed(length, length / passes),
                gamma=gamma,
                computed=("rounds", "length"),
            )
        )
    return lines


def _last(counts: list[str]) -> int | None:
    return int(counts[-1]) if counts else None
