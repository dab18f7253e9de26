"""The pass panel: why a pass costs the same for one position or five, and where that ends."""

from math import ceil, floor
from typing import Any, ClassVar

import numpy as np

from specdec_widgets.figures.lines import Chart, Curve
from specdec_widgets.figures.scales import rung
from specdec_widgets.maths import Hardware, Pass, Transformer, hardware_table, transformer_table
from specdec_widgets.maths.roofline import MAX_POSITIONS
from specdec_widgets.words import Words

from .base import Panel
from .chart import ChartPanel, View, sources
from .controls import PresetChoice
from .hardware_parameters import RooflineParameters

_POINTS, _FEWEST = 41, 8  # of the curves, about; and the shortest axis, positions
_GIGA, _TERA = 1e9, 1e12

CARD_PRESETS = {
    str(name): {"bandwidth": row["bandwidth_gb_s"], "peak": row["peak_tflops"]}
    for name, row in hardware_table().T.items()
}
MODEL_PRESETS = {
    str(name): {"billions": round(row["parameters"] / _GIGA, 2)}
    for name, row in transformer_table().T.items()
}


class PassCostPanel(RooflineParameters, ChartPanel):
    """The time of one pass against the positions it scores: reading, arithmetic, the larger.

    Parameters (traits): billions (parameters, 1e9), weight_bytes, bandwidth (GB/s), peak
    (TFLOP/s), batch (requests) and positions (of each request).

    Example:
        >>> panel = PassCostPanel(billions=8, bandwidth=2000, peak=320, language="en")
        >>> panel.model.time(5), panel.model.ridge
        (0.008, 160.0)
        >>> panel.close()
    """

    PARAMETERS: ClassVar[tuple[str, ...]] = (
        *("billions", "weight_bytes", "bandwidth", "peak", "batch", "positions"),
    )
    CONTROLS: ClassVar[tuple[str, ...]] = ("hardware", "model", *PARAMETERS, *Panel.CONTROLS)
    CHARTS: ClassVar[tuple[int, ...]] = (3,)
    STEM: ClassVar[str] = "pass"

    @property
    def model(self) -> Pass:
        """The passes of the present model on the present card."""
        return Pass(
            Hardware(self.peak * _TERA, self.bandwidth * _GIGA),
            Transformer(self.billions * _GIGA, weight_bytes=self.weight_bytes),
            self.batch,
        )

    def title(self) -> str:
        """The heading."""
        return self.words.gettext("The time of one pass")

    def make_controls(self) -> dict[str, Any]:
        """The two lists of published figures, then slider and box for every number."""
        return {
            "hardware": PresetChoice(self, "hardware", CARD_PRESETS),
            "model": PresetChoice(self, "model", MODEL_PRESETS),
            **super().make_controls(),
        }

    def view(self) -> View:
        """The pass over the present positions, and over all up to well past the ridge."""
        words, model, positions = self.words, self.model, self.positions
        last = ceil(rung(1.3 * max(model.ridge, positions, _FEWEST)))
        last = min(MAX_POSITIONS, max(last, positions))
        chosen = {1, positions, *np.linspace(1, last, _POINTS).astype(int).tolist()}
        free = floor(model.ridge)  # positions at the price of one
        shown = 1 <= free <= last
        chosen.update({free, min(free + 1, last)} if shown else ())
        frame = model.table(last).loc[sorted(chosen)]
        x = frame.index.tolist()
        chart = Chart(
            x=x,
            curves=curves(frame, words),
            x_name=words.gettext("positions in a pass"),
            y_name=words.gettext("milliseconds"),
            here=x.index(positions),
            stars=((x.index(free), 0),) if shown else (),
            star_name=words.gettext("last one before the ridge"),
        )
        cost = words.number(model.cost(positions), 2)
        sentence = words.ngettext(
            "A pass over {positions} position takes {time} ms: {cost} times a pass over one.",
            "A pass over {positions} positions takes {time} ms: {cost} times a pass over one.",
            positions,
        ).format(
            positions=words.number(positions), time=_ms(words, model.time(positions)), cost=cost
        )
        return View(sentence, self._pairs(model), self._remarks(model), (chart,), frame)

    def _pairs(self, model: Pass) -> list[tuple[str, str]]:
        words, _ = self.words, self.words.gettext
        exact, number = words.exact, words.number
        weights = number(model.model.weights / _GIGA, 2)
        work = number(2 * self.billions * self.batch, 2)
        count = number(self.positions)
        one = _("Arithmetic of one position")
        if self.batch > 1:
            one = _("Arithmetic of one position of {batch} requests").format(batch=self.batch)
        return [
            (
                _("Weights read in a pass"),
                f"{exact(self.billions)} × {exact(self.weight_bytes)} = {weights} GB",
            ),
            (
                _("Time to read them"),
                f"{weights} GB / {exact(self.bandwidth)} GB/s = {_ms(words, model.memory_time)} ms",
            ),
            (
                one,
                f"{work} GFLOP / {exact(self.peak)} TFLOP/s"
                f" = {_ms(words, model.compute_time(1))} ms",
            ),
            (
                _("Arithmetic of all positions"),
                f"× {count} = {_ms(words, model.compute_time(self.positions))} ms",
            ),
            (_("A pass over one position"), f"{_ms(words, model.time(1))} ms"),
            (
                _("A pass over your positions"),
                f"{_ms(words, model.time(self.positions))} ms"
                f" = {number(model.cost(self.positions), 2)}×",
            ),
            (_("Ridge"), _("{positions} positions").format(positions=number(model.ridge, 1))),
        ]

    def _remarks(self, model: Pass) -> list[str]:
        words, _ = self.words, self.words.gettext
        if model.ridge < 1:
            said = [_("Even one position waits for the arithmetic: none is free.")]
        elif self.positions <= model.ridge:
            said = [_("Below the ridge: the pass waits for the weights, positions are free.")]
        else:
            said = [_("Past the ridge: the pass waits for the arithmetic, every position counts.")]
        lists = (self.controls["hardware"], self.controls["model"])
        return [*said, *sources(words, *(choice.present for choice in lists))]


def curves(frame: Any, words: Words) -> tuple[Curve, Curve, Curve]:
    """The three curves of a table of passes, in milliseconds."""
    _ = words.gettext
    return (
        Curve(_("a pass, the longer of the two"), frame["pass_ms"], 3, " ms"),
        Curve(_("reading the weights"), frame["memory_ms"], 3, " ms"),
        Curve(_("arithmetic"), frame["compute_ms"], 3, " ms"),
    )


def _ms(words: Words, seconds: float) -> str:
    return words.number(1e3 * seconds, 3)
