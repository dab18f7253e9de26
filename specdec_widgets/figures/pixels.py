"""From drawn pixels to a PNG, quickly.

One byte a pixel is compressed in a quarter of the time of four, so the image has a palette: the
colours of the figures and the mixtures that smooth their edges. Only the pixels that differ from a
background are looked up in it.
"""

import io
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from matplotlib.colors import to_rgb
from numpy.typing import NDArray
from PIL import Image

# Okabe and Ito's colours, told apart with every kind of colour vision.
TARGET, DRAFT = "#0072B2", "#E69F00"
ACCEPTED, REJECTED, BONUS = "#009E73", "#D55E00", "#CC79A7"
INK, GREY, FAINT = "#222222", "#767676", "#DDDDDD"

Colours = NDArray[np.uint8]  # shape (n, 3)
Pixels = NDArray[np.uint32]  # row after row, a number for the four bytes of a pixel
Rows = NDArray[np.uint8]  # shape (height, width): palette colours


class Background(NamedTuple):
    """The pixels that a drawing starts from, and their palette colours."""

    pixels: Pixels
    rows: Rows

    @classmethod
    def of(cls, rgba: NDArray[np.uint8]) -> "Background":
        """The background that an image of shape (height, width, 4) is."""
        pixels = numbers(rgba).copy()
        return cls(pixels, _palette().nearest[_cell(pixels)].reshape(rgba.shape[:2]))

    def rows_of(self, rgba: NDArray[np.uint8]) -> Rows:
        """The palette colours of another image, the faster the less of it differs."""
        pixels = numbers(rgba)
        changed = np.flatnonzero(pixels != self.pixels)
        rows = self.rows.copy()
        rows.ravel()[changed] = _palette().nearest[_cell(pixels[changed])]
        return rows


def png(rows: Rows) -> bytes:
    """The image as PNG."""
    height, width = rows.shape
    image = Image.frombuffer("P", (width, height), rows, "raw", "P", 0, 1)
    image.putpalette(_palette().colours)
    file = io.BytesIO()
    image.save(file, "png", compress_level=1)
    return file.getvalue()


def numbers(rgba: NDArray[np.uint8]) -> Pixels:
    """One number for the four bytes of each pixel, without a copy."""
    return rgba.view(np.uint32).ravel()


class _Palette(NamedTuple):
    colours: bytes  # red, green, blue of at most 256 colours
    nearest: NDArray[np.uint8]  # the colour for each cell of 5 bits a channel


def _cell(pixels: Pixels) -> Pixels:
    red, green, blue = pixels & 0xF8, pixels & 0xF800, pixels & 0xF80000
    return np.asarray(red << 7 | green >> 6 | blue >> 19, np.uint32)


@lru_cache(maxsize=1)
def _palette() -> _Palette:
    white, ink = np.ones(3), np.array(to_rgb(INK))
    hues = [np.array(to_rgb(hue)) for hue in (TARGET, DRAFT, ACCEPTED, REJECTED, BONUS)]
    pure = _bytes(np.array([white, ink, *hues, to_rgb(GREY), to_rgb(FAINT)]))
    mixtures = [_mixtures(white, np.zeros(3), 40)]
    mixtures += [_mixtures(white, hue, 17) for hue in hues]
    mixtures += [_mixtures(ink, hue, 8) for hue in hues]
    mixtures += [_mixtures(one, other, 6) for one, other in combinations(hues, 2)]
    colours = np.concatenate([pure, _bytes(np.concatenate(mixtures))])
    holder = Image.new("P", (1, 1))
    holder.putpalette(colours.tobytes())
    cells = np.arange(1 << 15)
    middles = np.stack([cells >> 10, cells >> 5 & 31, cells & 31], axis=-1) << 3 | 4
    picture = Image.fromarray(middles.astype(np.uint8)[np.newaxis])
    nearest = np.array(picture.quantize(palette=holder, dither=Image.Dither.NONE)).ravel()
    return _Palette(colours.tobytes(), nearest)


def _bytes(colours: NDArray[np.float64]) -> Colours:
    return np.rint(colours * 255).astype(np.uint8)


def _mixtures(
    start: NDArray[np.float64], end: NDArray[np.float64], count: int
) -> NDArray[np.float64]:
    share = np.linspace(0, 1, count)[:, np.newaxis]
    return start * (1 - share) + end * share
