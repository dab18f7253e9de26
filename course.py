"""Set the course up and start it; this needs nothing but Python itself.

    python3 course.py              open JupyterLab on the simulator (--lang en for English)
    python3 course.py voila ...    serve the lessons as pages without code; the rest goes to Voilà
    python3 course.py test ...     run all checks and tests; the rest of the line goes to pytest
    python3 course.py bench ...    run the benchmarks; the rest of the line goes to pytest
    python3 course.py pages        make web pages of the lessons, in build/pages
    python3 course.py slides       make decks of slides of the lessons, in build/slides
    python3 course.py notebooks    execute all notebooks anew, or those named (for maintainers)

Everything is installed into .venv beside this file, from the pins in requirements.txt. JupyterLab's
settings lie in .jupyter, so that it looks the same everywhere and leaves the user's own alone.
"""

# This file keeps to the syntax of Python 3.6, so that an old Python can say what is wrong.

import argparse
import collections
import hashlib
import importlib.util
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import webbrowser
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "course-stamp"  # written last: without it .venv is half-made
JUPYTER = ROOT / ".jupyter"
LIVE = ROOT / "live"  # Voilà's configuration and its templates
NOTEBOOKS = ROOT / "notebooks"
FIRST = "00-simulator.ipynb"
OLDEST = (3, 11)
PORT = 8888
LONGEST_MESSAGE = 100 * 2**20  # bytes from the page to a kernel; by itself the server takes 10 MiB
PATIENCE = 10  # seconds that a server has to end its kernels and itself


class Trouble(Exception):  # noqa: N818 - not an error of the program
    """What keeps the course from starting, as one sentence for the user."""


# --- Setting up -----------------------------------------------------------------------------------


def check_python(version=sys.version_info):
    """Refuse a Python that is too old, or that cannot make virtual environments."""
    if tuple(version[:2]) < OLDEST:
        raise Trouble(
            "This course needs Python {}.{} or newer, but this is Python {}.{}: install a newer one"
            " from python.org or your system's packages.".format(*OLDEST + tuple(version[:2]))
        )
    if not all(importlib.util.find_spec(name) for name in ("venv", "ensurepip")):
        raise Trouble(
            "Python's venv is missing; on Debian and Ubuntu install it with:"
            " sudo apt install python{}.{}-venv".format(*version[:2])
        )


def fingerprint(version=sys.version_info):
    """Hash what .venv was made from: the pins, the package's metadata, Python and the place."""
    digest = hashlib.sha256()
    for name in ("requirements.txt", "pyproject.toml"):
        digest.update((ROOT / name).read_bytes() + b"\0")
    digest.update(f"{version[0]}.{version[1]} {ROOT}".encode())
    return digest.hexdigest()


def is_set_up():
    """Tell whether .venv is whole and made from the present files."""
    return PYTHON.exists() and STAMP.exists() and STAMP.read_text() == fingerprint()


def environment():
    """Return the environment of our programs, free of the user's own Python and Jupyter set-up."""
    ours = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("JUPYTER") and name not in ("PYTHONPATH", "PYTHONHOME")
    }
    for name, folder in [
        ("JUPYTER_CONFIG_DIR", "config"),
        ("JUPYTER_DATA_DIR", "data"),
        ("JUPYTER_RUNTIME_DIR", "runtime"),
        ("IPYTHONDIR", "ipython"),
        ("MPLCONFIGDIR", "matplotlib"),
    ]:
        ours[name] = str(JUPYTER / folder)
    ours["JUPYTER_CONFIG_PATH"] = ours["JUPYTER_PATH"] = str(LIVE)
    ours["PYTHONUTF8"] = "1"  # whatever Windows would have them read and write
    return ours


def step(trouble, *command):
    """Run one command of the set-up, a dot a package; Trouble with its last lines if it fails."""
    process = subprocess.Popen(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=str(ROOT),
        env=environment(),
        encoding="utf-8",
        errors="replace",
    )
    last = collections.deque(maxlen=8)
    for line in process.stdout:
        last.append(line)
        if line.startswith("Collecting"):
            print(".", end="", flush=True)
    if process.wait():
        raise Trouble(f"\n{trouble} Its last lines were:\n{''.join(last).rstrip()}")


def set_up():
    """Make .venv, unless it is there already."""
    if is_set_up():
        return
    print("Setting up the course in .venv; this takes a few minutes, once ", end="", flush=True)
    begin = time.time()
    trouble = ".venv could not be made; if a program still uses it, close that and start again."
    step(trouble, sys.executable, "-m", "venv", "--clear", VENV)
    pip = [PYTHON, "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    trouble = "pip could not install the packages; is there a network? Start again to try again."
    # The pins are complete, so pip need not look for more; Python compiles only what it imports.
    step(trouble, *pip, "--no-deps", "--no-compile", "-r", ROOT / "requirements.txt")
    step(trouble, *pip, "--no-deps", "--no-build-isolation", "--editable", ROOT)
    STAMP.write_text(fingerprint())
    print(f" done in {time.time() - begin:.0f} s.")


# --- JupyterLab and Voilà -------------------------------------------------------------------------


def check_language(lang, folder=NOTEBOOKS):
    """Refuse a language that the course does not speak: one without the simulator's notebook."""
    spoken = sorted(path.parent.name for path in folder.glob("*/" + FIRST))
    if lang not in spoken:
        raise Trouble(f"There is no course in '{lang}'; there is one in: {', '.join(spoken)}.")


def usable(port):
    """Return the port if a server may take it on the loopback interface, else None; 0 finds one."""
    with socket.socket() as probe:
        if os.name != "nt":  # there the option would allow a port that is taken
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except (OSError, OverflowError):
            return None
        return probe.getsockname()[1]


def choose_port(wanted=None):
    """Return the wanted port, or Trouble; with none wanted, the usual one or a free one."""
    port = usable(wanted or PORT)
    if port is None and wanted:
        raise Trouble(
            f"Port {wanted} is taken or not allowed; name another after --port,"
            " or leave --port out to get a free one."
        )
    if port is None:
        port = usable(0)
        print(f"Port {PORT} is taken, so it will be port {port}.")
    return port


def lab_options(lang, port, browser):
    """Return the options of a JupyterLab that only this machine can reach."""
    return {
        "ServerApp.root_dir": ROOT,
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": port,
        "ServerApp.port_retries": 0,
        "ServerApp.open_browser": browser,
        "ServerApp.allow_root": True,
        "ServerApp.answer_yes": True,  # to Ctrl-C
        "ServerApp.tornado_settings": {"websocket_max_message_size": LONGEST_MESSAGE},
        "Application.log_level": "ERROR",
        "LabApp.default_url": f"/lab/tree/notebooks/{lang}/{FIRST}",
        "LabApp.extension_manager": "readonly",  # it would ask the outside for extensions
    }


def silence_news(config):
    """Let JupyterLab neither offer news nor look for updates, by a file in its config folder."""
    page_config = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}
    path = config / "labconfig" / "page_config.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(page_config))


def voila_options(lang, port):
    """Return the options of Voilà that its voila.json leaves open."""
    return {
        "Voila.port": port,
        # Kernels wait with this notebook done, and with no other.
        "VoilaKernelManager.preheat_denylist": rf"(?!.*\W{lang}\W{FIRST})",
    }


def open_lab(lang, wanted_port, browser):
    """Open JupyterLab on the simulator and stay until Ctrl-C; return the exit status."""
    port = choose_port(wanted_port)
    silence_news(JUPYTER / "config")
    options = lab_options(lang, port, browser and can_browse())
    return serve("JupyterLab", "jupyterlab", *as_arguments(options))


def open_voila(lang, wanted_port, browser, arguments):
    """Open the simulator as a page of Voilà and stay until Ctrl-C; return the exit status."""
    port = choose_port(wanted_port)
    address = f"http://127.0.0.1:{port}/voila/render/{lang}/{FIRST}"
    print(f"The simulator and, by its links, all lessons: {address}")
    options = as_arguments(voila_options(lang, port))
    opened = address if browser and can_browse() else None
    return serve("Voilà", "voila", str(NOTEBOOKS), *options, *arguments, opened=opened)


def as_arguments(options):
    """Write options as a Jupyter program reads them on its command line."""
    return [f"--{name}={value}" for name, value in options.items()]


def can_browse():
    """Tell whether there is a web browser; if not, also tell the user."""
    try:
        webbrowser.get()
    except webbrowser.Error:
        print("No web browser was found; open the address below in one.")
        return False
    return True


def serve(name, module, *arguments, opened=None):
    """Run a server until Ctrl-C and open an address of it; return the exit status."""
    print(f"Starting {name}; Ctrl-C here ends it.", flush=True)
    # Born deaf to Ctrl-C, JupyterLab sets its own handler later: no traceback while it starts.
    listening = signal.signal(signal.SIGINT, signal.SIG_IGN)
    command = [str(PYTHON), "-m", module, *arguments]
    process = subprocess.Popen(command, cwd=str(ROOT), env=environment())
    signal.signal(signal.SIGINT, listening)
    try:
        while opened and process.poll() is None:
            if answers(opened):
                webbrowser.open(opened)
                break
            time.sleep(0.2)
        return process.wait()
    except KeyboardInterrupt:
        if os.name != "nt":  # there Ctrl-C reaches it, and terminate() gives its kernels no chance
            process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        print(f"{name} has ended.")
        return 0


def answers(address):
    """Tell whether a server listens at an address."""
    parts = urllib.parse.urlsplit(address)
    try:
        socket.create_connection((parts.hostname, parts.port), timeout=1).close()
    except OSError:
        return False
    return True


# --- What contributors run ------------------------------------------------------------------------


def run(*command, output=None):
    """Run a Python module or script from .venv; return its exit status."""
    print("\n$ python " + " ".join(command), flush=True)
    process = subprocess.Popen(
        [str(PYTHON), *command],
        cwd=str(ROOT),
        env=environment(),
        stdout=output,
        stderr=output and subprocess.STDOUT,
    )
    try:
        return process.wait()
    except KeyboardInterrupt:
        process.wait()  # Ctrl-C reached it too
        raise


def run_tests(arguments):
    """Run every check; return 1 if one failed."""
    checks = {
        "ruff check": ["-m", "ruff", "check"],
        "ruff format": ["-m", "ruff", "format", "--check"],
        "mypy": ["-m", "mypy"],
        "pytest": ["-m", "pytest", *arguments],
    }
    notebooks = ["-m", "pytest", "--nbval", "--nbval-current-env", "notebooks"]
    notebooks.append("--nbval-sanitize-with=tests/notebooks/nbval_sanitize.cfg")
    # The notebooks are checked beside the rest, on a core of their own; what is said of them waits.
    with tempfile.TemporaryFile() as said, ThreadPoolExecutor() as beside:
        waiting = beside.submit(check, "notebooks", notebooks, said)
        results = [check(name, command) for name, command in checks.items()]
        results.append(waiting.result())
        said.seek(0)
        print(said.read().decode(errors="replace"))
    print("\n".join(summary for _failed, summary in results), flush=True)
    return int(any(failed for failed, _summary in results))


def check(name, command, output=None):
    """Run one check; return whether it failed, and a line that says so."""
    begin = time.time()
    failed = run(*command, output=output) != 0
    word = "FAILED" if failed else "passed"
    return failed, f"{name:12} {word} in {time.time() - begin:.1f} s"


def speak_utf8():
    """Write all letters to a file or a pipe too, where Windows would know few."""
    if hasattr(sys.stdout, "reconfigure"):  # IDLE's has not
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")


def main(arguments=None):
    """Do what the command line says; return the exit status."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw, allow_abbrev=False)
    commands = ["lab", "voila", "test", "bench", "pages", "slides", "notebooks"]
    parser.add_argument("command", nargs="?", default="lab", choices=commands)
    parser.add_argument("--lang", default="vi", help="language of the course (default: vi)")
    parser.add_argument("--port", type=int, help="port of the server (default: 8888 or a free one)")
    parser.add_argument("--no-browser", action="store_true", help="open no browser")
    options, rest = parser.parse_known_args(arguments)
    if rest and options.command == "lab":
        parser.error("unknown: " + " ".join(rest))
    try:
        check_python()
        speak_utf8()
        if options.command in ("lab", "voila"):
            check_language(options.lang)
        set_up()
        if options.command == "test":
            return run_tests(rest)
        if options.command == "bench":
            return run("-m", "pytest", "tests/benchmarks", *rest)
        if options.command in ("pages", "slides"):
            return run("pages/build.py", options.command, *rest)
        if options.command == "notebooks":
            return run("tests/notebooks/remake.py", *rest)
        if options.command == "voila":
            return open_voila(options.lang, options.port, not options.no_browser, rest)
        return open_lab(options.lang, options.port, not options.no_browser)
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
