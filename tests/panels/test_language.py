"""Two languages on a live panel, every word of it from the catalogue, and a third in one file."""

import re
from functools import cache
from string import Formatter

import pytest

from specdec_widgets import CostPanel, Refused, SamplingPanel, Simulator, panels
from specdec_widgets.maths import EXAMPLES
from specdec_widgets.maths.reports.text import TYPED_EXAMPLES
from specdec_widgets.maths.roofline import hardware_table, transformer_table
from specdec_widgets.panels.report import READ_IN_A_CELL
from specdec_widgets.words import languages
from tests.words.catalogue import extracted, translated

from .seen import bundle, complaints, visible

KINDS = [getattr(panels, name) for name in panels.__all__]
each_kind = pytest.mark.parametrize("kind", KINDS)
QUOTED = re.compile(  # files, titles of sources, what an engine prints
    r"[\w-]+\.(csv|svg|png|html)|(?<=published figures:)[^⟧]*|(?<=số liệu công bố:)[^⟧]*|"
    + "|".join(map(re.escape, [*EXAMPLES, *EXAMPLES.values(), *TYPED_EXAMPLES, READ_IN_A_CELL]))
)
NEEDED = {panels.Prediction: {"answer": 2}}
SAME = {  # the same in all languages: what the formulas call things, and what a reader typed
    *("alpha", "gamma", "p", "q", "min", "E"),
    *("A", "B", "C", "D"),
    *("ms", "s", "GB", "GFLOP", "TFLOP"),
    *re.findall("[A-Za-z]+", " ".join([*hardware_table().index, *transformer_table().index])),
}


def everything(panel):
    """All that is shown, with a kernel and without, with remarks and a complaint among it."""
    shown = [*visible(panel), bundle(panel)["text/plain"]]
    if panel.has_trait("draft_cost"):
        panel.set(draft_cost=0, verify_cost=2)
        shown += [*visible(panel), bundle(panel)["text/plain"]]
    if panel.has_trait("flags"):
        panel.flags = "1"
        shown += visible(panel)
        panel.flags = ""
        shown += visible(panel)
        panel.gamma = 0
        shown += visible(panel)
    if panel.has_trait("temperature"):
        for temperature in (0, 0.5):
            panel.temperature = temperature
            shown += visible(panel)
    panel.downloads = list  # the files themselves take a while
    panel.tools.download.click()
    shown += visible(panel.tools.row)
    panel.reset()
    return [QUOTED.sub("", text) for text in shown]


# ---- no word of another language -----------------------------------------------------------------
def fragments(message):
    """The fixed parts of a message, between its places."""
    parts = (text.strip(" .,;:()=×…") for text, *_place in Formatter().parse(message))
    return {part for part in parts if re.search(r"[^\W\d_]{3}", part)}


def only_in(texts, others):
    """Fragments of `texts` that are no part of any of `others`."""
    parts = set().union(*map(fragments, texts))
    other = " | ".join(others)
    return {part for part in parts if not re.search(rf"\b{re.escape(part)}\b", other)}


@cache
def foreign(language):
    """Finds what the catalogue has in the other language only."""
    catalogue = translated("vi")
    english, vietnamese = list(catalogue), list(catalogue.values())
    sides = (english, vietnamese) if language == "vi" else (vietnamese, english)
    parts = sorted(only_in(*sides), key=len, reverse=True)
    assert len(parts) > 100
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, parts))})(?!\w)")


@each_kind
def test_no_word_of_the_other_language_is_left_after_a_switch(build, kind):
    panel = build(kind, language="vi", **NEEDED.get(kind, {}))
    for language in ("en", "vi"):
        before = set(visible(panel))
        panel.tools.language.value = language
        assert before - set(visible(panel)), "something must have changed"
        assert set(foreign(language).findall("\n".join(everything(panel)))) == set()


# ---- a third language is one file ----------------------------------------------------------------
def marked(message):
    """The message in a language that can be told from every other."""
    return message if "#" in message else f"⟦{message}⟧"


@pytest.fixture(scope="module")
def marking():
    """A third catalogue, Esperanto by its code, in which every message stands in brackets."""
    lines = ['msgid ""', 'msgstr ""', r'"Plural-Forms: nplurals=2; plural=(n != 1);\n"', ""]

    def quoted(text):
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'

    for message in extracted():
        if isinstance(message.id, tuple):
            one, many = message.id
            lines += [f"msgid {quoted(one)}", f"msgid_plural {quoted(many)}"]
            lines += [f"msgstr[0] {quoted(marked(one))}", f"msgstr[1] {quoted(marked(many))}"]
        else:
            lines += [f"msgid {quoted(message.id)}", f"msgstr {quoted(marked(message.id))}"]
        lines.append("")
    return "\n".join(lines)


@pytest.fixture
def third(marking, more_languages):
    more_languages(eo=marking)


@each_kind
def test_every_string_comes_from_the_catalogue(build, third, kind):
    panel = build(kind, language="eo", **NEEDED.get(kind, {}))
    for text in everything(panel):
        outside, found = text, 1
        while found:  # a message may stand in another one's place
            outside, found = re.subn(r"⟦[^⟦⟧]*⟧", " ", outside)
        assert set(re.findall(r"[A-Za-zÀ-ÖØ-öø-ɏḀ-ỿ]+", outside)) <= SAME, text


def test_a_third_language_is_in_every_panels_list(build, third):
    assert languages() == ("vi", "en", "eo")
    panel = build(CostPanel)
    assert [label for label, _code in panel.tools.language.options] == [
        "Tiếng Việt",
        "English",
        "Esperanto",
    ]
    panel.tools.language.value = "eo"
    assert panel.title() == "⟦Cost and speedup⟧"
    assert panel.numbers["alpha"].box.value == "0,8", "numbers as the language writes them"
    panel.numbers["alpha"].box.value = "7"
    assert complaints(panel) == ["⟦⟦alpha⟧ must lie between 0 and 1, not 7.⟧"]


def test_a_message_without_a_translation_is_said_in_english(build, more_languages):
    more_languages(fr='msgid "Reset"\nmsgstr "Réinitialiser"\n')
    panel = build(CostPanel, language="fr")
    assert panel.tools.reset.description == "Réinitialiser"
    assert panel.tools.download.description == "Download…"


def test_the_weather_has_names_in_a_third_language(build, more_languages):
    more_languages(fr='msgid "rain"\nmsgstr "pluie"\n\nmsgid "sun"\nmsgstr "soleil"\n')
    panel = build(SamplingPanel, language="vi")
    panel.language = "fr"
    assert panel.tokens == ("pluie", "soleil", "wind", "storm")
    panel.language = "vi"
    assert panel.tokens == ("mưa", "nắng", "gió", "bão")


# ---- switching -----------------------------------------------------------------------------------
def test_a_switch_there_and_back_changes_nothing(kept):
    panel = kept(Simulator)
    panel.set(alpha=0.55, flags="110")
    before = [sorted(visible(panel)), bundle(panel)["text/html"], panel.parameters()]
    panel.language = "vi"
    assert bundle(panel)["text/html"] != before[1]
    panel.language = "en"
    assert [sorted(visible(panel)), bundle(panel)["text/html"], panel.parameters()] == before


@each_kind
def test_a_panel_switched_is_as_one_built_so(build, kind):
    switched = build(kind, language="vi", **NEEDED.get(kind, {}))
    switched.language = "en"
    shown, said = visible(switched), bundle(switched)["text/plain"]
    built = build(kind, language="en", **NEEDED.get(kind, {}))
    assert shown == visible(built)
    assert said == bundle(built)["text/plain"]


@pytest.mark.parametrize("kind", [CostPanel, SamplingPanel])
def test_an_unknown_language_is_refused_and_the_panel_stays(build, kind):
    panel = build(kind, **NEEDED.get(kind, {}))
    with pytest.raises(Refused, match="There are no words in the language 'xx'"):
        panel.language = "xx"
    assert (panel.language, panel.tools.language.value) == ("en", "en")
    assert panel.tools.reset.description == "Reset"


def test_a_complaint_is_said_in_the_language_of_the_reader(kept):
    panel = kept(CostPanel, "vi")
    panel.numbers["alpha"].box.value = "7"
    panel.language = "en"
    assert complaints(panel) == ["alpha must lie between 0 and 1, not 7."]
    assert panel.numbers["alpha"].box.value == "7"
