"""What llama.cpp prints: its server, its command line, and the JSON timings of a request."""

import re

from specdec_widgets.maths.report_lines import (
    COUNT,
    KEY,
    LIST,
    NUMBER,
    Line,
    Printed,
    decimal,
    innermost,
    listed,
    printed,
    rest_of_line,
    share,
    whole,
    windows,
)

_SERVER = re.compile(
    rf"draft acceptance(?: rate)? {{0,8}}= {{0,8}}{NUMBER} {{0,8}}"
    r"\( {0,16}([0-9]{1,15}) accepted {0,8}/ {0,16}([0-9]{1,15}) generated {0,8}\)"
)
_SERVER_LENGTH = re.compile(rf"mean acceptance length {{0,8}}= {{0,8}}{NUMBER}")
_SERVER_POSITIONS = re.compile(rf"acceptance rate per position {{0,8}}= {{0,8}}\( {{0,8}}{LIST}")


def llama_server(text: str) -> list[Line]:
    """llama.cpp's server, of one request: accepted / drafted, newer ones with length and positions.

    The rounds are those that had a draft, and drafts may be shorter than the longest.
    """
    lines = []
    for _, at, end in windows(text, "draft acceptance"):
        if not (found := _SERVER.match(text, at)):
            continue
        said = rest_of_line(text, at, end)
        joint, half = listed(_SERVER_POSITIONS.search(said))
        lines.append(
            Line(
                drafted=int(found[3]),
                accepted=int(found[2]),
                rate=printed(found[1]),
                length=decimal(_SERVER_LENGTH.search(said)),
                joint=joint,
                half=half,
                gamma=len(joint) if joint else None,
                computed=("gamma",),
            )
        )
    return lines


_TIMINGS_ACCEPTED = re.compile(rf"draft_n_accepted{KEY}{COUNT}")
_TIMINGS_DRAFTED = re.compile(rf"(?<!\w)draft_n{KEY}{COUNT}")


def llama_timings(text: str) -> list[Line]:
    """llama.cpp's JSON timings of one request: draft tokens and how many were accepted."""
    lines = []
    for begin, at, end in windows(text, "draft_n_accepted"):
        accepted = whole(_TIMINGS_ACCEPTED.match(text, at))
        drafted = whole(_TIMINGS_DRAFTED.search(innermost(text, begin, at, end)))
        if accepted is not None and drafted is not None:
            lines.append(Line(drafted=drafted, accepted=accepted))
    return lines


_CLI_DRAFTED = re.compile(rf"n_drafted\s{{0,8}}=\s{{0,8}}{COUNT}")
_CLI_GAMMA = re.compile(rf"(?<!\w)n_draft\s{{0,8}}=\s{{0,8}}{COUNT}")
_CLI_PREDICTED = re.compile(rf"(?<!\w)n_predict\s{{0,8}}=\s{{0,8}}{COUNT}")
_CLI_ACCEPTED = re.compile(rf"(?<!\w)n_accept\s{{0,8}}=\s{{0,8}}{COUNT}")
_CLI_RATE = re.compile(rf"(?<!\w)accept\s{{0,8}}=\s{{0,8}}{NUMBER} {{0,4}}(%)")


def llama_cli(text: str) -> list[Line]:
    """llama.cpp's block of one run: n_draft, n_predict, n_drafted, n_accept and accept.

    Every verify pass gives one token of its own, so n_predict - n_accept counts the passes; one of
    the two programs that print the block counts the prompt's pass too. Full drafts tell which.
    """
    lines = []
    for begin, at, end in windows(text, "n_drafted"):
        drafted = whole(_CLI_DRAFTED.match(text, at))
        accepted = whole(_CLI_ACCEPTED.search(text, at, end))
        if drafted is None or accepted is None:
            continue
        gamma = whole(_last(_CLI_GAMMA, text[begin:at]))
        predicted = whole(_last(_CLI_PREDICTED, text[begin:at]))
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


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = None
    for found in pattern.finditer(text):  # noqa: B007 - the last one is wanted
        pass
    return found
