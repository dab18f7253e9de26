"""The parts of a panel: number controls, messages, tools, and small pieces of HTML."""

import base64
from collections.abc import Callable, Mapping, Sequence
from html import escape
from itertools import chain
from typing import Any, NamedTuple

import ipywidgets
import traitlets

from specdec_widgets.maths import Refused, ValueRefused, exact
from specdec_widgets.maths.errors import shown
from specdec_widgets.words import Words, languages

BOUNDS: dict[str, tuple[float, float, float]] = {  # lowest, highest and step of a slider
    "gamma": (0, 32, 1),
    "alpha": (0.0, 1.0, 0.01),
    "draft_cost": (0.0, 1.0, 0.01),
    "verify_cost": (0.05, 3.0, 0.05),
    "temperature": (0.0, 3.0, 0.05),
    "decay": (0.0, 1.0, 0.01),
    "billions": (0.5, 500.0, 0.5),
    "weight_bytes": (0.5, 4.0, 0.5),
    "bandwidth": (50.0, 8000.0, 50.0),
    "peak": (10.0, 2500.0, 10.0),
    "positions": (1, 512, 1),
    "batch": (1, 512, 1),
    "context": (0, 8192, 64),
    "request_tokens": (256, 16384, 256),
}
LABEL_WIDTH = "12.5em"
Label = Callable[[Words, str], str]  # what a list calls a name


def itself(_words: Words, name: str) -> str:
    """A name that is the same in every language."""
    return name


def control_label(words: Words, name: str) -> str:
    """What the sliders call a parameter."""
    _ = words.gettext
    return {
        "gamma": _("gamma, draft tokens"),
        "alpha": _("alpha, acceptance"),
        "draft_cost": _("draft cost c_d"),
        "verify_cost": _("verify cost c_v"),
        "temperature": _("sampling temperature"),
        "decay": _("decay a position"),
        "billions": _("parameters, billions"),
        "weight_bytes": _("bytes a weight"),
        "bandwidth": _("bandwidth, GB/s"),
        "peak": _("peak, TFLOP/s"),
        "positions": _("positions in a pass"),
        "batch": _("requests in a batch"),
        "context": _("context, tokens"),
        "request_tokens": _("tokens a request holds"),
        "preset": _("Preset"),
        "hardware": _("hardware"),
        "model": _("model"),
        "target": _("target model"),
        "draft": _("draft model"),
        "example": _("example of a line"),
        "draws": _("tokens to draw"),
        "seed": _("Seed"),
        "redraw": _("redraw from"),
    }[name]


class Message:
    """One line beside a field that says what is wrong with what was typed, or nothing."""

    def __init__(self) -> None:
        """Start without a message."""
        self.widget = html(css_class="specdec-message")
        self.say("")

    def say(self, sentence: str) -> None:
        """Show the sentence, as text; an empty one hides the line."""
        self.said = sentence
        self.widget.value = f'<div role="alert">⚠ {escape(sentence)}</div>' if sentence else ""
        self.widget.layout.display = None if sentence else "none"


class Field:
    """A text box over something of a panel, and the line that says why it cannot be taken.

    What is wrong stays as it was typed and changes nothing, until it is put right or taken back;
    where the language changes, the sentence does too. A subclass says what the box is called
    (`name`), shows (`text`) and does with what is typed (`put`), and binds it in the end (`bind`).
    """

    def __init__(self, panel: Any, box: Any) -> None:
        """Keep the box, and make the line for it."""
        self.panel, self.box, self.message = panel, box, Message()

    def name(self) -> str:
        """What the box is called."""
        raise NotImplementedError

    def text(self) -> str:
        """What the box shows where nothing is wrong."""
        raise NotImplementedError

    def put(self, text: str) -> None:
        """Take what was typed, or refuse it."""
        raise NotImplementedError

    def bind(self, trait: str) -> None:
        """Follow the trait, the language and the reader."""
        self.panel.label(self._relabel)
        self.panel.at_forget(self.follow)
        self.panel.observe(self.follow, names=trait)
        self.box.observe(self._typed, names="value")

    def follow(self, _change: Any = None) -> None:
        """Show what is so, and nothing half typed."""
        self.box.value = self.text()
        self.message.say("")

    def _relabel(self) -> None:
        self.box.description = self.name()
        if self.message.said:
            self._take(self.box.value)
        else:
            self.follow()

    def _typed(self, change: Any) -> None:
        if change["new"] == self.text():
            self.message.say("")
        else:
            self._take(change["new"])

    def _take(self, text: str) -> None:
        try:
            self.put(text)
        except Refused as refusal:
            self.message.say(self.panel.words.explain(refusal))
        else:
            self.follow()


class NumberControl(Field):
    """A slider and a number box for one numeric trait of a panel.

    The box takes 0,8 and 0.8 and a fraction such as 1/3. The slider stands on the step nearest to
    the value, the box shows the value itself.
    """

    def __init__(self, panel: Any, trait: str) -> None:
        """Bind the trait of the panel that has this name."""
        box = unlabelled_box("5.5em")
        super().__init__(panel, box)
        self.trait = trait
        self.low, self.high, self.step = BOUNDS[trait]
        self.whole = isinstance(self.step, int)
        kind = ipywidgets.IntSlider if self.whole else ipywidgets.FloatSlider
        self.slider = kind(
            min=self.low,
            max=self.high,
            step=self.step,
            value=self._nearest(),
            readout=False,
            tooltip="",
            style={"description_width": LABEL_WIDTH},
        )
        self.slider.add_class("specdec-slider")
        line = ipywidgets.HBox([self.slider, box])
        self.widget = control(line, self.message.widget)
        self.bind(trait)
        self.slider.observe(self._slid, names="value")

    def name(self) -> str:
        """The name of the parameter, which is that of the slider too."""
        name = control_label(self.panel.words, self.trait)
        self.slider.description = name
        return name

    def text(self) -> str:
        """The value with all its decimals."""
        words: Words = self.panel.words
        return words.exact(getattr(self.panel, self.trait))

    def put(self, text: str) -> None:
        """Set the parameter to the number that was typed."""
        if self.whole:
            number: Any = typed_whole(text, self.trait)
        else:
            number = exact(text, self.trait)
        setattr(self.panel, self.trait, number)

    def follow(self, _change: Any = None) -> None:
        """Show the parameter in slider and box."""
        self.slider.value = self._nearest()
        super().follow()

    def _nearest(self) -> float:
        value: float = getattr(self.panel, self.trait)
        steps = round((value - self.low) / self.step)
        return min(self.high, max(self.low, round(self.low + steps * self.step, 10)))

    def _slid(self, change: Any) -> None:
        # Where the value lies between two steps, the front end reports the step it shows.
        if change["new"] != self._nearest():
            setattr(self.panel, self.trait, round(change["new"], 10))


def typed_whole(text: str, argument: str) -> int:
    """The whole number that was typed; its range is the business of the model."""
    try:
        number = exact(text, argument)
    except Refused:
        number = None
    if number is None or number.denominator != 1:
        raise ValueRefused(
            "{argument} must be a whole number, not {value}.", argument=argument, value=shown(text)
        )
    return int(number)


class WholeField(Field):
    """A box for one whole number of a panel; an empty one is None where it `may_be_empty`."""

    def __init__(self, panel: Any, trait: str, box: Any, may_be_empty: bool = False) -> None:
        """Bind the trait of the panel that has this name."""
        super().__init__(panel, box)
        self.trait, self.may_be_empty = trait, may_be_empty
        self.bind(trait)

    def name(self) -> str:
        """The name of the parameter."""
        return control_label(self.panel.words, self.trait)

    def text(self) -> str:
        """The number, or nothing."""
        number = getattr(self.panel, self.trait)
        return "" if number is None else str(number)

    def put(self, text: str) -> None:
        """Set the parameter to the number that was typed."""
        empty = self.may_be_empty and not text.strip()
        setattr(self.panel, self.trait, None if empty else typed_whole(text, self.trait))


class Choice:
    """A list over one trait of a panel whose values are names, such as those of cards.

    names: the values of the trait
    label: what the list calls a value; its name, where nothing else is given
    """

    def __init__(self, panel: Any, trait: str, names: Sequence[str], label: Label = itself) -> None:
        """Bind the trait of the panel that has this name."""
        self.panel, self.trait, self.names, self.label = panel, trait, names, label
        self.widget = _list([(name, name) for name in names])
        self._link = traitlets.link((panel, trait), (self.widget, "value"))
        panel.label(self._relabel)

    def _relabel(self) -> None:
        words: Words = self.panel.words
        self.widget.description = control_label(words, self.trait)
        self._link.unlink()  # new options choose the first of them
        self.widget.options = [(self.label(words, name), name) for name in self.names]
        self._link.link()


class PresetChoice:
    """A list that sets several parameters of a panel at once, and shows which preset holds.

    name:    what `control_label` calls the list
    presets: the parameters of every preset, by its name
    label:   what the list calls a preset; its name, where nothing else is given
    """

    OWN_VALUES = ""  # no preset; None would leave the list blank

    def __init__(
        self,
        panel: Any,
        name: str,
        presets: Mapping[str, Mapping[str, Any]],
        label: Label = itself,
    ) -> None:
        """Bind the parameters that the presets set."""
        self.panel, self.name, self.presets, self.label = panel, name, presets, label
        self.widget = _list([("", self.OWN_VALUES)])
        self.widget.observe(self._choose, names="value")
        panel.label(self._relabel)
        traits = sorted({trait for preset in presets.values() for trait in preset})
        panel.observe(self._follow, names=traits)

    @property
    def present(self) -> str:
        """The name of the preset whose parameters are the present ones, or `OWN_VALUES`."""
        found = (
            name
            for name, preset in self.presets.items()
            if all(getattr(self.panel, trait) == value for trait, value in preset.items())
        )
        return next(found, self.OWN_VALUES)

    def _relabel(self) -> None:
        words: Words = self.panel.words
        self.widget.description = control_label(words, self.name)
        own = words.gettext("your own values")
        named = ((self.label(words, name), name) for name in self.presets)
        self.widget.options = [(own, self.OWN_VALUES), *named]
        self._follow()

    def _follow(self, _change: Any = None) -> None:
        self.widget.value = self.present

    def _choose(self, change: Any) -> None:
        if change["new"] == self.OWN_VALUES:  # nothing to take over: the list says what is so
            self._follow()
        elif change["new"] != self.present:
            self.panel.set(**self.presets[change["new"]])


class Download(NamedTuple):
    """One file a reader can keep: its name, its media type and its bytes."""

    name: str
    media_type: str
    content: bytes

    def link(self) -> str:
        """A link that holds the file itself, so that keeping it asks nothing of any server."""
        data = base64.b64encode(self.content).decode("ascii")
        name = escape(self.name)
        return f'<a download="{name}" href="data:{self.media_type};base64,{data}">{name}</a>'


class Tools:
    """The row every panel ends with: language, reset, and the files to keep."""

    def __init__(self, panel: Any) -> None:
        """Build those of the three that the panel shows."""
        self.panel = panel
        self.language = ipywidgets.Dropdown(
            tooltip="",
            options=[(panel.words.language_name(code), code) for code in languages()],
            value=panel.language,
            style={"description_width": "initial"},
            layout={"width": "15em"},
        )
        self.reset = ipywidgets.Button(layout={"width": "auto"})
        self.download = ipywidgets.Button(layout={"width": "auto"})
        self.links = html(css_class="specdec-links")
        traitlets.link((panel, "language"), (self.language, "value"))
        self.reset.on_click(lambda _button: panel.reset())
        self.download.on_click(lambda _button: self._offer())
        parts = {"language": self.language, "reset": self.reset, "download": self.download}
        shown = chain.from_iterable(panel.only_if_shown(*part) for part in parts.items())
        self.row = row(*shown, self.links)

    def relabel(self) -> None:
        """Write the labels in the present language."""
        _ = self.panel.words.gettext
        self.language.description = _("Language")
        self.reset.description = _("Reset")
        self.download.description = _("Download…")
        self.withdraw()

    def withdraw(self) -> None:
        """Take the links back: the result they hold is no longer the one shown."""
        self.links.value = ""

    def _offer(self) -> None:
        self.withdraw()
        title = escape(self.panel.words.gettext("Files:"))
        with self.panel.explained():
            links = " ".join(file.link() for file in self.panel.downloads())
            self.links.value = f"<span>{title} {links}</span>"


def _list(options: Sequence[tuple[str, str]]) -> ipywidgets.Dropdown:
    widget = ipywidgets.Dropdown(
        tooltip="",
        options=options,
        style={"description_width": LABEL_WIDTH},
        layout={"width": "auto"},
    )
    widget.add_class("specdec-control")
    return widget


def text_box(width: str, label_width: str = "initial") -> ipywidgets.Text:
    """A box for a short text, taken when the reader leaves it or presses Enter."""
    return ipywidgets.Text(
        continuous_update=False,
        tooltip="",
        style={"description_width": label_width},
        layout={"width": width},
    )


def unlabelled_box(width: str) -> ipywidgets.Text:
    """The same, its label for those alone who hear the page."""
    box = text_box(width, label_width="")  # the style sheet hides the label by its width
    box.add_class("specdec-unlabelled")
    return box


def row(*widgets: ipywidgets.Widget) -> ipywidgets.Box:
    """The widgets side by side, the last ones below where the page is narrow."""
    box = ipywidgets.Box(widgets)
    box.add_class("specdec-row")
    return box


def control(*widgets: ipywidgets.Widget) -> ipywidgets.VBox:
    """A control and what belongs to it, one below the other, no wider than is good."""
    box = ipywidgets.VBox(widgets)
    box.add_class("specdec-control")
    return box


def grid(*widgets: ipywidgets.Widget) -> ipywidgets.Box:
    """Number controls in as many columns as there is room for."""
    box = ipywidgets.Box(widgets)
    box.add_class("specdec-controls")
    return box


def column(*widgets: ipywidgets.Widget) -> ipywidgets.VBox:
    """The widgets one below the other, to stand beside a figure."""
    box = ipywidgets.VBox(widgets)
    box.add_class("specdec-side")
    return box


def html(value: str = "", css_class: str = "") -> ipywidgets.HTML:
    """An HTML widget with a class."""
    widget = ipywidgets.HTML(value)
    if css_class:
        widget.add_class(css_class)
    return widget


def readouts(pairs: Sequence[tuple[str, str]]) -> str:
    """Names and values, both as text, as HTML: a table of two columns."""
    items = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{escape(value)}</td></tr>'
        for name, value in pairs
    )
    return f'<table class="specdec-readouts"><tbody>{items}</tbody></table>'


def scroller(height: str) -> ipywidgets.HTML:
    """An HTML widget of this height; how far it is scrolled outlives a new value."""
    widget = html(css_class="specdec-scroll")
    widget.layout.height = height
    return widget


def region(content: str, label: str, role: str = "region") -> str:
    """What a `scroller` holds: named, and reached by keys, so that they can scroll it."""
    return f'<div tabindex="0" role="{role}" aria-label="{escape(label)}">{content}</div>'


def paragraph(sentence: str) -> str:
    """A sentence as HTML."""
    return f"<p>{escape(sentence)}</p>"


def notices(sentences: Sequence[str]) -> str:
    """What is worth a remark, one line each."""
    return "".join(f'<p class="specdec-notice">ℹ {escape(line)}</p>' for line in sentences)
