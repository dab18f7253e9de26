"""Reading numbers: typed text or any number as an exact fraction, and the checks models share.

A float is read as the decimal it prints as, so that 0.1 means one tenth, as it does to a reader.
"""

import math
import re
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import TypeGuard

import numpy as np

from specdec_widgets.maths.errors import TypeRefused, ValueRefused, plain, shown

__all__ = ["entries_of", "exact", "integer", "one_of", "plain", "real"]

# Nothing typed may grow: no exponent, and no longer than this. 1e400000000 would fill the memory.
LONGEST_TEXT = 40  # characters
_LARGEST_EXPONENT = 400  # of a Decimal, 10**-400..10**400: wider than any float
_Number = int | float | Fraction | Decimal | np.integer | np.floating
_TYPED = re.compile(r"[+-]?(?:[0-9]+/[0-9]+|[0-9]+[.,]?[0-9]*|[.,][0-9]+)")


def exact(value: object, argument: str) -> Fraction:
    """The value as an exact fraction.

    Takes int, Fraction, Decimal, float and numpy's numbers (a float as the decimal it prints as),
    and text of at most 40 characters: "0.8", "0,8", ".5", "1/3", with spaces around it or none.
    `argument` names the value in the sentence of a refusal.

    Raises TypeRefused for any other type, bool included; ValueRefused for NaN, infinity and
    text that is not such a number.

    >>> exact("0,8", "alpha"), exact(0.1, "alpha"), exact(" 1/3 ", "alpha")
    (Fraction(4, 5), Fraction(1, 10), Fraction(1, 3))
    >>> exact("seven", "alpha")
    Traceback (most recent call last):
    specdec_widgets.maths.errors.ValueRefused: alpha must be a number such as 0.8, 0,8 or 1/3, \
of at most 40 characters, not 'seven'.
    """
    if isinstance(value, Fraction):
        return value
    if isinstance(value, str):
        return _typed(value, argument)
    if not _is_number(value):
        raise TypeRefused("{argument} must be a number, not {value}.", **_fields(argument, value))
    if isinstance(value, int | np.integer):
        return Fraction(int(value))
    # A Decimal is asked itself: math.isfinite takes its 1e400 for infinite, and fails on sNaN.
    finite = value.is_finite() if isinstance(value, Decimal) else math.isfinite(value)
    if not finite:
        raise ValueRefused(
            "{argument} must be a finite number, not {value}.", **_fields(argument, value)
        )
    if isinstance(value, Decimal):
        if abs(value.adjusted()) > _LARGEST_EXPONENT:
            raise _not_readable(value, argument)
        return Fraction(value)
    return Fraction(float.__repr__(value) if isinstance(value, float) else str(value))


def real(value: object, argument: str, low: float | Fraction, high: float) -> float:
    """The number as a float, checked to lie between `low` and `high`, both included.

    Text is refused: a model takes numbers. Raises TypeRefused where it is no number, ValueRefused
    where it is out of range.

    >>> real(Fraction(4, 5), "alpha", 0, 1)
    0.8
    >>> real(7, "alpha", 0, 1)
    Traceback (most recent call last):
    specdec_widgets.maths.errors.ValueRefused: alpha must lie between 0 and 1, not 7.
    """
    if isinstance(value, str):
        raise TypeRefused("{argument} must be a number, not {value}.", **_fields(argument, value))
    if type(value) is float and math.isfinite(value):
        number: float | Fraction = value  # the usual case, on the path of every slider
    else:
        number = exact(value, argument)
    if not low <= number <= high:
        raise ValueRefused(
            "{argument} must lie between {low} and {high}, not {value}.",
            low=low,
            high=high,
            **_fields(argument, value),
        )
    return float(number) + 0.0  # -0.0 becomes 0.0


def integer(value: object, argument: str, low: int, high: int) -> int:
    """The whole number as an int, checked to lie between `low` and `high`, both included.

    Takes int and numpy's integers. Raises TypeRefused for any other type, bool and 4.0 included,
    and ValueRefused where the number is out of range.

    >>> integer(4, "gamma", 0, 32)
    4
    """
    if not isinstance(value, int | np.integer) or not _is_number(value):
        raise TypeRefused(
            "{argument} must be a whole number, not {value}.", **_fields(argument, value)
        )
    if not low <= value <= high:
        raise ValueRefused(
            "{argument} must lie between {low} and {high}, not {value}.",
            low=low,
            high=high,
            **_fields(argument, value),
        )
    return int(value)


def entries_of(
    values: object, argument: str, least: int = 1, most: int | None = None
) -> tuple[object, ...]:
    """The items of an iterable that is no text, `least` to `most` of them.

    `argument` names it in a refusal. Raises TypeRefused for another type, ValueRefused for another
    number of items.

    >>> entries_of([1, 2], "p")
    (1, 2)
    """
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise TypeRefused(
            "{argument} must be a sequence such as a list, not {value}.",
            **_fields(argument, values),
        )
    entries = tuple(values)
    if most is not None and not least <= len(entries) <= most:
        raise ValueRefused(
            "{argument} must have between {low} and {high} entries, not {value}.",
            low=least,
            high=most,
            **_fields(argument, len(entries)),
        )
    if least and not entries:
        raise ValueRefused(
            "{argument} must have at least one entry, not {value}.", **_fields(argument, 0)
        )
    return entries


def one_of(value: object, argument: str, allowed: Iterable[str]) -> str:
    """The value, checked to be one of the names allowed; `argument` names it in a refusal.

    Raises ValueRefused where it is not.

    >>> one_of("b", "letter", ("a", "b"))
    'b'
    """
    names = tuple(allowed)
    if not isinstance(value, str) or value not in names:
        raise ValueRefused(
            "{argument} must be one of {allowed}, not {value}.",
            allowed=", ".join(names),
            **_fields(argument, value),
        )
    return value


def _typed(text: str, argument: str) -> Fraction:
    typed = text.strip()
    if len(typed) > LONGEST_TEXT or not _TYPED.fullmatch(typed):
        raise _not_readable(text, argument)
    numerator, _, denominator = typed.partition("/")
    if not denominator:
        return Fraction(Decimal(typed.replace(",", ".")))
    if int(denominator) == 0:
        raise _not_readable(text, argument)
    return Fraction(int(numerator), int(denominator))


def _not_readable(value: object, argument: str) -> ValueRefused:
    return ValueRefused(
        "{argument} must be a number such as 0.8, 0,8 or 1/3, of at most {limit} characters, "
        "not {value}.",
        limit=LONGEST_TEXT,
        **_fields(argument, value),
    )


def _is_number(value: object) -> TypeGuard[_Number]:
    # numpy counts its durations among the integers; Python its truth values.
    return isinstance(value, _Number) and not isinstance(value, bool | np.timedelta64)


def _fields(argument: str, value: object) -> dict[str, object]:
    return {"argument": argument, "value": shown(value)}
