"""What whole processes cost: the time of the import, and the memory of a kernel that works long."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

from jupyter_client.manager import start_new_kernel

import specdec_widgets

PACKAGE = Path(specdec_widgets.__file__).parent
ROUNDS = 15
UPDATES = """
import gc, json, psutil
from itertools import cycle, islice
from specdec_widgets import Simulator
simulator = Simulator()
controls = [*simulator.cost.numbers.values(), simulator.sampling.temperature_control]
def update(count):
    for move in range(count):
        slider = controls[move % len(controls)].slider
        steps = round((slider.max - slider.min) / slider.step)
        slider.set_state({"value": slider.min + (move * 7 % (steps + 1)) * slider.step})
    gc.collect()
    return psutil.Process().memory_info().rss
print(json.dumps([update(1000) for _time in range(3)]))
"""


def dependencies():
    """The modules of others that the package imports, found in its source."""
    names = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names.add(node.module)
    return sorted(name for name in names if not name.startswith(PACKAGE.name))


def seconds(modules):
    """The processor time of a process that imports these and does nothing else."""
    before = os.times()
    subprocess.run([sys.executable, "-c", f"import {modules}"], check=True)
    after = os.times()
    return after.children_user + after.children_system - sum(before[2:4])


def test_import(row):
    theirs = ", ".join(dependencies())
    seconds(PACKAGE.name)  # compiles what has changed
    pairs = [(seconds(PACKAGE.name), seconds(theirs)) for _round in range(ROUNDS)]
    ours, others = zip(*pairs, strict=True)
    row("import specdec_widgets", ours, "its dependencies", others, "at most 1.15")


def test_memory(fact):
    manager, client = start_new_kernel(kernel_name="python3")
    said = []
    try:
        client.execute_interactive(
            UPDATES,
            timeout=600,
            output_hook=lambda message: said.append(message["content"].get("text", "")),
        )
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    _warm, *later = json.loads("".join(said))
    grown = (later[-1] - later[0]) / 2**20
    fact("memory: 1,000 updates of the simulator, once warm", f"{grown:+.1f} MB", "less than 5 MB")
