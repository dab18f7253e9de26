"""Answers are folded on the page, and in words where there is none."""

from html.parser import HTMLParser

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec_widgets import Answers, ValueRefused


@pytest.mark.parametrize(("language", "head"), [("vi", "Xem đáp án"), ("en", "Show the answers")])
def test_answers_are_folded(language, head):
    shown = Answers(pd.DataFrame({"E": [1.875]}), language)._repr_html_()
    assert shown.startswith(f"<details><summary>{head}") and shown.endswith("</table></details>")
    assert "1.875" in shown


def test_what_is_no_table_is_text():
    assert "&lt;b&gt;" in Answers("<b>", "en")._repr_html_()
    assert repr(Answers(pd.DataFrame({"E": [2]}), "en")) == "Answers:\n   E\n0  2"


@given(st.text(st.characters(exclude_categories=["C"])) | st.text("<b>&lt;/ "))
def test_whatever_was_found_is_shown_as_it_is(found):
    said, parser = [], HTMLParser()
    parser.handle_data = said.append
    parser.feed(Answers(found, "en")._repr_html_())
    parser.close()
    assert "".join(said) == f"Show the answers the cell has worked out{found}"
    assert repr(Answers(found, "en")) == f"Answers: {found}"


def test_an_unknown_language_is_refused():
    with pytest.raises(ValueRefused):
        Answers(1, "xx")
