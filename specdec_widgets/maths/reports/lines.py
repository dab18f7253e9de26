"""A line of a report, and what the readers of all engines share.

A reader takes a text of any length, finds its mark with `str.find` and looks at a short window
around each mark, which ends where the next one begins: time grows in step with the text, whatever
it holds. Every number is read from at most 15 digits. What an engine counts is in the docstring of
its reader; what the lines say together is not asked here.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

MAX_POSITIONS = 1000  # of a list of rates or a histogram; a longer one is not read
_WINDOW = 4000  # characters looked at before and after a mark
_MOST_PARTS = 16  # of a line that was broken after its commas

_DIGITS = r"[0-9]{1,15}(?:\.[0-9]{1,15})?"
COUNT = r"([0-9]{1,15})(?!\.?[0-9])"
NUMBER = f"({_DIGITS})"
COMMA = r"\s{0,64},\s{0,64}"
# (?>...) is never gone back into, so a list that is too long costs no more than any other.
LIST = f"((?>{_DIGITS}(?:{COMMA}{_DIGITS}){{0,{MAX_POSITIONS - 1}}}))(?!{COMMA}[0-9])"


def named(name: str) -> str:
    """The pattern of a name that is not the end of a longer one.

    The look behind stands last, since a pattern that begins with letters is searched by them, which
    is several times faster.

    >>> pattern = re.compile(named("n_draft"))
    >>> [bool(pattern.search(text)) for text in ("n_draft = 4", "my_n_draft = 4")]
    [True, False]
    """
    return rf"{name}(?<!\w{name})"


KEY = r'\\{0,3}["\']\s{0,64}:\s{0,64}'  # ends the name of a JSON field, in a string or not


class Printed(NamedTuple):
    """A number as it was printed, and half a unit of its last digit: how far it may be rounded.

    >>> Printed(2.16, 0.005).value
    2.16
    """

    value: float
    half: float


class Line(NamedTuple):
    """What one line, request or iteration says, or several in sum; None for what it does not.

    >>> Line(drafted=387, accepted=150).rounds is None
    True
    """

    rounds: int | None = None
    drafted: int | None = None
    accepted: int | None = None
    rate: Printed | None = None  # accepted / drafted
    length: Printed | None = None
    joint: tuple[float, ...] | None = None  # by position
    half: float = 0  # of the last digit of each of them
    accepted_at: tuple[int, ...] | None = None  # rounds in which each position was accepted
    gamma: int | None = None
    sglang_rate: Printed | None = None  # one of two things, see `sources`
    running: int | None = None  # requests in the batch
    other_gamma: int | None = None  # that is said beside a histogram of `gamma`
    lines: int = 1  # that it stands for
    readings: int = 1  # of a request that was still running, of which this is the last
    computed: tuple[str, ...] = ()  # which of these the line does not print itself


def how_many(lines: Iterable[Line]) -> int:
    """The lines, requests or iterations that these stand for.

    >>> how_many([Line(rounds=3), Line(rounds=5, lines=2)])
    3
    """
    return sum([line.lines for line in lines])


def windows(text: str, mark: str) -> Iterator[tuple[int, int, int]]:
    """Of every mark: where what belongs to it may begin, where it stands, and where it may end.

    >>> list(windows("a mark b mark c", "mark"))
    [(0, 2, 9), (6, 9, 15)]
    """
    before, at = 0, text.find(mark)
    while at >= 0:
        after = text.find(mark, at + len(mark))
        end = len(text) if after < 0 else after
        yield max(before, at - _WINDOW), at, min(end, at + _WINDOW)
        before, at = at + len(mark), after


def rest_of_line(text: str, at: int, end: int) -> str:
    r"""From `at` to the end of the line; a line that was broken after a comma goes on.

    >>> rest_of_line("x: 1,\ny: 2\nz: 3", 0, 16)
    'x: 1,\ny: 2'
    """
    stop = at
    for _ in range(_MOST_PARTS):
        stop = text.find("\n", stop + 1, end)
        if stop < 0 or not text[max(at, stop - 8) : stop].rstrip().endswith(","):
            break
    return text[at : end if stop < 0 else stop]


def innermost(text: str, begin: int, at: int, end: int) -> str:
    """The innermost {...} around `at`, as far as it lies between `begin` and `end`.

    >>> text = '{"a": {"b": 1}, "c": 2}'
    >>> innermost(text, 0, text.find("b"), len(text))
    '{"b": 1'
    """
    opening, closing = text.rfind("{", begin, at), text.find("}", at, end)
    return text[begin if opening < 0 else opening : end if closing < 0 else closing]


def whole(found: re.Match[str] | None) -> int | None:
    """The whole number of a match.

    >>> whole(re.match("n=([0-9]+)", "n=12")), whole(None)
    (12, None)
    """
    return int(found[1]) if found else None


@lru_cache(maxsize=4096)  # a log of many lines prints the same few numbers
def printed(number: str, percent: bool = False) -> Printed:
    """A number as it was printed; a percentage as a share.

    >>> printed("0.5"), printed("38.8", percent=True)
    (Printed(value=0.5, half=0.05), Printed(value=0.388, half=0.0005))
    """
    decimals = len(number.partition(".")[2]) + (2 if percent else 0)
    return Printed(float(f"{number}e-2" if percent else number), 0.5 / 10**decimals)


def decimal(found: re.Match[str] | None) -> Printed | None:
    """The number of a match.

    >>> decimal(re.match("x=([0-9.]+)", "x=2.5")), decimal(None)
    (Printed(value=2.5, half=0.05), None)
    """
    return printed(found[1]) if found else None


def listed(numbers: str | None) -> tuple[tuple[float, ...] | None, float]:
    """The numbers of a list, and half a unit of the last digit of the one with the fewest.

    >>> listed("0.54, 0.357"), listed(None)
    (((0.54, 0.357), 0.005), (None, 0.0))
    """
    if not numbers:
        return None, 0.0
    values, halves = zip(*[printed(number.strip()) for number in numbers.split(",")], strict=True)
    return values, max(halves)


def share(found: re.Match[str] | None) -> Printed | None:
    """The number of a match, a percentage where its second group says so.

    >>> share(re.match("([0-9]+)(%?)", "50%"))
    Printed(value=0.5, half=0.005)
    """
    return printed(found[1], bool(found[2])) if found else None


_COMPUTED = ("rounds", "accepted", "gamma")
_COMPUTED_DRAFTED = (*_COMPUTED, "drafted")


def of_histogram(
    counts: list[int],
    gamma: int | None = None,
    drafted: int | None = None,
    rate: Printed | None = None,
    length: Printed | None = None,
) -> Line:
    """The line of a histogram: in how many rounds 0, 1, 2, ... tokens were accepted.

    gamma:        one less than the number of counts, unless a greater one is said; a smaller one,
                  or one above 1000, is kept as `other_gamma`
    drafted:      rounds x gamma, every draft full, unless it is said
    rate, length: as they are printed beside the histogram, if they are

    >>> of_histogram([39, 1, 0, 3])[:3], of_histogram([39, 1, 0, 3]).accepted_at
    ((43, 129, 10), (4, 3, 3))
    """
    last = len(counts) - 1
    if gamma and last < gamma <= MAX_POSITIONS:
        counts, last = counts + [0] * (gamma - last), gamma
    at_least = (*accumulate(reversed(counts)),)[::-1]  # rounds that accepted at least 0, 1, ...
    rounds, *times = at_least
    return Line(
        rounds=rounds,
        drafted=rounds * last if drafted is None else drafted,
        accepted=sum(times),
        rate=rate,
        length=length,
        accepted_at=at_least[1:],
        gamma=last or None,
        other_gamma=None if gamma == last else gamma,
        computed=_COMPUTED_DRAFTED if drafted is None else _COMPUTED,
    )


_COUNTER = re.compile(
    r"_num_(drafts|draft_tokens|accepted_tokens|accepted_tokens_per_pos)(?:_total)?"
    r"(\{[^\n]{0,2000}\})?[ \t]{1,16}([0-9]{1,15}(?:\.[0-9]{1,15})?(?:[eE][+]?[0-9]{1,2})?)(?!\S)"
)
_POSITION = re.compile(r'[{,]\s{0,4}pos(?:ition)?="([0-9]{1,3})"')
_MOST = 10**15  # where a float stops telling whole numbers apart


def counters(text: str, mark: str) -> list[Line]:
    r"""Prometheus counters, totals since the start: the last value of each series, summed.

    `num_drafts` counts the rounds; position 0 is the first.

    >>> text = "vllm:spec_decode_num_drafts 2\nvllm:spec_decode_num_accepted_tokens 5"
    >>> [(line.rounds, line.accepted) for line in counters(text, "vllm:spec_decode")]
    [(2, 5)]
    """
    series: dict[tuple[str, str], int] = {}
    times: Counter[tuple[str, str]] = Counter()
    for _, at, _ in windows(text, mark):
        found = _COUNTER.match(text, at + len(mark))
        if found and (value := float(found[3])) <= _MOST:
            key = found[1], found[2] or ""
            series[key] = round(value)
            times[key] += 1
    totals: dict[str, int] = {}
    at_position: dict[int, int] = {}
    for (name, labels), value in series.items():
        position = whole(_POSITION.search(labels))
        if name.endswith("_per_pos") and position is not None:
            at_position[position] = at_position.get(position, 0) + value
        else:
            totals[name] = totals.get(name, 0) + value
    known = 0 < len(at_position) == max(at_position, default=0) + 1
    line = Line(
        rounds=totals.get("drafts"),
        drafted=totals.get("draft_tokens"),
        accepted=totals.get("accepted_tokens"),
        accepted_at=tuple([at_position[i] for i in sorted(at_position)]) if known else None,
        gamma=len(at_position) if known else None,
        computed=("gamma",),
    )
    return [line] * max(times.values(), default=0)  # one for every time it was read out
