"""What the figures share: a figure kept alive, of which only the moving part is drawn again.

The static part (axes, names, legend) is drawn once a language and kept as pixels. An update
restores those pixels, moves the artists there are, draws them over it and encodes the image.
`PanelFigure.save` draws everything anew, for files; both show the same.

matplotlib's pyplot is never used: it would keep figures alive and show them a second time.
"""

import base64
import io
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any, TypeVar

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.style import context as style_context
from numpy.typing import NDArray

from specdec_widgets.figures.marks import FONT, Label, join, letters
from specdec_widgets.figures.pixels import GREY, INK, Background, Rows, numbers, png

DENSITY = 1.25  # pixels of the image for one CSS pixel
CSS_DPI = 96  # CSS pixels in an inch
TEXT_SIZE, SMALL_SIZE = 12.0, 11.0  # CSS pixels
_KEPT_BACKGROUNDS = 2  # about 2.5 MB each
_MOVING = 4  # zorder: over the axes (2.5) and whatever else stands still
_OWN_STYLE: dict[str, Any] = {
    "font.family": FONT,
    "svg.hashsalt": "specdec_widgets",  # the same drawing is the same file
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}

AnyArtist = TypeVar("AnyArtist", bound=Artist)


def points(css_pixels: float) -> float:
    """CSS pixels in the points that matplotlib counts in."""
    return css_pixels * 72 / CSS_DPI


def image(png: bytes, alt: str, size: tuple[int, int]) -> str:
    """The PNG as an HTML image with its text alternative; `size` in CSS pixels.

    >>> image(b"", "p < q", (2, 1))  # doctest: +ELLIPSIS
    '<img src="data:image/png;base64," alt="p &lt; q" width="2" height="1" style=...>'
    """
    data = base64.b64encode(png).decode("ascii")
    return (
        f'<img src="data:image/png;base64,{data}" alt="{escape(alt)}" '
        f'width="{size[0]}" height="{size[1]}" style="max-width:100%;height:auto;background:#fff">'
    )


class PanelFigure:
    """A figure of fixed size whose moving artists are updated in place.

    A subclass makes its axes and artists once, in its `__init__` (within `own_style`), puts the
    static part in order in `_dress`, and moves the artists in its `draw` and `save` before it
    calls `_render` or `_file`. `key` names everything the static part depends on.
    """

    size: tuple[int, int]  # CSS pixels, width and height

    def __init__(self, size: tuple[int, int]) -> None:
        width, height = self.size = size
        inches = (width / CSS_DPI, height / CSS_DPI)
        self.figure = Figure(figsize=inches, dpi=CSS_DPI * DENSITY, facecolor="white")
        self._canvas: Any = FigureCanvasAgg(self.figure)  # half of its methods have no types
        self._moving: list[Artist] = []
        self._settled = 0  # how many of them, from the first, move with few parameters
        self._stage: tuple[Hashable, Background | None] = (None, None)
        self._dressed: Hashable = None
        self._backgrounds: OrderedDict[Hashable, Background] = OrderedDict()

    # ---- what a subclass supplies ----------------------------------------------------------------
    def _dress(self, key: Any) -> None:
        """Set the limits, labels and ticks of the static part to those of the key."""
        raise NotImplementedError

    # ---- what a subclass uses --------------------------------------------------------------------
    def _axes(self, place: tuple[float, float, float, float]) -> Axes:
        """Add axes at a place: left, top, width and height in CSS pixels."""
        (left, top, width, height), (w, h) = place, self.size
        axes = self.figure.add_axes((left / w, 1 - (top + height) / h, width / w, height / h))
        axes.tick_params(labelsize=points(SMALL_SIZE), length=3)
        axes.spines[["top", "right"]].set_visible(False)
        return axes

    def _page(self) -> Axes:
        """Axes over the whole figure in CSS pixels, y downwards, that show nothing of themselves.

        They lie on top.
        """
        page = self._axes((0, 0, *self.size))
        page.set(xlim=(0, self.size[0]), ylim=(self.size[1], 0))
        page.set_axis_off()
        page.set_zorder(1)
        return page

    def _move(self, axes: Axes, artist: AnyArtist) -> AnyArtist:
        """Add an artist that moves, over those added before."""
        artist.set_animated(True)
        artist.set_zorder(_MOVING)
        axes.add_artist(artist)
        self._moving.append(artist)
        return artist

    def _settle(self) -> None:
        """Let the artists added so far be drawn again only where `settled` of `_render` changes."""
        self._settled = len(self._moving)

    def _render(self, key: Hashable, settled: Hashable = None) -> bytes:
        """The present state as PNG: the moving artists over the stored static part.

        `settled` is what the artists before `_settle` depend on, beside the key.
        """
        ground = self._background(key)
        if self._settled:
            where, stage = self._stage
            if stage is None or where != (key, settled):
                rows = self._drawn_over(ground, self._moving[: self._settled])
                stage = Background(numbers(self._pixels()).copy(), rows)
                self._stage = (key, settled), stage
            ground = stage
        return png(self._drawn_over(ground, self._moving[self._settled :]))

    def _file(self, key: Hashable, format: str) -> bytes:
        """The present state as a file ("svg" or "png"), everything drawn anew."""
        self._dress_once(key)
        metadata = {"Date": None} if format == "svg" else {"Software": None}
        file = io.BytesIO()
        with own_style():
            self.figure.savefig(file, format=format, dpi=self.figure.dpi, metadata=metadata)
        return file.getvalue()

    # ---- its own affairs -------------------------------------------------------------------------
    def _drawn_over(self, background: Background, artists: list[Artist]) -> Rows:
        np.copyto(numbers(self._pixels()), background.pixels)
        renderer = self._canvas.get_renderer()
        for artist in artists:
            artist.draw(renderer)
        return background.rows_of(self._pixels())

    def _background(self, key: Hashable) -> Background:
        self._dress_once(key)  # a stored background too needs its axis limits
        if key not in self._backgrounds:
            with own_style():
                self._canvas.draw()  # leaves the animated artists out
            self._backgrounds[key] = Background.of(self._pixels())
            if len(self._backgrounds) > _KEPT_BACKGROUNDS:
                self._backgrounds.popitem(last=False)
        self._backgrounds.move_to_end(key)
        return self._backgrounds[key]

    def _pixels(self) -> NDArray[np.uint8]:
        return np.asarray(self._canvas.buffer_rgba())

    def _dress_once(self, key: Hashable) -> None:
        if key != self._dressed:
            with own_style():
                self._dress(key)
            self._dressed = key


@contextmanager
def own_style() -> Iterator[None]:
    """Draw with our settings, whatever a notebook has set in matplotlib's."""
    with style_context(["default", _OWN_STYLE]):
        yield


class Lettering(PathPatch):
    """Short texts in one colour and size, as one artist."""

    def __init__(self, size: float = TEXT_SIZE, colour: str = INK) -> None:
        super().__init__(letters([], size), facecolor=colour, linewidth=0, edgecolor="none")
        self.size = size

    def write(self, labels: list[Label], small: list[Label] | None = None) -> None:
        """Show these labels and no others, those of `small` in the small size."""
        path = letters(labels, self.size)
        self.set_path(join(path, letters(small, SMALL_SIZE)) if small else path)
