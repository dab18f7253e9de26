"""Every public name says what it is, and shows it by an example, which doctest runs."""

import inspect
from types import FunctionType

import pytest

import specdec_widgets
from specdec_widgets import maths

NAMES = {
    f"{module.__name__}.{name}": getattr(module, name)
    for module in (specdec_widgets, maths)
    for name in module.__all__
}


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_has_an_example(name: str) -> None:
    thing = NAMES[name]
    if not (inspect.isclass(thing) or inspect.isfunction(thing)):
        return  # a table or a constant
    parts = [thing]
    if inspect.isclass(thing):  # its own methods and properties may show it as well
        kinds = (FunctionType, property, classmethod, staticmethod)
        parts += [item for item in vars(thing).values() if isinstance(item, kinds)]
    assert any(">>>" in (part.__doc__ or "") for part in parts)
