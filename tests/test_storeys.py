"""The storeys of the house: nothing lower knows anything higher, and nothing knows pyplot."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "specdec_widgets"
MODULES = sorted(PACKAGE.rglob("*.py"))
WIDGETS = ("ipywidgets", "IPython", "ipykernel", "comm", "traitlets")
PICTURES = ("matplotlib", "PIL")
LANGUAGE = ("babel", "gettext")
FORBIDDEN = {
    "maths": (
        "specdec_widgets.words",
        "specdec_widgets.figures",
        "specdec_widgets.panels",
        *WIDGETS,
        *PICTURES,
        *LANGUAGE,
    ),
    "words": ("specdec_widgets.figures", "specdec_widgets.panels", *WIDGETS, *PICTURES),
    "figures": ("specdec_widgets.panels", *WIDGETS, *LANGUAGE),
    "panels": LANGUAGE,
}
NOWHERE = (  # the last ones are not there in the browser's Python
    "matplotlib.pyplot",
    "pylab",
    *("threading", "_thread", "multiprocessing", "concurrent", "subprocess", "socket"),
)


def imports(path, text=None):
    """Every module that a file names in an import, with what it takes from it."""
    package = ("specdec_widgets", *path.relative_to(PACKAGE).parent.parts)
    for node in ast.walk(ast.parse(text or path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{module}.{name.name}" for name in node.names)


def within(module, packages):
    return any(module == package or module.startswith(f"{package}.") for package in packages)


@pytest.mark.parametrize("storey", FORBIDDEN)
def test_no_storey_imports_what_is_above_it(storey):
    paths = [path for path in MODULES if (PACKAGE / storey) in path.parents]
    assert paths
    for path in paths:
        for module in imports(path):
            assert not within(module, FORBIDDEN[storey]), f"{path.name} imports {module}"
            root, _, rest = module.partition(".")
            inside = root == "specdec_widgets"
            assert not inside or rest.split(".")[0] in FORBIDDEN, f"{path.name} imports {module}"


def test_every_module_stands_on_a_storey():
    storeys = {path.relative_to(PACKAGE).parts[0] for path in MODULES}
    assert storeys == {"__init__.py", *FORBIDDEN}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_no_module_imports_pyplot_or_a_thread_or_has_a_global(path):
    for module in imports(path):
        assert not within(module, NOWHERE), module
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Global)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            pytest.fail("an import that cannot be read")


@pytest.mark.parametrize(
    ("text", "module"),
    [
        ("from ..panels import base", "specdec_widgets.panels.base"),
        ("from .. import panels", "specdec_widgets.panels"),
        ("from . import cost", "specdec_widgets.maths.cost"),
        ("def late():\n    import matplotlib.pyplot as plt", "matplotlib.pyplot"),
        ("from matplotlib import pyplot", "matplotlib.pyplot"),
        ("from specdec_widgets import words", "specdec_widgets.words"),
    ],
)
def test_imports_are_seen_however_they_are_written(text, module):
    assert list(imports(PACKAGE / "maths" / "made_up.py", text)) == [module]


USE = """
import sys
import specdec_widgets
assert "matplotlib.pyplot" not in sys.modules, "imported"
simulator = specdec_widgets.Simulator()
simulator.gamma, simulator.language = 7, "en"
simulator._repr_mimebundle_()
simulator.downloads()
assert "matplotlib.pyplot" not in sys.modules, "used"
assert "pylab" not in sys.modules
print("done")
"""


def test_a_used_simulator_has_not_imported_pyplot():
    done = subprocess.run(
        [sys.executable, "-c", USE], cwd=PACKAGE.parent, capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.stderr) == ("done", "")
