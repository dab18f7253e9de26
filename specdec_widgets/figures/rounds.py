"""The rounds figure: what became of every draft token, and what it all cost.

One row a round, the last ten at most. On the left the draft tokens of the round as boxes, then the
token the target adds; on the right the cost so far, beside that of plain decoding, which pays one
target pass a token.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from numpy.typing import NDArray

from specdec_widgets.figures.base import (
    SMALL_SIZE,
    TEXT_SIZE,
    Lettering,
    PanelFigure,
    own_style,
    points,
)
from specdec_widgets.figures.marks import (
    CHECK,
    CROSS,
    DIAMOND,
    NOTHING,
    SQUARE,
    STAR,
    Label,
    bars,
    join,
    stamp,
    text_width,
)
from specdec_widgets.figures.pixels import (
    ACCEPTED,
    BONUS,
    DRAFT,
    GREY,
    INK,
    REJECTED,
    TARGET,
)
from specdec_widgets.figures.scales import Scale, rung
from specdec_widgets.maths import Rounds
from specdec_widgets.maths.rounds import Unfinished
from specdec_widgets.words import Words

ROWS = 10  # the last rounds, as many as are drawn
# Places on the page, CSS pixels from the top left corner.
_LEGEND, _SUMMARY, _HEADS = 15, 37, 57  # the lines above the rows
_TOP, _ROW = 68, 28.4  # where the rows begin, and the height of one
_ROUND, _TOKENS = 30, 466  # middles of the columns of round numbers and of tokens gained
_BOXES, _BOXES_END = 58, 434  # draft tokens and the token that the target adds
_COST, _COST_WIDTH = 500, 196  # axis of the cost
_RIGHT = 754  # nothing is written further right
_BAR, _WIDEST, _HIGHEST, _GAP = 10.0, 60.0, 22.0, 0.4  # bars and boxes; the gap in box widths
_ASIDE = 2.5  # of a number from the middle line: else it would touch the other bar
_SIGN = 14.0  # of a sample in the legend

_LOOKS: dict[str, dict[str, Any]] = {
    "accepted": {"facecolor": ACCEPTED, "linewidth": 0, "snap": True},
    "rejected": {"facecolor": REJECTED, "linewidth": 0, "snap": True},
    "never read": {"facecolor": "white", "edgecolor": GREY, "linewidth": 0.8, "snap": True},
    "missing": {"facecolor": "none", "edgecolor": GREY, "linewidth": 0.8, "linestyle": ":"},
    "signs": {"facecolor": "none", "edgecolor": "white", "linewidth": 1.5},
    "correction": {"facecolor": TARGET, "linewidth": 0},
    "bonus": {"facecolor": BONUS, "edgecolor": INK, "linewidth": 0.5},
    "target alone": {"facecolor": TARGET, "linewidth": 0, "snap": True},  # gamma 0: no draft token
    "speculative": {"facecolor": DRAFT, "edgecolor": INK, "linewidth": 0.6, "snap": True},
    "plain": {"facecolor": "white", "edgecolor": TARGET, "linewidth": 1.2, "snap": True},
}
Paths = dict[str, Path]  # by the names of _LOOKS


class RoundsFigure(PanelFigure):
    r"""The last rounds as rows of boxes, with the cost so far beside them.

    >>> from specdec_widgets.maths import simulate_rounds
    >>> from specdec_widgets.words import get_words
    >>> RoundsFigure().draw(simulate_rounds("1110"), 4, get_words("en"))[:4]
    b'\x89PNG'
    """

    def __init__(self) -> None:
        super().__init__((760, 400))
        with own_style():
            place = (_COST, _TOP, _COST_WIDTH, ROWS * _ROW)
            self._costs, page = self._axes(place), self._page()
            self._costs.set_yticks([])
            self._scale = Scale(self._costs, page, place, count=4, upright=False)
            self._move(self._costs, self._scale.grid)
            self._samples = {name: PathPatch(NOTHING, **look) for name, look in _LOOKS.items()}
            self._names = Lettering(TEXT_SIZE)
            for artist in (*self._samples.values(), self._names):
                page.add_patch(artist)
            self._shapes = {
                name: self._move(page, PathPatch(NOTHING, **look)) for name, look in _LOOKS.items()
            }
            self._labels = self._move(page, Lettering(TEXT_SIZE))

    def draw(self, rounds: Rounds, gamma: int, words: Words) -> bytes:
        """The figure of the rounds as PNG; `gamma` is that of the rounds."""
        return self._render(self._update(rounds, gamma, words))

    def save(self, rounds: Rounds, gamma: int, words: Words, format: str) -> bytes:
        """The figure of the rounds as a file, `format` "svg" or "png"."""
        return self._file(self._update(rounds, gamma, words), format)

    def alt(self, rounds: Rounds, gamma: int, words: Words) -> str:
        """The figure in words."""
        window = Window.of(rounds, gamma)
        return " ".join([f"{summary(window, words)}.", *sentences(window, words)])

    def _update(self, rounds: Rounds, gamma: int, words: Words) -> Words:
        window = Window.of(rounds, gamma)
        end = rung(max(window.plain.max(initial=0), window.cost.max(initial=0), 1))
        grid = Grid(gamma)
        for name, path in {**draft_boxes(window, grid), **cost_bars(window, end)}.items():
            self._shapes[name].set_path(path)
        self._shapes["signs"].set_linewidth(points(min(2.2, grid.sign / 6)))
        numbers = self._scale.show(end, words)
        self._labels.write(
            [Label(14, _SUMMARY, summary(window, words))],
            [*numbers, *labels(window, grid, end, words)],
        )
        return words

    def _dress(self, words: Words) -> None:
        text = words.gettext("total cost, target passes")
        self._costs.set_xlabel(text, fontsize=points(TEXT_SIZE))
        self._costs.xaxis.set_label_coords(0.5, -24 / (ROWS * _ROW))
        names, samples = legend(words)
        self._names.write(names)
        for name, path in samples.items():
            self._samples[name].set_path(path)


@dataclass(frozen=True)
class Window:
    """What is drawn of the rounds: the last finished ones, and the one under way if there is one.

    Arrays have an item a finished round.
    """

    gamma: int
    number: NDArray[np.int64]
    accepted: NDArray[np.int64]
    rejected: NDArray[np.bool_]
    tokens: NDArray[np.int64]
    plain: NDArray[np.int64]  # cost of plain decoding so far: a target pass a token
    cost: NDArray[np.float64]
    passes: int  # target passes so far
    unfinished: Unfinished | None

    @classmethod
    def of(cls, rounds: Rounds, gamma: int) -> "Window":
        """The last `ROWS` rounds."""
        count = ROWS - (rounds.unfinished is not None)
        last = {name: column.array[-count:] for name, column in rounds.table.items()}
        return cls(
            gamma=gamma,
            number=np.asarray(last["round"]),
            accepted=np.asarray(last["accepted"]),
            rejected=~np.asarray(last["rejected_at"].isna()),
            tokens=np.asarray(last["tokens"]),
            plain=np.asarray(last["total_tokens"]),
            cost=np.asarray(last["total_cost"]),
            passes=int(last["target_passes"][-1]) if len(rounds.table) else 0,
            unfinished=rounds.unfinished,
        )

    @cached_property
    def middles(self) -> NDArray[np.float64]:
        """Where the rows of the finished rounds stand, their middles."""
        return np.array([_TOP + _ROW * (row + 0.5) for row in range(len(self.number))])

    @property
    def next_middle(self) -> float:
        """Where the row of the round under way stands."""
        return _TOP + _ROW * (len(self.number) + 0.5)


class Grid:
    """Where the boxes of a row stand: gamma draft tokens, and apart from them the target's own."""

    def __init__(self, gamma: int) -> None:
        self.pitch = min(_WIDEST, (_BOXES_END - _BOXES) / (gamma + 1 + _GAP))
        self.width = self.pitch - max(1.4, self.pitch / 12)
        self.height = min(_HIGHEST, self.width * 1.5)
        self.sign = min(self.width, self.height)
        self.last = self.middle(gamma + _GAP)  # of the target's token

    def middle(self, column: Any) -> Any:
        """The middle of a column, counted from 0."""
        return _BOXES + (column + 0.5) * self.pitch

    def boxes(self, rows: Any, columns: Any) -> Path:
        """Boxes in these columns of the rows with these middles."""
        return stamp(SQUARE, self.middle(columns), rows, self.width, self.height)


def draft_boxes(window: Window, grid: Grid) -> Paths:
    """The boxes of the draft tokens with their signs, and the tokens the target adds."""
    column = np.arange(window.gamma)
    first_lost = window.accepted[:, np.newaxis]

    def places(chosen: NDArray[np.bool_]) -> tuple[Any, Any]:
        row, at = np.nonzero(chosen)
        return window.middles[row], at

    accepted = places(column < first_lost)
    rejected = places(column == first_lost)
    missing: tuple[Any, Any] = ([], np.array([]))
    if window.unfinished:
        read = window.unfinished.accepted
        row = window.next_middle
        accepted = np.append(accepted[0], [row] * read), np.append(accepted[1], column[:read])
        missing = [row] * (window.gamma - read), column[read:]
    checks = stamp(CHECK, grid.middle(accepted[1]), accepted[0], grid.sign, grid.sign)
    crosses = stamp(CROSS, grid.middle(rejected[1]), rejected[0], grid.sign, grid.sign)
    corrected, rewarded = window.middles[window.rejected], window.middles[~window.rejected]
    alone, rewarded = (rewarded[:0], rewarded) if window.gamma else (rewarded, rewarded[:0])
    sign = min(grid.sign, 16)
    return {
        "accepted": grid.boxes(*accepted),
        "rejected": grid.boxes(*rejected),
        "never read": grid.boxes(*places(column > first_lost)),
        "missing": grid.boxes(*missing),
        "signs": join(checks, crosses),
        "correction": stamp(DIAMOND, grid.last, corrected, sign, sign),
        "bonus": stamp(STAR, grid.last, rewarded, sign * 1.2, sign * 1.2),
        "target alone": stamp(SQUARE, grid.last, alone, sign, sign),
    }


def cost_bars(window: Window, end: float) -> Paths:
    """The bars of the cost so far: speculative decoding above, plain decoding below."""
    middle, scale = window.middles, _COST_WIDTH / end
    return {
        "speculative": bars(_COST, _COST + window.cost * scale, middle - _BAR - 0.5, middle - 0.5),
        "plain": bars(_COST, _COST + window.plain * scale, middle + 0.5, middle + _BAR + 0.5),
    }


def labels(window: Window, grid: Grid, end: float, words: Words) -> list[Label]:
    """Column heads, round numbers, tokens gained, and the costs at the ends of their bars."""
    roomy = grid.pitch > 17
    step = 1 if roomy else 4
    said = [
        Label(grid.middle(at), _HEADS, str(at + 1), 0.5)
        for at in range(window.gamma)
        if (at + 1) % step == 0 or at == 0
    ]
    if roomy:  # else it would touch the heads beside it
        said.append(Label(grid.last, _HEADS, "+1", 0.5))
    if not window.gamma:  # its square has no place in the legend
        said.append(Label(grid.last + grid.sign, _HEADS, words.gettext("the target's own token")))
    costs = zip(window.cost, window.plain, strict=True)
    rows = zip(window.middles, window.number, window.tokens, costs, strict=True)
    for y, number, tokens, (cost, plain) in rows:
        said.append(Label(_ROUND, y, words.number(number), 0.5))
        said.append(Label(_TOKENS, y, words.number(tokens), 0.5))
        for value, text, middle in (
            (cost, words.number(cost, 2 if cost < 10_000 else 0), y - _BAR / 2 - _ASIDE),
            (plain, words.number(plain), y + _BAR / 2 + _ASIDE),
        ):
            x = _COST + value * _COST_WIDTH / end + 4
            said.append(Label(min(x, _RIGHT - text_width(text, SMALL_SIZE)), middle, text))
    if window.unfinished:
        text = words.gettext("unfinished, flags missing: {missing}")
        text = text.format(missing=window.unfinished.missing)
        number = words.number(window.unfinished.round)
        said.append(Label(_ROUND, window.next_middle, number, 0.5))
        said.append(Label(_TOKENS, window.next_middle, "–", 0.5))
        said.append(Label(_COST + 6, window.next_middle, text))
    return said


@lru_cache(maxsize=8)
def legend(words: Words) -> tuple[list[Label], Paths]:
    """What the signs and the bars mean: the texts, and a sample of each look."""
    _ = words.gettext
    tokens = (
        ("accepted", SQUARE, _("accepted")),
        ("rejected", SQUARE, _("rejected")),
        ("never read", SQUARE, _("never read")),
        ("correction", DIAMOND, _("correction token")),
        ("bonus", STAR, _("bonus token")),
    )
    decodings = (
        ("speculative", SQUARE, _("speculative decoding")),
        ("plain", SQUARE, _("plain decoding")),
    )
    texts = [
        Label(_ROUND, _HEADS, _("round"), 0.5),
        Label(_TOKENS, _HEADS, _("tokens"), 0.5),
    ]
    samples: Paths = {}
    width = sum(_sample_width(text) for _name, _sign, text in decodings)
    for x, y, items in ((14.0, _LEGEND, tokens), (_RIGHT + 18 - width, _SUMMARY, decodings)):
        for name, sign, text in items:
            samples[name] = stamp(sign, x + _SIGN / 2, y, _SIGN, _SIGN)
            texts.append(Label(x + _SIGN + 6, y, text))
            x += _sample_width(text)
    check, cross = (
        stamp(sign, samples[name].get_extents().x0 + _SIGN / 2, _LEGEND, _SIGN, _SIGN)
        for name, sign in (("accepted", CHECK), ("rejected", CROSS))
    )
    return texts, {**samples, "signs": join(check, cross)}


def _sample_width(text: str) -> float:
    return _SIGN + 6 + text_width(text, TEXT_SIZE) + 18


def summary(window: Window, words: Words) -> str:
    """Which rounds are drawn, and how many target passes there were so far."""
    _ = words.gettext
    numbers = [*window.number.tolist()]
    if window.unfinished:
        numbers.append(window.unfinished.round)
    if not numbers:
        return _("No round yet")
    if len(numbers) == 1:
        text = _("Round {last}; target passes so far: {passes}")
    else:
        text = _("Rounds {first} to {last}; target passes so far: {passes}")
    return text.format(
        first=words.number(numbers[0]),
        last=words.number(numbers[-1]),
        passes=words.number(window.passes),
    )


def sentences(window: Window, words: Words) -> list[str]:
    """The rounds in words, one after the other, and the cost at the end."""
    _ = words.gettext
    said = []
    for number, accepted, rejected in zip(
        window.number, window.accepted, window.rejected, strict=True
    ):
        if not window.gamma:
            text = _("Round {round}: no draft token, one token of the target.")
        elif rejected:
            text = _(
                "Round {round}: accepted {accepted}, rejected at {position}, correction token."
            )
        else:
            text = _("Round {round}: accepted {accepted}, bonus token.")
        said.append(
            text.format(round=words.number(number), accepted=accepted, position=accepted + 1)
        )
    if window.unfinished:
        said.append(
            _("Round {round}: accepted {accepted}, unfinished, flags missing: {missing}.").format(
                round=words.number(window.unfinished.round),
                accepted=window.unfinished.accepted,
                missing=window.unfinished.missing,
            )
        )
    if window.passes:
        said.append(
            _("Total cost {cost} target passes, plain decoding {plain}.").format(
                cost=words.number(window.cost[-1], 2), plain=words.number(window.plain[-1])
            )
        )
    return said
