"""What the browser tests see of the panels and do with them, in the words of a reader.

`Panels` is the one page they all look at, `Shown` one panel on it: its sliders and boxes by their
names, what it says, and where its parts stand.
"""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from specdec_widgets import Refused
from specdec_widgets.words import Words, get_words

CELLS = [
    "from specdec_widgets import CostPanel, RoundsPanel, SamplingPanel, Simulator, set_language",
    'set_language("vi")\nSimulator()',
    "CostPanel()",
    "RoundsPanel()",
    "SamplingPanel()",
]
vi = get_words("vi").gettext  # what a test shows to be in Vietnamese, the language of the start
GAMMA, ALPHA, DRAFT_COST = map(vi, ("gamma, draft tokens", "alpha, acceptance", "draft cost c_d"))
CAPTIONS = ("Every gamma of the scan", "The rounds", "The sampling rule, token by token")
WIDE, NARROW, HEIGHT = 1280, 800, 900  # CSS pixels

STATE = """panel => JSON.stringify([
    panel.innerText,
    ...[...panel.querySelectorAll('input, textarea, select')].map(e => e.value),
    ...[...panel.querySelectorAll('button')].map(e => e.disabled),
    ...[...panel.querySelectorAll('img')].map(e => e.src),
])"""
# What a reader can tell apart: controls and figures that are neither hidden nor folded away.
PARTS = """
    const seen = e => e.checkVisibility({checkVisibilityCSS: true}) && e.getClientRects().length
        && getComputedStyle(e).clipPath == 'none';
    const parts = panel => [...panel.querySelectorAll(
        'h3, a, button, label, select, input, textarea, .noUi-target, .specdec-figure,'
        + '.specdec-scroll, .specdec-wide'
    )].filter(seen);
    const text = e => (e.closest('.jupyter-widgets') || e).innerText.slice(0, 40);
    const name = e => `${e.tagName} "${text(e)}"`;
"""
# Notes in every frame which parts have left their place, and whether a figure was blank.
WATCH = f"""panel => {{
    {PARTS}
    const figures = [...panel.querySelectorAll('.specdec-figure')];
    const steady = parts(panel);
    const place = e => {{
        const corner = panel.getBoundingClientRect(), box = e.getBoundingClientRect();
        return [box.x - corner.x, box.y - corner.y, box.width, box.height];
    }};
    const start = steady.map(place);
    const seenThere = {{moved: new Set(), blank: 0, pictures: new Set(), going: true}};
    const look = () => {{
        steady.forEach((e, i) => {{
            const now = place(e);
            if (now.some((x, k) => Math.abs(x - start[i][k]) > 1.5))  // not by rounding
                seenThere.moved.add(`${{name(e)}}: ${{start[i]}} -> ${{now}}`);
        }});
        for (const figure of figures) {{
            const image = figure.querySelector('img');
            if (image && image.complete && image.naturalWidth && image.clientHeight)
                seenThere.pictures.add(image.src);
            else
                seenThere.blank++;
        }}
        if (seenThere.going) requestAnimationFrame(look);
    }};
    requestAnimationFrame(look);
    window.seenThere = seenThere;
}}"""
WATCHED = """() => {
    const {moved, blank, pictures} = seenThere;
    seenThere.going = false;
    return {moved: [...moved], blank, pictures: pictures.size};
}"""


class Shown:
    """One panel on the page."""

    def __init__(self, page: Page, cell: int) -> None:
        self.page = page
        self.panel = page.locator(".jp-CodeCell").nth(cell).locator(".specdec-panel").first
        self.start = self.state()

    # ---- what a reader does ----------------------------------------------------------------------
    def reset(self) -> None:
        """Return to the start, and wait until all is as it was then."""
        self.page.evaluate("window.seenThere && (seenThere.going = false)")
        self.speak("vi")
        self.button(vi("Reset")).click()
        self.becomes(self.start)

    def becomes(self, state: str) -> None:
        """Wait until text, values and pictures are these."""
        self.page.wait_for_function(
            f"([panel, state]) => ({STATE})(panel) == state",
            arg=[self.panel.element_handle(), state],
        )

    def speak(self, language: str) -> None:
        """Choose a language in the list, and wait until all is in it."""
        words = get_words(language)
        choice = self.panel.locator("select").filter(has_text="English").first
        choice.select_option(words.language_name(language))
        last = "|".join(map(re.escape, map(words.gettext, CAPTIONS)))
        expect(self.panel.locator("caption").last).to_have_text(re.compile(f"^({last})$"))

    def drag(self, label: str, share: float) -> None:
        """Drag a slider with the mouse to that share of its length."""
        handle = self.handle(label)
        handle.scroll_into_view_if_needed()
        at, line = handle.bounding_box(), self.slider(label).locator(".noUi-base").bounding_box()
        assert at and line
        mouse, y = self.page.mouse, at["y"] + at["height"] / 2
        mouse.move(at["x"] + at["width"] / 2, y)
        mouse.down()
        mouse.move(line["x"] + share * line["width"], y, steps=25)
        mouse.up()

    def type(self, label: str, text: str) -> None:
        """Type into a box and leave it."""
        self.box(label).fill(text)
        self.box(label).press("Enter")

    # ---- its parts -------------------------------------------------------------------------------
    def slider(self, label: str) -> Locator:
        return self.panel.locator(".widget-slider").filter(has_text=label).first

    def handle(self, label: str) -> Locator:
        return self.slider(label).locator(".noUi-handle")

    def box(self, label: str) -> Locator:
        return self.panel.get_by_role("textbox", name=label, exact=True).first

    def button(self, name: str) -> Locator:
        return self.panel.get_by_role("button", name=name, exact=True).first

    def alert(self) -> Locator:
        return self.panel.get_by_role("alert")

    def figure(self, number: int = 0) -> Locator:
        return self.panel.locator(".specdec-figure img").nth(number)

    def readout(self, name: str) -> Locator:
        """The value beside this name."""
        names = self.panel.locator(".specdec-readouts th").filter(has_text=whole(name))
        return names.first.locator("xpath=../td")

    def column(self, caption: str, head: str) -> Locator:
        """The cells below this head, in the table with this caption."""
        table = self.panel.locator("table").filter(has_text=caption).first
        at = table.locator("thead th").all_inner_texts().index(head) + 1
        return table.locator(f"tbody td:nth-child({at})")

    def state(self) -> str:
        """Its text, values and pictures."""
        state: str = self.panel.evaluate(STATE)
        return state

    # ---- what goes on while something moves ------------------------------------------------------
    def watch(self) -> None:
        """From now on note in every frame where the parts stand, and whether a figure is blank."""
        self.panel.evaluate(WATCH)

    def watched(self) -> dict[str, Any]:
        seen: dict[str, Any] = self.page.evaluate(WATCHED)
        return seen


class Panels:
    """The page with all panels, each in a cell of its own."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.simulator, self.cost, self.rounds, self.sampling = self.all = [
            Shown(page, cell) for cell in range(1, len(CELLS))
        ]
        self._theme = "light"

    def look(self, theme: str = "light", width: int = WIDE, height: int = HEIGHT) -> None:
        """Choose JupyterLab's theme in its menu, and the size of the window."""
        if theme != self._theme:
            self.page.get_by_role("menuitem", name="Settings", exact=True).click()
            for item in ("Theme", f"JupyterLab {theme.title()}"):
                self.page.locator(".lm-Menu").get_by_text(item, exact=True).click()
            light = str(theme == "light").lower()
            expect(self.page.locator("body")).to_have_attribute("data-jp-theme-light", light)
            self._theme = theme
        self.page.set_viewport_size({"width": width, "height": height})


def whole(text: str) -> re.Pattern[str]:
    """A pattern for this text and no more."""
    return re.compile(f"^{re.escape(text)}$")


def refusal(words: Words, act: Callable[[], object]) -> str:
    """The sentence, in that language, with which `act` is refused."""
    try:
        act()
    except Refused as refused:
        return words.explain(refused)
    raise AssertionError("it was not refused")
