"""The words: no message without its translation, and numbers as each language writes them."""

import ast
import math
import re
from decimal import Decimal
from fractions import Fraction
from string import Formatter

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from specdec_widgets import CostModel, Refused, SamplingRule, simulate_rounds
from specdec_widgets.maths import (
    FallingAcceptance,
    enumerate_outcomes,
    exact,
    fit_costs,
    report_from_histogram,
    report_from_rates,
)
from specdec_widgets.words import Words, get_words, languages, set_language

from .catalogue import ROOT, WORDS, extracted, read, translated

FILES = sorted(WORDS.glob("*.po"))
VI, EN = Words("vi"), Words("en")
NBSP = "\N{NO-BREAK SPACE}"
each_file = pytest.mark.parametrize("language", [file.stem for file in FILES])


def forms(message):
    return message.id if isinstance(message.id, tuple) else (message.id,)


def places(text):
    return {name for _text, name, _format, _conversion in Formatter().parse(text) if name}


# ---- the catalogue -------------------------------------------------------------------------------
@each_file
def test_every_message_is_translated(language):
    known = translated(language)
    missing = [form for message in extracted() for form in forms(message) if not known.get(form)]
    assert missing == []


@each_file
def test_no_translation_is_of_a_message_long_gone(language):
    catalogue = read(language)
    assert list(catalogue.obsolete) == []
    wanted = {form for message in extracted() for form in forms(message)}
    assert [form for form in translated(language) if form not in wanted] == []
    assert [message.id for message in catalogue if message.fuzzy and message.id] == []


@each_file
def test_a_translation_has_the_places_of_its_message(language):
    for message in read(language):
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        for text in filter(None, strings):
            assert places(text) == set().union(*map(places, forms(message))), message.id


@each_file
def test_a_translation_ends_and_starts_like_its_message(language):
    for english, text in translated(language).items():
        if not text:
            continue  # that is another test's
        assert text == text.strip()
        assert "  " not in text
        assert (english[-1] in ".:…=") == (text[-1] in ".:…="), english
        assert re.findall(r"[▶◀▮|×∞]", english) or not re.findall(r"[▶◀▮|∞]", text)


@each_file
def test_a_translation_is_one(language):
    """But for what the field calls the same everywhere."""
    same = {english for english, text in translated(language).items() if english == text}
    assert same <= {
        "alpha",
        "gamma",
        "token",
        "{count} token",
        "alpha = {value}",
        "hardware",
        "model",
    }


@each_file
def test_the_file_reads_without_errors(language):
    catalogue = read(language)
    errors = [error for _message, found in catalogue.check() for error in found]
    assert errors == []
    assert str(catalogue.locale) == language


def test_the_catalogue_holds_what_it_should():
    ids = {form for message in extracted() for form in forms(message)}
    for message in (
        "Round cost",  # a readout
        "{argument} must sum to 1, not {value}.",  # a refusal
        "{argument} must be a number, not {value}.",  # a refusal of a type
        "{count} target passes",  # plural
        "alpha",  # an argument
    ):
        assert message in ids


SAYERS = {"_", "gettext", "ngettext", "ValueRefused", "TypeRefused", "Contradiction", "Caveat"}
PASSED_ON = {  # where a template that another call already holds is handed on
    ("words/__init__.py", "message"),
    ("words/__init__.py", "singular"),
    ("words/__init__.py", "said.template"),
}


def test_every_message_is_one_the_command_can_find():
    """Babel misses a call inside an f-string, and what is no literal at all."""
    found = {form for message in extracted() for form in forms(message)}
    unfound = []
    package = ROOT / "specdec_widgets"
    for path in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and node.args):
                continue
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if name not in SAYERS:
                continue
            first = node.args[0]
            place = path.relative_to(package).as_posix()
            if isinstance(first, ast.Constant):
                if first.value not in found:
                    unfound.append(f"{place}:{node.lineno} {first.value}")
            elif (place, ast.unparse(first)) not in PASSED_ON:
                unfound.append(f"{place}:{node.lineno} {ast.unparse(first)}")
    assert unfound == []


# ---- languages -----------------------------------------------------------------------------------
def test_vietnamese_comes_first_and_is_the_default():
    assert languages()[:2] == ("vi", "en")
    assert get_words().language == "vi"
    assert get_words("en") is get_words("en")
    assert VI.gettext("Reset") == "Đặt lại"
    assert EN.gettext("Reset") == "Reset"


def test_languages_are_named_in_themselves():
    for words in (VI, EN):
        assert [words.language_name(code) for code in ("vi", "en", "fr")] == [
            "Tiếng Việt",
            "English",
            "Français",
        ]


@pytest.mark.parametrize("ask", [Words, get_words, set_language])
@pytest.mark.parametrize("code", ["xx", "de", "", "VI", "../vi", "vi.po"])
def test_an_unknown_language_is_refused_with_those_there_are(ask, code):
    with pytest.raises(Refused, match=r"no words in the language '.*'; choose one of: vi, en"):
        ask(code)


@pytest.mark.parametrize("ask", [Words, get_words, set_language])
def test_what_is_no_text_is_no_language(ask):
    with pytest.raises(Refused, match=r"^language must be text, not \['x'\]\.$"):
        ask(["x"])


def test_a_third_language_is_one_file(more_languages):
    more_languages(
        fr='msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n\n'
        'msgid "Round cost"\nmsgstr "Coût d\'un tour"\n\n'
        'msgid "{argument} must sum to 1, not {value}."\n'
        'msgstr "La somme de {argument} doit être 1, non {value}."\n'
    )
    assert languages() == ("vi", "en", "fr")
    words = get_words("fr")
    assert words.gettext("Round cost") == "Coût d'un tour"
    assert words.gettext("Reset") == "Reset"
    assert words.number(1234.5, 2) == "1\N{NARROW NO-BREAK SPACE}234,50"
    with pytest.raises(Refused) as caught:
        SamplingRule(["0.5", "0.6"], ["1", "0"])
    assert words.explain(caught.value) == "La somme de p doit être 1, non 1,1."


def test_plural_forms():
    one, many = (
        "The last rounds; {hidden} earlier round is not shown.",
        "The last rounds; {hidden} earlier rounds are not shown.",
    )
    assert [EN.ngettext(one, many, count) for count in (1, 2)] == [one, many]
    assert VI.ngettext(one, many, 1) == VI.ngettext(one, many, 2) != one


# ---- numbers -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("value", "digits", "vi", "en"),
    [
        (1.4, 2, "1,40", "1.40"),
        (3.3616, 3, "3,362", "3.362"),
        (0.1 + 0.2, 2, "0,30", "0.30"),
        (2.675, 2, "2,68", "2.68"),  # as it is written, not as its nearest float
        (20, 0, "20", "20"),
        (1234567, 0, "1.234.567", "1,234,567"),
        (1234.5, 2, "1.234,50", "1,234.50"),
        (Fraction(1, 3), 4, "0,3333", "0.3333"),
        (Decimal("0.125"), 3, "0,125", "0.125"),
        (np.float64(0.5), 1, "0,5", "0.5"),
        (np.int64(7), 0, "7", "7"),
        (-1.5, 1, "-1,5", "-1.5"),
        (0, 2, "0,00", "0.00"),
        (1e-9, 2, "0,00", "0.00"),
        (0.001, 2, "0,001", "0.001"),  # the cost of a round is not nothing
        (-0.000123, 2, "-0,00012", "-0.00012"),
        (0.4, 0, "0", "0"),
        (1e38, 2, "1,00E38", "1.00E38"),
        (1.5e300, 1, "1,5E300", "1.5E300"),
        (Fraction(10**40), 2, "1,00E40", "1.00E40"),
        (math.inf, 2, "∞", "∞"),
        (-0.0, 2, "0,00", "0.00"),
        (0.0, 2, "0,00", "0.00"),
        (-1e-12, 4, "0,0000", "0.0000"),
        (-0.4, 0, "0", "0"),
        (math.nan, 2, "–", "–"),
    ],
)
def test_numbers_with_fixed_decimals(value, digits, vi, en):
    assert (VI.number(value, digits), EN.number(value, digits)) == (vi, en)


@pytest.mark.parametrize(
    ("value", "vi", "en"),
    [
        (0.9, f"90,0{NBSP}%", "90.0%"),
        (Fraction(7, 9), f"77,8{NBSP}%", "77.8%"),
        (0, f"0,0{NBSP}%", "0.0%"),
        (1.0, f"100,0{NBSP}%", "100.0%"),
        (0.67232, f"67,2{NBSP}%", "67.2%"),
        (-0.0, f"0,0{NBSP}%", "0.0%"),
        (-1e-4, f"0,0{NBSP}%", "0.0%"),
        (-0.1, f"-10,0{NBSP}%", "-10.0%"),
        (np.float64("nan"), "–", "–"),
    ],
)
def test_percentages(value, vi, en):
    assert (VI.percent(value), EN.percent(value)) == (vi, en)


@pytest.mark.parametrize(
    ("value", "digits", "vi", "en"),
    [
        (0.8, 0, "0,8", "0.8"),
        (0.805, 0, "0,805", "0.805"),
        (0.1, 2, "0,10", "0.10"),
        (4, 0, "4", "4"),
        (4.0, 0, "4", "4"),
        (1.0, 2, "1,00", "1.00"),
        (0.1 + 0.2, 0, "0,30000000000000004", "0.30000000000000004"),
        (Fraction(4, 5), 0, "0,8", "0.8"),
        (Fraction(1, 3), 0, "1/3", "1/3"),
        (Fraction(-2, 7), 0, "-2/7", "-2/7"),
        (Fraction(1, 10**20), 0, "0,00000000000000000001", "0.00000000000000000001"),
        (Fraction("0.1234567890123456789012345678901234567"), 0,
         "0,1234567890123456789012345678901234567", "0.1234567890123456789012345678901234567"),
        (12345.5, 0, "12345,5", "12345.5"),
        (5e-324, 0, "5E-324", "5E-324"),
        (1.25e300, 0, "1,25E300", "1.25E300"),
        (Fraction(10**400), 0, "1E400", "1E400"),
        (math.inf, 0, "∞", "∞"),
        (-math.inf, 0, "-∞", "-∞"),
        (np.float64(0.25), 0, "0,25", "0.25"),
        (-0.0, 2, "0,00", "0.00"),
        (math.nan, 0, "–", "–"),
    ],
)  # fmt: skip
def test_numbers_with_all_their_decimals(value, digits, vi, en):
    assert (VI.exact(value, digits), EN.exact(value, digits)) == (vi, en)


@given(
    st.one_of(
        st.floats(min_value=1e-15, max_value=1e15),
        st.fractions(min_value=0, max_value=1, max_denominator=10**9),
        st.decimals(min_value=0, max_value=1, places=30).map(Fraction),
    )
)
@example(0.8)
def test_what_is_written_can_be_read_again(value):
    for words in (VI, EN):
        assert exact(words.exact(value), "p") == exact(value, "p")


def test_a_number_is_written_out_once(monkeypatch):
    words, calls = Words("en"), []
    monkeypatch.setattr(
        "specdec_widgets.words.format_decimal", lambda *args, **_: calls.append(args) or "0.5"
    )
    assert words.exact(0.5) == words.exact(0.5) == "0.5"
    assert len(calls) == 1


def test_a_float_and_the_fraction_equal_to_it_are_each_written_in_their_own_way():
    assert (EN.exact(0.1), len(EN.exact(Fraction(0.1)))) == ("0.1", 57)


def test_a_unit_goes_with_a_number_and_not_with_a_dash():
    assert EN.number(1.5, 2, "×") == "1.50×"
    assert EN.number(1e38, 2, "×") == "1.00E38×" and EN.number(1e-5, 2, "×") == "0.00001×"
    assert EN.number(math.nan, 2, "×") == "–"


@given(st.floats() | st.fractions() | st.integers())
@example(1e27)
@example(Fraction(10**400))
def test_every_number_can_be_written(value):
    for words in (VI, EN):
        for text in (words.number(value, 2), words.exact(value)):
            assert not re.fullmatch(r"-[0.,]+\D*", text)
            assert "nan" not in text.lower()
            assert len(text) < 700


# ---- refusals ------------------------------------------------------------------------------------
REFUSALS = [
    (lambda: CostModel(alpha=7), "alpha must lie between 0 and 1, not 7.",
     "alpha phải nằm trong khoảng từ 0 đến 1; giá trị vừa nhập là 7."),
    (lambda: CostModel(draft_cost=1.25), "draft cost must lie between 0 and 1, not 1.25.",
     "chi phí nháp phải nằm trong khoảng từ 0 đến 1; giá trị vừa nhập là 1,25."),
    (lambda: CostModel(verify_cost=0), "verify cost must lie between 0.01 and 3, not 0.",
     "chi phí kiểm phải nằm trong khoảng từ 0,01 đến 3; giá trị vừa nhập là 0."),
    (lambda: CostModel(gamma="4"), "gamma must be a whole number, not '4'.",
     "gamma phải là số nguyên, không phải '4'."),
    (lambda: CostModel(gamma=True), "gamma must be a whole number, not True.",
     "gamma phải là số nguyên, không phải True."),
    (lambda: CostModel().curve(1001),
     "the end of the scan must lie between 0 and 1,000, not 1,001.",
     "điểm cuối của khoảng quét phải nằm trong khoảng từ 0 đến 1.000; giá trị vừa nhập là 1.001."),
    (lambda: CostModel(alpha=float("nan")), "alpha must be a finite number, not nan.",
     "alpha phải là một số hữu hạn, không phải nan."),
    (lambda: SamplingRule(["1/3", "1/2"], [1, 0]), "p must sum to 1, not 5/6.",
     "Tổng của p phải bằng 1, hiện là 5/6."),
    (lambda: SamplingRule([1, 0], ["-0.5", "1.5"]),
     "q of token 1 must lie between 0 and 1, not -0.5.",
     "q của token 1 phải nằm trong khoảng từ 0 đến 1; giá trị vừa nhập là -0,5."),
    (lambda: SamplingRule([1, 0], [1, 0], ["a", "a"]),
     "the name of token 1 and the name of token 2 must differ; both look like 'a'.",
     "tên của token 1 và tên của token 2 phải khác nhau; cả hai đều trông như 'a'."),
    (lambda: simulate_rounds("12"), "the acceptance string may hold only 0 and 1, with spaces or"
     " line breaks between them, not '2' at position 2.",
     "chuỗi chấp nhận chỉ được gồm 0 và 1, có thể xen dấu cách hoặc xuống dòng; ở vị trí 2 lại có"
     " '2'."),
    (lambda: SamplingRule([1, 0], [1, 0]).at_temperature(9),
     "the sampling temperature must lie between 0 and 5, not 9.",
     "nhiệt độ lấy mẫu phải nằm trong khoảng từ 0 đến 5; giá trị vừa nhập là 9."),
]  # fmt: skip


@pytest.mark.parametrize(("refused", "en", "vi"), REFUSALS, ids=[r[1] for r in REFUSALS])
def test_a_refusal_is_explained_in_both_languages(refused, en, vi):
    with pytest.raises(Refused) as caught:
        refused()
    assert EN.explain(caught.value) == en
    assert VI.explain(caught.value) == vi


def test_an_argument_without_a_name_of_its_own_keeps_it():
    assert VI.argument("somewhere") == "somewhere"
    assert VI.argument("p[11]") == "p của token 12"


@pytest.mark.parametrize(
    ("call", "en", "vi"),
    [
        (lambda: fit_costs([1, 2000], [1, 1]), "entry 2 of gammas", "mục 2 của gammas"),
        (lambda: enumerate_outcomes({(): (2, -1)}), "entry 1 of target[()]",
         "mục 1 của target[()]"),
        (lambda: enumerate_outcomes({(): (1, 1)}), "target[()]", "target[()]"),
        (lambda: FallingAcceptance([2]), "the rate of position 1", "tỉ lệ ở vị trí 1"),
        (lambda: FallingAcceptance.decaying(2), "the first rate", "tỉ lệ đầu tiên"),
        (lambda: report_from_histogram([1, -1]), "entry 2 of the histogram of rounds",
         "mục 2 của biểu đồ số vòng"),
        (lambda: report_from_rates([0.5, 2]), "the rate of position 2", "tỉ lệ ở vị trí 2"),
        (lambda: SamplingRule([1, 0], [2, 0]), "q of token 1", "q của token 1"),
    ],
)  # fmt: skip
def test_an_entry_of_a_list_is_named_by_what_the_list_holds(call, en, vi):
    with pytest.raises(Refused) as caught:
        call()
    assert EN.argument(caught.value.fields["argument"]) == en
    assert VI.argument(caught.value.fields["argument"]) == vi
