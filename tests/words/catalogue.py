"""The messages of the package as CONTRIBUTING's command extracts them, and their translations."""

import shlex
import tempfile
from functools import cache
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.frontend import CommandLineInterface
from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[2]
WORDS = ROOT / "specdec_widgets" / "words"


def command() -> list[str]:
    """The words of the command that CONTRIBUTING gives a translator."""
    lines = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines()
    (line,) = (line for line in lines if "pybabel extract" in line)
    return shlex.split(line)[1:]


@cache
def extracted() -> list[Message]:
    """Every message of the package, but for the header."""
    with tempfile.TemporaryDirectory() as folder:
        pot = Path(folder) / "messages.pot"
        words = [str(pot) if word == "messages.pot" else word for word in command()]
        words = [str(ROOT / word) if (ROOT / word).is_dir() else word for word in words]
        CommandLineInterface().run(["pybabel", "--quiet", *words])
        with pot.open("rb") as file:
            return [message for message in read_po(file) if message.id]


def read(language: str) -> Catalog:
    with (WORDS / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language)


def translated(language: str) -> dict[str, str]:
    """The translation of each message, a plural form each."""
    texts: dict[str, str] = {}
    for message in read(language):
        if message.id:
            forms = message.id if isinstance(message.id, tuple) else (message.id,)
            strings = message.string if isinstance(message.string, tuple) else (message.string,)
            texts |= {form: strings[min(at, len(strings) - 1)] for at, form in enumerate(forms)}
    return texts
