"""A report from a text: an engine's log, its JSON, its counters, or numbers that somebody typed.

Nothing is sent anywhere and nothing is kept. Ten megabytes of nothing but report lines take
one to two seconds of an idle core; with other lines among them, a fraction of that.
"""

import codecs
import gc
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction

from specdec_widgets.maths.errors import TypeRefused, ValueRefused, shown
from specdec_widgets.maths.numbers import entries_of, exact, integer, real
from specdec_widgets.maths.reports.checks import two_gammas
from specdec_widgets.maths.reports.lines import MAX_POSITIONS, Line, how_many, of_histogram
from specdec_widgets.maths.reports.pool import pool
from specdec_widgets.maths.reports.report import Caveat, Finding, Report
from specdec_widgets.maths.reports.sources import SOURCES, Source

MAX_COUNT = 10**15  # of anything; beyond it floats do not tell whole numbers apart
LONGEST_TYPED = 20_000  # characters of a text that may be typed numbers
TYPED_EXAMPLES = ("0.8, 0.6, 0.4", "39 1 0 3", "208 of 260, gamma 5")


def read_report(text: str | bytes, gamma: int | None = None) -> Report:
    """What a text says about speculative decoding.

    text:  what vLLM (log lines of any age, JSON of requests, Prometheus counters), SGLang,
           llama.cpp (server, command line, JSON timings, counters) or TensorRT-LLM (JSON) print,
           alone or anywhere in a log, coloured or not; bytes are read as UTF-8, or UTF-16 with its
           mark. Or typed numbers: the joint acceptance of every position ("0.8, 0.6, 0.4",
           "80% 60% 40%", "0,8 0,6 0,4"), a histogram of whole numbers ("39 1 0 3": 39 rounds
           accepted 0 tokens, 1 accepted 1, ...), or two counts ("208 of 260, gamma 5").
    gamma: draft tokens in a round, 1..1000, for a report that does not say it

    A gamma other than the report's is a contradiction, and the report's is taken. Many lines are
    pooled by their counts. Counters run since the start, so the last ones are taken. Of two engines
    in one text the one with more lines is taken, and of two kinds of figures of one engine the more
    exact, since both may count the same rounds; the report says what was left out.

    Raises ValueRefused where nothing can be read, saying what was looked for (`EXAMPLES` has a line
    of each engine); TypeRefused for a value of another type.

    >>> report = read_report("draft acceptance rate = 0.96855 (  154 accepted /   159 generated)")
    >>> report.engine, report.accepted, report.drafted, report.gamma
    ('llama.cpp', 154, 159, None)
    >>> report = read_report("208 of 260, gamma 5")
    >>> report.acceptance_rate, round(report.implied_alpha, 3)
    (0.8, 0.927)
    """
    said = _without_colours(decoded(text))
    if gamma is not None:
        gamma = integer(gamma, "gamma", 1, MAX_POSITIONS)
    with _no_search_for_cycles():
        return _read(said, gamma)


@contextmanager
def _no_search_for_cycles() -> Iterator[None]:
    """Without the cyclic garbage collector.

    A long log makes a hundred thousand small tuples, none of which refers back to itself; to look
    through them again and again for cycles takes a third of the time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _read(said: str, gamma: int | None) -> Report:
    read = [(source, lines) for source in SOURCES if (lines := source.read(said))]
    if not read:
        typed = _typed(said) if len(said) <= LONGEST_TYPED else None
        if typed is None:
            raise ValueRefused(
                "{argument} must hold what an engine prints, {marks}, or typed numbers such as "
                "{typed}, not {value}.",
                argument="text",
                marks=", ".join(f"{source.mark} ({source.engine})" for source in SOURCES),
                typed="; ".join(TYPED_EXAMPLES),
                value=shown(said),
            )
        line, own = typed
        if own is None or gamma in (None, own):
            return pool(None, [line], own or gamma)
        return pool(None, [line], own, [two_gammas(gamma, own)])
    return _pooled(read, gamma)


def report_from_rates(joint_acceptance: Iterable[object]) -> Report:
    """The report of typed rates: of each position, the share of rounds in which it was accepted.

    joint_acceptance: 1..1000 numbers or texts such as "0.8", "0,8" and "4/5", each 0..1

    Raises TypeRefused for values of another type, ValueRefused for a number out of range.

    >>> report_from_rates([0.8, 0.6, 0.3]).mean_acceptance_length
    2.7
    """
    return pool(None, [_of_rates(joint_acceptance)])


def report_from_histogram(rounds: Iterable[object]) -> Report:
    """The report of a typed histogram: in how many rounds 0, 1, ... gamma tokens were accepted.

    rounds: 2..1001 whole numbers 0..10**15, not all 0

    Raises TypeRefused for values of another type, ValueRefused for a number out of range.

    >>> report = report_from_histogram([39, 1, 0, 3])
    >>> report.rounds, report.accepted, report.drafted, round(report.mean_acceptance_length, 4)
    (43, 10, 129, 1.2326)
    """
    return pool(None, [_of_rounds(rounds)])


def report_from_counts(accepted: int, drafted: int, gamma: int | None = None) -> Report:
    """The report of two typed counts, with gamma where it is known.

    accepted, drafted: tokens, whole numbers 0..10**15
    gamma:             draft tokens in a round, 1..1000; every draft is then taken to be full

    Raises TypeRefused for values of another type, ValueRefused for a number out of range.

    >>> report = report_from_counts(208, 260, gamma=5)
    >>> report.rounds, report.mean_acceptance_length, round(report.implied_alpha, 3)
    (52, 5.0, 0.927)
    """
    line = _of_counts(accepted, drafted)
    return pool(None, [line], None if gamma is None else integer(gamma, "gamma", 1, MAX_POSITIONS))


def _of_rates(joint_acceptance: Iterable[object]) -> Line:
    rates = [
        exact(value, f"joint_acceptance[{i}]")
        for i, value in enumerate(
            entries_of(joint_acceptance, "joint_acceptance", 1, MAX_POSITIONS)
        )
    ]
    joint = [real(rate, f"joint_acceptance[{i}]", 0, 1) for i, rate in enumerate(rates)]
    return Line(joint=tuple(joint), gamma=len(joint), computed=("gamma",))


def _of_rounds(rounds: Iterable[object]) -> Line:
    counts = [
        integer(value, f"rounds[{i}]", 0, MAX_COUNT)
        for i, value in enumerate(entries_of(rounds, "rounds", 2, MAX_POSITIONS + 1))
    ]
    if not any(counts):
        raise ValueRefused("{argument} must not all be {value}.", argument="rounds", value=0)
    return of_histogram(counts)


def _of_counts(accepted: int, drafted: int) -> Line:
    return Line(
        drafted=integer(drafted, "drafted", 0, MAX_COUNT),
        accepted=integer(accepted, "accepted", 0, MAX_COUNT),
    )


def read_rates(typed: str, argument: str) -> list[Fraction]:
    """The rates that somebody typed into one line, such as "0.8, 0.6; 80%" or "0,8 0,6".

    A comma between two digits is a decimal one if nothing speaks against. `argument` names the list
    in a refusal. Any number may come of it, and none; what is no number is refused as by `exact`.

    >>> read_rates("0,8 0,6; 50%", "rates")
    [Fraction(4, 5), Fraction(3, 5), Fraction(1, 2)]
    """
    numbers = enumerate(_numbers(typed.strip()))
    return [_rate(number, f"{argument}[{i}]") for i, number in numbers]


_COLOURS = re.compile(r"\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,512}(?:\x07|\x1b\\))")


def decoded(text: object) -> str:
    """A text as str; bytes are read as UTF-8, or UTF-16 with its mark.

    Raises TypeRefused for a value of another type.

    >>> decoded("đoán".encode()) == decoded("đoán".encode("utf-16")) == "đoán"
    True
    """
    if isinstance(text, str):
        return text
    if not isinstance(text, bytes | bytearray | memoryview):
        raise TypeRefused(
            "{argument} must be text, not {value}.", argument="text", value=shown(text)
        )
    data = bytes(text)
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return data.decode("utf-16" if wide else "utf-8-sig", errors="replace")


def _without_colours(text: str) -> str:
    return _COLOURS.sub("", text) if "\x1b" in text else text


def _pooled(read: list[tuple[Source, list[Line]]], gamma: int | None) -> Report:
    lines_of: dict[str, int] = {}
    for source, lines in read:
        lines_of[source.engine] = lines_of.get(source.engine, 0) + how_many(lines)
    engine = max(lines_of, key=lambda name: lines_of[name])  # the first of several
    chosen = next(i for i, (source, _) in enumerate(read) if source.engine == engine)
    source, lines = read[chosen]
    findings: list[Finding] = [
        Caveat(
            "The text also has {left} ({engine}), which is left out: both may count the same "
            "rounds.",
            lines=how_many(other_lines),
            left=other.mark,
            engine=other.engine,
        )
        for i, (other, other_lines) in enumerate(read)
        if i != chosen
    ]
    if source.totals and len(lines) > 1:
        findings.append(
            Caveat(
                "These figures run since the server's start, so that of {all} readings the last "
                "is taken.",
                all=len(lines),
            )
        )
        lines = lines[-1:]
    return pool(engine, lines, gamma, findings)


_TWO_COUNTS = re.compile(
    r"(?:accepted\s{0,8}[:=]?\s{0,8})?(-?[0-9]{1,15})\s{0,8}(?:/|of|,|;|\s)\s{0,8}"
    r"(?:drafted\s{0,8}[:=]?\s{0,8})?(-?[0-9]{1,15})"
    r"(?:[\s,;]{0,8}(?:gamma|γ)\s{0,8}[:=]?\s{0,8}(-?[0-9]{1,15}))?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?:[0-9]{1,15}(?:[.,][0-9]{1,15})?|[.,][0-9]{1,15})%?")
_WORDS = re.compile(r"of|/|accepted|γ|gamma", re.IGNORECASE)


def _typed(text: str) -> tuple[Line, int | None] | None:
    """The line of typed numbers and a gamma typed beside it; None where it is something else."""
    typed = text.strip()
    counts = _TWO_COUNTS.fullmatch(typed)
    if counts and _WORDS.search(typed):
        own = None if counts[3] is None else integer(int(counts[3]), "gamma", 1, MAX_POSITIONS)
        return _of_counts(int(counts[1]), int(counts[2])), own
    numbers = _numbers(typed)
    if not numbers or not all(_NUMBER.fullmatch(number) for number in numbers):
        return None
    if numbers[0].isdecimal() and len(numbers) == 1:
        return None  # neither a rate nor a histogram
    if all(number.isdecimal() for number in numbers):
        return _of_rounds(map(int, numbers)), None
    return _of_rates(read_rates(typed, "joint_acceptance")), None


def _numbers(typed: str) -> list[str]:
    """The numbers of a line as they are typed."""
    bare = typed.strip("[]() \t\r\n")
    parts = re.sub(r"\s{1,64}%", "%", bare).replace(";", " ").split()
    separates = (
        "." in bare or bare != typed or any(part.rstrip(",").count(",") > 1 for part in parts)
    )
    if separates:
        return [number for part in parts for number in part.split(",") if number]
    return [number for part in parts if (number := part.rstrip(","))]


def _rate(number: str, argument: str) -> Fraction:
    value = exact(number.removesuffix("%"), argument)
    return value / 100 if number.endswith("%") else value
