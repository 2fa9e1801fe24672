"""Builds what the calendar code is compared with, and a small program of its own, below
.build/peers: python-dateutil in a virtual environment, programs against libical, and the probe,
which is Sources/ICalendar and Sources/Recurrence with a few verbs for scripts.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
HOME = ROOT / ".build" / "peers"
PYTHON = HOME / "bin" / "python"
PROBE = HOME / "probe"
FEATURES = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]


def in_private_python():
    """Goes on in the private Python, with the script and arguments that this one was called with;
    returns there."""
    if Path(sys.prefix) == HOME:
        return
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", HOME], check=True)
    if subprocess.run([PYTHON, "-c", "import dateutil"], stderr=subprocess.DEVNULL).returncode:
        pip = [PYTHON, "-m", "pip", "install", "--quiet", "python-dateutil==2.9.0.post0"]
        subprocess.run(pip, check=True)
    os.execv(PYTHON, [str(PYTHON), *sys.argv])


def is_older(product, sources):
    if not product.exists():
        return True
    made = product.stat().st_mtime
    return any(source.stat().st_mtime > made for source in sources)


def probe():
    """The release probe, built again if a source of it is newer."""
    modules = {name: sorted((ROOT / "Sources" / name).rglob("*.swift"))
               for name in ("ICalendar", "Recurrence")}
    verbs = sorted((ROOT / "Scripts/peers/probe").glob("*.swift"))
    if not is_older(PROBE, [*verbs, *(file for files in modules.values() for file in files)]):
        return PROBE
    HOME.mkdir(parents=True, exist_ok=True)
    print("building .build/peers/probe", file=sys.stderr)
    # As `swift build --configuration release` does.
    swiftc = ["swiftc", "-swift-version", "6", "-O", "-whole-module-optimization",
              "-enable-default-cmo", "-package-name", "calgw", "-I", HOME]
    for feature in FEATURES:
        swiftc += ["-enable-upcoming-feature", feature]
    for name, files in modules.items():
        subprocess.run([*swiftc, "-parse-as-library", "-module-name", name, "-emit-module",
                        "-emit-module-path", HOME / f"{name}.swiftmodule",
                        "-c", "-o", HOME / f"{name}.o", *files], check=True)
    subprocess.run([*swiftc, "-module-name", "probe", "-static-stdlib", "-o", PROBE, *verbs,
                    *(HOME / f"{name}.o" for name in modules)], check=True)
    return PROBE


def libical(source):
    """The program that a C source makes with libical; None where there is no libical."""
    program = HOME / source.stem
    if is_older(program, [source]):
        flags = _libical_flags()
        command = ["cc", "-O2", "-Wall", "-Wextra", "-o", program, source, *flags]
        if subprocess.run(command).returncode:
            print("libical is missing (Debian: apt-get install libical-dev)", file=sys.stderr)
            return None
    return program


def _libical_flags():
    """What the compiler needs: the system's libical, or Debian's packages in a private folder."""
    asked = ["pkg-config", "--cflags", "--libs", "libical"]
    if shutil.which("pkg-config"):
        found = subprocess.run(asked, capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.split()
    private = HOME / "libical"
    if not private.exists() and shutil.which("apt-get") and shutil.which("dpkg"):
        fetched = HOME / "packages"
        fetched.mkdir(parents=True, exist_ok=True)
        depends = subprocess.run(["apt-cache", "depends", "libical-dev"], capture_output=True,
                                 text=True).stdout.split()
        names = ["libical-dev", *(name for name in depends if name.startswith("libical3"))]
        subprocess.run(["apt-get", "download", *names], cwd=fetched, stdout=subprocess.DEVNULL)
        for package in fetched.glob("*.deb"):
            subprocess.run(["dpkg", "-x", package, private], check=True)
    flags = [f"-I{private / 'usr/include'}", "-lical"]
    for folder in private.glob("usr/lib/*-linux-gnu*"):
        flags += [f"-L{folder}", f"-Wl,-rpath,{folder}"]
    return flags
