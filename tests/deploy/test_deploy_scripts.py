"""`deploy/run` and `deploy/test` on machines that lack this or that, played by scripts on the path.

Nothing here installs anything: each test works on a copy of the scripts, with its own apt, sudo, id and
python3. That they set up a bare Debian is tried by hand in a chroot (CONTRIBUTING.md says how).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = ("deploy/run", "deploy/test", "deploy/set-up.bash", ".ci/run")
PLAIN = ("bash", "cat", "cut", "dirname", "env", "grep", "mktemp", "rm", "sed", "sha256sum")
"""All that the scripts use of a machine, besides what the tests put in its place."""
EVERYTHING = "ca-certificates libgl1 libegl1 libgles2 libgbm1 libmtdev1"
"""What both releases call by names that begin so, in this order."""
PYTHON = getattr(sys, "_base_executable", sys.executable)


class Machine:
    """A checkout and a folder of programs; `log` holds the calls of apt-get, sudo and the environment's python."""

    def __init__(self, folder: Path) -> None:
        self.checkout = folder / "a checkout"
        self.bin = folder / "bin"
        self.log = folder / "log"
        self.drm = folder / "drm"
        self.bin.mkdir()
        self.drm.mkdir()
        self.log.touch()
        (self.checkout / "deploy").mkdir(parents=True)
        for name in ("run", "test", "set-up.bash", "constraints.txt"):
            shutil.copy(ROOT / "deploy" / name, self.checkout / "deploy" / name)
        shutil.copy(ROOT / "pyproject.toml", self.checkout)
        run = self.checkout / "deploy" / "run"
        run.write_text(run.read_text().replace("/sys/class/drm", str(self.drm)))
        for name in PLAIN:
            found = shutil.which(name)
            assert found is not None, f"{name} is needed to try the scripts"
            (self.bin / name).symlink_to(found)
        self.program("python3", f'exec "{PYTHON}" "$@"')
        self.program("dpkg-query", "exit 1")
        self.program("apt-get", f'echo "apt-get $*" >> "{self.log}"')
        self.program("id", "echo 1000")

    def program(self, name: str, does: str) -> None:
        self._script(self.bin / name, does)

    def environment(self, does: str = "", stamped: tuple[str, ...] = ()) -> Path:
        """Put a `.venv` into the checkout whose python writes its arguments into the log."""
        folder = self.checkout / ".venv" / "bin"
        folder.mkdir(parents=True)
        for name in ("python", "lint-imports"):
            self._script(folder / name, f'echo "{name} $*" >> "{self.log}"\n{does}')
        for what in stamped:
            (folder.parent / f"stamp-{what}").write_text(self.source(f"stamp_for {what}").stdout)
        return folder.parent

    def run(self, script: str, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return self._bash(f'"{self.checkout}/deploy/{script}" "$@"', words, variables)

    def source(self, does: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a line of bash in which the functions of set-up.bash are known."""
        return self._bash(f'. "{self.checkout}/deploy/set-up.bash"; {does}', (), variables)

    @property
    def calls(self) -> list[str]:
        return self.log.read_text().splitlines()

    def _bash(self, line: str, words: tuple[str, ...], variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.bin / "bash"), "-c", line, "test", *words],
            env={"PATH": str(self.bin), "TMPDIR": str(self.bin.parent), **variables},
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )

    def _script(self, path: Path, does: str) -> None:
        path.write_text(f"#!{shutil.which('bash')}\n{does}\n")
        path.chmod(0o755)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_parses(script: str) -> None:
    parsed = subprocess.run(["bash", "-n", str(ROOT / script)], capture_output=True, text=True, check=False)
    assert (parsed.returncode, parsed.stderr) == (0, "")


@pytest.mark.parametrize("script", ["deploy/run", "deploy/test", ".ci/run"])
def test_a_script_that_people_start_is_executable(script: str) -> None:
    assert os.access(ROOT / script, os.X_OK)


@pytest.mark.parametrize("script", ["run", "test"])
def test_without_root_and_sudo_the_one_apt_line_is_printed_and_nothing_is_made(machine: Machine, script: str) -> None:
    ended = machine.run(script)
    assert ended.returncode == 2
    assert ended.stdout == ""
    lines = ended.stderr.splitlines()
    assert len(lines) == 2
    assert lines[1].startswith("apt-get update && apt-get install --yes --no-install-recommends ")
    assert EVERYTHING in lines[1]
    assert machine.calls == []
    assert not (machine.checkout / ".venv").exists()


def test_only_what_is_missing_is_named(machine: Machine) -> None:
    machine.program("dpkg-query", "[[ ${*: -1} == @(libgbm1|python3-venv) ]] || printf installed")
    machine.program("python3", f'[[ $2 != *ensurepip* ]] && exec "{PYTHON}" "$@"')
    ended = machine.run("run")
    assert ended.stderr.splitlines()[1].endswith("--no-install-recommends python3-venv libgbm1")


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        ('VERSION_ID="12"', ["libmtdev1", "libglib2.0-0"]),
        ('VERSION_ID="13"', ["libmtdev1t64", "libglib2.0-0t64"]),
        ("VERSION_CODENAME=sid", ["libmtdev1t64", "libglib2.0-0t64"]),
    ],
)
def test_the_libraries_that_debian_13_renamed_are_named_as_the_release_names_them(
    machine: Machine, tmp_path: Path, release: str, expected: list[str]
) -> None:
    (tmp_path / "os-release").write_text(release + "\n")
    listed = machine.source(f'os_release="{tmp_path}/os-release"; system_packages').stdout.split()
    assert [name for name in listed if name.startswith(("libmtdev", "libglib"))] == expected


def test_root_updates_the_lists_and_then_installs(machine: Machine) -> None:
    machine.program("id", "echo 0")
    assert machine.source("install_packages").returncode == 0
    assert machine.calls[0] == "apt-get update"
    assert machine.calls[1].startswith("apt-get install --yes --no-install-recommends ")
    assert EVERYTHING in machine.calls[1]


def test_a_user_with_sudo_installs_through_it(machine: Machine) -> None:
    machine.program("sudo", f'[[ $1 == -n ]] && exit 0; echo "sudo $*" >> "{machine.log}"; exec "$@"')
    assert machine.source("install_packages").returncode == 0
    assert machine.calls[:2] == ["sudo apt-get update", "apt-get update"]
    assert machine.calls[2].startswith("sudo env DEBIAN_FRONTEND=noninteractive apt-get install ")


def test_what_only_the_firmwares_tests_need_is_installed_where_it_can_be_had(machine: Machine) -> None:
    machine.program("id", "echo 0")
    machine.program("apt-get", f'echo "apt-get $*" >> "{machine.log}"; [[ $* != *micropython* ]]')
    ended = machine.source("install_emulators")
    assert ended.returncode == 0
    assert [call.split()[-1] for call in machine.calls] == [
        "update", "make", "gcc-avr", "avr-libc", "qemu-system-misc", "micropython",
    ]  # fmt: skip
    assert ended.stderr == "There is no micropython to be had; the firmware's tests will say what they lack.\n"


def test_without_root_the_firmwares_tests_go_without_and_it_is_said(machine: Machine) -> None:
    machine.program("dpkg-query", "[[ ${*: -1} == make ]] && printf installed")
    ended = machine.source("install_emulators")
    assert (ended.returncode, machine.calls) == (0, [])
    assert ended.stderr.endswith("as root: apt-get install gcc-avr avr-libc qemu-system-misc micropython\n")


def test_running_asks_for_no_emulator(machine: Machine) -> None:
    machine.program("id", "echo 0")
    machine.program("dpkg-query", "[[ ${*: -1} == @(gcc-avr|qemu-system-misc) ]] || printf installed")
    an_environment_that_looks_used(machine)
    assert machine.source("set_up run").returncode == 0
    assert not [call for call in machine.calls if call.startswith("apt-get")]
    assert machine.source("set_up dev").returncode == 0
    assert [call.split()[-1] for call in machine.calls if call.startswith("apt-get")][1:] == [
        "gcc-avr", "qemu-system-misc",
    ]  # fmt: skip


def test_an_update_that_fails_stops_with_a_sentence(machine: Machine) -> None:
    machine.program("id", "echo 0")
    machine.program("apt-get", "exit 100")
    ended = machine.run("run")
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1].startswith("apt-get update failed; check the network")


def test_another_system_is_told_what_was_expected(machine: Machine) -> None:
    (machine.bin / "apt-get").unlink()
    ended = machine.run("run")
    assert (ended.returncode, ended.stderr) == (
        2,
        "This system has no apt-get; expected Debian 12 or 13 or Raspberry Pi OS.\n",
    )


def test_another_python_is_told_what_was_expected(machine: Machine) -> None:
    machine.program("python3", '[[ $1 == --version ]] && echo "Python 3.9.2"; exit 1')
    ended = machine.run("run")
    assert (ended.returncode, ended.stderr) == (2, "Found Python 3.9.2; expected Python 3.11, 3.12 or 3.13.\n")


def test_a_second_start_asks_neither_apt_nor_pip(machine: Machine) -> None:
    machine.environment(stamped=("run",))
    for name in ("apt-get", "dpkg-query", "sudo"):
        machine.program(name, f'echo "{name} was asked" >> "{machine.log}"')
    ended = machine.run("run", "judge", "a file.yaml", "--json")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert machine.calls == ["python -m companion judge a file.yaml --json"]


@pytest.mark.parametrize("changed", ["pyproject.toml", "deploy/constraints.txt", "deploy/set-up.bash"])
def test_the_stamp_changes_with_everything_that_decides_what_is_installed(machine: Machine, changed: str) -> None:
    before = machine.source("stamp_for run").stdout
    assert len(before.strip()) == 64
    assert machine.source("stamp_for run").stdout == before
    file = machine.checkout / changed
    file.write_text(file.read_text() + "# one line more\n")
    assert machine.source("stamp_for run").stdout != before


def test_the_stamp_changes_with_the_path_the_python_and_the_purpose(machine: Machine, tmp_path: Path) -> None:
    seen = [machine.source(f"stamp_for {what}").stdout for what in ("run", "dev")]
    machine.program("python3", f'[[ $2 == *base_prefix* ]] && echo "3.12 elsewhere" || exec "{PYTHON}" "$@"')
    seen.append(machine.source("stamp_for run").stdout)
    machine.program("python3", f'exec "{PYTHON}" "$@"')
    machine.checkout = machine.checkout.rename(tmp_path / "moved")
    seen.append(machine.source("stamp_for run").stdout)
    assert len(set(seen)) == 4


def test_an_environment_without_its_stamp_is_not_taken_for_a_finished_one(machine: Machine) -> None:
    machine.environment(stamped=("run",))
    assert machine.source("is_stamped run").returncode == 0
    assert machine.source("is_stamped dev").returncode == 1
    (machine.checkout / ".venv" / "stamp-run").unlink()
    assert machine.source("is_stamped run").returncode == 1


def an_environment_that_looks_used(machine: Machine, sees_system: str = "false") -> None:
    environment = machine.environment(f'case "$*" in "-m pip"*) exit 0 ;; esac; exec "{PYTHON}" "$@"')
    (environment / "pyvenv.cfg").write_text(
        f"home = /usr/bin\ninclude-system-site-packages = {sees_system}\n"
        f"command = {PYTHON} -m venv {environment}\n"
    )  # fmt: skip


def test_an_environment_made_here_by_this_python_is_kept(machine: Machine) -> None:
    an_environment_that_looks_used(machine)
    assert machine.source("is_usable").returncode == 0


def test_an_environment_that_sees_the_systems_packages_is_made_anew(machine: Machine) -> None:
    an_environment_that_looks_used(machine, sees_system="true")
    assert machine.source("is_usable").returncode == 1


def test_an_environment_that_was_moved_is_made_anew(machine: Machine, tmp_path: Path) -> None:
    an_environment_that_looks_used(machine)
    machine.checkout = machine.checkout.rename(tmp_path / "moved")
    assert machine.source("is_usable").returncode == 1


def test_an_environment_of_another_python_is_made_anew(machine: Machine) -> None:
    an_environment_that_looks_used(machine)
    machine.program("python3", f'[[ $2 == *base_prefix* ]] && echo "3.12 elsewhere" || exec "{PYTHON}" "$@"')
    assert machine.source("is_usable").returncode == 1


@pytest.mark.parametrize(("what", "tested"), [("run", False), ("dev", True)])
def test_pip_installs_what_pyproject_asks_for_in_the_versions_tried(machine: Machine, what: str, tested: bool) -> None:
    machine.environment(f'[[ $1 == -c ]] && exec "{PYTHON}" "$@"; exit 0')
    ended = machine.source(f"install_project {what}")
    assert ended.returncode == 0, ended.stderr
    pip = [call for call in machine.calls if call.startswith("python -m pip install ")]
    assert len(pip) == 3
    assert all(f"--constraint {machine.checkout}/deploy/constraints.txt" in call for call in pip)
    assert "kivy==2.3.1" in pip[1]
    assert ("pytest>=" in pip[1]) is tested
    assert "chess" not in "".join(pip)
    assert pip[2].endswith(f"--editable {machine.checkout}")


def test_a_pip_that_fails_stops_with_a_sentence_and_leaves_no_stamp(machine: Machine) -> None:
    machine.program("dpkg-query", "printf installed")
    an_environment_that_looks_used(machine)
    python = machine.checkout / ".venv" / "bin" / "python"
    python.write_text(python.read_text().replace("exit 0", "[[ $* != *install* ]]; exit"))
    ended = machine.run("run")
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1].startswith("pip could not install the project")
    assert list((machine.checkout / ".venv").glob("stamp-*")) == []


def test_a_connected_connector_or_a_desktop_is_a_screen(machine: Machine, tmp_path: Path) -> None:
    asked = f'has_screen "{machine.drm}"'
    assert machine.source(asked).returncode != 0
    (machine.drm / "card0-HDMI-A-1").mkdir()
    status = machine.drm / "card0-HDMI-A-1" / "status"
    status.write_text("disconnected\n")
    assert machine.source(asked).returncode != 0
    assert machine.source(asked, DISPLAY=":0").returncode == 0
    assert machine.source(asked, WAYLAND_DISPLAY="wayland-1").returncode == 0
    status.write_text("connected\n")
    assert machine.source(asked).returncode == 0


def test_with_a_screen_the_app_is_started(machine: Machine) -> None:
    machine.environment(stamped=("run",))
    assert machine.run("run", DISPLAY=":0").returncode == 0
    assert machine.calls == ["python -m companion"]


def test_without_a_screen_the_demo_is_played_with_the_arguments_given(machine: Machine) -> None:
    machine.environment(stamped=("run",))
    ended = machine.run("run", "--seed", "7", "--json")
    assert (ended.returncode, ended.stdout) == (0, "")
    assert machine.calls == ["python -m companion demo allies --headless --seed 7 --json"]


def test_the_exit_code_is_the_companions(machine: Machine) -> None:
    machine.environment("exit 2", stamped=("run",))
    assert machine.run("run", "judge", "nothing.yaml").returncode == 2


def test_a_failed_check_does_not_hide_the_others_and_decides_the_exit_code(machine: Machine) -> None:
    machine.environment("[[ $* != *mypy* ]]", stamped=("dev",))
    ended = machine.run("test", "-k", "pins")
    assert ended.returncode == 1
    assert ended.stdout.splitlines()[-1] == "Failed: Types (mypy, strict)"
    assert machine.calls == [
        "python -m ruff check .",
        "python -m ruff format --check .",
        "python -m mypy",
        "lint-imports ",
        "python -m pytest -k pins",
    ]


def test_tests_write_into_a_temporary_home_that_is_gone_afterwards(machine: Machine) -> None:
    machine.environment(f'echo "home $COMPANION_HOME" >> "{machine.log}"', stamped=("dev",))
    ended = machine.run("test", COMPANION_HOME="/somewhere/of/the/user")
    assert (ended.returncode, ended.stdout.splitlines()[-1]) == (0, "All checks and tests are good.")
    (home,) = {call.removeprefix("home ") for call in machine.calls if call.startswith("home ")}
    assert home.startswith(str(machine.bin.parent))
    assert not Path(home).parent.exists()
