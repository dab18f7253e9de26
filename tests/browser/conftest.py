"""The rig of the browser tests: one JupyterLab and one browser for all of them.

A test asks for the fixture `lab` and gives it the code of a notebook:

    page = lab.open("slider", ["import ipywidgets", "ipywidgets.IntSlider(description='x')"])

`page` is Playwright's, in a browser context of its own, with all cells run. Opening takes some
seconds, so tests that only look can share pages through `shared_lab`, which lives for a module.
Without a browser all of them skip and say so; where CI is set they fail instead.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import urllib.parse
import urllib.request

import nbformat
import pytest
from playwright.sync_api import Error, expect, sync_playwright

import course
from tests.browser.panel import CELLS, Panels

HERE = pathlib.Path(__file__).parent
BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
BROWSERS += ["microsoft-edge", "msedge"]
QUIET = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
QUIET += ["--disable-component-update", "--disable-sync"]
LONG = 60  # seconds that a server or a cell may take on a busy machine; nothing waits that long

expect.set_options(timeout=1000 * LONG)


def pytest_collection_modifyitems(items):
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


class Server:
    """A JupyterLab of this interpreter in temporary folders, on a free port of the loopback."""

    def __init__(self, folder):
        self.notebooks = folder / "notebooks"
        self.settings = folder / "settings"
        self.notebooks.mkdir()
        self._write_kernel(folder / "data")
        course.silence_news(folder / "config")
        self.address = f"http://127.0.0.1:{course.usable(0)}"
        self.log = []
        self._more = threading.Condition()
        self._ended = False
        self._process = subprocess.Popen(
            self._command(),
            env={**os.environ, **self._folders(folder)},
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
        threading.Thread(target=self._read_log, daemon=True).start()
        if not self.says(self.address):
            self.close()
            pytest.fail("the server did not start:\n" + "".join(self.log))

    def _write_kernel(self, data):
        spec = data / "kernels" / "python3" / "kernel.json"
        spec.parent.mkdir(parents=True)
        argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        spec.write_text(
            json.dumps({"argv": argv, "display_name": "Python 3", "language": "python"})
        )

    def _folders(self, folder):
        folders = {
            "JUPYTER_CONFIG_DIR": folder / "config",
            "JUPYTER_DATA_DIR": folder / "data",
            "JUPYTER_PATH": folder / "data",  # looked up before what the machine has
            "JUPYTER_RUNTIME_DIR": folder / "runtime",
            "JUPYTERLAB_SETTINGS_DIR": self.settings,
            "JUPYTERLAB_WORKSPACES_DIR": folder / "workspaces",
            "IPYTHONDIR": folder / "ipython",
        }
        return {name: str(path) for name, path in folders.items()}

    def _command(self):
        port = urllib.parse.urlsplit(self.address).port
        options = course.lab_options("en", port, browser=False)  # what a learner gets, but for:
        options["ServerApp.root_dir"] = self.notebooks
        options["Application.log_level"] = "INFO"  # says when the server is ready
        options["ServerApp.disable_check_xsrf"] = True
        options["IdentityProvider.token"] = ""
        extra = [f"--{name}={value}" for name, value in options.items()]
        return [sys.executable, "-m", "jupyterlab", *extra]

    def _read_log(self):
        for line in self._process.stderr:
            with self._more:
                self.log.append(line)
                self._more.notify_all()
        with self._more:
            self._ended = True
            self._more.notify_all()

    def says(self, text, since=0):
        """Wait for a line of the log with this text, from that line on; tell whether it came."""

        def said():
            return any(text in line for line in self.log[since:])

        with self._more:
            self._more.wait_for(lambda: said() or self._ended, LONG)
            return said()

    def request(self, method, path):
        """Ask the server's REST interface."""
        request = urllib.request.Request(self.address + path, method=method)
        with urllib.request.urlopen(request, timeout=LONG) as answer:
            return json.loads(answer.read() or "null")

    def end_kernel(self, path):
        """End the kernel of a notebook."""
        for session in self.request("GET", "/api/sessions"):
            if session["path"] == path:
                self.request("DELETE", "/api/sessions/" + session["id"])

    def set(self, plugin, **values):
        """Write a user's setting; the next page that opens obeys it."""
        extension, name = plugin.split(":")
        path = self.settings / extension / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values))

    def close(self):
        self._process.terminate()
        try:
            self._process.wait(LONG)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Lab:
    """What a test does with JupyterLab; see `open`."""

    def __init__(self, server, browser):
        self._server = server
        self._browser = browser
        self._contexts = {}  # by the notebook's name
        self.console_errors = []
        self.outside_requests = []
        self.dialogs = []

    def open(self, name, cells, **look):
        """Run a notebook of these code cells in a fresh browser context; return its page."""
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
        notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
        page = self.show(name, notebook, **look)
        self.run_all(page)
        return page

    def show(self, name, notebook, theme="light", width=1280, height=900):
        """Open a notebook in a fresh browser context without running it; return its page."""
        nbformat.write(notebook, self._server.notebooks / f"{name}.ipynb")
        dark = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}[theme]
        self._server.set("@jupyterlab/apputils-extension:themes", theme=dark)
        # Cells out of sight stay in the page, so that tests find them.
        self._server.set("@jupyterlab/notebook-extension:tracker", windowingMode="none")
        context = self._browser.new_context(
            viewport={"width": width, "height": height}, accept_downloads=True
        )
        context.set_default_timeout(1000 * LONG)
        self._contexts[name] = context
        page = context.new_page()
        self._listen(page)
        page.goto(f"{self._server.address}/lab/tree/{name}.ipynb?reset")
        page.locator("#jp-main-statusbar").get_by_text("| Idle").wait_for()
        page.get_by_role("tab", name="File Browser").click()  # collapses the side bar
        # JupyterLab's page has no height of its own, so axe-core would take its text for cut off.
        page.add_style_tag(content="body { height: 100vh }")
        return page

    def _listen(self, page):
        page.on("pageerror", lambda error: self.console_errors.append(str(error)))
        page.on("console", self._hear)
        page.on("request", self._watch)
        page.on("websocket", self._watch)
        page.on("dialog", self._dismiss)

    def _hear(self, message):
        if message.type == "error":
            self.console_errors.append(f"{message.text} ({message.location['url']})")

    def _watch(self, request):
        parts = urllib.parse.urlsplit(request.url)
        ours = urllib.parse.urlsplit(self._server.address).netloc
        if parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != ours:
            self.outside_requests.append(request.url)

    def _dismiss(self, dialog):
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def run_all(self, page):
        """Run all cells and wait for the last one; the test fails if a cell raises."""
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        error = page.wait_for_function(
            """() => {
                const red = document.querySelector('[data-mime-type$=stderr] .ansi-red-fg');
                if (red) return red.closest('[data-mime-type]').innerText;
                const prompts = [...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')];
                return prompts.every(p => /\\[\\d+\\]/.test(p.innerText)) && 'none';
            }"""
        ).json_value()
        if error != "none":
            pytest.fail("a cell raised:\n" + error)

    def screenshot(self, target, name):
        """Keep a picture of a page or locator as NAME.png, where SPECDEC_SCREENSHOTS says."""
        folder = os.environ.get("SPECDEC_SCREENSHOTS")
        if folder:  # Playwright makes it
            target.screenshot(path=pathlib.Path(folder) / f"{name}.png")

    def close(self):
        for name, context in self._contexts.items():
            context.close()
            self._server.end_kernel(f"{name}.ipynb")


def launch(chromium):
    """Start the machine's browser, or else Playwright's own; skip if none starts."""
    paths = [path for path in map(shutil.which, BROWSERS) if path]
    choices = [{"executable_path": path} for path in paths]
    choices += [{"channel": "chrome"}, {"channel": "msedge"}, {}]
    troubles = []
    for choice in choices:
        try:
            return chromium.launch(args=QUIET, **choice)
        except Error as error:
            troubles.append(error)
    return no_browser(troubles[0])  # what one that is there says comes first


def no_browser(trouble, environ=os.environ):
    """Skip and say why, but fail in CI."""
    why = str(trouble).strip().splitlines()[0]
    reason = f"no browser started ({why}): install Chromium, Chrome or Edge"
    if environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = launch(playwright.chromium)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def lab_server(browser, tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("lab"))
    yield server
    server.close()


@pytest.fixture
def lab(browser, lab_server):
    lab = Lab(lab_server, browser)
    yield lab
    lab.close()


@pytest.fixture(scope="module")
def shared_lab(browser, lab_server):
    lab = Lab(lab_server, browser)
    yield lab
    lab.close()


@pytest.fixture(scope="session")
def panels_lab(browser, lab_server):
    lab = Lab(lab_server, browser)
    yield lab
    lab.close()


@pytest.fixture(scope="session")
def panels_page(panels_lab):
    """Open the one page with all panels; a page for each test would take too long."""
    return Panels(panels_lab.open("panels", CELLS))


@pytest.fixture
def panels(panels_page, panels_lab):
    """The page with all panels, light and wide; nothing may go wrong on it meanwhile."""
    panels_page.look()
    yield panels_page
    assert panels_lab.console_errors == []
    assert panels_lab.outside_requests == []
    assert panels_lab.dialogs == []


@pytest.fixture
def simulator(panels):
    """The simulator as it starts, in Vietnamese."""
    panels.simulator.reset()
    return panels.simulator
