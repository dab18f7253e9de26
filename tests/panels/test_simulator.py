"""The simulator: three panels over one set of parameters."""

from fractions import Fraction

import pytest

from specdec_widgets import Refused, Simulator
from specdec_widgets.figures import CostFigure, RoundsFigure, SamplingFigure
from specdec_widgets.panels.controls import Download

from .seen import Page, bundle, complaints, plain, results, visible, widgets

OTHER = {  # another value of each parameter
    "gamma": 7,
    "alpha": 0.35,
    "draft_cost": 0.2,
    "verify_cost": 1.5,
    "flags": "1101",
    "tokens": ("a", "b", "c", "d"),
    "p": (Fraction(1, 4),) * 4,
    "q": (Fraction(1, 2), Fraction(1, 2), Fraction(0), Fraction(0)),
    "temperature": 0.5,
}


def holders(simulator, name):
    return [panel for panel in (simulator, *simulator.panels) if panel.has_trait(name)]


def test_every_parameter_is_here():
    assert set(OTHER) == set(Simulator.PARAMETERS)


@pytest.mark.parametrize("name", OTHER)
def test_a_change_anywhere_is_a_change_everywhere(kept, name):
    simulator = kept(Simulator)
    count = {"gamma": 3, "alpha": 4, "draft_cost": 3, "verify_cost": 3}.get(name, 2)
    assert len(holders(simulator, name)) == count
    for source in holders(simulator, name):
        simulator.reset()
        setattr(source, name, OTHER[name])
        assert [getattr(panel, name) for panel in holders(simulator, name)] == [OTHER[name]] * count
    assert complaints(simulator) == []


@pytest.mark.parametrize("name", OTHER)
def test_a_value_refused_anywhere_changes_nothing(kept, name):
    simulator = kept(Simulator)
    before = simulator.parameters()
    for source in holders(simulator, name):
        with pytest.raises(Refused):
            setattr(source, name, "x")
    assert simulator.parameters() == before
    assert all(getattr(panel, name) == before[name] for panel in holders(simulator, name))


def test_controls_of_one_panel_move_the_others(kept):
    simulator = kept(Simulator)
    simulator.cost.numbers["gamma"].slider.value = 2
    assert simulator.rounds.numbers["gamma"].box.value == "2"
    assert "Target passes: 10" in plain(simulator)
    simulator.rounds.numbers["gamma"].box.value = "4"
    assert simulator.cost.numbers["gamma"].slider.value == 4
    choose(simulator, "dear verify pass")
    assert simulator.rounds.verify_cost == 1.5
    assert "Total cost: 11.40; plain decoding 20" in plain(simulator)


def test_alpha_of_the_pair_is_carried_to_the_cost_panel(kept):
    simulator = kept(Simulator)
    simulator.sampling.carry.click()
    assert (simulator.alpha, simulator.cost.alpha, simulator.rounds.alpha) == (0.9, 0.9, 0.9)
    assert simulator.cost.numbers["alpha"].box.value == "0.9"
    assert "Best gamma: 10, with " in plain(simulator)
    simulator.cost.numbers["alpha"].slider.value = 0.5
    assert not simulator.sampling.carry.disabled


@pytest.mark.parametrize(
    ("changes", "drawn"),
    [
        ({"temperature": 0.5, "tokens": ("a", "b", "c", "d")}, {"sampling"}),
        ({"flags": "10"}, {"rounds"}),
        ({"alpha": 0.5}, {"cost"}),
        ({"gamma": 9, "draft_cost": 0.5, "verify_cost": 2}, {"cost", "rounds"}),
    ],
)
def test_what_does_not_depend_on_a_change_is_not_drawn_again(kept, monkeypatch, changes, drawn):
    simulator = kept(Simulator)
    seen = set()
    for name in ("cost", "rounds", "sampling"):
        figure = getattr(simulator, name).figure

        def draw(*result, name=name, draw=figure.draw):
            seen.add(name)
            return draw(*result)

        monkeypatch.setattr(figure, "draw", draw)
    for name, value in changes.items():
        setattr(simulator, name, value)
    assert seen == drawn


def test_several_parameters_are_set_at_once_or_not_at_all(kept):
    simulator = kept(Simulator)
    simulator.set(**OTHER)
    assert simulator.parameters() == OTHER
    with pytest.raises(Refused, match="alpha must lie"):
        simulator.set(gamma=1, alpha=2)
    assert simulator.parameters() == OTHER
    assert [panel.gamma for panel in (simulator.cost, simulator.rounds)] == [7, 7]
    with pytest.raises(Refused, match="nothing named 'alfa'"):
        simulator.set(gamma=1, alfa=0.5)
    assert simulator.gamma == 7


@pytest.fixture
def drawn(monkeypatch):
    """Names of the figures drawn since."""
    names = []
    for kind in (CostFigure, RoundsFigure, SamplingFigure):

        def draw(self, *result, kind=kind, before=kind.draw):
            names.append(kind.__name__)
            return before(self, *result)

        monkeypatch.setattr(kind, "draw", draw)
    return names


def choose(simulator, preset):
    simulator.cost.preset.widget.value = preset


EACH = ["CostFigure", "RoundsFigure", "SamplingFigure"]
LONGER = {"tokens": ("a", "b", "c"), "p": (Fraction(1, 3),) * 3, "q": (Fraction(1, 3),) * 3}
CHANGES = {
    "set": (lambda simulator: simulator.set(**{**OTHER, **LONGER}), EACH),
    "set by a panel": (lambda simulator: simulator.sampling.set(**LONGER), EACH[2:]),
    "a row": (lambda simulator: simulator.sampling.editor.add.click(), EACH[2:]),
    "reset": (lambda simulator: simulator.tools.reset.click(), EACH),
    "a preset": (
        lambda simulator: setattr(simulator.cost.preset.widget, "value", "large draft"),
        EACH[:2],
    ),
    "language": (lambda simulator: setattr(simulator, "language", "vi"), EACH),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_drawn_once_and_refuses_nothing_on_the_way(kept, drawn, change):
    simulator = kept(Simulator)
    if change == "reset":
        CHANGES["set"][0](simulator)
    heard = []
    parts = (simulator, *simulator.panels)
    for panel in parts:
        panel.problem.widget.observe(heard.append, names="value")
    drawn.clear()
    make, expected = CHANGES[change]
    make(simulator)
    for panel in parts:
        panel.problem.widget.unobserve(heard.append, names="value")
    assert sorted(drawn) == expected
    assert heard == []


def test_reset_returns_every_panel_to_its_start(build):
    simulator = build(Simulator, gamma=5, flags="110", p=["1", "0"], q=["0.5", "0.5"],
                      tokens=["a", "b"])  # fmt: skip
    start, page = simulator.parameters(), results(simulator)
    simulator.set(**OTHER)
    simulator.rounds.step = 2
    simulator.cost.numbers["alpha"].box.value = "seven"
    simulator.rounds.field.box.value = "10x"
    simulator.sampling.editor.rows[0].p.value = "0.9"
    assert len(complaints(simulator)) == 3
    simulator.tools.reset.click()
    assert simulator.parameters() == start
    assert simulator.rounds.step is None
    assert complaints(simulator) == []
    assert results(simulator) == page


def test_the_weather_follows_the_language_unless_edited(build):
    simulator = build(Simulator, language="vi")
    assert simulator.tokens == ("mưa", "nắng", "gió", "bão")
    simulator.language = "en"
    assert simulator.tokens == simulator.sampling.tokens == ("rain", "sun", "wind", "storm")
    simulator.reset()
    assert simulator.tokens == ("rain", "sun", "wind", "storm")
    simulator.sampling.editor.rows[0].token.value = "hail"
    simulator.language = "vi"
    assert simulator.tokens == ("hail", "sun", "wind", "storm")
    simulator.reset()
    assert simulator.tokens == ("mưa", "nắng", "gió", "bão")


def test_tokens_of_a_start_are_nobodys_to_translate(build):
    simulator = build(Simulator, tokens=["rain", "sun", "wind", "hail"])
    simulator.language = "vi"
    simulator.reset()
    assert simulator.tokens == ("rain", "sun", "wind", "hail")


def test_the_language_is_one_for_all(kept):
    simulator = kept(Simulator)
    for source, language in ((simulator.rounds, "vi"), (simulator, "en")):
        source.language = language
        assert simulator.tools.language.value == language
        assert {panel.language for panel in (simulator, *simulator.panels)} == {language}
    simulator.tools.language.value = "vi"
    assert {panel.language for panel in (simulator, *simulator.panels)} == {"vi"}


def test_there_is_one_list_of_languages_one_reset_and_one_download(kept):
    labels = visible(kept(Simulator))
    for label in ("Language", "Reset", "Download…"):
        assert labels.count(label) == 1


def test_without_a_kernel_all_three_are_there(kept):
    simulator = kept(Simulator)
    html, text = (bundle(simulator)[kind] for kind in ("text/html", "text/plain"))
    assert html.count("dataframe specdec-table") == Page(html).tags.count("img") == 3
    for panel in simulator.panels:
        assert panel.static_html() in html
        assert plain(panel) in text


def test_parts_that_do_not_fit_leave_the_other_panels_whole(kept):
    simulator = kept(Simulator)
    simulator.p = ["1/2", "1/2"]
    said = "⚠ q must have as many entries as p, 2, not 4."
    assert said in plain(simulator)
    assert "Best gamma: 6, with 2.47×" in plain(simulator)
    simulator.gamma = 5
    assert "At gamma 5 a round yields" in plain(simulator)
    simulator.reset()
    assert said not in plain(simulator)


def test_files_of_all_three_are_offered(kept):
    simulator = kept(Simulator)
    simulator.tools.download.click()
    assert Page(simulator.tools.links.value).values("download") == [
        f"{stem}.{kind}"
        for stem in ("cost", "rounds", "sampling")
        for kind in ("csv", "svg", "png")
    ]


def test_files_are_taken_back_when_any_panel_changes(build):
    simulator = build(Simulator)
    simulator.downloads = lambda: [Download("cost.csv", "text/csv", b"")]
    for change in (
        lambda: setattr(simulator, "gamma", 5),
        lambda: setattr(simulator.rounds, "step", 3),
        lambda: setattr(simulator, "temperature", 0.5),
        lambda: setattr(simulator, "language", "vi"),
        simulator.reset,
    ):
        simulator.tools.download.click()
        assert simulator.tools.links.value
        change()
        assert simulator.tools.links.value == ""


def test_refused_starts_are_those_of_the_panels(build):
    for wrong in ({"gamma": 33}, {"flags": "x"}, {"p": [1]}, {"temperature": 4}, {"step": 1}):
        with pytest.raises(Refused):
            build(Simulator, **wrong)
    with pytest.raises(Refused, match="choose from: language, reset, download"):
        build(Simulator, controls=["gamma"])


def test_unwanted_tools_are_not_shown(build):
    simulator = build(Simulator, controls=["language"])
    page = list(widgets(simulator))
    assert simulator.tools.language in page
    assert simulator.tools.reset not in page
    assert simulator.tools.download not in page
