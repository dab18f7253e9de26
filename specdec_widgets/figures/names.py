"""Token names, which anyone may have typed: made safe to show, and short enough to draw.

They are never read as markup or as mathematics, neither here nor by those who draw or print them.
"""

import unicodedata
from functools import lru_cache

from matplotlib.font_manager import findfont, get_font

from specdec_widgets.figures.marks import FONT_PROPERTIES, text_width

UNSEEN = "□"  # stands for a character that cannot be shown
_JOINERS = "\u200c\u200d"  # Persian and Indian spelling needs them, and so do emoji


def harmless(name: str) -> str:
    r"""The name on one line, without control characters and what no encoding has.

    Joiners stay, and so do characters that are newer than Python's tables.

    >>> harmless("two\nlines\x07"), harmless("mưa"), harmless("<b>")
    ('two lines□', 'mưa', '<b>')
    """
    return "".join(_shown(character) for character in unicodedata.normalize("NFC", name))


def drawable(name: str, width: float, size: float) -> str:
    """The name in characters that the font has, cut to `width` CSS pixels at `size`.

    >>> drawable("雨 mưa", 100, 11), drawable("antidisestablishmentarianism", 60, 11)
    ('□ mưa', 'antidise…')
    """
    name = "".join(c for c in harmless(name) if c not in _JOINERS)  # here they have no effect
    name = "".join(c if ord(c) in _in_font() else UNSEEN for c in _flat(name))
    if text_width(name, size) <= width:
        return name
    while name and text_width(f"{name}…", size) > width:
        name = name[:-1]
    return f"{name.rstrip()}…"


def _flat(name: str) -> str:
    """The name with no more than one loose accent on a letter: piles of them leave the line."""
    loose = [unicodedata.combining(character) > 0 for character in name]
    piled = [both == (True, True) for both in zip([True, *loose], loose, strict=False)]
    return "".join(c for c, dropped in zip(name, piled, strict=True) if not dropped)


def _shown(character: str) -> str:
    if character.isspace():
        return " "
    if character in _JOINERS or unicodedata.category(character) == "Cn":
        return character
    return UNSEEN if unicodedata.category(character).startswith("C") else character


@lru_cache(maxsize=1)
def _in_font() -> frozenset[int]:
    return frozenset(get_font(findfont(FONT_PROPERTIES)).get_charmap())
