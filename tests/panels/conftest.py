from collections.abc import Callable, Iterator
from typing import Any

import pytest


@pytest.fixture
def build() -> Iterator[Callable[..., Any]]:
    """Makes a panel of its own for a test, in English unless told otherwise."""
    made = []

    def make(kind: Any, **start: Any) -> Any:
        made.append(kind(**{"language": "en", **start}))
        return made[-1]

    yield make
    for panel in made:
        panel.close()


@pytest.fixture(scope="module")
def kept() -> Iterator[Callable[..., Any]]:
    """A panel that the tests of a file share, at its defaults: building one takes a while."""
    made: dict[Any, Any] = {}

    def get(kind: Any, language: str = "en") -> Any:
        if (kind, language) not in made:
            made[kind, language] = kind(language=language)
        panel = made[kind, language]
        panel.reset()
        return panel

    yield get
    for panel in made.values():
        panel.close()
