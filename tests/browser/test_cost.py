"""The sliders and boxes of the cost model, moved by mouse, keys and typing."""

import pytest
from playwright.sync_api import expect

from specdec_widgets import CostModel, simulate_rounds
from specdec_widgets.maths import exact
from specdec_widgets.panels.controls import control_label
from specdec_widgets.panels.cost import PRESETS
from specdec_widgets.panels.parameters import DEFAULT_FLAGS
from specdec_widgets.words import get_words
from tests.browser.panel import ALPHA, DRAFT_COST, GAMMA, NARROW, WIDE, refusal, vi

words = get_words("vi")


def shows(panel, model):
    """Wait until the panel shows this model, in Vietnamese."""
    expect(panel.readout(vi("Speedup"))).to_contain_text(f"= {words.number(model.speedup, 2)}×")
    cost = words.number(model.round_cost, 2)
    expect(panel.readout(vi("Round cost"))).to_have_text(
        f"{model.gamma} × {words.exact(model.draft_cost, 2)}"
        f" + {words.exact(model.verify_cost, 2)} = {cost}"
    )
    expect(panel.box(GAMMA)).to_have_value(str(model.gamma))
    expect(panel.handle(GAMMA)).to_have_attribute("aria-valuetext", str(model.gamma))


def test_dragging_gamma_moves_curve_readouts_and_rounds_without_a_flicker(simulator):
    curve, timeline = (simulator.figure(at).get_attribute("src") for at in (0, 1))
    simulator.watch()
    simulator.drag(GAMMA, 8 / 32)
    shows(simulator, CostModel(gamma=8))
    expect(simulator.figure(0)).not_to_have_attribute("src", curve)
    expect(simulator.figure(1)).not_to_have_attribute("src", timeline)
    rounds = simulate_rounds(DEFAULT_FLAGS, 8)
    proposed = simulator.column(vi("The rounds"), vi("proposed"))
    expect(proposed).to_have_text(["8"] * (len(rounds.table) + 1))  # the last one is unfinished
    seen = simulator.watched()
    assert seen["pictures"] > 2 * 3  # each figure has changed on the way, too
    assert seen["blank"] == 0
    assert seen["moved"] == []


def test_arrow_keys_move_a_slider_by_a_step(simulator):
    simulator.handle(GAMMA).press("ArrowRight")
    shows(simulator, CostModel(gamma=5))
    simulator.handle(GAMMA).press("ArrowLeft")
    shows(simulator, CostModel(gamma=4))
    simulator.handle(ALPHA).press("ArrowUp")
    shows(simulator, CostModel(alpha=0.81))
    simulator.handle(GAMMA).press("End")
    shows(simulator, CostModel(alpha=0.81, gamma=32))


@pytest.mark.parametrize("text", ["0,85", "0.85"])
def test_decimals_are_typed_with_comma_or_point(simulator, text):
    simulator.type(ALPHA, text)
    shows(simulator, CostModel(alpha=0.85))
    expect(simulator.box(ALPHA)).to_have_value("0,85")
    simulator.speak("en")
    box = simulator.box(control_label(get_words("en"), "alpha"))
    expect(box).to_have_value("0.85")
    box.fill(text)
    box.press("Tab")
    expect(box).to_have_value("0.85")
    expect(simulator.alert()).to_have_count(0)


@pytest.mark.parametrize("language", ["vi", "en"])
@pytest.mark.parametrize("text", ["7", "abc", ""])
def test_nonsense_is_explained_beside_the_field_and_changes_nothing(simulator, text, language):
    simulator.speak(language)
    own = get_words(language)
    before = simulator.panel.locator(".specdec-readouts, .specdec-status").all_inner_texts()
    pictures = simulator.panel.locator("img").evaluate_all("all => all.map(e => e.src)")
    label = control_label(own, "alpha")
    simulator.type(label, text)
    sentence = refusal(own, lambda: CostModel(alpha=float(exact(text, "alpha"))))
    expect(simulator.alert()).to_have_text(f"⚠ {sentence}")
    field, said = simulator.box(label).bounding_box(), simulator.alert().bounding_box()
    assert 0 <= said["y"] - (field["y"] + field["height"]) < 20  # it stands below its field
    assert simulator.panel.locator(".specdec-readouts, .specdec-status").all_inner_texts() == before
    now = simulator.panel.locator("img").evaluate_all("all => all.map(e => e.src)")
    assert now == pictures
    simulator.type(label, "0.5")
    expect(simulator.alert()).to_have_count(0)


def test_every_slider_has_a_number_box_of_the_same_name_beside_it(panels):
    for shown in panels.all:
        for slider in shown.panel.locator(".widget-slider").all():
            label = slider.locator("label").inner_text()
            beside = slider.locator("xpath=..").get_by_role("textbox", name=label, exact=True)
            expect(beside).to_be_visible()
            gap = beside.bounding_box()["x"] - slider.bounding_box()["x"]
            assert 0 < gap - slider.bounding_box()["width"] < 20


def test_nothing_beside_a_slider_is_wider_than_its_row(panels):
    """Else there is a scrollbar under it, which Playwright hides."""
    wide = "rows => rows.filter(row => row.scrollWidth > row.clientWidth).map(row => row.innerText)"
    for width in (WIDE, NARROW):
        panels.look(width=width)
        for shown in panels.all:
            rows = shown.panel.locator(".widget-hbox, .widget-vbox, .widget-box")
            assert rows.count() > 3
            assert rows.evaluate_all(wide) == []


def test_presets_set_all_four_parameters_and_say_that_they_are_made_up(simulator):
    choice = simulator.panel.locator(".widget-dropdown").filter(has_text=vi("Preset"))
    chosen, options = choice.locator("option:checked"), choice.locator("option")
    expect(options).to_have_count(1 + 7)
    made_up = vi("{preset} (made up for illustration)").format(preset="")
    for option in options.all()[1:]:
        expect(option).to_contain_text(made_up)
    for number, preset in enumerate(PRESETS.values()):
        choice.locator("select").select_option(index=1 + number)
        shows(simulator, CostModel(**preset))
    simulator.type(DRAFT_COST, "0,33")
    expect(chosen).to_have_text(vi("your own values"))


@pytest.mark.parametrize(("language", "width"), [("vi", NARROW), ("en", WIDE)])
def test_nothing_leaves_its_place_while_gamma_and_alpha_run_through(
    panels, simulator, language, width
):
    panels.look(width=width)
    simulator.speak(language)
    gamma, alpha = (control_label(get_words(language), name) for name in ("gamma", "alpha"))
    simulator.watch()
    simulator.handle(gamma).press("Home")
    for value in range(33):
        expect(simulator.box(gamma)).to_have_value(str(value))
        simulator.handle(gamma).press("ArrowRight")
    simulator.handle(alpha).press("Home")
    for value in range(21):
        expect(simulator.handle(alpha)).to_have_attribute("aria-valuetext", f"{value / 20:g}")
        simulator.handle(alpha).press("PageUp")
    expect(simulator.box(alpha)).to_have_value("1")
    seen = simulator.watched()
    assert seen["moved"] == []
    assert seen["blank"] == 0
