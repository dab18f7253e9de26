from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from types import SimpleNamespace

import hypothesis
import pytest

from specdec_widgets import words

# A slow machine is no failure, and a failure can be replayed from its message.
hypothesis.settings.register_profile("course", deadline=None, print_blob=True)
hypothesis.settings.load_profile("course")


@pytest.fixture(scope="session")
def built_pages(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The lessons and texts as web pages, built once for all tests that read them."""
    from pages.build import build  # nbconvert takes its time, and few tests need it

    return build("pages", tmp_path_factory.mktemp("pages"))


@pytest.fixture
def more_languages(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[Callable[..., None]]:
    """Puts catalogues beside those there are: `more_languages(fr="the text of fr.po")`."""

    def forget() -> None:
        words._languages.cache_clear()
        words._words.cache_clear()

    def put(**catalogues: str) -> None:
        for file in Path(str(resources.files(words))).glob("*.po"):
            (tmp_path / file.name).write_bytes(file.read_bytes())
        for language, text in catalogues.items():
            (tmp_path / f"{language}.po").write_text(text, encoding="utf-8")
        monkeypatch.setattr(words, "resources", SimpleNamespace(files=lambda _name: tmp_path))
        forget()

    yield put
    monkeypatch.undo()
    forget()
