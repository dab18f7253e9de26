"""The cost panel: what a round costs, what it yields, and how far to guess."""

from collections.abc import Sequence
from html import escape
from itertools import chain
from math import isinf
from typing import ClassVar

import ipywidgets

from specdec_widgets.figures import CostFigure, tables
from specdec_widgets.figures.base import image
from specdec_widgets.maths import CostModel
from specdec_widgets.words import Words

from .base import Panel
from .controls import (
    Download,
    NumberControl,
    PresetChoice,
    column,
    grid,
    html,
    notices,
    paragraph,
    readouts,
    region,
    row,
    scroller,
)
from .parameters import COST_PARAMETERS, CostParameters

SMALLEST_TERM = 0.00005  # what four decimals can show of a term of E


# Made up for illustration; none is a measurement of a real pair of models.
PRESETS: dict[str, dict[str, float]] = {
    name: dict(zip(COST_PARAMETERS, values, strict=True))
    for name, values in {
        "defaults": (4, 0.80, 0.10, 1.00),
        "often right": (8, 0.95, 0.10, 1.00),
        "often wrong": (4, 0.40, 0.10, 1.00),
        "large draft": (4, 0.90, 0.40, 1.00),
        "dear verify pass": (4, 0.80, 0.10, 1.50),
        "dear draft": (4, 0.80, 1.00, 1.00),
        "free draft": (4, 0.80, 0.00, 1.00),
    }.items()
}


def preset_label(words: Words, name: str) -> str:
    """What the list calls a preset."""
    _ = words.gettext
    label = {
        "defaults": _("the article's defaults"),
        "often right": _("draft that often guesses right"),
        "often wrong": _("draft that often guesses wrong"),
        "large draft": _("large, accurate draft"),
        "dear verify pass": _("dear verify pass"),
        "dear draft": _("draft as dear as the target"),
        "free draft": _("draft nearly free"),
    }[name]
    return _("{preset} (made up for illustration)").format(preset=label)


class CostPanel(CostParameters, Panel):
    """Expected tokens, round cost and speedup of speculative decoding, and the best gamma.

    Parameters (traits): alpha (0..1), gamma (0..32), draft_cost (0..1) and verify_cost (0.01..3),
    both in target passes.

    Example:
        >>> panel = CostPanel(alpha=0.8, gamma=6, language="en")
        >>> round(panel.model.speedup, 2)
        2.47
        >>> panel.close()
    """

    CONTROLS: ClassVar[tuple[str, ...]] = ("preset", *COST_PARAMETERS, *Panel.CONTROLS)
    PARAMETERS: ClassVar[tuple[str, ...]] = COST_PARAMETERS

    def build(self) -> Sequence[ipywidgets.Widget]:
        """Presets and sliders, E in both forms, then the figure beside readouts and table."""
        self.figure = CostFigure()
        self.preset = PresetChoice(self, "preset", PRESETS, preset_label)
        self.numbers = {name: NumberControl(self, name) for name in COST_PARAMETERS}
        controls = [
            *self.only_if_shown("preset", self.preset.widget),
            *chain.from_iterable(
                self.only_if_shown(name, number.widget) for name, number in self.numbers.items()
            ),
        ]
        self._forms_view = scroller("4.3em")
        self._picture = html(css_class="specdec-figure")
        self._readouts = html()
        self._notices = html(css_class="specdec-notices")
        self._notices.layout.min_height = "6em"  # a further remark moves nothing
        self._table = scroller("270px")
        return (
            grid(*controls),
            self.status,
            self._forms_view,
            row(self._picture, column(self._readouts, self._table, self._notices)),
            self.tools.row,
        )

    @property
    def model(self) -> CostModel:
        """The cost model at the present parameters."""
        return CostModel(**self.parameters())

    def draw(self) -> None:
        """Show the figure, the readouts and the table of the present parameters.

        The figure goes first, since it is watched while a slider moves.
        """
        model = self.model
        self._picture.value = self._image(model)
        name = self.words.gettext("Expected tokens, in both forms")
        self._forms_view.value = region(self._forms_html(model), name, "group")
        self._readouts.value = readouts(self._pairs(model))
        self._notices.value = notices(remarks(self.words, model))
        table = tables.cost_table(model, self.words).html()
        self._table.value = region(table, self.words.gettext("The curve as a table"))
        self.announce(self._sentence(model))

    def pieces(self) -> Sequence[str]:
        """The sentence of the result, E in both forms, readouts, remarks, figure and curve."""
        model, words = self.model, self.words
        return (
            paragraph(self._sentence(model)),
            self._forms_html(model),
            readouts(self._pairs(model)),
            notices(remarks(words, model)),
            self._image(model),
            tables.cost_table(model, words).html(),
        )

    def lines(self) -> Sequence[str]:
        """The sentence of the result, E in both forms, the readouts, the remarks and the curve."""
        model = self.model
        return (
            self._sentence(model),
            *(f"{name}: {value}" for name, value in (*self._forms(model), *self._pairs(model))),
            *remarks(self.words, model),
            tables.cost_table(model, self.words).text(),
        )

    def downloads(self) -> Sequence[Download]:
        """The curve as CSV, the figure as SVG and PNG."""
        curve = tables.csv(self.model.curve().reset_index())
        return (
            Download("cost.csv", "text/csv", curve),
            *self.pictures("cost", self.figure, self.model, self.words),
        )

    def title(self) -> str:
        """The heading of the panel."""
        return self.words.gettext("Cost and speedup")

    def _image(self, model: CostModel) -> str:
        return image(
            self.figure.draw(model, self.words),
            self.figure.alt(model, self.words),
            self.figure.size,
        )

    # ---- the words of the result -----------------------------------------------------------------
    def _sentence(self, model: CostModel) -> str:
        return self.words.gettext(
            "At gamma {gamma} a round yields {tokens} tokens on average and costs {cost}:"
            " {speedup}×."
        ).format(
            gamma=model.gamma,
            tokens=self.words.number(model.expected_tokens, 3),
            cost=self.words.number(model.round_cost, 2),
            speedup=self.words.number(model.speedup, 2),
        )

    def _pairs(self, model: CostModel) -> list[tuple[str, str]]:
        words, _ = self.words, self.words.gettext
        expected = words.number(model.expected_tokens, 4)
        cost = words.number(model.round_cost, 2)
        best = model.best()
        limit = (
            _("∞ (every guess is accepted)")
            if isinf(model.token_limit)
            else f"1 / (1 − {_alpha(words, model)}) = {words.number(model.token_limit, 2)}"
        )
        return [
            (
                _("Round cost"),
                f"{model.gamma} × {words.exact(model.draft_cost, 2)}"
                f" + {words.exact(model.verify_cost, 2)} = {cost}",
            ),
            (_("Speedup"), f"{expected} / {cost} = {words.number(model.speedup, 2)}×"),
            (
                _("Cost per token"),
                _("{cost} target passes").format(cost=words.number(model.cost_per_token, 3)),
            ),
            (
                _("Share of the ceiling"),
                f"{expected} / {model.gamma + 1} = {words.percent(model.ceiling_share)}",
            ),
            (_("Limit of E as gamma grows"), limit),
            (
                _("Best gamma"),
                _("{gamma}, with {speedup}×").format(
                    gamma=best.gamma, speedup=words.number(best.speedup, 2)
                ),
            ),
        ]

    def _forms(self, model: CostModel) -> tuple[tuple[str, str], tuple[str, str]]:
        """E as the sum of its terms and in closed form: a name and a line each."""
        words, _ = self.words, self.words.gettext
        expected = words.number(model.expected_tokens, 4)
        exact = not model.alpha  # its terms are 0, not too small to be shown
        written = [term for term in model.series_terms if exact or term >= SMALLEST_TERM]
        terms = [brief(words, term, 4) for term in written]
        if len(written) < len(model.series_terms):
            terms.append("…")
        alpha, power = _alpha(words, model), superscript(model.gamma + 1)
        if model.alpha == 1:
            closed = _("divides by 0 at alpha = 1; its limit is gamma + 1 = {value}").format(
                value=model.gamma + 1
            )
        else:
            rest = 1 - model.alpha
            above = significant(words, model.expected_tokens * rest)
            closed = (
                f"(1 − {alpha}{power}) / (1 − {alpha})"
                f" = {above} / {significant(words, rest)} = {expected}"
            )
        return (
            (_("E as a sum"), f"{' + '.join(terms)} = {expected}"),
            (_("E in closed form"), closed),
        )

    def _forms_html(self, model: CostModel) -> str:
        return "".join(
            f"<div><strong>{escape(name)}:</strong> {escape(line)}</div>"
            for name, line in self._forms(model)
        )


def remarks(words: Words, model: CostModel) -> list[str]:
    """What is worth a remark about the peak."""
    _ = words.gettext
    best = model.best()
    said = []
    if best.at_edge:
        said.append(
            _(
                "The peak stands on the edge of the scan, gamma {gamma}: the true peak may lie"
                " further."
            ).format(gamma=best.gamma)
        )
    if model.verify_cost > 1:
        said.append(
            _(
                "The verify cost alone puts gamma = 0 below 1×: {speedup}×, slower than plain"
                " decoding."
            ).format(speedup=words.number(1 / model.verify_cost, 2))
        )
    if not best.pays:
        said.append(_("No gamma pays here: none is faster than plain decoding."))
    return said


def brief(words: Words, value: float, digits: int = 6) -> str:
    """The value with at most `digits` decimals, none of them an idle zero."""
    return words.exact(round(float(value), digits))


def significant(words: Words, value: float, digits: int = 6) -> str:
    """The value to this many digits that count, however small it is."""
    return words.exact(float(f"{value:.{digits}g}"))


def _alpha(words: Words, model: CostModel) -> str:
    """Alpha as it stands in a formula; never as 0 or 1 where it is not."""
    text = significant(words, model.alpha)
    return words.exact(model.alpha) if text == "1" else text


def superscript(number: int) -> str:
    """The number as an exponent: 5 is ⁵."""
    return str(number).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
