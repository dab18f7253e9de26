import ast
import io
import json
import os
import pathlib
import re
import shutil
import socket
import sys
import urllib.request
from types import SimpleNamespace

import pytest

import course


@pytest.fixture
def venv(tmp_path, monkeypatch):
    """A whole .venv of a course in a temporary folder; only the stamp is missing."""
    for name in ("requirements.txt", "pyproject.toml"):
        (tmp_path / name).write_text(name)
    python = tmp_path / ".venv" / "python"
    python.parent.mkdir()
    python.touch()
    monkeypatch.setattr(course, "ROOT", tmp_path)
    monkeypatch.setattr(course, "PYTHON", python)
    monkeypatch.setattr(course, "STAMP", python.parent / "stamp")
    return python.parent


@pytest.fixture
def taken_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]


# --- The Python that starts it --------------------------------------------------------------------


def test_an_old_python_can_read_the_file():
    source = pathlib.Path(course.__file__).read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 7))
    assert "from __future__" not in source  # annotations: unknown to Python 3.6


def test_an_old_python_is_named_with_what_is_needed():
    with pytest.raises(
        course.Trouble, match=r"needs Python 3\.11 or newer, but this is Python 3\.9"
    ):
        course.check_python((3, 9, 2))


@pytest.mark.parametrize("missing", ["venv", "ensurepip"])
def test_a_missing_venv_names_the_package_to_install(monkeypatch, missing):
    monkeypatch.setattr(
        course.importlib.util, "find_spec", lambda name: None if name == missing else object()
    )
    with pytest.raises(course.Trouble, match=r"sudo apt install python3\.13-venv$"):
        course.check_python((3, 13, 1))


def test_this_python_will_do():
    course.check_python()


# --- Setting up -----------------------------------------------------------------------------------


def test_a_half_made_venv_is_not_taken_for_whole(venv):
    assert not course.is_set_up()


def test_a_stamped_venv_is_whole_until_something_changes(venv):
    course.STAMP.write_text(course.fingerprint())
    assert course.is_set_up()
    course.PYTHON.unlink()
    assert not course.is_set_up()


@pytest.mark.parametrize("name", ["requirements.txt", "pyproject.toml"])
def test_a_change_of_what_it_was_made_from_is_seen(venv, name):
    course.STAMP.write_text(course.fingerprint())
    (venv.parent / name).write_text("changed")
    assert not course.is_set_up()


def test_another_python_is_seen_and_a_patch_of_the_same_is_not(venv):
    assert course.fingerprint((3, 11, 2)) == course.fingerprint((3, 11, 9))
    assert course.fingerprint((3, 11, 2)) != course.fingerprint((3, 12, 2))


def test_a_move_to_another_folder_is_seen(venv, tmp_path, monkeypatch):
    course.STAMP.write_text(course.fingerprint())
    elsewhere = shutil.copytree(tmp_path, tmp_path / "elsewhere")
    monkeypatch.setattr(course, "ROOT", elsewhere)
    assert not course.is_set_up()


def test_setting_up_clears_installs_the_pins_then_the_package_and_stamps_last(venv, monkeypatch):
    commands = []

    def step(trouble, *command):
        assert not course.STAMP.exists()
        commands.append(" ".join(map(str, command)))

    monkeypatch.setattr(course, "step", step)
    course.set_up()
    assert course.is_set_up()
    clear, pins, package = commands
    assert "-m venv --clear" in clear
    assert pins.endswith("requirements.txt")
    assert "--no-deps --no-build-isolation --editable" in package
    course.set_up()
    assert len(commands) == 3  # a second start has nothing to do


def test_no_pin_delays_every_start():
    """rfc3987-syntax works for two seconds when it is imported, and every Jupyter program does."""
    pins = (course.ROOT / "requirements.txt").read_text(encoding="utf-8")
    assert "jsonschema==" in pins
    assert "rfc3987-syntax" not in pins


def test_a_failed_set_up_leaves_no_stamp(venv, monkeypatch):
    def step(trouble, *command):
        if "pip" in command:
            raise course.Trouble(trouble)

    monkeypatch.setattr(course, "step", step)
    with pytest.raises(course.Trouble, match="is there a network"):
        course.set_up()
    assert not course.is_set_up()


def test_a_failed_step_says_what_it_was_and_its_last_lines():
    code = "import sys; print('first'); [print('line', i) for i in range(20)]; sys.exit(3)"
    with pytest.raises(course.Trouble) as trouble:
        course.step("It broke.", sys.executable, "-c", code)
    assert str(trouble.value).startswith("\nIt broke. Its last lines were:\n")
    assert str(trouble.value).endswith("line 19")
    assert "first" not in str(trouble.value)


def test_the_users_own_set_up_does_not_reach_ours(monkeypatch):
    monkeypatch.setenv("JUPYTER_TOKEN", "theirs")
    monkeypatch.setenv("JUPYTERLAB_SETTINGS_DIR", "theirs")
    monkeypatch.setenv("PYTHONPATH", "theirs")
    monkeypatch.setenv("HOMEPAGE", "theirs")
    ours = course.environment()
    assert ours.keys() & {"JUPYTER_TOKEN", "JUPYTERLAB_SETTINGS_DIR", "PYTHONPATH"} == set()
    assert ours["HOMEPAGE"] == "theirs"
    assert ours["JUPYTER_CONFIG_DIR"] == str(course.ROOT / ".jupyter" / "config")
    assert ours["PYTHONUTF8"] == "1"


# --- JupyterLab -----------------------------------------------------------------------------------


def test_the_languages_are_the_folders_with_a_simulator(tmp_path):
    for name in ("vi", "en", "assets"):
        (tmp_path / name).mkdir()
    (tmp_path / "vi" / course.FIRST).touch()
    (tmp_path / "en" / course.FIRST).touch()
    course.check_language("vi", tmp_path)
    with pytest.raises(course.Trouble, match=r"no course in 'assets'; there is one in: en, vi\."):
        course.check_language("assets", tmp_path)


def test_a_wanted_port_that_is_taken_is_refused(taken_port):
    with pytest.raises(course.Trouble, match=f"Port {taken_port} is taken or not allowed"):
        course.choose_port(taken_port)


@pytest.mark.parametrize("port", [-1, 65536, 10**20])
def test_a_port_that_cannot_be_is_refused(port):
    with pytest.raises(course.Trouble, match=f"Port {port} is taken or not allowed"):
        course.choose_port(port)


def test_when_the_usual_port_is_taken_a_free_one_is_found_and_said(taken_port, monkeypatch, capsys):
    monkeypatch.setattr(course, "PORT", taken_port)
    port = course.choose_port()
    assert port != taken_port
    assert course.usable(port) == port
    assert capsys.readouterr().out == (f"Port {taken_port} is taken, so it will be port {port}.\n")


def test_a_free_port_is_taken_as_wanted():
    port = course.usable(0)
    assert course.choose_port(port) == port


def test_jupyterlab_listens_to_this_machine_only_and_keeps_its_token():
    options = course.lab_options("en", 8888, browser=True)
    assert options["ServerApp.ip"] == "127.0.0.1"
    assert options["LabApp.default_url"].endswith("/notebooks/en/00-simulator.ipynb")
    assert not any("token" in name or "xsrf" in name for name in options)


def test_jupyterlab_and_voila_take_a_long_log_in_one_message():
    """As a server reads the option: tests/browser/test_report.py sends it 12 MB."""
    option = course.lab_options("en", 8888, browser=True)["ServerApp.tornado_settings"]
    longest = {"websocket_max_message_size": course.LONGEST_MESSAGE}
    assert ast.literal_eval(str(option)) == longest
    config = json.loads((course.LIVE / "voila.json").read_text(encoding="utf-8"))
    assert config["Voila"]["tornado_settings"] == longest


def test_voila_listens_to_this_machine_only_and_warms_the_simulator_of_one_language():
    config = json.loads((course.LIVE / "voila.json").read_text(encoding="utf-8"))
    assert config["Voila"]["ip"] == "127.0.0.1"
    options = course.voila_options("en", 8888)
    assert not options.keys() & {f"Voila.{name}" for name in config["Voila"]}  # no value twice
    cold = re.compile(options["VoilaKernelManager.preheat_denylist"])
    assert not cold.match("/course/notebooks/en/00-simulator.ipynb")
    assert cold.match("/course/notebooks/vi/00-simulator.ipynb")
    assert cold.match("/course/notebooks/en/05-sweet-spot.ipynb")


@pytest.mark.parametrize("system", sorted({"nt", os.name}))
def test_a_server_is_opened_once_it_answers_and_ends_with_ctrl_c(system, monkeypatch, capfd):
    """Even where it hears of no Ctrl-C: on Windows nothing is sent to it."""
    address = f"http://127.0.0.1:{course.usable(0)}/"
    answered = []

    def stop_after_a_look(opened):
        assert opened == address
        answered.append(urllib.request.urlopen(opened, timeout=10).status)
        raise KeyboardInterrupt

    monkeypatch.setattr(course, "PYTHON", sys.executable)
    monkeypatch.setattr(course, "PATIENCE", {"nt": 0.1}.get(system, 60))
    monkeypatch.setattr(course, "os", SimpleNamespace(name=system, environ=os.environ))
    monkeypatch.setattr(course.webbrowser, "open", stop_after_a_look)
    port = address.split(":")[-1].strip("/")
    arguments = [port, "--bind=127.0.0.1"]
    assert course.serve("It", "http.server", *arguments, opened=address) == 0
    assert answered == [200]
    assert not course.answers(address)
    assert capfd.readouterr().out.endswith("It has ended.\n")


def test_a_server_that_does_not_start_is_not_opened(monkeypatch):
    monkeypatch.setattr(course, "PYTHON", sys.executable)
    monkeypatch.setattr(course.webbrowser, "open", lambda address: pytest.fail(address))
    address = f"http://127.0.0.1:{course.usable(0)}/"
    assert course.serve("It", "http.server", "--no-such-option", opened=address) == 2


# --- The command line -----------------------------------------------------------------------------


@pytest.fixture
def ready(monkeypatch):
    """A course that is set up, and a list of what it runs with the status that each run returns."""
    runs, statuses = [], {}

    def run(*command, output=None):
        runs.append(command)
        if output:
            output.write("what is said of them: ✓ ".encode() + b"\xff")
        return next((statuses[word] for word in command if word in statuses), 0)

    monkeypatch.setattr(course, "set_up", lambda: None)
    monkeypatch.setattr(course, "run", run)
    return runs, statuses


def test_trouble_is_one_sentence_and_no_traceback(ready, capsys):
    assert course.main(["--lang", "xx"]) == 1
    assert capsys.readouterr().err.startswith("There is no course in 'xx'; ")


def test_ctrl_c_ends_cleanly(monkeypatch, capsys):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr(course, "set_up", interrupted)
    assert course.main(["test"]) == 1
    assert capsys.readouterr().err == "\nStopped.\n"


def test_an_unknown_option_is_refused(ready, capsys):
    with pytest.raises(SystemExit):
        course.main(["--prot=9"])
    assert "unknown: --prot=9" in capsys.readouterr().err


def test_the_rest_of_the_line_goes_to_voila(ready, monkeypatch):
    served = []
    monkeypatch.setattr(course, "serve", lambda *command, opened: served.append((command, opened)))
    course.main(["voila", "--lang", "en", "--no-browser", "--port=0", "--theme=dark"])
    ((command, opened),) = served
    assert command[:3] == ("Voilà", "voila", str(course.NOTEBOOKS))
    assert command[-1] == "--theme=dark"
    assert opened is None


def test_all_is_checked_and_the_rest_of_the_line_goes_to_pytest(ready, capsys):
    runs, _ = ready
    assert course.main(["test", "-k", "gamma", "tests/maths", "-x"]) == 0
    beside = [command for command in runs if "--nbval" in command]
    others = [command for command in runs if "--nbval" not in command]
    assert [command[1] for command in others] == ["ruff", "ruff", "mypy", "pytest"]
    assert others[3][2:] == ("-k", "gamma", "tests/maths", "-x")
    assert [command[2:5] for command in beside] == [("--nbval", "--nbval-current-env", "notebooks")]
    said = capsys.readouterr().out
    assert said.count("passed in") == 5
    assert "what is said of them" in said


def test_a_file_takes_all_letters_where_windows_knows_few(ready, monkeypatch):
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="cp1252"))
    assert course.main(["test"]) == 0
    sys.stdout.flush()
    assert "what is said of them: ✓ \ufffd" in written.getvalue().decode("utf-8")


@pytest.mark.parametrize(
    ("word", "line"), [("mypy", "mypy         FAILED"), ("--nbval", "notebooks    FAILED")]
)
def test_one_failed_check_fails_all_but_stops_none(ready, capsys, word, line):
    runs, statuses = ready
    statuses[word] = 2
    assert course.main(["test"]) == 1
    assert len(runs) == 5
    summary = capsys.readouterr().out
    assert line in summary


def test_benchmarks_pages_slides_and_notebooks_have_their_own_commands(ready):
    runs, _ = ready
    course.main(["bench", "-k", "slider"])
    course.main(["pages"])
    course.main(["slides", "--reveal", "../reveal.js"])
    course.main(["notebooks"])
    assert runs == [
        ("-m", "pytest", "tests/benchmarks", "-k", "slider"),
        ("pages/build.py", "pages"),
        ("pages/build.py", "slides", "--reveal", "../reveal.js"),
        ("tests/notebooks/remake.py",),
    ]
