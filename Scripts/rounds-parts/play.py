"""Starts a Radicale and plays rounds against it; see Scripts/rounds."""

import argparse
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / "Scripts"), str(ROOT / "Scripts/rounds-parts")]

import table  # noqa: E402
from rounds import Rounds  # noqa: E402

# Rounds from one quiet point to the next.
STRETCH = 25


def start_server() -> tuple[subprocess.Popen, tuple[str, Path]]:
    """A Radicale that ends with this program."""
    server = subprocess.Popen([ROOT / "Scripts/servers", "run", "radicale", "--port", "0"],
                              text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    url = server.stdout.readline().strip()
    folder = server.stdout.readline().strip()
    if not folder:
        raise SystemExit("error: the server did not start")
    return server, (url, Path(folder))


def main() -> None:
    parser = argparse.ArgumentParser(prog="Scripts/rounds")
    parser.add_argument("--calgw", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--seed", default=str(secrets.randbelow(1_000_000)))
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    root = options.keep or Path(tempfile.mkdtemp(prefix="calgw-rounds-"))
    root.mkdir(parents=True, exist_ok=True)
    print(f"seed {options.seed}", flush=True)
    started = time.monotonic()
    server, place = start_server()
    try:
        rounds = Rounds(options.calgw.resolve(), options.seed, root.resolve(), place)
        rounds.begin()
        for number in range(1, options.rounds + 1):
            rounds.play(number)
            if number % STRETCH == 0 or number == options.rounds:
                rounds.quieten()
                print(f"round {number}: {time.monotonic() - started:.0f} s, "
                      f"{len(rounds.failures)} failures", flush=True)
    finally:
        server.stdin.close()
        server.wait()
    table.show(rounds.counts, options.rounds, rounds.oracle, time.monotonic() - started)
    if rounds.failures:
        print(f"\n{len(rounds.failures)} failures; the evidence is in {root}")
        sys.exit(1)
    if not options.keep:
        shutil.rmtree(root)
    print("\nnothing was lost, doubled or left over")


if __name__ == "__main__":
    main()
