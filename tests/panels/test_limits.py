"""The small panels: they say what the models say, in both languages, and take what models take."""

import io
import re
from fractions import Fraction

import pandas as pd
import pytest
from ipywidgets.widgets.widget import _instances

from specdec_widgets import (
    BatchPanel,
    FallingPanel,
    MemoryPanel,
    PassCostPanel,
    Refused,
    VerifyPanel,
    hardware_table,
    transformer_table,
)
from specdec_widgets.figures.marks import text_width
from specdec_widgets.panels.controls import BOUNDS

from .seen import Page, assert_numbers, bundle, complaints, plain, results, table, visible, widgets
from .test_language import SAME, marking, third  # noqa: F401

KINDS = [PassCostPanel, FallingPanel, VerifyPanel, BatchPanel, MemoryPanel]
each_kind = pytest.mark.parametrize("kind", KINDS)
each_language = pytest.mark.parametrize("language", ["vi", "en"])
CARDS, MODELS = list(hardware_table().index), list(transformer_table().index)
SOURCES = [*hardware_table()["source"], *transformer_table()["source"]]
MOVE = {  # another value of one parameter of each
    PassCostPanel: {"positions": 600},
    FallingPanel: {"decay": 0.5},
    VerifyPanel: {"batch": 128},
    BatchPanel: {"batch": 300},
    MemoryPanel: {"target": "Llama 3.1 70B"},
}


# ---- what they say -------------------------------------------------------------------------------
def test_five_positions_cost_what_one_does_and_past_the_ridge_each_counts(kept):
    panel = kept(PassCostPanel)
    said = plain(panel)
    assert "A pass over 5 positions takes 4.794 ms: 1.00 times a pass over one." in said
    assert "Weights read in a pass: 8.03 × 2 = 16.06 GB" in said
    assert "Time to read them: 16.06 GB / 3350 GB/s = 4.794 ms" in said
    assert "Ridge: 295.3 positions" in said
    assert "Below the ridge" in said
    panel.positions = 591
    assert "4.794 ms" not in plain(panel).split("\n")[1]
    assert ": 2.00 times" in plain(panel)
    assert "Past the ridge" in plain(panel)
    panel.batch = 512
    assert "none is free" in plain(panel)
    assert "Arithmetic of one position of 512 requests" in plain(panel)


def test_the_star_stands_on_the_last_position_that_is_free(kept):
    panel = kept(PassCostPanel)
    (chart,) = panel.view().charts
    ((at, _curve),) = chart.stars
    assert chart.x[at] == 295
    assert panel.model.cost(295) == 1 < panel.model.cost(296)
    panel.batch = 512  # the ridge is below 1
    assert panel.view().charts[0].stars == ()


def test_lists_set_published_figures_and_show_whose_they_are(kept):
    panel = kept(PassCostPanel)
    hardware, model = panel.controls["hardware"].widget, panel.controls["model"].widget
    assert (hardware.value, model.value) == ("NVIDIA H100 SXM", "Llama 3.1 8B")
    hardware.value, model.value = "NVIDIA T4", "Llama 3.2 1B"
    assert (panel.bandwidth, panel.peak, panel.billions) == (300, 65, 1.24)
    assert "951643" in plain(panel)
    panel.peak = 66
    assert hardware.value == ""
    assert "951643" not in plain(panel)
    hardware.value = ""  # changes nothing
    assert panel.peak == 66
    assert [label for label, _value in hardware.options] == ["your own values", *CARDS]
    for name in CARDS:
        hardware.value = name
        assert panel.controls["hardware"].present == name, "no two cards alike"


def test_falling_acceptance_beside_independence(kept):
    panel = kept(FallingPanel)
    said = plain(panel)
    for line in (
        "Acceptance by position: 0.80 · 0.72 · 0.65 · 0.58",
        "E, falling acceptance: 2.9669",
        "E, independent positions: 3.3616",
        "Best gamma: 4, with 2.12×",
        "Best gamma if independent: 6, which really gives 1.96×",
    ):
        assert line in said
    panel.decay = 1
    tokens, speedups = panel.view().charts
    for chart in (tokens, speedups):
        falling, independent = chart.curves[:2]
        assert falling.array == pytest.approx(independent.array)
    assert speedups.stars == ((6, 0), (6, 1))
    assert "this is the cost model" in plain(panel)


@each_language
@pytest.mark.parametrize(
    "typed", ["0,8 0,6 0,5 ", "0.8; 0.6; 0.5", " [0.8, 0.6, 0.5] ", "80% 3/5 ,5"]
)
def test_rates_can_be_typed_in_and_an_empty_box_takes_them_back(kept, language, typed):
    panel = kept(FallingPanel, language)
    before, box = results(panel), panel.controls["rates"].box
    assert box.value == ""
    box.value = typed
    assert complaints(panel) == []
    assert panel.rates == (Fraction(4, 5), Fraction(3, 5), Fraction(1, 2))
    assert box.value == {"vi": "0,8; 0,6; 0,5", "en": "0.8; 0.6; 0.5"}[language]
    frame = panel.view().frame  # by hand: 1, + 0.8, + 0.8 * 0.6, + 0.8 * 0.6 * 0.5
    assert frame["expected_tokens"].tolist() == pytest.approx([1, 1.8, 2.28, 2.52])
    assert_numbers(panel)
    box.value = " "
    assert panel.rates is None
    assert results(panel) == before


def test_what_typed_rates_leave_out_is_said(kept):
    panel = kept(FallingPanel)
    panel.set(rates=(0.9, "3/4", 0.2), gamma=4, alpha=0.1)
    view = panel.view()
    assert "At gamma 3, E is 2.710, and 3.439 with independent positions" in view.sentence
    assert view.remarks == [
        "The rates are those you typed: alpha and the decay do nothing until the box of the rates"
        " is empty.",
        "Independent positions are all accepted like the first, at 0.9.",
        "No rate is typed beyond position 3: the curves end there, and a better gamma may lie"
        " further.",
        "Your gamma, 4, has no rate either: gamma 3 is shown.",
    ]
    before = results(panel)
    panel.set(alpha=0.8, decay=1)
    assert results(panel) == before
    assert dict(view.pairs)["Best gamma"] == "2, with 2.15×"
    assert dict(view.pairs)["Best gamma if independent"] == "3, which really gives 2.08×"
    panel.gamma = 3
    assert len(panel.view().remarks) == 3
    panel.rates = (0,)
    assert dict(panel.view().pairs)["Best gamma"] == "0, with 1.00×"
    assert_numbers(panel)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("0.8 x", "tỉ lệ ở vị trí 2 phải là một số viết như 0,8"),
        ("0,8 1,5", "tỉ lệ ở vị trí 2 phải nằm trong khoảng từ 0 đến 1; giá trị vừa nhập là 1,5."),
        (
            "0,8 -0,1",
            "tỉ lệ ở vị trí 2 phải nằm trong khoảng từ 0 đến 1; giá trị vừa nhập là -0,1.",
        ),
        ("0,5 " * 33, "số tỉ lệ phải nằm trong khoảng từ 1 đến 32; giá trị vừa nhập là 33."),
        (";", "số tỉ lệ phải nằm trong khoảng từ 1 đến 32; giá trị vừa nhập là 0."),
    ],
)
def test_rates_that_cannot_be_taken_are_explained_beside_their_box(kept, typed, said):
    panel = kept(FallingPanel, "vi")
    box = panel.controls["rates"].box
    box.value = "0,8 0,6"
    before = results(panel)
    box.value = typed
    (sentence,) = complaints(panel)
    assert sentence.startswith(said)
    assert box.value == typed
    assert results(panel) == before


def test_a_verify_pass_grows_with_gamma(kept):
    panel = kept(VerifyPanel)
    assert "a verify pass costs 1.00: 2.08×, where the simple model says 2.08×." in plain(panel)
    panel.batch = 128
    assert "a verify pass costs 1.72: 1.39×, where the simple model says 1.98×." in plain(panel)
    assert "Best gamma: 2, with 1.76×" in plain(panel)
    assert panel.view().charts[1].stars == ((2, 0), (4, 1))


def test_a_busy_server_stops_guessing(kept):
    panel = kept(BatchPanel)
    speedups, gammas = panel.view().charts
    assert list(gammas.curves[0].values) == [5, 5, 5, 5, 5, 4, 4, 2, 1, 0]
    assert [round(value, 2) for value in speedups.curves[0].values][-3:] == [1.39, 0.93, 0.67]
    panel.batch = 300
    assert 300 in panel.view().charts[0].x
    assert "does not fit" not in plain(panel)
    panel.context = 8192
    assert "This does not fit on one card" in plain(panel)


def test_the_draft_takes_the_place_of_requests(kept):
    panel = kept(MemoryPanel)
    panel.hardware = "NVIDIA A100 80GB SXM"
    assert "104 requests fit without the draft, 79 with it: 25 are lost." in plain(panel)
    (chart,) = panel.view().charts
    both, alone, room = (curve.array for curve in chart.curves)
    ((star, _curve),) = chart.stars
    assert (chart.x[chart.here], chart.x[star]) == (79, 104)
    assert both[chart.here] <= room[0] < both[chart.here + 1]
    assert alone[star] <= room[0] < alone[star + 1]
    panel.target = "Llama 3.1 70B"
    assert "the target alone is too large" in plain(panel)
    panel.set(target="Llama 3.2 1B", draft="Llama 3.1 70B")
    assert "No request fits beside both models." in plain(panel)


def test_a_draft_dearer_than_the_target_can_be_tried_and_never_pays(kept):
    panel = kept(VerifyPanel)
    panel.set(target="Llama 3.2 1B", draft="Llama 3.1 70B")
    assert complaints(panel) == []
    view = panel.view()
    assert view.frame["draft_cost"].iloc[0] > 50
    for column in ("speedup", "simple_speedup"):
        assert (view.frame[column].iloc[1:] < 1).all()
    shown = dict(view.pairs)
    assert shown["Best gamma"] == shown["Best gamma if c_v were 1"] == "0, with 1.00×"
    assert_numbers(panel)


# ---- what all of them promise --------------------------------------------------------------------
@each_kind
@each_language
def test_text_page_and_picture_say_the_same(kept, kind, language):
    panel = kept(kind, language)
    found = bundle(panel)
    live = [text for html in results(panel) for text in Page(html).texts]
    for text in Page(found["text/html"]).texts:
        assert text in live or text.removeprefix("ℹ ") in live
    readouts = found["text/html"].split('"specdec-readouts">')[1].split("</table>")[0]
    readouts = table(f"<table>{readouts}</table>")
    assert len(readouts) >= 7
    assert all(name and value for name, value in readouts)
    for row in table(found["text/html"]):
        for cell in row:
            assert cell in found["text/plain"]
    assert found["text/plain"].startswith(f"{panel.title()}\n")
    assert_numbers(panel)


@each_kind
def test_every_number_that_is_made_up_is_said_to_be_and_the_rest_has_a_source(kept, kind):
    said = plain(kept(kind))
    if kind is not PassCostPanel:
        assert "made up" in said
    if kind is not FallingPanel:
        assert "datasheet" in said
        assert "Meta, model card" in said


@each_kind
def test_the_result_can_be_kept(kept, kind):
    panel = kept(kind)
    sheet, *pictures = panel.downloads()
    frame = panel.view().frame
    read = pd.read_csv(io.BytesIO(sheet.content))
    assert list(read.columns) == [frame.index.name, *frame.columns]
    assert len(read) == len(frame)
    assert len(pictures) == 2 * len(kind.CHARTS)
    assert len({file.name for file in pictures}) == len(pictures)


@each_kind
def test_controls_move_the_result_and_those_not_named_are_left_out(build, kind):
    panel = build(kind, controls=("reset",))
    page = list(widgets(panel))
    assert panel.tools.reset in page
    assert not any(control.widget in page for control in panel.controls.values())
    before = results(panel)
    panel.set(**MOVE[kind])
    moved = results(panel)
    assert moved != before
    panel.reset()
    assert results(panel) == before
    (name,) = MOVE[kind]
    control = panel.controls[name]
    if hasattr(control, "box"):
        control.box.value = str(MOVE[kind][name])
    else:
        control.widget.value = MOVE[kind][name]
    assert results(panel) == moved


@each_kind
def test_closing_leaves_nothing_open(kind):
    before = set(_instances)
    kind(language="en").close()
    assert set(_instances) == before


@each_kind
def test_every_control_has_a_name_and_bounds_it_can_reach(kept, kind):
    panel = kept(kind)
    for name, control in panel.controls.items():
        assert control.panel is panel
        if hasattr(control, "slider"):
            assert control.slider.description == control.box.description != ""
            assert text_width(control.slider.description, 13) < 160, "as wide as labels may be"
            for end in BOUNDS[name][:2]:
                control.slider.value = end
                assert getattr(panel, name) == end
            panel.reset()
        else:
            assert getattr(control, "box", control.widget).description


@each_kind
def test_every_string_comes_from_the_catalogue(build, third, kind):  # noqa: F811
    panel = build(kind, language="eo")
    shown = [*visible(panel), plain(panel)]
    panel.set(**MOVE[kind])
    shown += [*visible(panel), plain(panel)]
    if kind is FallingPanel:
        panel.rates = (0.5,)
    for text in [*shown, *visible(panel), plain(panel)]:
        for name in (*SOURCES, *CARDS, *MODELS):
            text = text.replace(name, "")
        while "⟦" in text:
            text = re.sub(r"⟦[^⟦⟧]*⟧", " ", text)
        units = {"ms", "GB", "s", "GFLOP", "TFLOP"}
        assert set(re.findall(r"[A-Za-zÀ-ÖØ-öø-ɏḀ-ỿ]+", text)) <= SAME | units, text


@pytest.mark.parametrize(
    ("kind", "name", "value", "said"),
    [
        (PassCostPanel, "billions", 0, "billions must lie between 0.0001 and 10000, not 0."),
        (PassCostPanel, "billions", 5e-324, "billions must lie between 0.0001 and 10000, not 5e-"),
        (PassCostPanel, "weight_bytes", 5e-324, "weight_bytes must lie between 0.125 and 8, not"),
        (PassCostPanel, "bandwidth", 5e-324, "bandwidth must lie between 0.0001 and 1000000, not"),
        (PassCostPanel, "peak", 5e-324, "peak must lie between 0.0001 and 1000000, not 5e-324."),
        (PassCostPanel, "positions", 0, "positions must lie between 1 and 4096, not 0."),
        (PassCostPanel, "batch", 2.5, "batch must be a whole number, not 2.5."),
        (PassCostPanel, "peak", None, "peak must be a number, not None."),
        (FallingPanel, "decay", 1.5, "decay must lie between 0 and 1, not 1.5."),
        (FallingPanel, "rates", (), "number of rates must lie between 1 and 32, not 0."),
        (FallingPanel, "rates", (1, 2), "rates[1] must lie between 0 and 1, not 2."),
        (FallingPanel, "rates", "0.5", "rates must be a sequence such as a list, not '0.5'."),
        (BatchPanel, "context", -1, "context must lie between 0 and 1000000, not -1."),
        (MemoryPanel, "draft", ["x"], "draft must be one of Llama 3.2 1B, Llama 3.1 8B, "),
        (MemoryPanel, "hardware", "abacus", "hardware must be one of NVIDIA T4, "),
        (MemoryPanel, "request_tokens", 0, "request_tokens must lie between 1 and 1000000, not 0."),
    ],
)
def test_what_models_cannot_take_is_refused_and_changes_nothing(kept, kind, name, value, said):
    panel = kept(kind)
    before = results(panel)
    with pytest.raises(Refused, match=re.escape(said)):
        panel.set(**{name: value})
    assert results(panel) == before


def test_a_refusal_is_said_beside_the_box_in_the_readers_words(kept):
    panel = kept(PassCostPanel, "vi")
    panel.controls["bandwidth"].box.value = "0"
    assert complaints(panel) == [
        "băng thông (GB/s) phải nằm trong khoảng từ 0,0001 đến 1.000.000; giá trị vừa nhập là 0."
    ]


@pytest.mark.parametrize("billions", [0.0001, 10_000])
@pytest.mark.parametrize("weight_bytes", [0.125, 8])
@pytest.mark.parametrize(("bandwidth", "peak"), [(0.0001, 1_000_000), (1_000_000, 0.0001)])
def test_a_pass_is_timed_at_the_ends_of_what_is_allowed(
    kept, billions, weight_bytes, bandwidth, peak
):
    panel = kept(PassCostPanel)
    panel.set(billions=billions, weight_bytes=weight_bytes, bandwidth=bandwidth, peak=peak)
    assert complaints(panel) == []
    assert_numbers(panel)
