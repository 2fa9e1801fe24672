"""What breaks in a run of calgw, and where: drawn by seed."""

import collections
import dataclasses
import random
import re
import threading
from collections.abc import Callable

import texts

# What may happen at a request, and at which ones. Those that cost a second stand apart.
CHEAP = {
    "drop before": "any", "drop after": "any", "drop after ": "write", "cut length": "answer",
    "cut chunk": "answer", "cut close": "answer", "500": "any", "502": "any", "504": "any",
    "500 after": "write", "token refused": "tokened"}
SLOW = {"429 seconds": "any", "429 date": "any", "503 seconds": "any", "503 date": "any"}
KILLS = {
    "kill before": "any", "kill on the way": "write", "kill after": "any", "kill after ": "write",
    "kill answered": "any", "kill answered ": "write"}
# Somebody edits the very item that a request is about, before the server sees it or after.
EDITS = {"edited here": "item", "edited there": "item", "edited there after": "write"}
FILE_KILLS = ["kill at folder", "kill at state", "kill at time"]


@dataclasses.dataclass
class Request:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def is_write(self) -> bool:
        return self.method in ("PUT", "DELETE")

    @property
    def target(self) -> str:
        """The item that a write is about."""
        return next(iter(texts.uids(self.body)), self.path)

    def names(self) -> list[str]:
        """The names of the items in it, as they are spelt."""
        found = re.findall(rb"href>[^<]*/([^/<]+\.ics)<", self.body) or [
            self.path.rsplit("/", 1)[-1].encode()]
        return [name.decode("utf-8", "replace") for name in found]

    def is_one_of(self, group: str) -> bool:
        match group:
            case "write":
                return self.is_write
            case "item":
                return self.is_write or b"calendar-multiget" in self.body
            case "answer":
                return self.method in ("PROPFIND", "REPORT", "GET")
            case "tokened":
                return b"sync-collection" in self.body and b"sync-token>http" in self.body
            case _:
                return True


@dataclasses.dataclass
class Fault:
    """Comes up at the n-th request of a group."""

    kind: str
    group: str
    countdown: int


class Plan:
    """The faults of one run. Without any it is a plan for a quiet one."""

    def __init__(self, chance: random.Random, log: Callable[[str], None],
                 counts: collections.Counter):
        self.chance, self.log, self.counts = chance, log, counts
        self.faults: list[Fault] = []
        self.file_kill, self.at = "", 0.0
        self.strips_tags = self.weakens_tags = False
        self.failed: set[str] = set()
        self.victim: Callable[[], None] = lambda: None
        self.meddle: Callable[[str, Request], None] = lambda side, request: None
        self.came_up: list[str] = []
        self.requests = 0
        self.lock = threading.Lock()

    def draw(self, typical: dict[str, float]) -> None:
        """One to three faults; `typical` is how many requests and events a run has."""
        for _ in range(self.chance.choice([0, 1, 1, 2, 2, 3])):
            kinds = SLOW if self.chance.random() < 0.18 else CHEAP
            self.add(self.chance.choice(sorted(kinds)), kinds)
        if self.chance.random() < 0.5:
            self.add(self.chance.choice(sorted(EDITS)), EDITS)
        draw = self.chance.random()
        if draw < 0.2:
            self.add(self.chance.choice(sorted(KILLS)), KILLS)
        elif draw < 0.4:
            self.file_kill = self.chance.choice(FILE_KILLS)
            self.at = self.chance.random() * typical[self.file_kill]

    def add(self, kind: str, kinds: dict[str, str]) -> None:
        most = {"any": 14, "write": 6, "item": 6, "answer": 8, "tokened": 1}[kinds[kind]]
        self.faults.append(Fault(kind.strip(), kinds[kind], self.chance.randint(1, most)))

    def take(self, request: Request) -> str | None:
        """The fault of this request."""
        with self.lock:
            self.requests += 1
            due = None
            for fault in self.faults:
                if not request.is_one_of(fault.group):
                    continue
                fault.countdown -= 1
                if fault.countdown <= 0 and due is None and self.is_fair(fault, request):
                    due = fault
            if due is None:
                return None
            self.faults.remove(due)
            self.note(due.kind)
            return due.kind

    def is_fair(self, fault: Fault, request: Request) -> bool:
        """A server that fails at one item twice is let alone with it for an hour: not here."""
        if not fault.kind.startswith("500") or not request.is_write:
            return True
        if request.target in self.failed:
            return False
        self.failed.add(request.target)
        return True

    def note(self, kind: str) -> None:
        self.counts[kind] += 1
        self.came_up.append(kind)

    def kill(self) -> None:
        self.victim()

    @property
    def has_faults(self) -> bool:
        return bool(self.came_up) or self.strips_tags or self.weakens_tags
