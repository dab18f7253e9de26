"""Every public name says what it is and what it refuses, and shows it by examples for doctest."""

import doctest
import inspect
import re
from functools import cached_property
from types import FunctionType

import pytest

import specdec_widgets
from specdec_widgets import figures, maths
from specdec_widgets.maths import Refused

NAMES = {
    f"{module.__name__}.{name}": getattr(module, name)
    for module in (specdec_widgets, maths, figures)
    for name in module.__all__
}
PARTS = (FunctionType, property, cached_property, classmethod, staticmethod)


def examples(thing):
    """The code of all examples in a docstring."""
    return "".join(found.source for found in doctest.DocTestParser().get_examples(thing or ""))


def members(kind):
    return {name: part for name, part in vars(kind).items() if isinstance(part, PARTS)}


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_has_an_example(name: str) -> None:
    thing = NAMES[name]
    if not callable(thing) or thing is figures.PanelFigure:
        return  # a table or a constant, or what only its subclasses can show
    parts = [thing, *members(thing).values()] if inspect.isclass(thing) else [thing]
    assert any(examples(part.__doc__) for part in parts)


@pytest.mark.parametrize("name", [name for name in NAMES if ".maths." in name])
def test_an_example_shows_every_method_and_property(name: str) -> None:
    thing = NAMES[name]
    parts = members(thing) if inspect.isclass(thing) else {}
    shown = examples(thing.__doc__) + "".join(examples(part.__doc__) for part in parts.values())
    hidden = [
        part
        for part in parts
        if not part.startswith("_") and not re.search(rf"\.{part}\b|\"{part}\"", shown)
    ]
    assert not hidden


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_that_refuses_nonsense_says_so(name: str) -> None:
    thing = NAMES[name]
    if not callable(thing):
        return
    named = [
        p.name for p in inspect.signature(thing).parameters.values() if p.kind != p.VAR_KEYWORD
    ]
    try:
        thing(**{name: object() for name in named})
    except Refused:
        kinds = [kind for kind in getattr(thing, "__mro__", [thing]) if kind.__doc__]
        assert any("Raises" in kind.__doc__ for kind in kinds)  # a panel as every `Panel` does
    except (AttributeError, TypeError):
        pass  # what only takes results of our own refuses nothing
