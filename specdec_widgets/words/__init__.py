"""The words: every string a reader sees, and how numbers are written, in one language at a time.

English is the language of the source, so its strings are the message ids. Every other language is
one gettext file beside this one (``vi.po``); a further language is one further file and nothing
else. The file is read as it is, with Babel, so there is no compile step. Numbers are written by
Babel's rules for the language.
"""

import gettext
import io
from collections.abc import Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from importlib import resources
from numbers import Rational
from typing import Any

import numpy as np
from babel import Locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal, format_percent, format_scientific

from specdec_widgets.maths.errors import Refused, TypeRefused, ValueRefused, shown
from specdec_widgets.maths.numbers import plain
from specdec_widgets.maths.reports.report import Finding

SOURCE_LANGUAGE = "en"
NOTHING = "–"  # in the place of a number that there is not
_ENDLESS = "∞"
_MOST_DIGITS = 40  # as many as may be typed; what takes more is written as a power of ten
_PRECISION = 1000  # digits; more than any exact number has
_LONGEST = Decimal("1e15")  # a readout that is longer is written so too
_NEGLIGIBLE = Decimal("1e-9")  # what is smaller may be the rounding of floats
Number = float | Fraction | Decimal


class Words:
    r"""The strings and the number formats of one language.

    Args:
        language: a code from `languages`, such as "vi" or "en".

    Raises:
        ValueRefused: when there are no words in that language.
        TypeRefused: when it is no text.

    Example:
        >>> words = Words("vi")
        >>> words.number(1.4, 2), words.percent(0.9), words.exact(Fraction(1, 3))
        ('1,40', '90,0\xa0%', '1/3')
    """

    def __init__(self, language: str) -> None:
        """Read the catalogue of `language`."""
        self.language = language = _known(language)
        self.locale = Locale.parse(language)
        self._translations = _translations(language)
        self._percent = self.gettext("#,##0.0%")

    def gettext(self, message: str) -> str:
        """The message in this language."""
        return self._translations.gettext(message)

    def ngettext(self, singular: str, plural: str, count: int) -> str:
        """The message in this language, in the form that goes with `count`."""
        return self._translations.ngettext(singular, plural, count)

    @lru_cache(maxsize=8192)  # noqa: B019 - the few Words live as long as the kernel
    def number(self, value: Number, digits: int = 0, unit: str = "") -> str:
        """The value with exactly `digits` decimals: 1,40 in Vietnamese, 1.40 in English.

        The unit follows it. NaN is a dash, a zero has no sign. A value of which these would leave
        nothing but zeros is written with two digits that count, and one that would be too long as
        a power of ten.
        """
        decimals = "." + "0" * digits if digits else ""
        number = _decimal(value)
        if number.is_nan():
            return NOTHING
        if number.is_finite() and abs(number) >= _LONGEST:
            return self.scientific(number, "0" + decimals) + unit
        if digits and _NEGLIGIBLE < abs(number) < 1 and not round(number, digits):
            return self.exact(Decimal(f"{number:.1e}")) + unit
        number = _without_sign_if_zero(number, digits)
        return format_decimal(number, format="#,##0" + decimals, locale=self.locale) + unit

    @lru_cache(maxsize=1024)  # noqa: B019
    def percent(self, value: Number) -> str:
        """A share of 1 as a percentage with one decimal: 0.9 is 90,0 % in Vietnamese."""
        number = _decimal(value)
        if number.is_nan():
            return NOTHING
        number = _without_sign_if_zero(number, 3)
        return format_percent(number, format=self._percent, locale=self.locale)

    @property
    def percent_sign(self) -> str:
        """What stands after the number of a percentage: the sign, in Vietnamese after a space."""
        return self._percent.lstrip("#,0.")

    @lru_cache(maxsize=1024, typed=True)  # noqa: B019 - typed: 0.1 is not Fraction(0.1)
    def exact(self, value: Number, digits: int = 0) -> str:
        """The value with all its decimals, at least `digits`; a fraction where they never end."""
        if isinstance(value, Rational):
            text = plain(Fraction(value))
            if "/" in text:
                return text
            value = Decimal(text)
        number = _decimal(value)
        if number.is_nan():
            return NOTHING
        if not number.is_finite():
            return _ENDLESS if number > 0 else f"-{_ENDLESS}"
        if number and abs(number.adjusted()) > _MOST_DIGITS:
            return self.scientific(number, "0.####")
        number = number or Decimal(0)  # without a sign
        pattern = "0." + "0" * digits + "#"
        with localcontext(prec=_PRECISION):  # else Babel rounds to 28 digits
            return format_decimal(
                number, format=pattern, locale=self.locale, decimal_quantization=False
            )

    def scientific(self, value: Number, digits: str = "0.#") -> str:
        """The value as a power of ten, its digits in a pattern of Babel's: 1,2E7."""
        return format_scientific(_decimal(value), format=digits + "E0", locale=self.locale)

    def explain(self, said: Refused | Finding) -> str:
        """The sentence of a refusal or a finding in this language, numbers and argument included.

        Example:
            >>> from specdec_widgets.maths import Caveat
            >>> found = Caveat("Every draft is taken to be of length {gamma}.", gamma=5)
            >>> Words("en").explain(found)
            'Every draft is taken to be of length 5.'
        """
        fields = {key: self._field(key, value) for key, value in said.fields.items()}
        return self.gettext(said.template).format(**fields)

    def argument(self, name: str) -> str:
        """What the panels call the argument `name` of the models; p[2] is p of token 3.

        Example:
            >>> [Words("en").argument(name) for name in ("p[2]", "gammas[0]", "rounds[1]")]
            ['p of token 3', 'entry 1 of gammas', 'entry 2 of the histogram of rounds']
        """
        _ = self.gettext
        of, bracket, index = name.removesuffix("]").rpartition("[")
        names = self._arguments()
        if not bracket or not index.isdecimal():
            return names.get(name, name)
        if of in ("joint_acceptance", "rates"):
            template = _("the rate of position {number}")
        elif of == "tokens":
            template = _("the name of token {number}")
        elif of in ("p", "q"):
            template = _("{name} of token {number}")
        else:
            template = _("entry {number} of {name}")
        return template.format(name=names.get(of, of), number=int(index) + 1)

    def language_name(self, language: str) -> str:
        """The name of a language in that language itself: Tiếng Việt, English."""
        name = Locale.parse(language).get_display_name()
        return name[0].upper() + name[1:] if name else language

    def _field(self, key: str, value: Any) -> str:
        if key in ("argument", "other"):
            return self.argument(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return self.number(value)
        if isinstance(value, float | Fraction | Decimal):
            return self.exact(value)
        return str(value)

    def _arguments(self) -> Mapping[str, str]:
        _ = self.gettext
        return {
            "alpha": _("alpha"),
            "gamma": _("gamma"),
            "draft_cost": _("draft cost"),
            "verify_cost": _("verify cost"),
            "max_gamma": _("the end of the scan"),
            "flags": _("the acceptance string"),
            "p": "p",
            "q": "q",
            "tokens": _("the token names"),
            "temperature": _("the sampling temperature"),
            "guess": _("your guess"),
            "answer": _("your answer"),
            "text": _("the report"),
            "joint_acceptance": _("the list of rates"),
            "rates": _("the list of rates"),
            "number of rates": _("the number of rates"),
            "rounds": _("the histogram of rounds"),
            "seed": _("the seed"),
            "draws": _("the number of draws"),
            "redraw": _("what to redraw from"),
            "step": _("the number of flags read"),
            "start": _("the first rate"),
            "decay": _("the decay"),
            "billions": _("the number of parameters, in billions,"),
            "weight_bytes": _("the bytes a weight"),
            "bandwidth": _("the bandwidth in GB/s"),
            "peak": _("the peak in TFLOP/s"),
            "positions": _("the number of positions"),
            "batch": _("the number of requests in a batch"),
            "context": _("the context in tokens"),
            "request_tokens": _("the number of tokens a request holds"),
            "hardware": _("hardware"),
            "target": _("target model"),
            "draft": _("draft model"),
        }


def languages() -> tuple[str, ...]:
    """The codes of all languages there are words in, Vietnamese first.

    Example:
        >>> languages()[:2]
        ('vi', 'en')
    """
    return _languages()


@lru_cache(maxsize=1)
def _languages() -> tuple[str, ...]:
    files = (entry.name for entry in resources.files(__name__).iterdir())
    found = {name.removesuffix(".po") for name in files if name.endswith(".po")}
    return ("vi", SOURCE_LANGUAGE, *sorted(found - {"vi", SOURCE_LANGUAGE}))


def _known(language: object) -> str:
    if not isinstance(language, str):
        raise TypeRefused(
            "{argument} must be text, not {value}.", argument="language", value=shown(language)
        )
    if language not in languages():
        raise ValueRefused(
            "There are no words in the language {value}; choose one of: {allowed}.",
            value=shown(language),
            allowed=", ".join(languages()),
        )
    return language


@lru_cache(maxsize=16)
def _words(language: str) -> Words:
    return Words(language)


class _Default:
    """The language of panels that are not told one."""

    language = "vi"


def get_words(language: str | None = None) -> Words:
    """The words of `language`, or of the language chosen by `set_language`.

    Raises:
        ValueRefused: when there are no words in that language.
        TypeRefused: when it is no text.

    Example:
        >>> get_words("en").number(1.4, 2)
        '1.40'
    """
    return _words(_Default.language if language is None else _known(language))


def set_language(language: str) -> None:
    """Choose the language ("vi" or "en") of the panels made from here on.

    A panel on the page keeps its own choice: its language list, or its trait ``language``, switches
    it.

    Raises:
        ValueRefused: when there are no words in that language.
        TypeRefused: when it is no text.

    Example:
        >>> set_language("en")
        >>> get_words().language
        'en'
        >>> set_language("vi")
    """
    _Default.language = _words(_known(language)).language


def _translations(language: str) -> gettext.NullTranslations:
    if language == SOURCE_LANGUAGE:
        return gettext.NullTranslations()
    with resources.files(__name__).joinpath(f"{language}.po").open("rb") as file:
        catalog = read_po(file, locale=language)
    compiled = io.BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def _without_sign_if_zero(number: Decimal, digits: int) -> Decimal:
    """The number, or 0 where so many decimals leave nothing else of it."""
    return Decimal(0) if abs(number) < 1 and not round(number, digits) else number


def _decimal(value: Number) -> Decimal:
    """The decimal a number prints as (Babel rounds decimals, half to even)."""
    if isinstance(value, Decimal):
        return value
    if isinstance(value, Rational):
        return Decimal(int(value.numerator)) / Decimal(int(value.denominator))
    return Decimal(repr(float(value) if isinstance(value, np.generic) else value))
