"""The editor of p and q, and the alpha that goes to the cost panel."""

import pytest
from playwright.sync_api import expect

from specdec_widgets import SamplingRule
from specdec_widgets.panels.parameters import DEFAULT_P, DEFAULT_Q
from specdec_widgets.words import get_words
from tests.browser.panel import ALPHA, vi

TABLE, TOKEN, OUTPUT = vi("The sampling rule, token by token"), vi("token"), vi("output")
MARKUP = "<img src=x onerror=alert(1)><b>$x$</b>"


def name_of(number):
    return vi("name of token {number}").format(number=number)


def p_of(number):
    return vi("p of token {number}").format(number=number)


def sums(panel):
    return panel.panel.locator(".specdec-sums")


def test_markup_in_a_token_name_stays_text(simulator):
    pictures = simulator.panel.locator("img").count()
    simulator.type(name_of(1), MARKUP)
    expect(simulator.panel.locator("td").filter(has_text=MARKUP)).to_be_visible()
    expect(simulator.column(TABLE, TOKEN).first).to_have_text(MARKUP)
    assert simulator.panel.locator("img").count() == pictures
    assert simulator.panel.locator("b, mjx-container").count() == 0


def test_rows_are_added_removed_and_normalised_only_when_asked_to(simulator):
    simulator.button(vi("Add a token")).click()
    expect(simulator.box(p_of(5))).to_have_value("0")
    output = simulator.column(TABLE, OUTPUT)
    expect(output).to_have_text(["0,5000", "0,2500", "0,1500", "0,1000", "0,0000"])
    simulator.type(p_of(5), "1")
    expect(simulator.alert()).to_contain_text("2")  # the sum
    expect(sums(simulator)).to_contain_text("p: 2 ≠ 1")
    expect(simulator.box(p_of(5))).to_have_value("1")  # as typed
    assert output.all_inner_texts() == ["0,5000", "0,2500", "0,1500", "0,1000", "0,0000"]
    simulator.button(vi("Normalise")).click()
    expect(simulator.box(p_of(5))).to_have_value("0,5")
    expect(simulator.alert()).to_have_count(0)
    expect(output).to_have_text(["0,2500", "0,1250", "0,0750", "0,0500", "0,5000"])
    simulator.panel.get_by_role("button", name=vi("Remove")).nth(4).click()
    expect(sums(simulator)).to_contain_text("p: 0,5 ≠ 1")
    expect(output).to_have_count(5)  # the last good one
    simulator.button(vi("Normalise")).click()
    expect(sums(simulator)).to_contain_text("p: 1 ✓")
    expect(output).to_have_text(["0,5000", "0,2500", "0,1500", "0,1000"])


def test_there_are_two_to_twelve_rows(simulator):
    add, remove = simulator.button(vi("Add a token")), simulator.button(vi("Remove"))
    for number in range(5, 13):
        add.click()
        expect(simulator.box(p_of(number))).to_be_visible()
    expect(add).to_be_disabled()
    for number in range(12, 2, -1):
        remove.click()
        expect(simulator.box(p_of(number))).to_have_count(0)
    expect(remove).to_be_disabled()


def test_the_keys_stay_in_the_editor_when_a_row_is_removed(simulator):
    add = simulator.button(vi("Add a token"))
    remove = simulator.panel.get_by_role("button", name=vi("Remove"))
    remove.nth(2).press("Enter")
    expect(simulator.box(p_of(4))).to_have_count(0)
    expect(remove.nth(1)).to_be_focused()
    remove.nth(0).press("Enter")
    expect(simulator.box(p_of(3))).to_have_count(0)
    expect(add).to_be_focused()


@pytest.mark.parametrize("language", ["vi", "en"])
def test_a_probability_that_is_no_number_is_refused_beside_the_rows(simulator, language):
    simulator.speak(language)
    label = get_words(language).gettext("p of token {number}").format(number=2)
    simulator.type(label, "zz")
    expect(simulator.alert()).to_contain_text("zz")
    expect(simulator.alert()).to_contain_text(
        get_words(language).gettext("{name} of token {number}").format(name="p", number=2)
    )


def test_alpha_of_the_pair_is_carried_to_the_cost_panel(simulator):
    carry = simulator.button(vi("Carry this alpha to the cost panel"))
    notice = simulator.panel.locator(".specdec-notices").last
    before = notice.inner_text()
    carry.click()
    expect(simulator.box(ALPHA)).to_have_value("0,9")
    expect(carry).to_be_disabled()
    expect(notice).not_to_have_text(before)
    simulator.type(ALPHA, "0,5")
    expect(carry).to_be_enabled()


def test_temperature_moves_alpha_and_the_output_stays_p(simulator):
    simulator.drag(vi("sampling temperature"), 1)
    expect(simulator.box(vi("sampling temperature"))).to_have_value("3")
    alpha = SamplingRule(DEFAULT_P, DEFAULT_Q).at_temperature(3.0).alpha
    shown = simulator.readout(vi("alpha of this pair, the sum of min(p, q)"))
    expect(shown).to_have_text(get_words("vi").percent(alpha))
    p = simulator.column(TABLE, vi("p (target)"))
    expect(simulator.column(TABLE, OUTPUT)).to_have_text(p.all_inner_texts())
