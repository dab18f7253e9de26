"""Answers are folded on the page, and in words where there is none."""

import pandas as pd
import pytest

from specdec_widgets import Answers, ValueRefused


@pytest.mark.parametrize(("language", "head"), [("vi", "Xem đáp án"), ("en", "Show the answers")])
def test_answers_are_folded(language, head):
    shown = Answers(pd.DataFrame({"E": [1.875]}), language)._repr_html_()
    assert shown.startswith(f"<details><summary>{head}") and shown.endswith("</table></details>")
    assert "1.875" in shown


def test_what_is_no_table_is_text():
    assert "&lt;b&gt;" in Answers("<b>", "en")._repr_html_()
    assert repr(Answers(pd.DataFrame({"E": [2]}), "en")) == "Answers:\n   E\n0  2"


def test_an_unknown_language_is_refused():
    with pytest.raises(ValueRefused):
        Answers(1, "xx")
