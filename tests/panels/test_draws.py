"""The draws panel: the same seed, the same digits; the rule beside the bug."""

import json

import pytest

from specdec_widgets import DrawsPanel, Refused, draw_tokens
from tests.words.catalogue import translated

from .seen import Page, assert_numbers, bundle, complaints, plain, results, table, visible

DEFAULTS = {
    "vi": """Bốc token theo quy tắc, và theo một lỗi hay gặp
Bốc 20.000 token theo quy tắc: tần suất cách p một khoảng 0,0037.
Hạt giống: 1
Token nháp được nhận: 90,4\N{NO-BREAK SPACE}%
alpha của cặp này, tổng của min(p, q): 90,0\N{NO-BREAK SPACE}%
Khoảng cách tới p, theo quy tắc: 0,0037
Khoảng cách tới p, theo lỗi: 0,0497
Giới hạn của khoảng cách theo lỗi: 0,0500
""",
    "en": """Tokens drawn by the rule, and by a common bug
20,000 tokens drawn by the rule: their frequencies are 0.0037 away from p.
Seed: 1
Draft tokens accepted: 90.4%
alpha of this pair, the sum of min(p, q): 90.0%
Distance from p, by the rule: 0.0037
Distance from p, by the bug: 0.0497
Limit of the bug's distance: 0.0500
""",
}


@pytest.mark.parametrize("language", ["vi", "en"])
def test_the_defaults_to_the_digit(kept, language):
    assert plain(kept(DrawsPanel, language)).startswith(DEFAULTS[language])


def test_the_table_has_the_exact_output_of_the_bug(kept):
    _heads, *rows = table(bundle(kept(DrawsPanel))["text/html"])
    assert [row[0] for row in rows] == ["rain", "sun", "wind", "storm"]
    assert [row[1] for row in rows] == ["0.5000", "0.2500", "0.1500", "0.1000"]
    assert [row[3] for row in rows] == ["0.4500", "0.2750", "0.1650", "0.1100"]


def test_the_seed_and_the_number_of_tokens_decide(kept):
    panel = kept(DrawsPanel)
    panel.numbers["seed"].box.value = "7"
    panel.numbers["draws"].box.value = " 100 "
    assert (panel.seed, panel.draws) == (7, 100)
    expected = draw_tokens(panel.rule, 100, 7).table["frequency"]
    assert panel.result.table["frequency"].equals(expected)
    assert "\nSeed: 7\n" in plain(panel)
    assert "100 tokens drawn by the rule" in plain(panel)
    first = results(panel)
    panel.reset()
    assert results(panel) != first
    panel.set(seed=7, draws=100)
    assert results(panel) == first


def test_the_choice_shows_the_bug_and_back(kept):
    panel = kept(DrawsPanel)
    panel.choice.widget.label = "p (the common bug)"
    assert panel.redraw == "p"
    assert "tokens drawn by the bug: their frequencies are 0.0497 away" in panel.status.value
    assert "exact output 0.4500" in bundle(panel)["text/html"]
    changes = []
    panel.observe(changes.append, names="redraw")
    panel.language = "vi"
    assert changes == []
    assert panel.redraw == "p" and panel.choice.widget.label == "p (lỗi hay gặp)"
    panel.redraw = "residual"
    assert panel.choice.widget.label == "phần dư (đúng quy tắc)"


@pytest.mark.parametrize(
    ("name", "typed", "said"),
    [
        ("seed", "-1", "the seed must lie between 0 and 4,294,967,295, not -1."),
        ("seed", "x", "the seed must be a whole number, not 'x'."),
        ("draws", "0", "the number of draws must lie between 1 and 1,000,000, not 0."),
        (
            "draws",
            "2.5",
            "the number of draws must be a whole number, not '2.5'.",
        ),
    ],
)
def test_a_bad_entry_is_said_and_changes_nothing(kept, name, typed, said):
    panel = kept(DrawsPanel)
    before = results(panel)
    panel.numbers[name].box.value = typed
    (complaint,) = complaints(panel)
    assert complaint.startswith(said)
    assert results(panel) == before
    panel.reset()
    assert complaints(panel) == []


@pytest.mark.parametrize("value", ["q", None, 1, ["p"]])
def test_another_way_to_redraw_is_refused(kept, value):
    panel = kept(DrawsPanel)
    with pytest.raises(Refused, match="redraw must be one of residual, p, not "):
        panel.redraw = value


def test_a_pair_the_bug_gets_right_is_said(kept):
    panel = kept(DrawsPanel)
    panel.set(tokens=("a", "b"), p=("0.5", "0.5"), q=("0.5", "0.5"))
    assert "For this pair the bug happens to give p too." in plain(panel)
    assert_numbers(panel)


@pytest.mark.parametrize("language", ["vi", "en"])
def test_the_page_and_the_picture_without_a_kernel_say_the_same(kept, language):
    panel = kept(DrawsPanel, language)
    panel.redraw = "p"
    live = [text for html in results(panel) for text in Page(html).texts]
    for text in Page(bundle(panel)["text/html"]).texts:
        assert text in live
    json.dumps(bundle(panel))


def test_the_files(kept):
    data, svg, png = kept(DrawsPanel).downloads()
    assert data.content.decode("utf-8-sig").split("\n")[1].startswith("rain,0.5,0.4989")
    assert (svg.name, png.name) == ("draws.svg", "draws.png")


def test_a_switch_of_language_leaves_no_word_behind(kept):
    panel = kept(DrawsPanel, "en")
    panel.language = "vi"
    assert panel.tokens == ("mưa", "nắng", "gió", "bão")
    shown = "\n".join([*visible(panel), bundle(panel)["text/plain"]])
    english = {text for text, said in translated("vi").items() if said != text and len(text) > 9}
    assert not [text for text in english if text in shown]
