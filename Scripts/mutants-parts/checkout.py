"""A copy of a checkout to be broken, and what is known of its state."""

import hashlib
import subprocess

# What decides how the stories and the tests end; the breaks themselves do not.
PLAYED = ("Package.swift", "Sources/", "Tests/", "Fixtures/", "docs/merge.md", "docs/reconcile.md")
BREAKS = "Tests/Mutants/"


def files(root):
    """All that Git keeps or would keep."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=root, check=True, capture_output=True).stdout.decode().split("\0")
    return {name for name in listed if name and (root / name).is_file()}


def update(copy, root):
    """Makes the copy like the checkout; what is the same keeps its time, and is not built anew."""
    wanted = files(root)
    copy.mkdir(parents=True, exist_ok=True)
    for name in sorted(wanted):
        data, target = (root / name).read_bytes(), copy / name
        if not target.exists() or target.read_bytes() != data:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            target.chmod((root / name).stat().st_mode)
    for path in copy.rglob("*"):
        if path.is_file() and str(path.relative_to(copy)) not in wanted:
            path.unlink()


def digest(place, root):
    """Of all files of a checkout that are played, as they are at a place."""
    whole = hashlib.sha256()
    for name in sorted(files(root)):
        path = place / name
        if name.startswith(PLAYED) and not name.startswith(BREAKS) and path.is_file():
            whole.update(f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()
