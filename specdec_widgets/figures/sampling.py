"""The sampling figure: the output has the heights of p, whatever q is; and alpha by temperature.

On the left, for each token, p beside q beside the output, which is the accepted part with what the
residual adds on top; a dashed line carries the height of p over to it. On the right, the
acceptance rate of the pair when both p and q are sampled at another temperature.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.ticker import FuncFormatter, MaxNLocator

from specdec_widgets.figures.base import (
    SMALL_SIZE,
    TEXT_SIZE,
    Lettering,
    PanelFigure,
    own_style,
    points,
)
from specdec_widgets.figures.marks import (
    NOTHING,
    SQUARE,
    Label,
    bars,
    segments,
    slashes,
    stamp,
    text_width,
)
from specdec_widgets.figures.names import drawable, harmless
from specdec_widgets.figures.pixels import ACCEPTED, DRAFT, GREY, INK, REJECTED, TARGET
from specdec_widgets.figures.scales import Scale, tick
from specdec_widgets.maths import SamplingRule
from specdec_widgets.words import Words

# Places on the page, CSS pixels from the top left corner.
_LEGEND = 16
_TOP, _HEIGHT = 36, 252  # of both axes
_BARS, _BARS_WIDTH = 56, 440
_ALPHA, _ALPHA_WIDTH = 566, 180
_WIDEST = 30.0  # of a bar
_GAP = 5.0  # between the lines of the hatching
_SIGN = 14.0  # of a sample in the legend
_ENDS = (0.2, 0.4, 0.6, 0.8, 1.0)  # of the axis of probability
_LONGEST_SCAN = 2.0  # temperatures shown where no curve is given

_LOOKS: dict[str, dict[str, Any]] = {
    "p": {"facecolor": TARGET, "linewidth": 0, "snap": True},
    "q": {"facecolor": "white", "edgecolor": DRAFT, "linewidth": 1.8, "snap": True},
    "accepted": {"facecolor": ACCEPTED, "linewidth": 0, "snap": True},
    "residual": {"facecolor": "white", "edgecolor": REJECTED, "linewidth": 0.8, "snap": True},
    "slashes": {"facecolor": "none", "edgecolor": REJECTED, "linewidth": 0.8},
    "level": {"facecolor": "none", "edgecolor": INK, "linewidth": 1.1, "linestyle": "--"},
}
Paths = dict[str, Path]  # by the names of _LOOKS


class _Key(NamedTuple):
    words: Words
    tokens: tuple[str, ...]  # as they are drawn
    temperature: float  # end of its axis


class SamplingFigure(PanelFigure):
    r"""p, q and the output of each token, and alpha by temperature.

    >>> from specdec_widgets.words import get_words
    >>> rule = SamplingRule(["0.5", "0.5"], ["0.4", "0.6"], ["rain", "sun"])
    >>> SamplingFigure().draw(rule, get_words("en"))[:4]
    b'\x89PNG'
    """

    def __init__(self) -> None:
        super().__init__((760, 340))
        with own_style():
            bars_place = (_BARS, _TOP, _BARS_WIDTH, _HEIGHT)
            alpha_place = (_ALPHA, _TOP, _ALPHA_WIDTH, _HEIGHT)
            self._bars, self._alpha = self._axes(bars_place), self._axes(alpha_place)
            page = self._page()
            self._bars.set_xlim(0, _BARS_WIDTH)
            self._alpha.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
            self._scale = Scale(self._bars, page, bars_place)
            self._alpha_scale = Scale(self._alpha, page, alpha_place)
            self._move(self._bars, self._scale.grid)
            self._move(self._alpha, self._alpha_scale.grid)
            self._samples = {name: PathPatch(NOTHING, **look) for name, look in _LOOKS.items()}
            self._names = Lettering(TEXT_SIZE)
            for artist in (*self._samples.values(), self._names):
                page.add_patch(artist)
            self._here = self._move(self._alpha, Line2D([], [], color=GREY, linewidth=0.9))
            self._curve = self._move(self._alpha, Line2D([], [], color=INK, linewidth=1.6))
            now: dict[str, Any] = {"marker": "o", "markersize": 12, "markerfacecolor": "none"}
            now |= {"markeredgecolor": REJECTED, "markeredgewidth": 2.2, "clip_on": False}
            self._now = self._move(self._alpha, Line2D([], [], **now))
            self._shapes = {
                name: self._move(page, PathPatch(NOTHING, **look)) for name, look in _LOOKS.items()
            }
            self._value = self._move(page, Lettering(TEXT_SIZE))

    def draw(
        self,
        rule: SamplingRule,
        words: Words,
        temperature: float = 1.0,
        temperature_curve: pd.DataFrame | None = None,
    ) -> bytes:
        """The figure as PNG.

        rule: that at `temperature`; temperature_curve: column alpha, indexed by temperature
        """
        return self._render(self._update(rule, words, temperature, temperature_curve))

    def save(
        self,
        rule: SamplingRule,
        words: Words,
        temperature: float = 1.0,
        temperature_curve: pd.DataFrame | None = None,
        format: str = "svg",
    ) -> bytes:
        """The figure as a file, `format` "svg" or "png"; the rest as for `draw`."""
        return self._file(self._update(rule, words, temperature, temperature_curve), format)

    def alt(
        self,
        rule: SamplingRule,
        words: Words,
        temperature: float = 1.0,
        temperature_curve: pd.DataFrame | None = None,
    ) -> str:
        """The figure in words; the arguments as for `draw`."""
        _ = words.gettext
        said = [_("Bars for each token.")]
        for token, *numbers in zip(
            rule.tokens, rule.p, rule.q, rule.accepted, _added(rule), rule.output, strict=True
        ):
            p, q, accepted, added, output = (words.number(number, 4) for number in numbers)
            said.append(
                _(
                    "{token}: p {p}, q {q}, accepted {accepted}, "
                    "from the residual {added}, output {output}."
                ).format(
                    token=harmless(token), p=p, q=q, accepted=accepted, added=added, output=output
                )
            )
        said.append(
            _("At temperature {temperature} alpha is {alpha}.").format(
                temperature=words.exact(round(temperature, 4)), alpha=words.number(rule.alpha, 4)
            )
        )
        if temperature_curve is not None:
            temperatures, alphas = _curve(temperature_curve)
            said.append(
                _(
                    "A curve shows alpha for temperatures from {start} to {end}; "
                    "it lies between {lowest} and {highest}."
                ).format(
                    start=words.exact(round(temperatures[0], 4)),
                    end=words.exact(round(temperatures[-1], 4)),
                    lowest=words.number(min(alphas), 4),
                    highest=words.number(max(alphas), 4),
                )
            )
        return " ".join(said)

    def _update(
        self,
        rule: SamplingRule,
        words: Words,
        temperature: float,
        temperature_curve: pd.DataFrame | None,
    ) -> _Key:
        highest = float(max(*rule.p, *rule.q, *rule.output))
        end = next((end for end in _ENDS if highest <= end), 1.0)
        temperatures, alphas = _curve(temperature_curve)
        for name, path in token_bars(rule, end).items():
            self._shapes[name].set_path(path)
        alpha = float(rule.alpha)
        self._here.set_data([temperature] * 2, [0, 1])
        self._curve.set_data(temperatures, alphas)
        self._now.set_data([temperature], [alpha])
        text = words.gettext("alpha = {value}").format(value=words.number(rule.alpha, 4))
        numbers = [*self._scale.show(end, words), *self._alpha_scale.show(1.0, words)]
        self._value.write([Label(_ALPHA + _ALPHA_WIDTH, _LEGEND, text, 1)], numbers)
        room = _BARS_WIDTH / len(rule.tokens) - 4
        tokens = tuple(drawable(token, room, SMALL_SIZE) for token in rule.tokens)
        return _Key(words, tokens, max(*temperatures[-1:], temperature, _LONGEST_SCAN))

    def _dress(self, key: _Key) -> None:
        _ = key.words.gettext
        size = points(TEXT_SIZE)
        room = _BARS_WIDTH / len(key.tokens)
        middles = room * (np.arange(len(key.tokens)) + 0.5)
        self._bars.set_xticks(middles, key.tokens, parse_math=False)
        self._alpha.set_xlim(0, key.temperature)
        self._alpha.xaxis.set_major_formatter(
            FuncFormatter(lambda value, _at: tick(value, key.words))
        )
        self._alpha.set_xlabel(_("temperature"), fontsize=size)
        for axes, text in ((self._bars, _("probability")), (self._alpha, "alpha")):
            axes.set_ylabel(text, fontsize=size)
            axes.yaxis.set_label_coords(
                -40 / (_BARS_WIDTH if axes is self._bars else _ALPHA_WIDTH), 0.5
            )
        names, samples = legend(key.words)
        self._names.write(names)
        for name, path in samples.items():
            self._samples[name].set_path(path)


def token_bars(rule: SamplingRule, end: float) -> Paths:
    """The bars of all tokens; `end` is the end of the axis of probability."""
    p, q, accepted, output = (
        np.array([float(number) for number in numbers])
        for numbers in (rule.p, rule.q, rule.accepted, rule.output)
    )
    room = _BARS_WIDTH / len(p)
    width = min(_WIDEST, room * 0.27)
    middle = _BARS + room * (np.arange(len(p)) + 0.5)

    def column(place: int, low: Any, high: Any) -> Path:
        seen = high > low
        x = (middle + (place - 0.5) * width)[seen]
        return bars(x + 0.5, x + width - 0.5, _height(high, end)[seen], _height(low, end)[seen])

    level, residual = _height(p, end), column(1, accepted, output)
    return {
        "p": column(-1, 0 * p, p),
        "q": column(0, 0 * p, q),
        "accepted": column(1, 0 * p, accepted),
        "residual": residual,
        "slashes": slashes(residual, _GAP),
        "level": segments(middle - width * 1.5, level, middle + width * 1.5 + 3, level),
    }


@lru_cache(maxsize=8)
def legend(words: Words) -> tuple[list[Label], Paths]:
    """What the bars mean: the texts, and a sample of each look."""
    _ = words.gettext
    texts = {
        "p": _("p (target)"),
        "q": _("q (draft)"),
        "accepted": _("accepted, min(p, q)"),
        "residual": _("from the residual"),
        "level": _("height of p"),
    }
    labels, samples, x = [], {}, 14.0
    for name, text in texts.items():
        if name == "level":
            samples[name] = segments(x, _LEGEND, x + 1.7 * _SIGN, _LEGEND)
            x += 0.7 * _SIGN
        else:
            samples[name] = stamp(SQUARE, x + _SIGN / 2, _LEGEND, _SIGN, _SIGN)
        labels.append(Label(x + _SIGN + 6, _LEGEND, text))
        x += _SIGN + 6 + text_width(text, TEXT_SIZE) + 16
    samples["slashes"] = slashes(samples["residual"], _GAP)
    return labels, samples


def _height(probability: Any, end: float) -> Any:
    return _TOP + _HEIGHT * (1 - probability / end)


def _added(rule: SamplingRule) -> list[Any]:
    """What the residual adds to the output of each token."""
    return [rule.rejection * again for again in rule.normalised_residual]


def _curve(frame: pd.DataFrame | None) -> tuple[list[float], list[float]]:
    if frame is None:
        return [], []
    return frame.index.to_numpy(float).tolist(), frame["alpha"].to_numpy(float).tolist()
