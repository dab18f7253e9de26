"""What llama.cpp prints: its server, its command line, and the JSON timings of a request."""

import re
from operator import sub

from specdec_widgets.maths.reports.lines import (
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
    rest_of_line,
    share,
    whole,
    windows,
)

_LONGEST_REST = 2000  # characters of a line after its counts
_LENGTH = rf"mean acceptance length {{0,8}}= {{0,8}}{NUMBER}"
_POSITIONS = rf"acceptance rate per position {{0,8}}= {{0,8}}\( {{0,8}}{LIST}"
_SERVER = re.compile(
    rf"draft acceptance(?: rate)? {{0,8}}= {{0,8}}{NUMBER} {{0,8}}"
    r"\( {0,16}([0-9]{1,15}) accepted {0,8}/ {0,16}([0-9]{1,15}) generated {0,8}\)"
    rf"(?:{COMMA}{_LENGTH})?(?:{COMMA}{_POSITIONS})?"
)
_SERVER_LENGTH, _SERVER_POSITIONS = re.compile(_LENGTH), re.compile(_POSITIONS)


def _found(pattern: re.Pattern[str], text: str) -> str | None:
    found = pattern.search(text)
    return found[1] if found else None


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
        if not (length and positions):  # there are none, or other fields stand between
            at = found.end()
            following = text.find("draft acceptance", at, at + _LONGEST_REST)
            said = rest_of_line(text, at, at + _LONGEST_REST if following < 0 else following)
            length = length or _found(_SERVER_LENGTH, said)
            positions = positions or _found(_SERVER_POSITIONS, said)
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
_LONGEST_ROUND = 33  # tokens: gamma 32 and the target's own
_TIMINGS_ACCEPTED = re.compile(rf"draft_n_accepted{KEY}{COUNT}")


def llama_timings(text: str) -> list[Line]:
    """llama.cpp's JSON timings of a request: draft tokens and how many were accepted.

    A stream with `timings_per_token` prints them beside every token, counted since the request
    began. The time that the prompt took stays the same, so that it tells the request, of which the
    last reading is taken. A stream begins with its first round and grows by no more than one at a
    time; what does not is a request of its own. (llama.cpp, pull request 12603.)

    >>> token = '{"prompt_ms": 9.5, "predicted_n": %d, "draft_n": %d, "draft_n_accepted": %d}'
    >>> [(n.drafted, n.readings) for n in llama_timings(token % (3, 4, 2) + token % (7, 8, 5))]
    [(8, 2)]
    """
    lines: list[Line] = []
    running: dict[tuple[str | None, ...], tuple[int, int, int, int]] = {}
    for begin, at, end in windows(text, "draft_n_accepted"):
        accepted = whole(_TIMINGS_ACCEPTED.match(text, at))
        said = dict(_TIMING.findall(innermost(text, begin, at, end)))
        drafted, tokens = said.get("draft_n", ""), said.get("predicted_n", "")
        if accepted is None or not drafted.isdecimal():
            continue
        present = int(tokens) if tokens.isdecimal() else 0, int(drafted), accepted
        line = Line(drafted=present[1], accepted=accepted)
        if "prompt_ms" in said and present[0]:
            request = said.get("cache_n"), said.get("prompt_n"), said["prompt_ms"]
            place, *before = running.pop(request, (len(lines), 0, 0, 0))
            more, drafts, kept = map(sub, present, before)
            if 0 < more <= _LONGEST_ROUND and drafts >= 0 and kept >= 0:
                running[request] = (place, *present)
                if place < len(lines):
                    lines[place] = line._replace(readings=lines[place].readings + 1)
                    continue
            elif present[0] <= _LONGEST_ROUND:  # another stream begins
                running[request] = (len(lines), *present)
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
