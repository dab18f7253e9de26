"""The image of Binder, without Docker: what repo2docker would do, its steps done, the links to it.

The rehearsal does the image's steps in a fresh virtual environment, upon the versions that
repo2docker's base environment has of the Jupyter server, then asks it for a page as Binder would.
It needs the package index; without one it is skipped, but in CI it fails. It is skipped too for a
Python or a machine that repo2docker has no base for; for the image's own it has one, by a test.
"""

import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

import course

ROOT = course.ROOT
BINDER = ROOT / "binder"
PYTHON = "{}.{}".format(*sys.version_info)
# repo2docker's names of the machines it builds for, by Linux's and by macOS's.
MACHINES = {"x86_64": "64", "amd64": "64", "aarch64": "aarch64", "arm64": "aarch64"}
BASE = ["ipykernel", "ipywidgets", "jupyter-server", "jupyterlab-server", "nbconvert"]


def pins(path):
    """The versions in a file of requirements, by name."""
    lines = path.read_text(encoding="utf-8").splitlines()
    found = [line.split(";")[0].split("#")[0].strip() for line in lines]
    return dict(line.split("==") for line in found if line)


def names(path):
    """The names in a file of requirements without versions."""
    return {line for line in path.read_text().splitlines() if line and not line.startswith("#")}


# --- What the files say ---------------------------------------------------------------------------


def test_pins_are_those_of_the_course():
    image, whole = pins(BINDER / "requirements.txt"), pins(ROOT / "requirements.txt")
    assert image.items() <= whole.items()
    assert image.keys() == names(BINDER / "requirements.in")
    assert "jupyterlab" not in image  # the base has its own


@pytest.mark.skipif(os.name == "nt", reason="repo2docker does not start on Windows")
def test_repo2docker_takes_the_files_as_they_are_meant():
    program = shutil.which("jupyter-repo2docker", path=os.path.dirname(sys.executable))
    assert program, "jupyter-repo2docker is missing: is everything in requirements.txt installed?"
    command = [program, "--no-build", "--debug", str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    said = done.stdout + done.stderr
    assert "for python=3.11" in said
    pip = 'RUN ${KERNEL_PYTHON_PREFIX}/bin/pip install --no-cache-dir -r "binder/requirements.txt"'
    copy = re.search("^COPY .*src/ ", said, re.MULTILINE)
    assert copy
    assert said.index(pip) < copy.start()  # so that a new lesson does not install all anew
    assert copy.start() < said.index("RUN ./binder/postBuild")
    assert os.access(BINDER / "postBuild", os.X_OK)


# --- The links ------------------------------------------------------------------------------------

READMES = {"README.md": "en", "README.vi.md": "vi"}
LINK = re.compile(r"https://mybinder\.org/v2/gh/([\w.-]+)/specdec_widgets/HEAD\?urlpath=([^\s)]+)")
HUB = re.compile(r"https://HUB/hub/user-redirect/git-pull\?(\S+)")


@pytest.fixture(params=READMES)
def readme(request):
    """The text of a README and its language."""
    return (ROOT / request.param).read_text(encoding="utf-8"), READMES[request.param]


def test_badges_open_both_courses_and_the_simulator_alone(readme):
    text, language = readme
    opened = [urllib.parse.unquote(path) for _owner, path in LINK.findall(text)]
    lessons = [f"notebooks/{lang}/{course.FIRST}" for lang in ("vi", "en")]
    alone = f"voila/render/notebooks/{language}/{course.FIRST}"
    assert sorted(opened) == sorted([*(f"lab/tree/{path}" for path in lessons), alone])
    assert text.count("mybinder.org/v2/") == len(opened)  # no link has another form
    assert all((ROOT / path).is_file() for path in lessons)


def test_the_link_for_a_jupyterhub_fetches_the_course_and_opens_it(readme):
    text, language = readme
    (query,) = HUB.findall(text)
    asked = dict(urllib.parse.parse_qsl(query))
    assert re.fullmatch(r"https://github\.com/[\w.-]+/specdec_widgets", asked["repo"])
    folder, path = asked["urlpath"].removeprefix("lab/tree/").split("/", 1)
    assert folder == "specdec_widgets"
    assert path == f"notebooks/{language}/{course.FIRST}"


def test_all_links_name_the_same_owner():
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in READMES]
    owners = {owner for text in texts for owner, _path in LINK.findall(text)}
    owners |= {owner for text in texts for owner in re.findall(r"com%2F([\w.-]+)%2F", text)}
    assert len(owners) == 1


# --- The rehearsal --------------------------------------------------------------------------------


def base_lock(version, machine):
    """The file of what repo2docker's base environment holds; there may be none."""
    program = Path(importlib.util.find_spec("repo2docker").origin).parent
    name = f"environment.py-{version}-linux-{MACHINES.get(machine.lower(), machine)}.lock"
    return program / "buildpacks" / "conda" / name


@pytest.mark.parametrize("machine", ["x86_64", "aarch64", "arm64"])
def test_the_image_has_a_base(machine):
    version = (BINDER / "runtime.txt").read_text().strip().removeprefix("python-")
    assert {"jupyter_server", "ipywidgets"} <= base_versions(base_lock(version, machine)).keys()


def test_another_python_or_machine_may_have_no_base():
    assert not base_lock("3.99", "x86_64").exists()
    assert not base_lock("3.11", "riscv64").exists()


def base_versions(lock):
    """What a base environment holds, by name."""
    package = re.compile(r"/([a-z][\w.-]*)-(\d[^-/]*)-[^-/]+\.conda\b")
    return dict(package.findall(lock.read_text(encoding="utf-8")))


def no_network(said):
    """Skip where the package index cannot be reached, but fail in CI; elsewhere go on."""
    if re.search("NewConnectionError|ConnectTimeoutError|NameResolutionError", said):
        reason = "the package index cannot be reached, which the rehearsal of Binder needs"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)


class Image:
    """A virtual environment and a copy of the repository, in the place of the image's."""

    def __init__(self, folder):
        self.prefix = folder / "prefix"
        self.home = folder / "home"
        ignored = shutil.ignore_patterns(".*", "__pycache__", "tests")
        shutil.copytree(ROOT, self.home, ignore=ignored)
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "PYTHON"))},
            "PATH": f"{self.prefix / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "NB_PYTHON_PREFIX": str(self.prefix),
            "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
            "JUPYTER_DATA_DIR": str(folder / "data"),
            "JUPYTER_CONFIG_DIR": str(folder / "config"),
        }
        self.run(sys.executable, "-m", "venv", self.prefix)

    def run(self, *command):
        """Run one step; return what it said."""
        words = [str(word) for word in command]
        done = subprocess.run(
            words, cwd=self.home, env=self.environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            no_network(done.stderr)
            pytest.fail(f"{' '.join(words)}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def pip(self, *command):
        return self.run("python", "-m", "pip", "--disable-pip-version-check", *command)

    def versions(self):
        """What is installed, by name in its normal form."""
        lines = self.pip("freeze").splitlines()
        installed = (line.split("==") for line in lines if "==" in line)
        return {name.lower().replace("_", "-"): version for name, version in installed}


@pytest.mark.skipif(os.name == "nt", reason="the image is one of Linux: its postBuild needs bash")
def test_rehearsal_of_the_image(tmp_path):
    lock = base_lock(PYTHON, platform.machine())
    if not lock.exists():
        pytest.skip(f"repo2docker has no base for Python {PYTHON} on {platform.machine()}")
    image = Image(tmp_path)
    constraints = tmp_path / "constraints.txt"
    constraints.write_text("\n".join(f"{n}=={v}" for n, v in base_versions(lock).items()))
    image.pip("install", "--no-compile", "-c", constraints, *BASE)
    before = image.versions()
    image.pip("install", "--no-compile", "-r", BINDER / "requirements.txt")
    changed = dict(image.versions().items() - before.items())
    # Neither anything without a pin, nor anything that the base had right already.
    assert changed == pins(BINDER / "requirements.txt")
    image.run("bash", "binder/postBuild")
    image.pip("check")
    assert_serves_the_simulator(image)


def assert_serves_the_simulator(image):
    """The page that the README's link opens: run by itself, without code."""
    port = course.usable(0)
    address = f"http://127.0.0.1:{port}"
    options = [f"--port={port}", "--ip=127.0.0.1", "--no-browser", "--allow-root"]
    server = subprocess.Popen(
        [str(image.prefix / "bin" / "jupyter-server"), *options, "--IdentityProvider.token="],
        cwd=image.home,
        env=image.environment,
        stderr=subprocess.DEVNULL,
    )
    try:
        while server.poll() is None and not course.answers(address):
            time.sleep(0.1)
        path = f"/voila/render/notebooks/en/{course.FIRST}"
        with urllib.request.urlopen(address + path, timeout=120) as answer:
            page = answer.read().decode()
        assert "application/vnd.jupyter.widget-view+json" in page
        assert "20 tokens in 6 target passes" in page
        assert "set_language" not in page
        assert "cdn." not in page  # our template, not Voilà's own
    finally:
        server.terminate()
        server.wait(60)
