"""What the tests of the figures share."""

import io
import re

import numpy as np
from PIL import Image

from specdec_widgets.figures.pixels import Background, png


def pixels(png):
    """The colours of a PNG, shape (height, width, 3)."""
    return np.array(Image.open(io.BytesIO(png)).convert("RGB")).astype(int)


def numbers(said):
    """The numbers of an English sentence, in order."""
    return [float(n.replace(",", "")) for n in re.findall(r"\d[\d,]*(?:\.\d+)?", said)]


def in_palette(file):
    """The image of a file drawn anew, as the fast path would have encoded it."""
    rgba = np.array(Image.open(io.BytesIO(file)).convert("RGBA"))
    return png(Background.of(np.full_like(rgba, 255)).rows_of(rgba))
