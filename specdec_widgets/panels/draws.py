"""The draws panel: thousands of tokens by the rule, beside those by the common bug."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import ClassVar

import ipywidgets

from specdec_widgets.figures import tables
from specdec_widgets.figures.base import image
from specdec_widgets.figures.draws import DrawsFigure, draws_table
from specdec_widgets.maths import Draws, SamplingRule, draw_tokens
from specdec_widgets.maths.draws import MAX_DRAWS, MAX_SEED
from specdec_widgets.words import Words

from .base import Panel
from .controls import (
    LABEL_WIDTH,
    Choice,
    Download,
    WholeField,
    column,
    control,
    grid,
    html,
    notices,
    paragraph,
    readouts,
    row,
    text_box,
)
from .pair import PairPanel
from .parameters import OneOf, Parameter, Whole

REDRAWS = ("residual", "p")  # what a rejected token is drawn again from: by the rule, by the bug


class DrawsPanel(PairPanel):
    """Tokens drawn with a seed by the sampling rule, and by the bug of redrawing from p.

    Parameters (traits): tokens, p, q and temperature, as for `SamplingPanel`; draws (1..1,000,000),
    how many tokens; seed (0..2^32 - 1); redraw, "residual" or "p", whose draws the bars show.

    Example:
        >>> panel = DrawsPanel(language="en", redraw="p")
        >>> panel.result.table["bug"].tolist()[0]
        Fraction(9, 20)
        >>> panel.close()
    """

    CONTROLS: ClassVar[tuple[str, ...]] = ("redraw", "draws", "seed", *Panel.CONTROLS)
    PARAMETERS: ClassVar[tuple[str, ...]] = (
        *("tokens", "p", "q", "temperature"),
        *("draws", "seed", "redraw"),
    )

    draws = Parameter(20_000, Whole(1, MAX_DRAWS))
    seed = Parameter(1, Whole(0, MAX_SEED))
    redraw = Parameter("residual", OneOf(REDRAWS))

    def build(self) -> Sequence[ipywidgets.Widget]:
        """The rule and two boxes, then the figure beside readouts and table."""
        self.figure = DrawsFigure()
        self.choice = Choice(self, "redraw", REDRAWS, redraw_label)
        self.numbers = {
            name: WholeField(self, name, text_box("auto", LABEL_WIDTH))
            for name in ("draws", "seed")
        }
        controls = {
            "redraw": self.choice.widget,
            **{name: control(f.box, f.message.widget) for name, f in self.numbers.items()},
        }
        visible = chain.from_iterable(self.only_if_shown(*named) for named in controls.items())
        self._picture = html(css_class="specdec-figure")
        self._readouts, self._table = html(), html(css_class="specdec-wide")
        self._notices = html(css_class="specdec-notices")
        return (
            grid(*visible),
            self.status,
            row(self._picture, column(self._readouts, self._table, self._notices)),
            self.tools.row,
        )

    @property
    def result(self) -> Draws:
        """The tokens drawn at the present parameters."""
        return _drawn(self.rule, self.draws, self.seed)

    @property
    def is_bug(self) -> bool:
        """Whether the bars show what the bug draws."""
        return bool(self.redraw == "p")

    def draw(self) -> None:
        """Show the figure, the readouts and the table of the present draws."""
        _sentence, *pieces = self.pieces()
        self._readouts.value, self._notices.value, self._picture.value, self._table.value = pieces
        self.announce(self._sentence(self.result))

    def pieces(self) -> Sequence[str]:
        """The sentence of the result, the readouts, the remark, the figure and the table."""
        result, words = self.result, self.words
        return (
            paragraph(self._sentence(result)),
            readouts(self._pairs(result)),
            notices(self._remarks(result)),
            image(
                self.figure.draw(result, self.is_bug, words),
                self.figure.alt(result, self.is_bug, words),
                self.figure.size,
            ),
            draws_table(result, words).html(),
        )

    def lines(self) -> Sequence[str]:
        """The sentence of the result, the readouts, the remark and the table."""
        result = self.result
        return (
            self._sentence(result),
            *(f"{name}: {value}" for name, value in self._pairs(result)),
            *self._remarks(result),
            draws_table(result, self.words).text(),
        )

    def downloads(self) -> Sequence[Download]:
        """The table as CSV, the figure as SVG and PNG."""
        result = self.result
        return (
            Download("draws.csv", "text/csv", tables.csv(result.table)),
            *self.pictures("draws", self.figure, result, self.is_bug, self.words),
        )

    def title(self) -> str:
        """The heading of the panel."""
        return self.words.gettext("Tokens drawn by the rule, and by a common bug")

    def _sentence(self, result: Draws) -> str:
        words, _ = self.words, self.words.gettext
        said = (
            _("{draws} tokens drawn by the bug: their frequencies are {distance} away from p.")
            if self.is_bug
            else _(
                "{draws} tokens drawn by the rule: their frequencies are {distance} away from p."
            )
        )
        apart = result.distances()["bug" if self.is_bug else "rule"].iloc[-1]
        return said.format(draws=words.number(self.draws), distance=words.number(apart, 4))

    def _pairs(self, result: Draws) -> list[tuple[str, str]]:
        words, _ = self.words, self.words.gettext
        last = result.distances().iloc[-1]
        return [
            (_("Seed"), str(self.seed)),
            (_("Draft tokens accepted"), words.percent(result.acceptance)),
            (_("alpha of this pair, the sum of min(p, q)"), words.percent(self.rule.alpha)),
            (_("Distance from p, by the rule"), words.number(last["rule"], 4)),
            (_("Distance from p, by the bug"), words.number(last["bug"], 4)),
            (_("Limit of the bug's distance"), words.number(result.bug_distance, 4)),
        ]

    def _remarks(self, result: Draws) -> list[str]:
        _ = self.words.gettext
        if not result.bug_distance:
            return [_("For this pair the bug happens to give p too.")]
        return [_("More tokens bring the rule nearer to p, and the bug only nearer to its limit.")]


def redraw_label(words: Words, name: str) -> str:
    """What the list calls a way to draw a rejected token again."""
    _ = words.gettext
    return {"residual": _("the residual (the rule)"), "p": _("p (the common bug)")}[name]


@lru_cache(maxsize=4)
def _drawn(rule: SamplingRule, draws: int, seed: int) -> Draws:
    return draw_tokens(rule, draws, seed)
