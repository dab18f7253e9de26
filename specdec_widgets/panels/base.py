"""What every panel is made of: widgets bound to traits, and a picture that needs no kernel.

The road of a change is the same everywhere: a control sets a trait, the panel asks the models for
the result, and draws tables and figures from that result alone. What depends on other parameters
only is left as it is.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from html import escape
from typing import Any, ClassVar

import ipywidgets
import traitlets
from traitlets import Unicode

from specdec_widgets.maths import Refused, TypeRefused, ValueRefused
from specdec_widgets.maths.errors import shown
from specdec_widgets.words import Words, get_words

from . import cells
from .controls import Download, Message, Tools, html
from .parameters import TraitRefused
from .style import STYLE


class Panel(ipywidgets.VBox):
    """A page of controls, readouts, a table and a figure over a set of parameters.

    A panel is shown by being the last expression of a cell. Its parameters are traits: set them, or
    observe them, from code. Beside the live view it carries the same in plain HTML and in words,
    for where no kernel is.

    Args:
        language: "vi" or "en"; by default the one chosen by `set_language`.
        controls: the names of the controls to show, out of ``CONTROLS``; all of them by default.
        start: the start values of the parameters, by name; Reset returns to them.

    Raises:
        ValueRefused: a start value out of its range, or a name the panel does not have.
        TypeRefused: a start value of a wrong type.
    """

    CONTROLS: ClassVar[tuple[str, ...]] = ("language", "reset", "download")
    PARAMETERS: ClassVar[tuple[str, ...]] = ()

    language = Unicode()

    def __init__(
        self, *, language: str | None = None, controls: Sequence[str] | None = None, **start: Any
    ) -> None:
        """Build the panel and show the start values."""
        self._unshown: list[ipywidgets.Widget] = []
        self._last_acts: list[Callable[[], None]] = []
        self.family: tuple[Panel, ...] = ()  # all that share parameters, the one they share last
        self.made_by = cells.present_run()
        self.shown_by: set[str] = set()  # ids of cells
        self._all_known(controls or (), self.CONTROLS)
        self._all_known(start, self.PARAMETERS)
        self.shown = frozenset(self.CONTROLS if controls is None else controls)
        self.words: Words = get_words(language)
        self._labels: list[Callable[[], None]] = []
        self._fields: list[Callable[[], None]] = []
        self._drawn: dict[str, Any] = {}
        self._changed: set[str] = set()
        super().__init__(language=self.words.language)
        try:
            for name in (name for name in self.PARAMETERS if name in start):
                setattr(self, name, start[name])
            self.check_fit()
        except Refused:
            self.close()  # ipywidgets has it among the open ones already
            raise
        self.start = self.parameters()
        self.heading = html()
        self.status = html()
        self.problem = Message()
        self.tools = Tools(self)
        for part in (self.heading, self.status, self.problem.widget, self.tools.row):
            self.at_close(partial(close_all, part))  # a panel need not show all of them
        self.add_class("specdec-panel")
        body = self.build()
        self.children = (html(STYLE), self.heading, self.problem.widget, *body)
        self._relabel()
        self.refresh()
        self.observe(self._on_parameter, names=list(self.PARAMETERS))
        self.observe(self._on_language, names="language")

    # ---- what a panel supplies -------------------------------------------------------------------
    def title(self) -> str:
        """The heading."""
        raise NotImplementedError

    def build(self) -> Sequence[ipywidgets.Widget]:
        """The widgets below the heading, top to bottom."""
        raise NotImplementedError

    def draw(self) -> None:
        """Show the result; `changed` tells which parameters differ from what is drawn."""
        raise NotImplementedError

    def downloads(self) -> Sequence[Download]:
        """The files of the present result."""
        raise NotImplementedError

    def pieces(self) -> Sequence[str]:
        """The present result as pieces of plain HTML, the figures as images."""
        raise NotImplementedError

    def lines(self) -> Sequence[str]:
        """The present result in words."""
        raise NotImplementedError

    def check_fit(self) -> None:
        """Refuse parameters that do not fit together, where there can be such."""

    # ---- what all panels share -------------------------------------------------------------------
    def parameters(self) -> dict[str, Any]:
        """The present parameters, by name."""
        return {name: getattr(self, name) for name in self.PARAMETERS}

    def set(self, **values: Any) -> None:
        """Set several parameters as one change: all of them, or, where one is refused, none."""
        self._all_known(values, self.PARAMETERS)
        with self.held():
            for name, value in values.items():
                setattr(self, name, value)
            self._check_fit()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Make what is set meanwhile one change, in the panels that share parameters too.

        This panel is let go first and hands on what it has to the one they all share, and that
        one to the others, so that each sees all of the change at once.
        """
        others = (panel for panel in self.family if panel is not self)
        with ExitStack() as stack:
            for panel in (*others, self):
                stack.enter_context(panel.hold_trait_notifications())
            yield

    def reset(self) -> None:
        """Return to the start values; what is half typed goes too."""
        self.set(**self.start)
        self.forget()

    def forget(self) -> None:
        """Take back what is half typed."""
        for follow in self._fields:
            follow()
        self._relabel()

    def _check_fit(self) -> None:
        try:
            self.check_fit()
        except Refused as refusal:
            raise TraitRefused(refusal.template, **refusal.fields) from None  # it rolls back

    def refresh(self) -> None:
        """Draw what has changed, or say why the present parameters do not fit together."""
        present = self.parameters()
        self._changed = {
            name
            for name in present
            if name not in self._drawn or present[name] != self._drawn[name]
        }
        if not self._changed:
            self.problem.say("")  # back from parameters that do not fit together
            return
        with self.explained():
            self.draw()
            self._drawn = present
            self.problem.say("")
            self.tools.withdraw()

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Say in the panel what is refused meanwhile, or its fault: a callback would swallow it."""
        try:
            yield
        except Refused as refusal:
            self.problem.say(self.words.explain(refusal))
        except Exception as error:
            said = self.words.gettext("A fault of the panel, please report it: {error}")
            self.problem.say(said.format(error=repr(error)))
            raise

    def changed(self, *names: str) -> bool:
        """Whether one of these parameters differs from what is drawn."""
        return not self._changed.isdisjoint(names)

    def only_if_shown(
        self, name: str, *widgets: ipywidgets.Widget
    ) -> tuple[ipywidgets.Widget, ...]:
        """The widgets of a control where the panel shows it, else none of them."""
        if name in self.shown:
            return widgets
        self._unshown.extend(widgets)
        return ()

    def label(self, write: Callable[[], None]) -> None:
        """Have `write` called once the panel is built and whenever the language changes."""
        self._labels.append(write)

    def at_forget(self, follow: Callable[[], None]) -> None:
        """Have `follow` called when what is half typed is taken back."""
        self._fields.append(follow)

    def at_close(self, act: Callable[[], None]) -> None:
        """Have `act` called when the panel is closed."""
        self._last_acts.append(act)

    def announce(self, sentence: str) -> None:
        """Say the result, to a screen reader too, politely."""
        self.status.value = f'<div role="status" class="specdec-status">{escape(sentence)}</div>'

    def pictures(self, stem: str, figure: Any, *result: Any) -> tuple[Download, Download]:
        """The figure of the result as SVG and as PNG."""
        return (
            Download(f"{stem}.svg", "image/svg+xml", figure.save(*result, format="svg")),
            Download(f"{stem}.png", "image/png", figure.save(*result, format="png")),
        )

    def static_html(self) -> str:
        """The panel as plain HTML: what the live view shows."""
        heading = f"<p><strong>{escape(self.title())}</strong></p>"
        try:
            pieces = self.pieces()
        except Refused as refusal:  # the parameters do not fit together
            pieces = (f"<p>⚠ {escape(self.words.explain(refusal))}</p>",)
        return f'<div class="specdec-static">{heading}{"".join(pieces)}</div>'

    def static_text(self) -> str:
        """The panel in words, its title first."""
        try:
            lines = self.lines()
        except Refused as refusal:
            lines = (f"⚠ {self.words.explain(refusal)}",)
        return "\n".join((self.title(), *lines))

    def close(self) -> None:
        """Close the panel and every widget, layout and style in it."""
        # It may lack both: Python has closed, as well, what was never built.
        own: dict[str, Any] = self.__dict__
        for act in reversed(own.pop("_last_acts", [])):
            act()
        for widget in (*own.pop("_unshown", []), *_held(self)):
            close_all(widget)
        self.unobserve_all()
        super().close()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs) or {}
        bundle["text/plain"] = self.static_text()
        bundle["text/html"] = self.static_html()
        cells.show(self)
        return bundle

    def _relabel(self) -> None:
        self.heading.value = f"<h3>{escape(self.title())}</h3>"
        for write in (self.tools.relabel, *self._labels):
            write()

    def _on_parameter(self, _change: Any) -> None:
        self.refresh()

    def _on_language(self, change: Any) -> None:
        self.words = get_words(change["new"])
        self._drawn = {}
        self._relabel()
        self.refresh()

    @traitlets.validate("language")
    def _check_language(self, proposal: Any) -> str:
        return get_words(proposal["value"]).language

    def _all_known(self, names: Sequence[str] | dict[str, Any], known: tuple[str, ...]) -> None:
        if isinstance(names, str) or not isinstance(names, Collection):
            raise TypeRefused(
                "{argument} must be a sequence of names, not {value}.",
                argument="controls",
                value=shown(names),
            )
        for name in names:
            if name not in known:
                raise ValueRefused(
                    "{panel} has nothing named {value}; choose from: {allowed}.",
                    panel=type(self).__name__,
                    value=repr(name),
                    allowed=", ".join(known),
                )


def close_all(widget: ipywidgets.Widget) -> None:
    """Close a widget and all that it holds: children, layouts, styles."""
    if isinstance(widget, Panel):
        widget.close()
        return
    for inner in _held(widget):
        close_all(inner)
    widget.unobserve_all()
    widget.close()


def _held(widget: ipywidgets.Widget) -> list[ipywidgets.Widget]:
    values = (getattr(widget, name) for name in widget.keys)
    items = (item for value in values for item in (value if isinstance(value, tuple) else (value,)))
    return [item for item in items if isinstance(item, ipywidgets.Widget)]
