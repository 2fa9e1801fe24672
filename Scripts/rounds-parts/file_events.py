"""Watches a folder by inotify, to kill calgw at the n-th thing that happens in it."""

import ctypes
import os
import select
import struct
import threading
from collections.abc import Callable
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
MODIFY, CLOSE_WRITE, MOVED_FROM, MOVED_TO, CREATE, DELETE = 0x2, 0x8, 0x40, 0x80, 0x100, 0x200
EVENTS = MODIFY | CLOSE_WRITE | MOVED_FROM | MOVED_TO | CREATE | DELETE
HEAD = struct.Struct("iIII")


class FileEvents:
    """Counts the events of files that `counts` says yes to, from its making until `stop`."""

    def __init__(self, folder: Path, counts: Callable[[str], bool], nth: int,
                 act: Callable[[], None]):
        self.counts, self.nth, self.act, self.seen = counts, nth, act, 0
        self.queue = LIBC.inotify_init1(os.O_CLOEXEC)
        if self.queue < 0 or LIBC.inotify_add_watch(self.queue, bytes(folder), EVENTS) < 0:
            raise OSError(ctypes.get_errno(), "inotify")
        self.ending, self.end = os.pipe()
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()

    def watch(self) -> None:
        while True:
            ready, _, _ = select.select([self.queue, self.ending], [], [])
            if self.queue in ready:
                self.take(os.read(self.queue, 65536))
            elif self.ending in ready:
                return

    def take(self, octets: bytes) -> None:
        place = 0
        while place < len(octets):
            *_, length = HEAD.unpack_from(octets, place)
            place += HEAD.size
            name = octets[place:place + length].rstrip(b"\0").decode("utf-8", "replace")
            place += length
            if self.counts(name):
                self.seen += 1
                if self.seen == self.nth:
                    self.act()

    def stop(self) -> int:
        """The number of events."""
        os.close(self.end)
        self.thread.join()
        os.close(self.ending)
        os.close(self.queue)
        return self.seen
