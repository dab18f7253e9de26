"""The rounds panel: an acceptance string read round by round, without chance."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

import ipywidgets
import traitlets

from specdec_widgets.figures import RoundsFigure, tables
from specdec_widgets.figures.base import image
from specdec_widgets.maths import CostModel, Rounds, simulate_rounds
from specdec_widgets.maths.numbers import integer

from .base import Panel
from .controls import (
    LABEL_WIDTH,
    Download,
    Field,
    NumberControl,
    column,
    grid,
    html,
    notices,
    paragraph,
    readouts,
    region,
    row,
    scroller,
    typed_whole,
    unlabelled_box,
)
from .parameters import COST_PARAMETERS, CostParameters, FlagsParameter, checked

if TYPE_CHECKING:
    import asyncio

SECONDS_PER_STEP = 0.7


class RoundsPanel(CostParameters, FlagsParameter, Panel):
    """The rounds of an acceptance string: 1 is an accepted draft token, 0 a rejected one.

    Parameters (traits): flags (the string), gamma, draft_cost, verify_cost, alpha (only for the
    expectation beside the measured figures), and step (how many flags are read so far; None, the
    default, is all of them).

    Example:
        >>> panel = RoundsPanel(flags="1101", gamma=2, language="en")
        >>> list(panel.rounds.table["tokens"])
        [3, 1]
        >>> panel.close()
    """

    CONTROLS: ClassVar[tuple[str, ...]] = ("flags", *COST_PARAMETERS, "stepper", *Panel.CONTROLS)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("flags", *COST_PARAMETERS, "step")

    step = traitlets.Any(None)

    def build(self) -> Sequence[ipywidgets.Widget]:
        """The string, the sliders, the stepper, then timeline, readouts and table."""
        self.figure = RoundsFigure()
        self.field = FlagsField(self)
        self.numbers = {name: NumberControl(self, name) for name in COST_PARAMETERS}
        self.stepper = Stepper(self)
        self._readouts = html()
        self._notices = html(css_class="specdec-notices")
        self._notices.layout.min_height = "6em"  # a further remark moves nothing
        self._picture = html(css_class="specdec-figure")
        self._table = scroller("240px")
        self.observe(self._on_flags, names="flags")
        numbers = chain.from_iterable(
            self.only_if_shown(name, number.widget) for name, number in self.numbers.items()
        )
        return (
            *self.only_if_shown("flags", self.field.box, self.field.message.widget),
            grid(*numbers),
            *self.only_if_shown("stepper", self.stepper.row),
            self.status,
            row(self._picture, column(self._readouts, self._notices)),
            self._table,
            self.tools.row,
        )

    @property
    def rounds(self) -> Rounds:
        """The rounds of the flags read so far."""
        flags = self.clean_flags()[: self.step]
        return simulate_rounds(flags, self.gamma, self.draft_cost, self.verify_cost)

    @property
    def length(self) -> int:
        """How many flags there are to read: none at gamma 0, which reads no flags."""
        return len(self.clean_flags()) if self.gamma else 0

    def title(self) -> str:
        """The heading of the panel."""
        return self.words.gettext("Round by round")

    def draw(self) -> None:
        """Show the timeline, the readouts and the table of the flags read so far."""
        rounds = self.rounds
        redrawn = self.changed("flags", "step", "gamma", "draft_cost", "verify_cost")
        if redrawn:
            self._picture.value = self._image(rounds)
        self.stepper.keep_up()
        self._readouts.value = readouts(self._pairs(rounds))
        self._notices.value = notices(self._remarks(rounds))
        if redrawn:
            table = tables.rounds_table(rounds, self.words).html()
            self._table.value = region(table, self.words.gettext("The rounds"))
        self.announce(self._sentence(rounds))

    def pieces(self) -> Sequence[str]:
        """The sentence of the result, the readouts, the remarks, the timeline and the table."""
        rounds = self.rounds
        return (
            paragraph(self._sentence(rounds)),
            readouts(self._pairs(rounds)),
            notices(self._remarks(rounds)),
            self._image(rounds),
            tables.rounds_table(rounds, self.words).html(),
        )

    def lines(self) -> Sequence[str]:
        """The sentence of the result, the readouts, the remarks and the table."""
        rounds = self.rounds
        return (
            self._sentence(rounds),
            *(f"{name}: {value}" for name, value in self._pairs(rounds)),
            *self._remarks(rounds),
            tables.rounds_table(rounds, self.words).text(),
        )

    def downloads(self) -> Sequence[Download]:
        """The rounds read so far as CSV, the timeline as SVG and PNG."""
        rounds = self.rounds
        return (
            Download("rounds.csv", "text/csv", tables.csv(rounds.table)),
            *self.pictures("rounds", self.figure, rounds, self.gamma, self.words),
        )

    # ---- the words of the result -----------------------------------------------------------------
    def _sentence(self, rounds: Rounds) -> str:
        words, _ = self.words, self.words.gettext
        if rounds.speedup is None:
            return _("No round is finished yet.")
        tokens, passes = rounds.tokens, len(rounds.table)
        return _("{tokens} in {passes}, at a cost of {cost}: {speedup}×.").format(
            tokens=words.ngettext("{count} token", "{count} tokens", tokens).format(
                count=words.number(tokens)
            ),
            passes=words.ngettext("{count} target pass", "{count} target passes", passes).format(
                count=words.number(passes)
            ),
            cost=words.number(rounds.cost, 2),
            speedup=words.number(rounds.speedup, 2),
        )

    def _pairs(self, rounds: Rounds) -> list[tuple[str, str]]:
        words, _ = self.words, self.words.gettext
        model = CostModel(self.alpha, self.gamma, self.draft_cost, self.verify_cost)
        rate = _("no flag read")
        if rounds.acceptance_rate is not None:
            rate = _("{accepted} of {read} = {share}").format(
                accepted=words.number(rounds.accepted),
                read=words.number(rounds.flags_read),
                share=words.percent(rounds.acceptance_rate),
            )
        return [
            (_("Tokens gained"), words.number(rounds.tokens)),
            (_("Target passes"), words.number(len(rounds.table))),
            (_("Tokens a round, measured"), _or_dash(words, rounds.mean_tokens, 3)),
            (_("Tokens a round, expected"), words.number(model.expected_tokens, 3)),
            (
                _("Total cost"),
                _("{cost}; plain decoding {plain}").format(
                    cost=words.number(rounds.cost, 2), plain=words.number(rounds.tokens)
                ),
            ),
            (_("Speedup, measured"), _or_dash(words, rounds.speedup, 2, "×")),
            (_("Speedup, expected"), f"{words.number(model.speedup, 2)}×"),
            (_("Acceptance rate of the string"), rate),
            (_("alpha, set by you"), words.percent(self.alpha)),
        ]

    def _remarks(self, rounds: Rounds) -> list[str]:
        words, _ = self.words, self.words.gettext
        remarks = []
        left = rounds.unfinished
        if left and self.step is not None and self.step < self.length:
            remarks.append(
                _("Round {round} is under way: {read} of {gamma} flags read.").format(
                    round=words.number(left.round), read=left.accepted, gamma=self.gamma
                )
            )
        elif left:
            remarks.append(
                words.ngettext(
                    "Round {round} is unfinished and counts in no total: {missing} more flag"
                    " finishes it.",
                    "Round {round} is unfinished and counts in no total: {missing} more flags"
                    " finish it, or a 0 before that.",
                    left.missing,
                ).format(round=words.number(left.round), missing=left.missing)
            )
        elif not rounds.tokens:
            remarks.append(_("The string holds no flag yet: type 1 for accepted, 0 for rejected."))
        if not self.gamma:
            remarks.append(_("At gamma 0 no flag is read: a target pass gives one token."))
        remarks.append(
            _("alpha is a setting and the string is typed: changing one does not change the other.")
        )
        return remarks

    def _image(self, rounds: Rounds) -> str:
        return image(
            self.figure.draw(rounds, self.gamma, self.words),
            self.figure.alt(rounds, self.gamma, self.words),
            self.figure.size,
        )

    def set(self, **values: Any) -> None:
        """Set several parameters as one change; new flags are read to the end, or to `step`."""
        super().set(**values)
        self.step = values.get("step", self.step)

    # ---- the acceptance string and the step ------------------------------------------------------
    def clean_flags(self) -> str:
        """The flags alone, without the white space between them."""
        return without_spaces(self.flags)

    def _on_flags(self, _change: Any) -> None:
        self.step = None

    @traitlets.validate("step")
    def _check_step(self, proposal: Any) -> int | None:
        if proposal["value"] is None:
            return None
        last = len(self.clean_flags())
        return int(checked(proposal, lambda value: integer(value, "step", 0, last)))


class FlagsField(Field):
    """The box of the acceptance string, taken as it is typed."""

    def __init__(self, panel: RoundsPanel) -> None:
        """Bind the flags of the panel."""
        box = ipywidgets.Textarea(
            panel.flags,
            rows=2,
            tooltip="",
            style={"description_width": LABEL_WIDTH},
            layout={"width": "auto"},
        )
        box.add_class("specdec-flags")
        super().__init__(panel, box)
        self.bind("flags")

    def name(self) -> str:
        """The acceptance string."""
        name: str = self.panel.words.gettext("Acceptance string")
        return name

    def text(self) -> str:
        """The string, white space and all."""
        flags: str = self.panel.flags
        return flags

    def put(self, text: str) -> None:
        """Read this string from now on."""
        self.panel.flags = text


class Stepper(Field):
    """Reads the string one flag at a time: five buttons, a slider and a number box."""

    panel: RoundsPanel

    def __init__(self, panel: RoundsPanel) -> None:
        """Build the row; it changes nothing but the panel's `step`."""
        super().__init__(panel, unlabelled_box("5.5em"))
        self._task: asyncio.Task[None] | None = None
        self._shown: tuple[int, int] | None = None
        moves = {
            "first": lambda: 0,
            "back": lambda: max(0, self.position - 1),
            "next": lambda: min(panel.length, self.position + 1),
            "last": lambda: panel.length,
        }
        self.buttons = {
            name: ipywidgets.Button(layout={"width": "auto"})
            for name in ("first", "back", "play", "next", "last")
        }
        for name, target in moves.items():
            self.buttons[name].on_click(lambda _button, target=target: self._jump(target()))
        self.buttons["play"].on_click(lambda _button: self.toggle())
        self.buttons["play"].layout.width = "7em"  # Pause is longer, and nothing shall move
        self.slider = ipywidgets.IntSlider(
            tooltip="",
            min=0,
            max=1,
            readout=False,
            style={"description_width": "initial"},
            layout={"width": "320px"},
        )
        self.slider.observe(lambda change: self.go(change["new"]), names="value")
        numbers = ipywidgets.HBox([self.slider, self.box])
        self.row = ipywidgets.VBox([row(*self.buttons.values(), numbers), self.message.widget])
        self.bind("step")
        panel.label(self.relabel)
        panel.at_close(self.stop)

    @property
    def position(self) -> int:
        """How many flags are read."""
        step, length = self.panel.step, self.panel.length
        return length if step is None else min(step, length)

    @property
    def playing(self) -> bool:
        """Whether the flags are being read by themselves."""
        return self._task is not None

    def relabel(self) -> None:
        """Write the labels in the present language."""
        _ = self.panel.words.gettext
        self.buttons["first"].description = _("|◀ First")
        self.buttons["back"].description = _("◀ Back")
        self.buttons["play"].description = _("▮▮ Pause") if self.playing else _("▶ Play")
        self.buttons["next"].description = _("Next ▶")
        self.buttons["last"].description = _("Last ▶|")
        self.slider.description = self.name()

    def name(self) -> str:
        """What slider and box are called."""
        return self.panel.words.gettext("Flags read")

    def text(self) -> str:
        """How many flags are read."""
        return str(self.position)

    def put(self, text: str) -> None:
        """Read as many flags as was typed."""
        self.go(integer(typed_whole(text, "step"), "step", 0, self.panel.length))

    def follow(self, _change: Any = None) -> None:
        """Show the panel's step, and how many there are; this never changes the step."""
        position, length = self._shown = self.position, self.panel.length
        for control in (*self.buttons.values(), self.slider, self.box):
            control.disabled = not length
        with self.slider.hold_trait_notifications():  # a lower end would take the value with it
            self.slider.max = max(1, length)
            self.slider.value = position
        super().follow()

    def keep_up(self) -> None:
        """Follow where something else is to be shown; until then what is wrong in the box stays."""
        if self._shown != (self.position, self.panel.length):
            self.follow()

    def go(self, position: int) -> None:
        """Read that many flags; all of them is the same as no step at all."""
        if position != self.position:
            self.panel.step = position if position < self.panel.length else None

    def toggle(self) -> None:
        """Start reading flag by flag, from the first where all are read, or stop."""
        if self.playing:
            self.stop()
            return
        if self.position == self.panel.length:
            self.go(0)
        import asyncio  # dear to import, and only a play needs it

        self._task = asyncio.ensure_future(self._play())
        self.relabel()

    def stop(self) -> None:
        """Stop reading; what is read stays read."""
        if self._task is not None:
            self._task.cancel()
            self._done()

    def _jump(self, position: int) -> None:
        self.stop()
        self.go(position)
        self.follow()

    async def _play(self) -> None:
        import asyncio

        task = asyncio.current_task()
        try:
            while self.position < self.panel.length:
                await asyncio.sleep(SECONDS_PER_STEP)
                self.go(self.position + 1)
        finally:
            if self._task is task:  # not stopped, nor started anew since
                self._done()

    def _done(self) -> None:
        self._task = None
        self.relabel()


@lru_cache(maxsize=2)
def without_spaces(flags: str) -> str:
    """The acceptance string without white space; a million flags take a while."""
    return "".join(flags.split())


def _or_dash(words: Any, value: float | None, digits: int, unit: str = "") -> str:
    return "–" if value is None else f"{words.number(value, digits)}{unit}"
