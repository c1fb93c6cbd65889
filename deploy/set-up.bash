# Sourced by deploy/run and deploy/test: everything between a fresh checkout and a working `.venv` in it.
#
#   set_up run   what the companion needs to run
#   set_up dev   that, and what its checks and tests need
#
# Everything said here goes to standard error, so that standard output belongs to what is started.
# apt and pip are used as this machine configures them. A second start does nothing but compare a stamp.

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
environment=$root/.venv
python=$environment/bin/python
os_release=/etc/os-release

# The environment of the project sees no packages but its own.
unset PYTHONPATH PYTHONHOME VIRTUAL_ENV
export PYTHONNOUSERSITE=1 PIP_DISABLE_PIP_VERSION_CHECK=1

say() { printf '%s\n' "$*" >&2; }

stop() {
    say "$*"
    exit 2
}

# What the companion needs of the system, one Debian package a line.
system_packages() {
    local version=""
    # shellcheck disable=SC1090
    [[ -r $os_release ]] && version=$(. "$os_release" && printf '%s' "${VERSION_ID:-}")
    if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
        printf '%s\n' python3-venv
    fi
    printf '%s\n' ca-certificates # pip's downloads
    printf '%s\n' libgl1 libegl1 libgles2 libgbm1 # Kivy's window
    # Kivy's touchscreens and OpenCV; renamed in Debian 13, where time became 64 bits wide
    if [[ ${version%%.*} =~ ^[0-9]+$ && ${version%%.*} -lt 13 ]]; then
        printf '%s\n' libmtdev1 libglib2.0-0
    else
        printf '%s\n' libmtdev1t64 libglib2.0-0t64
    fi
}

is_installed() { [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null) == installed* ]]; }

missing_packages() {
    local name
    while read -r name; do
        is_installed "$name" || printf '%s\n' "$name"
    done < <(system_packages)
}

install_packages() {
    [[ -n $(command -v dpkg-query) && -n $(command -v apt-get) ]] ||
        stop "This system has no apt-get; expected Debian 12 or 13 or Raspberry Pi OS."
    local missing as_root=()
    mapfile -t missing < <(missing_packages)
    ((${#missing[@]})) || return 0
    if [[ $(id -u) != 0 ]]; then
        if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; then
            as_root=(sudo)
        else
            say "Some system packages are missing and this user may not install them; run this as root, then start again:"
            stop "apt-get update && apt-get install --yes --no-install-recommends ${missing[*]}"
        fi
    fi
    say "Installing ${missing[*]}"
    "${as_root[@]}" apt-get update >&2 || stop "apt-get update failed; check the network and the sources of apt, then start again."
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "${missing[@]}" >&2 ||
        stop "apt-get could not install ${missing[*]}; its last lines say why."
}

# What the tests build and run the dock's firmware with. The companion does not need it, and a test that
# lacks it says so: what this release does not have, or this user may not install, is left out.
install_emulators() {
    local name as_root=() missing=()
    for name in make gcc-avr avr-libc qemu-system-misc micropython; do
        is_installed "$name" || missing+=("$name")
    done
    ((${#missing[@]})) || return 0
    if [[ $(id -u) != 0 ]]; then
        if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
            say "The firmware's tests will say what they lack; as root: apt-get install ${missing[*]}"
            return 0
        fi
        as_root=(sudo)
    fi
    "${as_root[@]}" apt-get update >&2 || return 0
    for name in "${missing[@]}"; do
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "$name" >&2 ||
            say "There is no $name to be had; the firmware's tests will say what they lack."
    done
}

check_python() {
    command -v python3 >/dev/null || stop "There is no python3 here; expected Python 3.11, 3.12 or 3.13: apt-get install python3"
    python3 -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' ||
        stop "Found $(python3 --version); expected Python 3.11, 3.12 or 3.13."
}

# Everything that decides what the environment holds: change one and it is made anew or brought up to date.
stamp_for() {
    {
        printf '%s\n' "$1" "$root"
        python3 -c 'import sys; print(sys.version, sys.base_prefix)'
        cat "$root/pyproject.toml" "$root/deploy/constraints.txt" "$root/deploy/set-up.bash" "$os_release" 2>/dev/null
    } | sha256sum | cut --delimiter=' ' --fields=1
}

is_stamped() { [[ -x $python && -r $environment/stamp-$1 && $(<"$environment/stamp-$1") == "$(stamp_for "$1")" ]]; }

# An environment remembers the path it was made at; one that was moved, copied, made by another Python
# or that sees the system's packages is made anew.
is_usable() {
    [[ -r $environment/pyvenv.cfg ]] &&
        grep --quiet '^include-system-site-packages = false$' "$environment/pyvenv.cfg" &&
        grep --quiet --line-regexp --fixed-strings "$environment" <(sed --quiet 's/^command = .* -m venv //p' "$environment/pyvenv.cfg") &&
        [[ $("$python" -c 'import sys; print(sys.version, sys.base_prefix)' 2>/dev/null) == "$(python3 -c 'import sys; print(sys.version, sys.base_prefix)')" ]] &&
        "$python" -m pip --version >/dev/null 2>&1
}

make_environment() {
    if ! is_usable; then
        [[ -e $environment ]] && say "The environment in $environment was not made here or by this Python; making it anew."
        rm -rf -- "$environment"
        python3 -m venv "$environment" || stop "python3 could not make $environment; its last lines say why."
    fi
}

# What pyproject.toml asks for, one requirement a line.
requirements() {
    "$python" -c '
import sys, tomllib
with open(sys.argv[1], "rb") as file:
    project = tomllib.load(file)["project"]
print(*project["dependencies"], sep="\n")
if sys.argv[2] == "dev":
    print(*project["optional-dependencies"]["dev"], sep="\n")
' "$root/pyproject.toml" "$1"
}

install_project() {
    local wanted pip=("$python" -m pip install --no-input --constraint "$root/deploy/constraints.txt")
    mapfile -t wanted < <(requirements "$1")
    # pip shows its progress to people; a log is spared it.
    [[ -t 2 ]] || pip+=(-qq)
    say "Installing the Python packages of the project; the first time this takes some minutes"
    {
        "${pip[@]}" pip setuptools &&
            "${pip[@]}" "${wanted[@]}" &&
            "${pip[@]}" -qq --no-deps --no-build-isolation --editable "$root"
    } >&2 || stop "pip could not install the project; its last lines say why. Check the network and start again."
}

set_up() {
    check_python
    is_stamped "$1" && return 0
    local began=$SECONDS
    install_packages
    [[ $1 != dev ]] || install_emulators
    make_environment
    rm -f -- "$environment"/stamp-*
    install_project "$1"
    stamp_for "$1" >"$environment/stamp-$1"
    # Whoever can test can run.
    [[ $1 == dev ]] && stamp_for run >"$environment/stamp-run"
    say "Everything is set up in $((SECONDS - began)) s"
}

# A desktop, or a screen at a connector of the graphics card; the folder is /sys/class/drm except in tests.
has_screen() {
    [[ -n ${DISPLAY:-} || -n ${WAYLAND_DISPLAY:-} ]] && return 0
    grep --quiet --no-messages --line-regexp connected "$1"/*/status
}
