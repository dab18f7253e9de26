"""Answers to exercises, folded away until the reader asks for them, with a kernel or without."""

from html import escape

import pandas as pd

from specdec_widgets.words import get_words


class Answers:
    """What a cell has worked out for the exercises, to be shown folded.

    Args:
        found: the answers, a DataFrame or anything else that has words.
        language: "vi" or "en"; by default the one chosen by `set_language`.

    Raises:
        ValueRefused: when there are no words in that language.

    Example:
        >>> Answers(1.875, language="en")
        Answers: 1.875
    """

    def __init__(self, found: object, language: str | None = None) -> None:
        """Keep the answers and the language."""
        self.found = found
        self.words = get_words(language)

    def __repr__(self) -> str:
        """The answers in words."""
        below = "\n" if isinstance(self.found, pd.DataFrame) else " "
        return self.words.gettext("Answers:") + below + str(self.found)

    def _repr_html_(self) -> str:
        found = self.found
        shown = (
            found.to_html() if isinstance(found, pd.DataFrame) else f"<p>{escape(str(found))}</p>"
        )
        head = escape(self.words.gettext("Show the answers the cell has worked out"))
        return f"<details><summary>{head}</summary>{shown}</details>"
