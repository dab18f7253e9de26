"""What the figures share: the image in HTML, the kept background, and no pyplot."""

import base64
import subprocess
import sys
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from specdec_widgets.figures import CostFigure, image
from specdec_widgets.maths import CostModel
from specdec_widgets.words import Words, get_words

EN, VI = get_words("en"), get_words("vi")


@given(st.binary(max_size=40), st.text(st.characters(exclude_categories=["C"])))
def test_an_image_carries_its_bytes_and_its_words(png, alt):
    seen = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: seen.append((tag, dict(attrs)))
    parser.feed(image(png, alt, (620, 500)))
    ((tag, attributes),) = seen
    assert tag == "img" and attributes["alt"] == alt
    assert (attributes["width"], attributes["height"]) == ("620", "500")
    head, data = attributes["src"].split(",")
    assert head == "data:image/png;base64" and base64.b64decode(data) == png


def test_a_change_of_parameters_keeps_the_background(monkeypatch):
    figure = CostFigure()
    figure.draw(CostModel(), EN)
    monkeypatch.setattr(figure._canvas, "draw", lambda: 1 / 0)  # what draws everything anew
    figure.draw(CostModel(alpha=1, gamma=32, draft_cost=0, verify_cost=0.05), EN)


def test_few_backgrounds_are_kept():
    figure = CostFigure()
    for words in (EN, VI, Words("en"), Words("vi")):
        figure.draw(CostModel(), words)
    assert len(figure._backgrounds) <= 2


def test_pyplot_is_never_imported():
    code = (
        "import sys; from specdec_widgets.figures import *; from specdec_widgets.maths import *;"
        "from specdec_widgets.words import Words, get_words;"
        "figure = CostFigure(); figure.draw(CostModel(), get_words('en'));"
        "figure.save(CostModel(), get_words('en'), 'svg');"
        "sys.exit('matplotlib.pyplot' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
