"""What a reader of a panel sees and what they type, without a browser."""

import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from itertools import chain

import ipywidgets

NAMED = ("alt", "aria-label", "title")  # attributes that are read out or shown


def widgets(widget: ipywidgets.Widget) -> Iterator[ipywidgets.Widget]:
    """The widget and all that is on the page with it."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from widgets(child)


def is_message(widget: ipywidgets.Widget) -> bool:
    return "specdec-message" in widget._dom_classes


def results(panel: ipywidgets.Widget) -> list[str]:
    """Every result on the page: all of its HTML but the messages."""
    return [
        widget.value
        for widget in widgets(panel)
        if isinstance(widget, ipywidgets.HTML) and not is_message(widget)
    ]


def complaints(panel: ipywidgets.Widget) -> list[str]:
    """The sentences of all messages on the page, as a reader sees them."""
    found = []
    for widget in widgets(panel):
        if is_message(widget):
            assert (widget.layout.display == "none") == (not widget.value)
            if widget.value:
                found.append(sentence(widget.value))
    return found


def sentence(message: str) -> str:
    """The one sentence of a message."""
    start, end = '<div role="alert">⚠ ', "</div>"
    assert message.startswith(start)
    assert message.endswith(end)
    said = message.removeprefix(start).removesuffix(end)
    assert "<" not in said, "markup in a message"
    return unescape(said)


class Page(HTMLParser):
    """Tags, attributes and texts of a piece of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self._in_style = False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._in_style = tag == "style"
        self.tags.append(tag)
        self.attributes += attrs
        self.texts += [value or "" for name, value in attrs if name in NAMED]

    def handle_endtag(self, tag: str) -> None:
        self._in_style = False

    def handle_data(self, data: str) -> None:
        if not self._in_style and data.strip():
            self.texts.append(data.strip())

    def values(self, attribute: str) -> list[str]:
        return [value or "" for name, value in self.attributes if name == attribute]


def visible(panel: ipywidgets.Widget) -> list[str]:
    """Every string a reader sees or hears, but for what they typed themselves."""
    found: list[str] = []
    for widget in widgets(panel):
        if isinstance(widget, ipywidgets.HTML):
            found += Page(widget.value).texts
        for name in ("description", "tooltip", "placeholder"):
            found.append(getattr(widget, name, None) or "")
        if isinstance(widget, ipywidgets.Dropdown) and not speaks(widget):
            found += [label for label, _value in widget.options]
    return [text for text in found if text]


def speaks(dropdown: ipywidgets.Dropdown) -> bool:
    """Whether it is the list of languages, each of which is named in itself."""
    return any(value == "vi" for _label, value in dropdown.options)


def bundle(panel: ipywidgets.Widget) -> dict[str, str]:
    return panel._repr_mimebundle_()


def plain(panel: ipywidgets.Widget) -> str:
    return bundle(panel)["text/plain"]


def assert_numbers(panel: ipywidgets.Widget) -> None:
    """No result is a number gone wrong, or an error of Python's."""
    without = bundle(panel)
    pages = [Page(html) for html in (*results(panel), without["text/html"])]
    said = "\n".join([without["text/plain"], *chain.from_iterable(page.texts for page in pages)])
    wrong = re.search(r"\b(nan|inf|infinity|none|null|traceback|\w+error)\b", said, re.IGNORECASE)
    assert not wrong or wrong.group() == "none", wrong.group()  # rejected at: none, bonus token


def table(html: str) -> list[list[str]]:
    """The cells of the first table of results in a piece of HTML, heads first."""
    html = html[max(0, html.rfind("<table", 0, html.find("dataframe specdec-table"))) :]
    rows: list[list[str]] = []

    class Reader(HTMLParser):
        inside = False

        def handle_starttag(self, tag: str, attrs: object) -> None:
            if tag == "tr":
                rows.append([])
            elif tag in ("td", "th"):
                rows[-1].append("")
                self.inside = True

        def handle_endtag(self, tag: str) -> None:
            if tag in ("td", "th"):
                self.inside = False

        def handle_data(self, data: str) -> None:
            if self.inside:
                rows[-1][-1] += data

    Reader().feed(html)
    return rows
