"""The sampling panel: an editor that keeps what is typed, and an output equal to p on every row."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdec_widgets import SamplingPanel, ValueRefused
from specdec_widgets.panels.parameters import DEFAULT_P, DEFAULT_Q

from .seen import Page, assert_numbers, bundle, complaints, plain, results, table, visible

P, Q = (tuple(map(Fraction, shares)) for shares in (DEFAULT_P, DEFAULT_Q))
ROWS = {
    "vi": """mưa 0,5000 0,4000 0,4000 0,1000 1,0000 0,5000
nắng 0,2500 0,3000 0,2500 0,0000 0,0000 0,2500
gió 0,1500 0,2000 0,1500 0,0000 0,0000 0,1500
bão 0,1000 0,1000 0,1000 0,0000 0,0000 0,1000""",
    "en": """rain 0.5000 0.4000 0.4000 0.1000 1.0000 0.5000
sun 0.2500 0.3000 0.2500 0.0000 0.0000 0.2500
wind 0.1500 0.2000 0.1500 0.0000 0.0000 0.1500
storm 0.1000 0.1000 0.1000 0.0000 0.0000 0.1000""",
}
READOUTS = {
    "vi": """Đầu ra không đổi: quy tắc lấy mẫu
Đầu ra bằng p ở mọi token; 90,0\N{NO-BREAK SPACE}% token nháp được nhận.
alpha của cặp này, tổng của min(p, q): 90,0\N{NO-BREAK SPACE}%
Xác suất bị bỏ, tổng của phần dư: 10,0\N{NO-BREAK SPACE}%
Khoảng cách biến phân toàn phần, 1 − alpha: 0,1000
alpha của bảng chi phí: 80,0\N{NO-BREAK SPACE}%
Bảng chi phí đang mô tả một cặp khác: ở đó alpha là 80,0\N{NO-BREAK SPACE}%, ở đây là \
90,0\N{NO-BREAK SPACE}%.""",
    "en": """Same output: the sampling rule
The output equals p on every token; 90.0% of the draft tokens are accepted.
alpha of this pair, the sum of min(p, q): 90.0%
Probability of rejection, the sum of the residual: 10.0%
Total variation distance, 1 − alpha: 0.1000
alpha of the cost panel: 80.0%
The cost panel describes another pair: alpha is 80.0% there and 90.0% here.""",
}
DESCRIBES = "The cost panel now describes this pair."
ALL_ACCEPTED = "Nothing is ever rejected, so there is no residual to draw from."
GREEDY = "Temperature 0 is greedy: the most probable token takes it all."
MARKUP = "<img src=x onerror=alert(1)>"
each_language = pytest.mark.parametrize("language", ["vi", "en"])


def rows(panel):
    (html,) = (html for html in results(panel) if 'class="dataframe' in html)
    return [" ".join(cells) for cells in table(html)[1:]]


def remarks(panel):
    (html,) = (html for html in results(panel) if 'class="specdec-notice"' in html)
    return [text.removeprefix("ℹ ") for text in Page(html).texts]


def readouts(panel):
    return dict(line.split(": ", 1) for line in plain(panel).split("\n")[2:6])


def alpha(panel):
    return readouts(panel)["alpha of this pair, the sum of min(p, q)"]


def cells(panel):
    """What stands in the editor."""
    return [(line.token.value, line.p.value, line.q.value) for line in panel.editor.rows]


def sums(panel):
    return panel.editor.sums.value


# ---- the figures of the course -------------------------------------------------------------------
@each_language
def test_the_courses_table_on_the_page_and_without_a_kernel(kept, language):
    panel = kept(SamplingPanel, language)
    assert rows(panel) == ROWS[language].split("\n")
    static = table(bundle(panel)["text/html"])[1:]
    assert [" ".join(row) for row in static] == ROWS[language].split("\n")


@each_language
def test_the_courses_readouts(kept, language):
    panel = kept(SamplingPanel, language)
    assert plain(panel).startswith(READOUTS[language] + "\n")
    below = plain(panel).split("\n")[9:]
    assert [" ".join(line.split()) for line in below] == ROWS[language].split("\n")
    texts = [text for html in results(panel) for text in Page(html).texts]
    for line in READOUTS[language].split("\n")[2:6]:
        name, value = line.split(": ", 1)
        assert texts[texts.index(name) + 1] == value


def test_the_output_is_said_to_be_p_and_checked(kept, monkeypatch):
    panel = kept(SamplingPanel)
    says = READOUTS["en"].split("\n")[1]
    assert Page(panel.status.value).texts == [says]
    assert Page(panel.status.value).values("role") == ["status"]
    monkeypatch.setattr(type(panel.rule), "output", property(lambda rule: rule.q))
    assert plain(panel).split("\n")[1] == (
        "The output differs from p: the arithmetic does not close."
    )


@each_language
def test_the_editor_shows_the_pair(kept, language):
    panel = kept(SamplingPanel, language)
    point = {"vi": ",", "en": "."}[language]
    names = [row.split(" ")[0] for row in ROWS[language].split("\n")]
    numbers = [("0.5", "0.4"), ("0.25", "0.3"), ("0.15", "0.2"), ("0.1", "0.1")]
    assert cells(panel) == [
        (name, p.replace(".", point), q.replace(".", point))
        for name, (p, q) in zip(names, numbers, strict=True)
    ]
    said = {"vi": "Tổng: p: 1 ✓; q: 1 ✓", "en": "Sums: p: 1 ✓; q: 1 ✓"}[language]
    assert " ".join(sums(panel).split()) == said


# ---- editing -------------------------------------------------------------------------------------
def test_a_cell_moves_the_pair(kept):
    panel = kept(SamplingPanel)
    panel.editor.rows[0].q.value = "0,5"
    panel.editor.rows[1].q.value = "1/5"
    assert panel.q == (Fraction(1, 2), Fraction(1, 5), Fraction(1, 5), Fraction(1, 10))
    assert alpha(panel) == "95.0%"
    assert rows(panel)[0].startswith("rain 0.5000 0.5000")
    panel.editor.rows[0].token.value = "mưa đá"
    assert panel.tokens[0] == "mưa đá"
    assert rows(panel)[0].startswith("mưa đá ")


def test_the_pair_moves_the_cells(kept):
    panel = kept(SamplingPanel)
    panel.set(tokens=["a", "b"], p=["1/3", "2/3"], q=[0.5, 0.5])
    assert cells(panel) == [("a", "1/3", "0.5"), ("b", "2/3", "0.5")]
    assert complaints(panel) == []
    panel.reset()
    assert len(cells(panel)) == 4


def test_rows_are_added_up_to_twelve(kept):
    panel = kept(SamplingPanel)
    before = rows(panel)
    for count in range(5, 13):
        assert not panel.editor.add.disabled
        panel.editor.add.click()
        assert len(cells(panel)) == len(panel.tokens) == len(rows(panel)) == count
    assert panel.editor.add.disabled
    assert len(set(panel.tokens)) == 12
    assert rows(panel)[:4] == before
    assert panel.p == P + (0,) * 8
    assert complaints(panel) == []
    assert alpha(panel) == "90.0%"


def test_rows_are_removed_down_to_two(kept):
    panel = kept(SamplingPanel)
    for _count in range(2):
        assert not panel.editor.rows[-1].drop.disabled
        panel.editor.rows[-1].drop.click()
    assert [line.drop.disabled for line in panel.editor.rows] == [True, True]
    assert [cell[0] for cell in cells(panel)] == ["rain", "sun"]


def test_a_removed_row_leaves_a_sum_to_be_mended(kept):
    panel = kept(SamplingPanel)
    before = results(panel)
    panel.editor.rows[1].drop.click()
    assert [cell[0] for cell in cells(panel)] == ["rain", "wind", "storm"]
    assert complaints(panel) == ["p must sum to 1, not 0.75."]
    assert " ".join(sums(panel).split()) == "Sums: p: 0.75 ≠ 1; q: 0.7 ≠ 1"
    assert (panel.p, panel.q, len(panel.tokens)) == (P, Q, 4)
    assert set(before) - set(results(panel)) <= {html for html in before if "Sums" in html}
    panel.editor.normalise.click()
    assert panel.tokens == ("rain", "wind", "storm")
    assert panel.p == (Fraction(2, 3), Fraction(1, 5), Fraction(2, 15))
    assert panel.q == (Fraction(4, 7), Fraction(2, 7), Fraction(1, 7))
    assert cells(panel)[2] == ("storm", "2/15", "1/7")
    assert complaints(panel) == []


def test_rows_are_named_by_their_number_after_a_removal(kept):
    panel = kept(SamplingPanel)
    panel.editor.rows[0].drop.click()
    assert [line.p.description for line in panel.editor.rows] == [
        "p of token 1",
        "p of token 2",
        "p of token 3",
    ]
    assert panel.editor.rows[2].drop.tooltip == "remove token 3"


def test_nothing_is_ever_normalised_or_clamped_unasked(kept):
    panel = kept(SamplingPanel)
    for typed, said in (
        ("0.6", "p must sum to 1, not 1.1."),
        ("0.4999", "p must sum to 1, not 0.9999."),
        ("0", "p must sum to 1, not 0.5."),
        ("1.5", "p of token 1 must lie between 0 and 1, not 1.5."),
        ("-0.5", "p of token 1 must lie between 0 and 1, not -0.5."),
    ):
        panel.editor.rows[0].p.value = typed
        assert complaints(panel) == [said]
        assert panel.editor.rows[0].p.value == typed
        assert (panel.p, panel.q) == (P, Q)
        assert rows(panel) == ROWS["en"].split("\n")


def test_normalise_is_exact(kept):
    panel = kept(SamplingPanel)
    for line, p in zip(panel.editor.rows, "1124", strict=True):
        line.p.value = p
    assert sums(panel).split()[1:4] == ["p:", "8", "≠"]
    panel.editor.normalise.click()
    assert panel.p == (Fraction(1, 8), Fraction(1, 8), Fraction(1, 4), Fraction(1, 2))
    assert panel.q == Q
    assert [cell[1] for cell in cells(panel)] == ["0.125", "0.125", "0.25", "0.5"]
    for line in panel.editor.rows[:3]:
        line.q.value = "0.3"
    panel.editor.normalise.click()
    assert panel.q == (Fraction(3, 10),) * 3 + (Fraction(1, 10),)


def test_normalise_takes_numbers_as_long_as_can_be_typed(kept):
    panel = kept(SamplingPanel)
    longest = "0," + "1234567890" * 3 + "12345678"
    for line in panel.editor.rows:
        line.p.value = longest
    panel.editor.rows[0].p.value = longest[:-1] + "7"
    panel.editor.normalise.click()
    assert complaints(panel) == []
    assert sum(panel.p) == 1
    assert panel.p[0] < panel.p[1] == panel.p[2] == panel.p[3]
    panel.editor.rows[0].token.value = "hail"
    assert (complaints(panel), panel.tokens[0]) == ([], "hail")


@pytest.mark.parametrize(
    ("column", "said"),
    [
        (("0", "0", "0", "0"), "p must sum to 1, not 0."),
        (("-1", "1", "1", "1"), "p of token 1 must lie between 0 and 1, not -1."),
        (("x", "1", "1", "1"), "p of token 1 must be a number such as 0.8, 0,8 or 1/3, of at most"
         " 40 characters, not 'x'."),
    ],
)  # fmt: skip
def test_what_cannot_be_normalised_stays_and_is_said(kept, column, said):
    panel = kept(SamplingPanel)
    for line, p in zip(panel.editor.rows, column, strict=True):
        line.p.value = p
    panel.editor.rows[0].q.value = "0.8"
    panel.editor.normalise.click()
    assert complaints(panel) == [said]
    assert [cell[1] for cell in cells(panel)] == list(column)
    assert panel.p == P


BAD = [  # row, column, typed, Vietnamese, English
    (3, "q", "abc",
     "q của token 3 phải là một số viết như 0,8, 0.8 hoặc 1/3, dài không quá 40 ký tự, không phải"
     " 'abc'.",
     "q of token 3 must be a number such as 0.8, 0,8 or 1/3, of at most 40 characters, not 'abc'."),
    (1, "p", "0,6", "Tổng của p phải bằng 1, hiện là 1,1.", "p must sum to 1, not 1.1."),
    (2, "q", "-0.3", "q của token 2 phải nằm trong khoảng từ 0 đến 1; giá trị vừa nhập là -0,3.",
     "q of token 2 must lie between 0 and 1, not -0.3."),
    (2, "token", " ", "tên của token 2 phải có ít nhất một ký tự nhìn thấy được, không thể là ' '.",
     "the name of token 2 must have a visible character, unlike ' '."),
    (4, "token", "<b>" * 14, f"Tên token dài tối đa 40 ký tự; {('<b>' * 14)[:40]}… có 42.",
     f"A token name may have at most 40 characters; {('<b>' * 14)[:40]}… has 42."),
]  # fmt: skip


@pytest.mark.parametrize(("row", "name", "typed", "vi", "en"), BAD, ids=[b[2] for b in BAD])
def test_a_bad_cell_is_named_and_changes_nothing(kept, row, name, typed, vi, en):
    for language, said in (("vi", vi), ("en", en)):
        panel = kept(SamplingPanel, language)
        before = [html for html in results(panel) if "✓" not in html]
        box = getattr(panel.editor.rows[row - 1], name)
        was = box.value
        box.value = typed
        assert complaints(panel) == [said]
        assert (panel.p, panel.q) == (P, Q)
        assert [html for html in results(panel) if "✓" not in html and "≠" not in html] == [
            html for html in before
        ]
        box.value = was
        assert complaints(panel) == []


def test_a_name_used_twice_is_refused(kept):
    panel = kept(SamplingPanel)
    panel.editor.rows[0].token.value = "wind"  # no row is to blame more than the other
    assert complaints(panel) == [
        "the name of token 1 and the name of token 3 must differ; both look like 'wind'."
    ]
    assert panel.tokens == ("rain", "sun", "wind", "storm")


def test_reset_brings_back_what_is_half_typed(kept):
    panel = kept(SamplingPanel)
    panel.editor.rows[0].p.value = "0.6"
    panel.editor.rows[3].drop.click()
    panel.tools.reset.click()
    assert complaints(panel) == []
    assert cells(panel)[0][1:] == ("0.5", "0.4")
    assert len(cells(panel)) == 4


def test_a_half_typed_pair_survives_a_move_of_the_temperature(kept):
    panel = kept(SamplingPanel)
    panel.editor.rows[0].p.value = "0.6"
    panel.temperature = 0.5
    panel.alpha = 0.7
    assert cells(panel)[0] == ("rain", "0.6", "0.4")
    assert complaints(panel) == ["p must sum to 1, not 1.1."]
    panel.editor.rows[1].p.value = "0.15"
    assert panel.p[:2] == (Fraction(3, 5), Fraction(3, 20))


def test_a_half_typed_pair_survives_a_switch_of_language(kept):
    panel = kept(SamplingPanel)
    panel.editor.rows[0].p.value = "0.6"
    panel.editor.rows[1].token.value = "shine"
    panel.editor.rows[3].drop.click()
    panel.language = "vi"
    assert cells(panel) == [("mưa", "0.6", "0,4"), ("shine", "0,25", "0,3"), ("gió", "0,15", "0,2")]
    assert complaints(panel) == ["Tổng của q phải bằng 1, hiện là 0,9."]
    assert panel.tokens == ("mưa", "nắng", "gió", "bão")
    panel.reset()
    assert len(cells(panel)) == 4


def test_rows_are_named_in_the_language_while_the_parts_do_not_fit(kept):
    panel = kept(SamplingPanel)
    panel.p = ("0.5", "0.5")
    panel.language = "vi"
    assert panel.editor.rows[0].drop.description == "Xoá"


NAMES = [
    MARKUP,
    "<b>x</b>",
    '"><svg onload=alert(1)>',
    "</td></tr></table>",
    "&lt;script&gt;",
    "$x^2$",
    "{token}",
    "%s",
    "=1+1",
    "a\nb",
    "\u202e gnirts",
    "\0",
    "\ud800",
    "a\u0301" * 20,
    "雨",
    "😀",
]


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_a_name_is_text_wherever_it_stands(kept, name):
    panel = kept(SamplingPanel)
    plain_tags = [Page(html).tags for html in (*results(panel), bundle(panel)["text/html"])]
    panel.editor.rows[0].token.value = name
    assert (complaints(panel), panel.tokens[0]) == ([], name)
    html = [*results(panel), bundle(panel)["text/html"]]
    assert [Page(piece).tags for piece in html] == plain_tags
    for piece in html:
        assert not [key for key, _value in Page(piece).attributes if key.startswith("on")]
        piece.encode()
    for text in (bundle(panel)["text/plain"], *visible(panel)):
        text.encode()


@pytest.mark.parametrize("name", [MARKUP, "\ud800", "=1+1"])
def test_a_name_can_be_downloaded(kept, name):
    panel = kept(SamplingPanel)
    panel.editor.rows[0].token.value = name
    table, vector, _pixels = panel.downloads()
    assert table.content.decode("utf-8-sig").split("\n")[1].split(",")[0] in (
        name,
        "□",  # has no code in UTF-8
        f"'{name}",  # no formula in a spreadsheet
    )
    assert MARKUP.encode() not in vector.content


def test_a_name_in_markup_is_read_as_typed(kept):
    panel = kept(SamplingPanel)
    panel.editor.rows[0].token.value = MARKUP
    assert rows(panel)[0].startswith(f"{MARKUP} 0.5000")
    assert any(f"{MARKUP}: p 0.5000" in text for text in visible(panel))


# ---- temperature ---------------------------------------------------------------------------------
def by_hand(temperature):
    p, q = ([float(share) ** (1 / temperature) for share in shares] for shares in (P, Q))
    return sum(min(a / sum(p), b / sum(q)) for a, b in zip(p, q, strict=True))


@pytest.mark.parametrize("temperature", [0.05, 0.5, 3])
def test_alpha_moves_with_the_temperature(kept, temperature):
    panel = kept(SamplingPanel)
    panel.temperature_control.slider.value = temperature
    assert alpha(panel) == f"{by_hand(temperature):.1%}"
    assert plain(panel).split("\n")[1].startswith("The output equals p on every token; ")
    written = f"{temperature:g}"
    assert remarks(panel)[-1] == (
        f"At temperature {written} both p and q are raised to the power 1/{written} and normalised."
    )
    assert_numbers(panel)


def test_temperature_1_is_the_pair_itself(kept):
    panel = kept(SamplingPanel)
    panel.temperature = 1
    assert panel.rule.p == P
    assert len(remarks(panel)) == 1


def test_temperature_0_is_greedy(kept):
    panel = kept(SamplingPanel)
    panel.temperature = 0
    assert rows(panel)[0] == "rain 1.0000 1.0000 1.0000 0.0000 0.0000 1.0000"
    assert alpha(panel) == "100.0%"
    assert remarks(panel)[1:] == [ALL_ACCEPTED, GREEDY]
    assert_numbers(panel)


def test_the_curve_over_temperatures_is_told_in_words(kept):
    panel = kept(SamplingPanel)
    panel.temperature = 0.5
    (alt,) = (text for text in visible(panel) if text.startswith("Bars for each token."))
    assert f"At temperature 0.5 alpha is {by_hand(0.5):.4f}." in alt
    assert "A curve shows alpha for temperatures from 0 to 3; it lies between" in alt


# ---- the cost panel's alpha ----------------------------------------------------------------------
def test_alpha_is_carried_over_and_the_panel_says_so(kept):
    panel = kept(SamplingPanel)
    assert not panel.carry.disabled
    panel.carry.click()
    assert panel.alpha == 0.9
    assert remarks(panel) == [DESCRIBES]
    assert panel.carry.disabled
    panel.editor.rows[0].p.value, panel.editor.rows[1].p.value = "0.4", "0.35"
    assert remarks(panel)[0].startswith("The cost panel describes another pair")
    assert not panel.carry.disabled
    panel.carry.click()
    assert remarks(panel)[0] == DESCRIBES


@pytest.mark.parametrize(("alpha", "said"), [(0.9004, "0.9004"), (0.9 + 2**-39, str(0.9 + 2**-39))])
def test_alphas_that_round_to_the_same_percentage_are_told_apart(kept, alpha, said):
    panel = kept(SamplingPanel)
    panel.alpha = alpha
    assert remarks(panel) == [
        f"The cost panel describes another pair: alpha is {said} there and 0.9 here."
    ]
    assert not panel.carry.disabled
    panel.alpha = 0.9 + 2**-52  # as sums of floats may end
    assert remarks(panel) == [DESCRIBES]
    assert panel.carry.disabled


def test_the_alpha_of_the_cost_panel_is_checked_here_too(build):
    for wrong in (7, float("nan"), "x", None):
        with pytest.raises((ValueError, TypeError), match="alpha must"):
            build(SamplingPanel, alpha=wrong)


def test_alpha_draws_no_figure(kept, monkeypatch):
    panel = kept(SamplingPanel)
    monkeypatch.setattr(panel.figure, "draw", None)  # would fail if called
    panel.alpha = 0.9
    assert readouts_on_page(panel)["alpha of the cost panel"] == "90.0%"


def readouts_on_page(panel):
    (html,) = (html for html in results(panel) if 'class="specdec-readouts"' in html)
    texts = Page(html).texts
    return dict(zip(texts[::2], texts[1::2], strict=True))


@pytest.mark.parametrize(
    ("weights", "temperature"), [((9, 5, 3, 4), 0.51), ((7, 7, 7, 6), 2.6), ((1, 1, 1, 1), 0.7)]
)
def test_carrying_over_never_leaves_the_range(kept, weights, temperature):
    panel = kept(SamplingPanel)
    shares = [Fraction(weight, sum(weights)) for weight in weights]
    panel.set(p=shares, q=shares, temperature=temperature)
    panel.carry.click()  # the first two alphas are just above 1, as sums of floats
    assert panel.alpha == 1
    assert panel.carry.disabled


# ---- extreme pairs -------------------------------------------------------------------------------
@pytest.mark.parametrize("temperature", [0, 0.05, 0.5, 1, 3])
def test_equal_distributions_reject_nothing(kept, temperature):
    panel = kept(SamplingPanel)
    panel.set(q=P, temperature=temperature)
    assert alpha(panel) == "100.0%"
    assert ALL_ACCEPTED in remarks(panel)
    assert all(row.split(" ")[1] == row.split(" ")[-1] for row in rows(panel))
    assert_numbers(panel)


@pytest.mark.parametrize("temperature", [0, 0.05, 0.5, 1, 3])
def test_disjoint_distributions_accept_nothing(kept, temperature):
    panel = kept(SamplingPanel)
    panel.set(p=[1, 0, 0, 0], q=["0", "0.5", "0.5", "0"], temperature=temperature)
    assert alpha(panel) == "0.0%"
    assert rows(panel)[0] == "rain 1.0000 0.0000 0.0000 1.0000 1.0000 1.0000"
    panel.carry.click()
    assert (panel.alpha, remarks(panel)[0]) == (0, DESCRIBES)
    assert_numbers(panel)


@pytest.mark.parametrize("count", [2, 12])
def test_two_and_twelve_tokens(build, count):
    tokens = [f"t{number}" for number in range(count)]
    panel = build(SamplingPanel, tokens=tokens, p=[Fraction(1, count)] * count,
                  q=[1, *[0] * (count - 1)])  # fmt: skip
    assert panel.rule.alpha == Fraction(1, count)
    assert len(rows(panel)) == len(cells(panel)) == count
    assert_numbers(panel)


def test_starts_that_do_not_fit_together_are_refused(build):
    with pytest.raises(ValueRefused, match="q must have as many entries as p, 2, not 4"):
        build(SamplingPanel, p=["1/2", "1/2"])


@each_language
def test_parts_set_by_code_one_by_one_are_said_not_to_fit_until_they_do(kept, language):
    panel = kept(SamplingPanel, language)
    before = results(panel)
    panel.p = ["1/2", "1/2"]
    said = {
        "vi": "q phải có đúng 2 phần tử như p, hiện có 4.",
        "en": "q must have as many entries as p, 2, not 4.",
    }[language]
    assert complaints(panel) == [said]
    assert results(panel) == before
    assert bundle(panel)["text/plain"].split("\n")[1] == f"⚠ {said}"
    assert f"⚠ {said}" in Page(bundle(panel)["text/html"]).texts
    panel.tools.download.click()
    assert panel.tools.links.value == ""
    panel.q = ["1/4", "3/4"]
    panel.tokens = ["a", "b"]
    assert complaints(panel) == []
    assert alpha_on_page(panel) in ("75.0%", "75,0\N{NO-BREAK SPACE}%")
    assert len(cells(panel)) == 2


def alpha_on_page(panel):
    return next(iter(readouts_on_page(panel).values()))


# ---- any text ------------------------------------------------------------------------------------
TYPED = st.one_of(
    st.text(max_size=45),
    st.sampled_from(["0", "0.25", "1/4", "1", "0,5", ".1", "1/3", *NAMES]),
    st.text(st.characters(exclude_categories=()), max_size=8),
)


@settings(max_examples=25)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from(["token", "p", "q"]), TYPED),
        min_size=1,
        max_size=3,
    ),
    st.booleans(),
)
def test_no_text_breaks_the_editor(kept, entries, normalised):
    panel = kept(SamplingPanel)
    for row, name, typed in entries:
        getattr(panel.editor.rows[row], name).value = typed
    if normalised:
        panel.editor._normalise()
    if complaints(panel):
        assert len(complaints(panel)) == 1
    else:
        assert panel.tokens == tuple(cell[0] for cell in cells(panel))
    assert sum(panel.p) == sum(panel.q) == 1
    assert min(panel.p + panel.q) >= 0
    assert len(set(panel.tokens)) == 4
    assert all(math.isfinite(float(share)) for share in panel.rule.output)
    bundle(panel)


def test_alpha_is_carried_over_only_from_rows_that_are_right(kept):
    panel = kept(SamplingPanel)
    panel.temperature = 0.5
    assert not panel.carry.disabled
    panel.editor.rows[0].p.value = "0.6"
    assert complaints(panel) and panel.carry.disabled
    panel.editor.rows[0].p.value = "0.5"
    assert not panel.carry.disabled


def test_parts_that_do_not_fit_are_refused_together(kept):
    panel = kept(SamplingPanel)
    before = panel.parameters()
    with pytest.raises(ValueRefused):
        panel.set(p=["0.5", "0.5"], q=["0.9", "0.1"])
    assert (panel.parameters(), complaints(panel)) == (before, [])


def test_without_the_button_nothing_is_said_of_a_cost_panel(build):
    panel = build(SamplingPanel, controls=("pair", "temperature"), language="en")
    assert "cost panel" not in plain(panel) + "".join(results(panel))
