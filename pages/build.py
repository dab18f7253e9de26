"""Build the lessons as web pages that need no server, or as decks of slides.

    python3 course.py pages     build/pages/vi and build/pages/en, with index.html in each
    python3 course.py slides    build/slides/vi and build/slides/en, a deck a lesson

Both show what is stored in the notebooks: nothing is executed, and a widget is the picture beside
it. Formulas become MathML, which browsers draw by themselves. A page asks for nothing outside its
own file; a deck asks for reveal.js alone, from --reveal, the folder or address of its release 4.
"""

import argparse
from pathlib import Path

import nbformat
from latex2mathml.converter import convert
from nbconvert.exporters import HTMLExporter, SlidesExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from pygments.formatters import HtmlFormatter

from specdec_widgets.words import get_words

HERE = Path(__file__).parent
ROOT = HERE.parent
NOTEBOOKS = ROOT / "notebooks"


def page_name(name: str) -> str:
    """Return the page that a notebook or a text becomes; the contents become the index.

    >>> page_name("05-sweet-spot.ipynb"), page_name("../en/README.md"), page_name("teaching.md")
    ('05-sweet-spot.html', '../en/index.html', 'teaching.html')
    """
    path = Path(name)
    return path.with_name("index.html" if path.stem == "README" else path.stem + ".html").as_posix()


class Renderer(IPythonRenderer):
    """Markdown with formulas as MathML and with links from page to page."""

    def block_math(self, body: str) -> str:
        """Turn a formula on a line of its own into MathML."""
        return convert(body, display="block")

    def inline_math(self, body: str) -> str:
        """Turn a formula within a line into MathML."""
        return convert(body)

    def link(self, text: str, url: str, title: str | None = None) -> str:
        """Let a link to a notebook or a text lead to its page."""
        target, sharp, anchor = url.partition("#")
        if "://" not in url and target.endswith((".ipynb", ".md")):
            url = page_name(target) + sharp + anchor
        return super().link(text, url, title)


class Ours:
    """What pages and decks have in common."""

    def _init_resources(self, resources):
        resources = super()._init_resources(resources)
        _ = get_words(resources["language"]).gettext
        resources["words"] = {"code": _("Code")}
        resources["code_light"] = HtmlFormatter(style="default").get_style_defs(".highlight")
        resources["code_dark"] = HtmlFormatter(style="github-dark").get_style_defs(".highlight")
        return resources

    def default_filters(self):
        """Put our Markdown in the place of nbconvert's."""
        yield from super().default_filters()
        renderer = Renderer(escape=False, exclude_anchor_links=True)
        yield "markdown2html", MarkdownWithMath(renderer).render


class Page(Ours, HTMLExporter):
    """A lesson or a text as a page."""


class Deck(Ours, SlidesExporter):
    """A lesson as a deck of slides."""


def notebook(path: Path) -> nbformat.NotebookNode:
    """Read a notebook, or a Markdown text as a notebook of one cell."""
    if path.suffix == ".ipynb":
        return nbformat.read(path, as_version=4)
    text = nbformat.v4.new_markdown_cell(path.read_text(encoding="utf-8"), id="text")
    return nbformat.v4.new_notebook(cells=[text])


def title(nb: nbformat.NotebookNode) -> str:
    """Return the first heading of a notebook."""
    return nb.cells[0].source.splitlines()[0].lstrip("# ")


def build(kind: str, to: Path, reveal: str = "") -> list[Path]:
    """Write the "pages" or the "slides" of all languages below a folder; return the files."""
    templates = [str(HERE)]
    if kind == "pages":
        exporter = Page(extra_template_basedirs=templates, template_name="lesson")
        sources = [*NOTEBOOKS.glob("*/*.ipynb"), *NOTEBOOKS.glob("*/*.md")]
    else:
        exporter = Deck(
            extra_template_basedirs=templates,
            template_name="deck",
            exclude_input=True,
            reveal_url_prefix=reveal,
            reveal_theme="white",  # the default one asks for fonts
            reveal_width="1280",
            reveal_height="720",
        )
        sources = list(NOTEBOOKS.glob("*/*.ipynb"))
    written = []
    for path in sorted(sources):
        language = path.parent.name
        nb = notebook(path)
        resources = {"language": language, "metadata": {"name": path.stem, "title": title(nb)}}
        html, _ = exporter.from_notebook_node(nb, resources=resources)
        written.append(to / language / page_name(path.name))
        written[-1].parent.mkdir(parents=True, exist_ok=True)
        written[-1].write_text(html, encoding="utf-8")
    return written


def main() -> None:
    """Build what the command line asks for."""
    parser = argparse.ArgumentParser(description="Build pages or slides of the lessons.")
    parser.add_argument("kind", choices=["pages", "slides"])
    parser.add_argument("--to", type=Path, help="folder to write into (default: build/KIND)")
    parser.add_argument(
        "--reveal", default="", help="where a deck finds reveal.js (default: a CDN)"
    )
    options = parser.parse_args()
    to = options.to or ROOT / "build" / options.kind
    print(f"{len(build(options.kind, to, options.reveal))} files in {to}")


if __name__ == "__main__":
    main()
