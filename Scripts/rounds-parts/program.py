"""calgw as the rounds run it: a configuration of one pair, and its reports."""

import dataclasses
import json
import os
import subprocess
from pathlib import Path

# A run of the rounds takes a second or two, some more where the server asks to wait.
LONGEST_RUN = 90
PAIR, CALENDAR = "rounds", "work"


@dataclasses.dataclass
class Run:
    """How a run ended. The status is minus nine where it was killed."""

    status: int
    output: str
    errors: str

    @property
    def was_killed(self) -> bool:
        return self.status == -9

    def reports(self) -> list[dict]:
        return [json.loads(line) for line in self.output.splitlines()]

    @property
    def report(self) -> dict:
        return self.reports()[0] if self.output else {}

    def named(self, kind: str) -> list[dict]:
        """The conflicts or problems of all collections."""
        return [one for collection in self.report.get("collections", [])
                for one in collection[kind]]

    @property
    def written(self) -> int:
        return sum(collection[way][kind] for collection in self.report.get("collections", [])
                   for way in ("pulled", "pushed") for kind in ("created", "updated", "deleted")
                   ) + sum(collection["merged"] for collection in self.report["collections"])


class Calgw:
    def __init__(self, program: Path, root: Path, url: str):
        self.program, self.root = program, root
        self.state = root / "state"
        self.folder = root / "calendars" / CALENDAR
        for folder in (self.state, self.folder):
            folder.mkdir(parents=True)
        password = root / "password"
        config = root / "config.toml"
        for file in (password, config):
            file.touch(mode=0o600)
        password.write_text("secret\n", encoding="utf-8")
        config.write_text(f'''state_dir = "{self.state}"

[account.home]
url = "{url}"
username = "alice"
password = {{ file = "{password}" }}
timeout = "5s"

[pair.{PAIR}]
local = "{root}/calendars"
remote = "home"
collections = ["{CALENDAR}"]
deadline = "30s"
''', encoding="utf-8")
        self.environment = {
            "HOME": str(root), "PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8",
            "TZ": "Europe/Vienna", "CALGW_CONFIG": str(config)}

    def start(self, *arguments: str) -> subprocess.Popen:
        return subprocess.Popen(
            [self.program, *arguments], env=self.environment, cwd=self.root, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    @staticmethod
    def finish(process: subprocess.Popen) -> Run:
        try:
            output, errors = process.communicate(timeout=LONGEST_RUN)
        except subprocess.TimeoutExpired:
            process.kill()
            output, errors = process.communicate()
            return Run(-14, "", f"it did not end within {LONGEST_RUN} s\n{errors}")
        # Killed in the middle of a line, it has no report.
        return Run(process.returncode, output if process.returncode >= 0 else "", errors)

    def run(self, *arguments: str) -> Run:
        return self.finish(self.start(*arguments))

    def sync(self) -> Run:
        return self.run("sync", "--json", "--quiet")

    def history(self) -> list[dict]:
        """Every version that was replaced or removed, with its text."""
        run = self.run("log", "--json", "--content")
        if run.status != 0:
            raise SystemExit(f"error: 'calgw log' ended with {run.status}: {run.errors}")
        return run.reports()
