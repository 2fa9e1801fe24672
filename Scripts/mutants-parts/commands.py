"""Commands that end in time, with all that they started."""

import os
import signal
import subprocess
import time
from pathlib import Path

# A hundred looks, a tenth of a second apart: who is killed is gone at once, but for a disk.
LOOKS = 100


def run(command, folder, patience):
    """Status and output; the status is None where there was no end within `patience` seconds."""
    with subprocess.Popen(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, encoding="utf-8", errors="replace", start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=patience)
            return process.returncode, output
        except subprocess.TimeoutExpired:
            end(process.pid)
            return None, process.communicate()[0]
        except BaseException:
            end(process.pid)
            raise


def end(session):
    """Ends a session. SwiftPM gives tests a process group of their own, and a kill of its own would
    leave them running."""
    for _ in range(LOOKS):
        alive = list(members(session))
        if not alive:
            return
        for number in alive:
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.1)


def members(session):
    """The processes of a session that still run."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            # After the program's name, which may hold anything.
            fields = path.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if len(fields) > 3 and int(fields[3]) == session and fields[0] not in "ZX":
            yield int(path.parent.name)
