"""What all panels promise: how they start, how they show without a kernel, what can be kept."""

import io
import re
import xml.etree.ElementTree as ElementTree

import pandas as pd
import pytest
from ipywidgets.widgets.widget import _instances
from PIL import Image

from specdec_widgets import (
    CostPanel,
    Refused,
    RoundsPanel,
    SamplingPanel,
    Simulator,
    TypeRefused,
    panels,
    set_language,
)
from specdec_widgets.panels.base import Panel

from .seen import Page, bundle, complaints, plain, results, table, visible, widgets

KINDS = [CostPanel, RoundsPanel, SamplingPanel, Simulator]
each_kind = pytest.mark.parametrize("kind", KINDS)
each_panel = pytest.mark.parametrize("kind", KINDS[:3])
each_language = pytest.mark.parametrize("language", ["vi", "en"])


# ---- starting ------------------------------------------------------------------------------------
@each_kind
def test_start_values_are_keywords_and_traits(build, kind):
    panel = build(kind, alpha=0.5)
    assert panel.alpha == 0.5
    heard = []
    panel.observe(heard.append, names="alpha")
    panel.alpha = 0.6
    assert [change["new"] for change in heard] == [0.6]
    panel.reset()
    assert panel.alpha == 0.5


@each_kind
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"alpha": 7}, "alpha must lie between 0 and 1, not 7."),
        ({"alpha": "0.5"}, "alpha must be a number, not '0.5'."),
        ({"alfa": 0.5}, "{kind} has nothing named 'alfa'; choose from: {parameters}."),
        ({"controls": ["alfa"]}, "{kind} has nothing named 'alfa'; choose from: {controls}."),
        ({"language": "xx"}, "There are no words in the language 'xx'; choose one of: vi, en."),
    ],
)
def test_a_wrong_start_is_refused_and_leaves_nothing_open(kind, wrong, said):
    before = set(_instances)
    with pytest.raises(Refused) as caught:
        kind(**wrong)
    assert str(caught.value) == said.format(
        kind=kind.__name__,
        parameters=", ".join(kind.PARAMETERS),
        controls=", ".join(kind.CONTROLS),
    )
    assert set(_instances) == before


def test_the_language_is_chosen_once(build):
    try:
        set_language("en")
        panel = CostPanel()
        assert panel.language == "en"
        set_language("vi")
        assert panel.language == "en", "a panel on the page keeps its own"
        assert build(CostPanel, language=None).language == "vi"
        with pytest.raises(Refused, match="choose one of: vi, en"):
            set_language("xx")
        assert build(CostPanel, language=None).language == "vi"
        panel.close()
    finally:
        set_language("vi")


@each_panel
def test_a_subset_of_the_controls(build, kind):
    named = {
        "alpha": lambda panel: panel.numbers["alpha"].slider,
        "gamma": lambda panel: panel.numbers["gamma"].box,
        "draft_cost": lambda panel: panel.numbers["draft_cost"].box,
        "verify_cost": lambda panel: panel.numbers["verify_cost"].box,
        "preset": lambda panel: panel.preset.widget,
        "flags": lambda panel: panel.field.box,
        "stepper": lambda panel: panel.stepper.slider,
        "pair": lambda panel: panel.editor.rows[0].p,
        "temperature": lambda panel: panel.temperature_control.slider,
        "carry": lambda panel: panel.carry,
        "language": lambda panel: panel.tools.language,
        "reset": lambda panel: panel.tools.reset,
        "download": lambda panel: panel.tools.download,
    }
    assert set(kind.CONTROLS) <= set(named)
    for shown in ((), kind.CONTROLS[:1], kind.CONTROLS[1:3], kind.CONTROLS):
        panel = build(kind, controls=shown)
        page = list(widgets(panel))
        assert {name for name in kind.CONTROLS if named[name](panel) in page} == set(shown)
    whole = build(kind)
    assert results(panel) == results(whole)


@each_panel
def test_a_parameter_without_a_control_still_moves_the_result(build, kind):
    shown = ("carry",) if kind is SamplingPanel else ()  # which shows alpha beside the pair's
    panel, twin = build(kind, controls=shown), build(kind)
    before = results(panel)
    panel.alpha = twin.alpha = 0.5
    assert results(panel) != before
    missing = [html for html in results(twin) if html not in results(panel)]
    assert not any("<" in html for html in missing), "but heads and sums of the editor"


# ---- without a kernel ----------------------------------------------------------------------------
@each_kind
@each_language
def test_three_representations(kept, kind, language):
    found = bundle(kept(kind, language))
    assert {"text/plain", "text/html", "application/vnd.jupyter.widget-view+json"} <= set(found)
    page = Page(found["text/html"])
    assert {"table", "img"} <= set(page.tags)
    assert "specdec-readouts" in found["text/html"]
    assert all(src.startswith("data:image/png;base64,iVBOR") for src in page.values("src"))
    assert all(len(alt) > 40 for alt in page.values("alt"))
    assert found["text/plain"].split("\n")[0] == kept(kind, language).title() == page.texts[0]


@each_panel
@each_language
def test_text_and_html_hold_the_same_numbers(kept, kind, language):
    found = bundle(kept(kind, language))
    page = Page(found["text/html"])
    readouts = found["text/html"].split('<table class="specdec-readouts">')[1].split("</table>")[0]
    names = Page(f"<table>{readouts}").texts
    assert len(names) >= 8
    for name, value in zip(names[::2], names[1::2], strict=True):
        assert f"\n{name}: {value}" in found["text/plain"]
    if kind is not CostPanel:
        for row in table(found["text/html"]):
            for cell in row:
                assert cell in found["text/plain"]
    assert set(page.tags) <= {
        *("div", "p", "strong", "img"),
        *("table", "caption", "thead", "tbody", "tr", "th", "td"),
    }


@each_kind
def test_the_same_twice_and_in_another_panel(build, kind):
    one, other = build(kind, language="vi"), build(kind, language="vi")
    first = bundle(one)
    one.alpha = 0.3
    assert bundle(one)["text/html"] != first["text/html"]
    one.alpha = 0.8
    for found in (bundle(one), bundle(one), bundle(other)):
        assert found["text/html"] == first["text/html"]
        assert found["text/plain"] == first["text/plain"]


@each_kind
def test_nothing_on_the_page_asks_for_anything_elsewhere(kept, kind):
    panel = kept(kind)
    panel.tools.download.click()
    for html in (*results(panel), bundle(panel)["text/html"]):
        page = Page(html)
        assert "script" not in page.tags
        assert "link" not in page.tags
        for target in (*page.values("src"), *page.values("href")):
            assert target.startswith("data:")
        for key, _value in page.attributes:
            assert not key.startswith("on")
        assert "url(" not in html
        assert "@import" not in html


# ---- what can be kept ----------------------------------------------------------------------------
@each_panel
def test_table_and_figure_can_be_kept(kept, kind):
    panel = kept(kind, "vi")  # whose decimal comma is no file's
    stem = {CostPanel: "cost", RoundsPanel: "rounds", SamplingPanel: "sampling"}[kind]
    sheet, vector, pixels = panel.downloads()
    assert [file.name for file in (sheet, vector, pixels)] == [
        f"{stem}.csv",
        f"{stem}.svg",
        f"{stem}.png",
    ]
    assert [file.media_type for file in (sheet, vector, pixels)] == [
        "text/csv",
        "image/svg+xml",
        "image/png",
    ]
    expected = {
        CostPanel: lambda: panel.model.curve().reset_index(),
        RoundsPanel: lambda: panel.rounds.table,
        SamplingPanel: lambda: panel.rule.table,
    }[kind]()
    read = pd.read_csv(io.BytesIO(sheet.content))
    assert list(read.columns) == list(expected.columns)
    for name in read.columns:
        if name == "token":
            assert list(read[name]) == list(expected[name])
        else:
            pd.testing.assert_series_equal(
                read[name].astype(float), expected[name].astype(float), check_exact=True
            )
    assert ElementTree.fromstring(vector.content).tag == "{http://www.w3.org/2000/svg}svg"
    with Image.open(io.BytesIO(pixels.content)) as image:
        image.load()
        assert image.format == "PNG"
        assert image.width > 600


@each_panel
def test_links_appear_when_asked_for_and_go_with_the_next_change(kept, kind):
    panel = kept(kind)
    assert panel.tools.links.value == ""
    panel.tools.download.click()
    links = Page(panel.tools.links.value)
    assert links.texts[0] == "Files:"
    assert len(links.values("download")) == len(links.values("href")) == 3
    panel.alpha = 0.55
    assert panel.tools.links.value == ""


def test_a_file_holds_the_present_result(kept):
    panel = kept(CostPanel)
    panel.alpha = 0.5
    (curve, *_pictures) = panel.downloads()
    assert pd.read_csv(io.BytesIO(curve.content))["expected_tokens"][4] == 1.9375


# ---- changes -------------------------------------------------------------------------------------
@each_panel
def test_a_value_that_is_no_change_draws_nothing(kept, monkeypatch, kind):
    panel = kept(kind)
    monkeypatch.setattr(panel.figure, "draw", None)  # would fail if called
    panel.alpha = panel.alpha
    panel.set(**panel.parameters())
    panel.reset()


@each_kind
def test_no_key_stops_where_nothing_scrolls(kept, kind):
    assert Page(bundle(kept(kind))["text/html"]).values("tabindex") == []


@pytest.mark.parametrize(
    "kind",
    [getattr(panels, name) for name in panels.__all__ if name.endswith("Panel")],
)
def test_without_a_kernel_the_result_is_said_in_a_sentence(build, kind):
    found = bundle(build(kind))
    _title, sentence, *_more = found["text/plain"].split("\n")
    assert sentence.endswith(".")
    assert any(text.endswith(sentence) for text in Page(found["text/html"]).texts)


def test_a_fault_of_the_panel_is_said_on_the_page(build, monkeypatch):
    panel = build(CostPanel, language="vi")
    with monkeypatch.context() as patched:
        patched.setattr(panel.figure, "draw", lambda *_: {}["key"])
        with pytest.raises(KeyError):
            panel.alpha = 0.3
    assert complaints(panel) == ["Bảng gặp lỗi, xin hãy báo lại: KeyError('key')"]
    panel.alpha = 0.4
    assert complaints(panel) == []
    with monkeypatch.context() as patched:
        patched.setattr(panel.figure, "save", lambda *_, **__: {}["key"])
        panel.tools.download.click()
    assert complaints(panel) == ["Bảng gặp lỗi, xin hãy báo lại: KeyError('key')"]


def test_a_panel_whose_parameters_do_not_fit_takes_no_files_from_the_others(build):
    simulator = build(Simulator)
    simulator.p = (1, 0)
    simulator.tools.download.click()
    names = Page(simulator.tools.links.value).values("download")
    assert [name for name in names if name.startswith("sampling")] == []
    assert len(names) == 6


@each_kind
def test_all_or_none(kept, kind):
    panel = kept(kind)
    before, page = panel.parameters(), results(panel)
    other = next(name for name in kind.PARAMETERS if name != "alpha")
    with pytest.raises(Refused):
        panel.set(**{"alpha": 0.5, other: object()})
    assert (panel.parameters(), results(panel)) == (before, page)
    with pytest.raises(Refused, match="nothing named 'gama'"):
        panel.set(alpha=0.5, gama=3)
    assert (panel.parameters(), results(panel)) == (before, page)


# ---- for all readers -----------------------------------------------------------------------------
@each_kind
@each_language
def test_every_control_has_a_name(kept, kind, language):
    for widget in widgets(kept(kind, language)):
        if hasattr(widget, "value") and not hasattr(widget, "children"):
            assert widget.description or type(widget).__name__ == "HTML"
        if type(widget).__name__ == "Button":
            assert widget.description


@each_kind
def test_results_are_announced_politely_and_errors_at_once(kept, kind):
    panel = kept(kind)
    pages = [Page(html) for html in results(panel)]
    roles = [role for page in pages for role in page.values("role")]
    assert roles.count("status") == (3 if kind is Simulator else 1)
    assert "alert" not in roles
    problem = panel.problem
    problem.say("No.")
    assert Page(problem.widget.value).values("role") == ["alert"]
    problem.say("")


@each_kind
def test_every_table_has_a_caption_and_heads(kept, kind):
    for html in results(kept(kind)):
        page = Page(html)
        tables = len(re.findall("<table", html)) - html.count('class="specdec-readouts"')
        assert page.tags.count("caption") == tables
        assert len(page.values("scope")) == page.tags.count("th")


@each_kind
def test_every_panel_has_one_heading(kept, kind):
    panel = kept(kind)
    headings = [Page(html).texts for html in results(panel) if "<h3>" in html]
    assert headings[0] == [panel.title()]
    assert len(headings) == (4 if kind is Simulator else 1)
    assert panel.title() in visible(panel)
    assert plain(panel).startswith(f"{panel.title()}\n")


def test_a_panel_must_say_what_it_is(build):
    class Bare(Panel):
        pass

    with pytest.raises(NotImplementedError):
        build(Bare)


@each_panel
@pytest.mark.parametrize("controls", ["alpha", 3])
def test_controls_are_a_sequence_of_names(kind, controls):
    with pytest.raises(TypeRefused, match="controls must be a sequence of names"):
        kind(controls=controls)
