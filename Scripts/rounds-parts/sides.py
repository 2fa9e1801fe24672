"""The two sides as people have them: a folder with editors, and a calendar with a phone."""

import dataclasses
import os
import random
import threading
import time
from pathlib import Path
from urllib.parse import quote, unquote

import compat_client
import texts
from oracle import LOCAL, REMOTE, Oracle


@dataclasses.dataclass
class Edit:
    """Something that a person does, planned before the run."""

    side: str
    kind: str
    uid: str
    changes: dict[str, str] = dataclasses.field(default_factory=dict)
    text: bytes = b""
    # Seconds before it.
    wait: float = 0


def whole(file: Path) -> bytes | None:
    """The text of a file, if it is there and not half written."""
    try:
        octets = file.read_bytes()
    except FileNotFoundError:
        return None
    return None if texts.fault_of(octets) else octets


class Folder:
    """The vdir, and the editors that people use on it."""

    def __init__(self, path: Path, oracle: Oracle, chance: random.Random):
        self.path, self.oracle, self.chance = path, oracle, chance
        # The file of each item, as the last look at rest and the renames since have it.
        self.names: dict[str, str] = {}
        self.lock = threading.Lock()
        # The other side.
        self.beyond: Phone | None = None

    def text_of(self, uid: str) -> bytes | None:
        """What the folder has of an item at this moment, as far as is known."""
        return whole(self.path / self.names[uid]) if uid in self.names else None

    def texts(self) -> dict[str, bytes]:
        return {entry.name: entry.read_bytes() for entry in sorted(self.path.iterdir())
                if entry.name.endswith(".ics")}

    def odd_names(self) -> list[str]:
        """What is no item."""
        return sorted(entry.name for entry in self.path.iterdir()
                      if not entry.name.endswith(".ics") and entry.name not in
                      {"displayname", "color", "description", "order"})

    def perform(self, edit: Edit) -> bool:
        """Gives false where the item is not there any more."""
        if edit.kind == "create":
            return self.create(edit)
        name = self.names.get(edit.uid)
        if name is None:
            return False
        file = self.path / name
        try:
            match edit.kind:
                case "delete":
                    return self.delete(edit.uid, file)
                case "rename":
                    return self.rename(edit, file)
                case _:
                    return self.change(edit, file)
        except FileNotFoundError:
            return False

    def create(self, edit: Edit) -> bool:
        file = self.path / f"{edit.uid}.ics"
        self.over(file, edit.text)
        self.names[edit.uid] = file.name
        self.oracle.saved(LOCAL, edit.uid, edit.text, None)
        return True

    def delete(self, uid: str, file: Path) -> bool:
        """Through the trash, so that it is certain what was deleted."""
        trash = self.path / f"{file.name}.trash"
        earlier = self.oracle.saves_on(REMOTE, uid)
        there = self.beyond.text_of(uid)
        file.rename(trash)
        shown = trash.read_bytes()
        self.oracle.saw(LOCAL, uid, shown)
        self.oracle.deleted(LOCAL, uid, shown, there, earlier)
        trash.unlink()
        self.names.pop(uid, None)
        return True

    def rename(self, edit: Edit, file: Path) -> bool:
        new = self.path / f"{edit.uid}-{self.chance.randrange(10_000)}.ics"
        if new.exists():
            return False
        file.rename(new)
        self.names[edit.uid] = new.name
        return True

    def change(self, edit: Edit, file: Path) -> bool:
        shown = file.read_bytes()
        if texts.fault_of(shown):
            return False
        new = texts.changed(shown, edit.changes)
        self.oracle.saw(LOCAL, edit.uid, shown)
        certain = {"in place": self.in_place, "vim": self.vim, "over": self.over}[edit.kind](
            file, new, shown)
        self.oracle.saved(LOCAL, edit.uid, new, shown, certain)
        return True

    # MARK: how programs save. Each says whether nothing came between its look and its write.

    def in_place(self, file: Path, new: bytes, shown: bytes = b"") -> bool:
        """Truncates, and writes in two halves: for a moment the file is cut off."""
        half = self.chance.choice([0, self.chance.randrange(len(new))])
        with open(file, "r+b", buffering=0) as stream:
            is_shown = stream.read() == shown
            stream.seek(0)
            stream.truncate()
            stream.write(new[:half])
            time.sleep(self.chance.random() * 0.06)
            stream.write(new[half:])
            inode = os.fstat(stream.fileno()).st_ino
        try:
            return is_shown and file.stat().st_ino == inode
        except FileNotFoundError:
            return False

    def vim(self, file: Path, new: bytes, shown: bytes) -> bool:
        """Tries the folder, moves the old file away, and writes a new one."""
        probe, swap = file.with_name("4913"), file.with_name(f".{file.name}.swp")
        backup = file.with_name(f"{file.name}~")
        for helper in (swap, probe):
            helper.write_bytes(b"")
        probe.unlink()
        try:
            file.rename(backup)
            time.sleep(self.chance.random() * 0.02)
            file.write_bytes(new)
            certain = backup.read_bytes() == shown
            backup.unlink()
        finally:
            swap.unlink()
        return certain

    def over(self, file: Path, new: bytes, shown: bytes = b"") -> bool:
        """Writes beside it and renames, whatever is there by then."""
        beside = file.with_name(f"{file.name}.tmp")
        beside.write_bytes(new)
        certain = (file.read_bytes() if file.exists() else b"") == shown
        beside.rename(file)
        return certain


class Phone:
    """The other client of the calendar. It never meets a fault."""

    def __init__(self, url: str, calendar: str, data: Path, oracle: Oracle):
        self.client = compat_client.OtherClient(url, "alice", "secret")
        self.calendar, self.data, self.oracle = calendar, data, oracle
        self.names: dict[str, str] = {}
        self.lock = threading.Lock()
        # The other side.
        self.beyond: Folder | None = None

    def text_of(self, uid: str) -> bytes | None:
        """What the server stores of an item at this moment, as far as is known."""
        return whole(self.data / self.names[uid]) if uid in self.names else None

    def texts(self) -> dict[str, bytes]:
        """What the server stores, from its own files."""
        return {entry.name: entry.read_bytes() for entry in sorted(self.data.iterdir())
                if entry.name.endswith(".ics") and not entry.name.startswith(".")}

    def served(self) -> dict[str, bytes]:
        """The same as the server tells it."""
        objects = self.client.objects(self.calendar)
        return {unquote(href.rsplit("/", 1)[-1]): octets for href, _, octets in objects.values()}

    def perform(self, edit: Edit) -> bool:
        if edit.kind == "create":
            name = f"{edit.uid}.ics"
            self.put(name, edit.text, If_None_Match="*")
            self.names[edit.uid] = name
            self.oracle.saved(REMOTE, edit.uid, edit.text, None)
            return True
        name = self.names.get(edit.uid)
        # Somebody else may be quicker: then it looks again.
        for _ in range(5):
            if name is None:
                return False
            status, headers, shown = self.client.send("GET", self.calendar + quote(name))
            if status != 200:
                return False
            if self.write(edit, name, shown, headers["ETag"]):
                return True
        return False

    def write(self, edit: Edit, name: str, shown: bytes, tag: str) -> bool:
        if edit.kind == "delete":
            earlier = self.oracle.saves_on(LOCAL, edit.uid)
            there = self.beyond.text_of(edit.uid)
            status, _, _ = self.client.send("DELETE", self.calendar + quote(name), If_Match=tag)
            if status not in (200, 204):
                return False
            self.oracle.saw(REMOTE, edit.uid, shown)
            self.oracle.deleted(REMOTE, edit.uid, shown, there, earlier)
            self.names.pop(edit.uid, None)
            return True
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        new = texts.changed(shown, {**edit.changes, "LAST-MODIFIED": stamp})
        if not self.put(name, new, If_Match=tag):
            return False
        self.oracle.saw(REMOTE, edit.uid, shown)
        self.oracle.saved(REMOTE, edit.uid, new, shown)
        return True

    def put(self, name: str, octets: bytes, **guard: str) -> bool:
        status, _, words = self.client.send(
            "PUT", self.calendar + quote(name), octets,
            Content_Type="text/calendar; charset=utf-8", **guard)
        if status not in (200, 201, 204, 404, 412):
            raise SystemExit(f"error: the server answers {status} to the phone: {words[:200]!r}")
        return status < 300

    def make_calendar(self) -> None:
        status, _, words = self.client.send("MKCALENDAR", self.calendar)
        if status != 201:
            raise SystemExit(f"error: MKCALENDAR answers {status}: {words[:200]!r}")
