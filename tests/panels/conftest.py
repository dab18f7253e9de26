from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from specdec_widgets.panels import cost, rounds, sampling


@pytest.fixture(scope="session")
def _few_figures() -> Iterator[None]:
    """One figure of a kind for all panels: what one shows depends on the result alone."""
    with pytest.MonkeyPatch.context() as patched:
        for module, name in (
            (cost, "CostFigure"),
            (rounds, "RoundsFigure"),
            (sampling, "SamplingFigure"),
        ):
            patched.setattr(module, name, cache(getattr(module, name)))
        yield


@pytest.fixture
def build(_few_figures: None) -> Iterator[Callable[..., Any]]:
    """Makes a panel of its own for a test, in English unless told otherwise."""
    made = []

    def make(kind: Any, **start: Any) -> Any:
        made.append(kind(**{"language": "en", **start}))
        return made[-1]

    yield make
    for panel in made:
        panel.close()


@pytest.fixture(scope="session")
def kept(_few_figures: None) -> Iterator[Callable[..., Any]]:
    """A panel that tests share, at its defaults: building one takes a while."""
    made: dict[Any, Any] = {}

    def get(kind: Any, language: str = "en") -> Any:
        if (kind, language) not in made:
            made[kind, language] = kind(language=language)
        panel = made[kind, language]
        panel.language = language
        panel.reset()
        return panel

    yield get
    for panel in made.values():
        panel.close()
