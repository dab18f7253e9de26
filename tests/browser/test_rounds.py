"""The acceptance string and the stepper."""

import re

import pytest
from playwright.sync_api import expect

from specdec_widgets import simulate_rounds
from specdec_widgets.panels.parameters import DEFAULT_FLAGS
from specdec_widgets.words import get_words
from tests.browser.panel import refusal, vi

READ, ROUNDS, TOTAL = vi("Flags read"), vi("The rounds"), vi("total tokens")


def read(panel, count):
    """Wait until that many flags are read."""
    expect(panel.box(READ)).to_have_value(str(count))
    expect(panel.handle(READ)).to_have_attribute("aria-valuetext", str(count))
    tokens = simulate_rounds(DEFAULT_FLAGS[:count]).tokens
    expect(panel.readout(vi("Tokens gained"))).to_have_text(str(tokens))


@pytest.mark.parametrize("press", [lambda button: button.click(), lambda b: b.press("Enter")])
def test_the_stepper_reads_one_flag_at_a_time(simulator, press):
    first, back, following, last = (
        simulator.button(vi(name)) for name in ("|◀ First", "◀ Back", "Next ▶", "Last ▶|")
    )
    simulator.watch()
    press(first)
    read(simulator, 0)
    for count in range(1, 7):
        press(following)
        read(simulator, count)
    expect(simulator.column(ROUNDS, TOTAL).first).to_have_text("5")
    press(back)
    read(simulator, 5)
    press(last)
    read(simulator, 18)
    expect(simulator.column(ROUNDS, TOTAL).last).to_have_text("20")
    assert simulator.watched()["moved"] == []


def test_the_stepper_obeys_arrow_keys_and_typing(simulator):
    simulator.handle(READ).press("Home")
    read(simulator, 0)
    simulator.handle(READ).press("ArrowRight")
    read(simulator, 1)
    simulator.type(READ, "12")
    read(simulator, 12)
    simulator.type(READ, "19")
    expect(simulator.alert()).to_contain_text("19")
    expect(simulator.readout(vi("Tokens gained"))).to_have_text("13")


def test_play_reads_by_itself_until_it_is_paused_or_done(simulator):
    simulator.watch()
    simulator.button(vi("▶ Play")).click()
    expect(simulator.button(vi("▮▮ Pause"))).to_be_visible()
    # All were read, so it begins with the first.
    expect(simulator.box(READ)).to_have_value(re.compile("^[2-9]$"))
    simulator.button(vi("▮▮ Pause")).press("Space")
    expect(simulator.button(vi("▶ Play"))).to_be_visible()
    assert 2 <= int(simulator.box(READ).input_value()) < 18
    simulator.type(READ, "16")
    simulator.button(vi("▶ Play")).click()
    read(simulator, 18)
    expect(simulator.button(vi("▶ Play"))).to_be_visible()
    assert simulator.watched()["moved"] == []


@pytest.mark.parametrize("language", ["vi", "en"])
def test_what_is_no_flag_is_named_and_the_last_rounds_stay(simulator, language):
    simulator.speak(language)
    words = get_words(language)
    box = simulator.box(words.gettext("Acceptance string"))
    rejected = simulator.column(words.gettext("The rounds"), words.gettext("rejected at"))
    before = rejected.all_inner_texts()
    box.fill("11x1")
    sentence = refusal(words, lambda: simulate_rounds("11x1"))
    expect(simulator.alert()).to_have_text(f"⚠ {sentence}")
    assert rejected.all_inner_texts() == before
    box.fill("11 0\n1")
    expect(simulator.alert()).to_have_count(0)
    expect(rejected).to_have_text(["3", words.gettext("unfinished")])
