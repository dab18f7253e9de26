"""Refusals: errors that can be said in another language, and how a value is shown in one.

A refusal keeps its English template and its fields apart, so that a panel can translate the
template and write the numbers its own way. `str(error)` is the English sentence.
"""

import math
import reprlib
from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from fractions import Fraction

import numpy as np

LONGEST_SHOWN = 40  # characters of a value inside a sentence
_MANY_BITS = 256  # more than any number that is short enough to be shown

_repr = reprlib.Repr()  # survives a broken __repr__ and never writes out a long value
_repr.maxstring = _repr.maxother = LONGEST_SHOWN


class Refused(Exception):  # noqa: N818 - reads as a sentence: except Refused
    """A value that a model does not take, with the sentence that says why.

    `template` is one complete English sentence with named places, `fields` what goes into them:
    finite numbers stay numbers, everything else is text that is ready to show.

    >>> error = ValueRefused("{argument} must sum to 1, not {value}.", argument="p",
    ...                      value=Fraction(11, 10))
    >>> str(error)
    'p must sum to 1, not 1.1.'
    >>> error.fields["value"]
    Fraction(11, 10)
    """

    def __init__(self, template: str, /, **fields: object) -> None:
        super().__init__(template)
        self.template = template
        self.fields = fields

    def __str__(self) -> str:
        """The English sentence."""
        said = {name: plain(v) if isinstance(v, Fraction) else v for name, v in self.fields.items()}
        return self.template.format(**said)


class ValueRefused(Refused, ValueError):  # noqa: N818
    """The type is right and the value is not.

    >>> isinstance(ValueRefused("{argument} must be above 0.", argument="gamma"), ValueError)
    True
    """


class TypeRefused(Refused, TypeError):  # noqa: N818
    """The value is of a type that the argument does not take.

    >>> isinstance(TypeRefused("{argument} must be a number.", argument="alpha"), TypeError)
    True
    """


def plain(number: Fraction) -> str:
    """The number as a decimal where its decimals end, else as numerator/denominator.

    >>> plain(Fraction(11, 10)), plain(Fraction(1, 3)), plain(Fraction(-5))
    ('1.1', '1/3', '-5')
    """
    rest, places = number.denominator, 0
    twos = (rest & -rest).bit_length() - 1
    rest >>= twos
    while rest % 5 == 0:
        rest, places = rest // 5, places + 1
    places = max(places, twos)
    if rest != 1 or places == 0:
        return str(number)
    digits = str(abs(number.numerator) * 10**places // number.denominator).zfill(places + 1)
    return f"{'-' if number < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def shown(value: object) -> object:
    """The value as a field of a refusal: a short finite number as itself, all else as short text.

    >>> shown(7), shown(Fraction(1, 3)), shown(float("nan")), shown("seven")
    (7, Fraction(1, 3), 'nan', "'seven'")
    >>> shown(10**5000)
    '1e+5000'
    """
    if isinstance(value, np.integer) and not isinstance(value, np.timedelta64):
        value = int(value)
    if isinstance(value, Decimal) and value.is_finite() and abs(value.adjusted()) < LONGEST_SHOWN:
        value = Fraction(value)
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return value if _is_short(value) else _approximately(value)
    if isinstance(value, float | np.floating):
        text = float.__repr__(value) if isinstance(value, float) else str(value)
        # An exponent would become hundreds of digits where numbers are localised.
        return float(value) if math.isfinite(value) and "e" not in text else text
    if isinstance(value, str):
        value = str.__str__(value)
    try:
        text = str(value) if isinstance(value, Decimal) else _repr.repr(value)
    except ValueError:  # a whole number of more than 4300 digits somewhere inside
        text = f"<{type(value).__name__}>"
    return _cut(" ".join(text.split()))


def _cut(text: str) -> str:
    half = LONGEST_SHOWN // 2
    return text if len(text) <= LONGEST_SHOWN + 2 else f"{text[:half]}...{text[-half:]}"


def _is_short(value: int | Fraction) -> bool:
    bits = max(value.numerator.bit_length(), value.denominator.bit_length())
    return bits < _MANY_BITS and len(plain(Fraction(value))) <= LONGEST_SHOWN


def _approximately(value: int | Fraction) -> str:
    """A number that is too long to write out: its first digits, and "…" where more follow."""
    above, below = abs(value.numerator), value.denominator
    # math.log10 takes whole numbers of any length, where str() stops at 4300 digits.
    power = math.floor(math.log10(above) - math.log10(below) + 1e-9)
    places = (4 if abs(power) >= LONGEST_SHOWN else LONGEST_SHOWN - 5) - 1 - power
    first, rest = divmod(above * 10 ** max(0, places), below * 10 ** max(0, -places))
    with localcontext(prec=LONGEST_SHOWN, Emax=MAX_EMAX, Emin=MIN_EMIN):
        number = Decimal(first).scaleb(-places)
        digits, e, exponent = str(number if rest else number.normalize()).partition("E")
    return f"{'-' if value < 0 else ''}{digits}{'…' if rest else ''}{e.lower()}{exponent}"
