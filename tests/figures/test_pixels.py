"""The PNG: the right pixels, and the same ones whatever the background."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_hex
from PIL import Image

from specdec_widgets.figures import pixels
from specdec_widgets.figures.pixels import Background, png
from tests.figures import drawn

PURE = ["#ffffff", pixels.TARGET, pixels.DRAFT, pixels.ACCEPTED, pixels.REJECTED, pixels.BONUS]
PURE += [pixels.INK, pixels.GREY, pixels.FAINT]


def plain(colour, height=3, width=5):
    channels = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    return np.full((height, width, 4), [*channels, 255], np.uint8)


@pytest.mark.parametrize("colour", PURE)
def test_the_colours_of_the_figures_stay_what_they_are(colour):
    shown = drawn.pixels(png(Background.of(plain("#ffffff")).rows_of(plain(colour))))
    assert shown.shape == (3, 5, 3)
    assert {to_hex(pixel / 255) for pixel in shown.reshape(-1, 3)} == {colour.lower()}


def test_mixtures_with_white_come_out_close():
    for share in np.linspace(0, 1, 50):
        for colour in PURE:
            mixed = np.rint(plain(colour) * share + 255 * (1 - share)).astype(np.uint8)
            shown = drawn.pixels(png(Background.of(mixed).rows_of(mixed)))
            assert np.abs(shown - mixed[..., :3]).max() <= 14


@given(st.data())
def test_the_background_does_not_change_the_image(data):
    height, width = data.draw(st.tuples(st.integers(1, 5), st.integers(1, 5)))
    count = height * width * 4
    images = [
        np.frombuffer(data.draw(st.binary(min_size=count, max_size=count)), np.uint8)
        for _image in range(2)
    ]
    one, other = (image.reshape(height, width, 4).copy() for image in images)
    assert np.array_equal(Background.of(one).rows_of(other), Background.of(other).rows)


def test_the_file_is_a_sound_png_with_a_palette():
    image = Image.open(io.BytesIO(png(Background.of(plain(pixels.TARGET)).rows)))
    image.verify()
    assert (image.mode, image.size) == ("P", (5, 3))
    assert "transparency" not in image.info
