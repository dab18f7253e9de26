"""The controls: slider, box and trait are one, and a bad entry is said and changes nothing."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ipywidgets import HTML
from ipywidgets.widgets.widget_description import DescriptionWidget

from specdec_widgets import (
    CostModel,
    CostPanel,
    DrawsPanel,
    Prediction,
    Quiz,
    ReportPanel,
    RoundsPanel,
    SamplingPanel,
    Simulator,
)
from specdec_widgets.panels.controls import BOUNDS, Download, Message, notices, readouts, region

from .seen import Page, assert_numbers, complaints, results, widgets

MOVES = [  # trait, another value, as typed in Vietnamese, as typed in English
    ("gamma", 9, "9", "9"),
    ("alpha", 0.35, "0,35", "0.35"),
    ("draft_cost", 0.25, "0,25", "0.25"),
    ("verify_cost", 1.5, "1,5", "1.5"),
]
each_move = pytest.mark.parametrize(("name", "value", "vi", "en"), MOVES, ids=[m[0] for m in MOVES])
each_language = pytest.mark.parametrize("language", ["vi", "en"])


def control(panel, name):
    return panel.temperature_control if name == "temperature" else panel.numbers[name]


@each_move
def test_slider_moves_trait_and_box(kept, name, value, vi, en):
    for language, written in (("vi", vi), ("en", en)):
        panel = kept(CostPanel, language)
        control(panel, name).slider.value = value
        assert getattr(panel, name) == value
        assert control(panel, name).box.value == written


@each_move
def test_box_moves_trait_and_slider(kept, name, value, vi, en):
    for language, typed in (("vi", vi), ("en", en)):
        panel = kept(CostPanel, language)
        control(panel, name).box.value = typed
        assert getattr(panel, name) == value
        assert type(getattr(panel, name)) is type(value)
        assert control(panel, name).slider.value == value


@each_move
def test_trait_moves_slider_and_box(kept, name, value, vi, en):
    for language, written in (("vi", vi), ("en", en)):
        panel = kept(CostPanel, language)
        setattr(panel, name, value)
        assert control(panel, name).slider.value == value
        assert control(panel, name).box.value == written


def test_temperature_is_linked_too(kept):
    panel = kept(SamplingPanel, "vi")
    temperature = panel.temperature_control
    temperature.slider.value = 0.5
    assert (panel.temperature, temperature.box.value) == (0.5, "0,5")
    temperature.box.value = "2,25"
    assert (panel.temperature, temperature.slider.value) == (2.25, 2.25)
    panel.temperature = 0
    assert (temperature.slider.value, temperature.box.value) == (0, "0")


def test_code_can_observe_what_a_reader_moves(build):
    panel, heard = build(CostPanel), []
    panel.observe(lambda change: heard.append(change["new"]), names="alpha")
    control(panel, "alpha").slider.value = 0.5
    control(panel, "alpha").box.value = "0.6"
    assert heard == [0.5, 0.6]


@each_language
@pytest.mark.parametrize("typed", ["0,8", "0.8", "4/5", " 0,80 ", ",8", ".8", "+0.8", "8/10"])
def test_all_ways_to_write_a_number_are_read_in_both_languages(kept, language, typed):
    panel = kept(CostPanel, language)
    panel.alpha = 0.5
    control(panel, "alpha").box.value = typed
    assert panel.alpha == 0.8
    assert complaints(panel) == []
    assert control(panel, "alpha").box.value == {"vi": "0,8", "en": "0.8"}[language]


def test_a_whole_number_may_be_typed_as_a_decimal(kept):
    panel = kept(CostPanel)
    control(panel, "gamma").box.value = "6,0"
    assert panel.gamma == 6
    assert isinstance(panel.gamma, int)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("alpha", 0.805),
        ("alpha", 0.8049),
        ("alpha", 1 / 3),
        ("draft_cost", 0.0001),
        ("draft_cost", 0.999),
        ("verify_cost", 0.01),
        ("verify_cost", 1.02),
        ("verify_cost", 2.9999),
    ],
)
def test_a_value_between_two_steps_is_not_snapped_back(kept, name, value):
    panel = kept(CostPanel)
    heard = []

    def hear(change):
        heard.append(change["new"])

    panel.observe(hear, names=name)
    control(panel, name).box.value = str(value)
    slider = control(panel, name).slider
    steps = (slider.value - slider.min) / slider.step
    assert abs(steps - round(steps)) < 1e-9, "the front end would move a value off the steps"
    slider.set_state({"value": slider.value})  # what the front end echoes
    panel.unobserve(hear, names=name)
    assert getattr(panel, name) == value
    assert heard == [value]
    assert control(panel, name).box.value == str(value)


@pytest.mark.parametrize("name", ["gamma", "alpha", "draft_cost", "verify_cost"])
def test_a_slider_reaches_both_ends(kept, name):
    panel = kept(CostPanel)
    for end in BOUNDS[name][:2]:
        control(panel, name).slider.value = end
        assert getattr(panel, name) == end


def test_bounds_are_those_of_the_course():
    assert BOUNDS["gamma"][:2] == (0, 32)
    assert BOUNDS["alpha"][:2] == BOUNDS["draft_cost"][:2] == (0, 1)
    assert BOUNDS["verify_cost"][1] == 3


REFUSALS = [
    ("alpha", "7", "alpha phải nằm trong khoảng từ 0 đến 1; giá trị vừa nhập là 7.",
     "alpha must lie between 0 and 1, not 7."),
    ("alpha", "-0,1", "alpha phải nằm trong khoảng từ 0 đến 1; giá trị vừa nhập là -0,1.",
     "alpha must lie between 0 and 1, not -0.1."),
    ("gamma", "33", "gamma phải nằm trong khoảng từ 0 đến 32; giá trị vừa nhập là 33.",
     "gamma must lie between 0 and 32, not 33."),
    ("gamma", "2.5", "gamma phải là số nguyên, không phải '2.5'.",
     "gamma must be a whole number, not '2.5'."),
    ("gamma", "x", "gamma phải là số nguyên, không phải 'x'.",
     "gamma must be a whole number, not 'x'."),
    ("alpha", "-0.0000001", "alpha phải nằm trong khoảng từ 0 đến 1; giá trị vừa nhập là "
     "-0,0000001.",
     "alpha must lie between 0 and 1, not -0.0000001."),
    ("draft_cost", "1,01", "chi phí nháp phải nằm trong khoảng từ 0 đến 1; giá trị vừa nhập là "
     "1,01.",
     "draft cost must lie between 0 and 1, not 1.01."),
    ("verify_cost", "0", "chi phí kiểm phải nằm trong khoảng từ 0,01 đến 3; giá trị vừa nhập là 0.",
     "verify cost must lie between 0.01 and 3, not 0."),
    ("verify_cost", "3/0", "chi phí kiểm phải là một số viết như 0,8, 0.8 hoặc 1/3, dài không quá "
     "40 ký tự, không phải '3/0'.",
     "verify cost must be a number such as 0.8, 0,8 or 1/3, of at most 40 characters, not '3/0'."),
]  # fmt: skip


@pytest.mark.parametrize(("name", "typed", "vi", "en"), REFUSALS, ids=[r[1] for r in REFUSALS])
def test_a_bad_entry_is_said_in_one_sentence_and_changes_nothing(kept, name, typed, vi, en):
    for language, said in (("vi", vi), ("en", en)):
        panel = kept(CostPanel, language)
        panel.set(alpha=0.6, gamma=5)
        before, parameters = results(panel), panel.parameters()
        box = control(panel, name).box
        box.value = typed
        assert complaints(panel) == [said]
        assert box.value == typed, "what was typed stays to be mended"
        assert panel.parameters() == parameters
        assert results(panel) == before


@pytest.mark.parametrize(
    "typed",
    ["", " ", "seven", "nan", "NaN", "inf", "-inf", "1e5", "1e400000000", "1/0", "0,5,5", "1.000,5",
     "0x1", "१", "٠٫٨", "--1", "1_0", "9" * 41, "9" * 5000, "<b>1</b>", "\0", "½", "{value}", "%s"],
)  # fmt: skip
def test_what_is_no_number_is_refused_and_shown_shortened(kept, typed):
    panel = kept(CostPanel, "vi")
    before = results(panel)
    control(panel, "draft_cost").box.value = typed
    (said,) = complaints(panel)
    assert said.startswith("chi phí nháp phải là một số viết như 0,8, 0.8 hoặc 1/3")
    assert said.endswith("'.")
    assert len(said) < 200
    assert (panel.draft_cost, results(panel)) == (0.1, before)


def test_a_message_goes_with_the_next_good_value_from_anywhere(kept):
    panel = kept(CostPanel)
    number = control(panel, "alpha")

    def spoil():
        number.box.value = "seven"
        assert len(complaints(panel)) == 1

    for mend in (
        lambda: setattr(number.box, "value", "0.6"),
        lambda: setattr(number.box, "value", "0.6"),  # the value it has
        lambda: setattr(number.slider, "value", 0.7),
        lambda: setattr(panel, "alpha", 0.65),
        panel.reset,
        panel.reset,  # nothing but the box to bring back
    ):
        spoil()
        mend()
        assert complaints(panel) == []
        assert number.box.value == panel.words.exact(panel.alpha)


def test_two_boxes_complain_apart(kept):
    panel = kept(CostPanel)
    control(panel, "alpha").box.value = "7"
    control(panel, "gamma").box.value = "x"
    assert len(complaints(panel)) == 2
    control(panel, "gamma").box.value = "3"
    assert complaints(panel) == ["alpha must lie between 0 and 1, not 7."]


TEXTS = st.one_of(
    st.text(max_size=60),
    st.from_regex(r"[+-]?[0-9]{0,42}[.,/]?[0-9]{0,42}", fullmatch=True),
    st.floats().map(str),
    st.fractions().map(str),
)


@settings(max_examples=25)
@given(name=st.sampled_from(["gamma", "alpha", "draft_cost", "verify_cost"]), typed=TEXTS)
@example(name="verify_cost", typed="0," + "0" * 37 + "1")
@example(name="alpha", typed="0," + "0" * 37 + "1")
@example(name="alpha", typed="0," + "9" * 38)
@example(name="alpha", typed="0," + "9" * 7)
@example(name="draft_cost", typed="0," + "0" * 37 + "1")
def test_no_text_breaks_a_box(kept, name, typed):
    panel = kept(CostPanel, "vi")
    before = panel.parameters()
    control(panel, name).box.value = typed
    if complaints(panel):
        assert panel.parameters() == before
    assert CostModel(**panel.parameters()) == panel.model
    assert_numbers(panel)


@each_language
def test_slider_and_box_have_one_name(kept, language):
    numbers = [*kept(CostPanel, language).numbers.values()]
    for number in (*numbers, kept(SamplingPanel, language).temperature_control):
        assert number.slider.description
        assert number.slider.description == number.box.description


def test_a_box_waits_for_the_end_of_typing(kept):
    assert not control(kept(CostPanel), "alpha").box.continuous_update
    editor = kept(SamplingPanel).editor
    for line in editor.rows:
        assert not any(box.continuous_update for box in (line.token, line.p, line.q))


def test_a_message_is_text_and_hides_when_empty():
    message = Message()
    assert (message.widget.value, message.widget.layout.display) == ("", "none")
    message.say("<b>no</b>")
    assert message.widget.value == '<div role="alert">⚠ &lt;b&gt;no&lt;/b&gt;</div>'
    assert message.widget.layout.display is None


def test_a_download_is_in_the_page_itself():
    link = Page(Download("a&b.csv", "text/csv", "ưu".encode()).link())
    assert link.values("href") == ["data:text/csv;base64,xrB1"]
    assert link.values("download") == ["a&b.csv"]


def test_pieces_of_html_take_text():
    marked = "<i>x</i>"
    for html in (
        readouts([(marked, marked)]),
        region("", f'"{marked}'),
        notices([marked]),
    ):
        assert "i" not in Page(html).tags


def test_what_scrolls_can_be_reached_and_is_named():
    page = Page(region("<table></table>", "The rounds"))
    assert page.values("tabindex") == ["0"]
    assert page.values("role") == ["region"]
    assert page.values("aria-label") == ["The rounds"]


def test_widgets_lists_the_page(kept):
    assert control(kept(CostPanel), "alpha").box in list(widgets(kept(CostPanel)))


# ---- what is wrong stays until it is put right ---------------------------------------------------
@pytest.mark.parametrize(
    ("kind", "field", "typed"),
    [
        (CostPanel, lambda panel: panel.numbers["alpha"], "7"),
        (RoundsPanel, lambda panel: panel.field, "10a"),
        (RoundsPanel, lambda panel: panel.stepper, "x"),
        (DrawsPanel, lambda panel: panel.numbers["seed"], "x"),
        (ReportPanel, lambda panel: panel.gamma_field, "x"),
        (Prediction, lambda panel: panel.field, "x"),
        (Quiz, lambda panel: panel.practice.field, "x"),
    ],
)
def test_what_is_wrong_outlives_a_change_of_language_and_reset_takes_it_back(kind, field, typed):
    panel = kind(3, language="en") if kind is Prediction else kind(language="en")
    wrong, before = field(panel), field(panel).box.value
    wrong.box.value = typed
    (english,) = complaints(panel)
    panel.language = "vi"
    (vietnamese,) = complaints(panel)
    assert (wrong.box.value, vietnamese != english) == (typed, True)
    assert not re.search(r"\b(must|may|not)\b", vietnamese)
    panel.reset()
    assert (complaints(panel), wrong.box.value) == ([], before.replace(".", ","))
    panel.close()


def test_no_control_has_the_tooltip_null():
    for panel in (Simulator(), DrawsPanel(), Prediction(3)):
        for widget in widgets(panel):
            if isinstance(widget, DescriptionWidget) and not isinstance(widget, HTML):
                assert widget.tooltip is not None, widget
        panel.close()
