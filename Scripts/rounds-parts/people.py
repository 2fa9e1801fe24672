"""What people do in a round, drawn by seed before it is played."""

import itertools
import random
from collections.abc import Iterable

import texts
from oracle import LOCAL, OTHER, REMOTE
from sides import Edit

# Items a calendar holds: few deletions among so many never wake the guard against mass deletion.
FEWEST, MOST = 60, 90
# Deletions on a side from one quiet point to the next.
MOST_DELETIONS = 8
# The last edits come when a usual run is nearly over.
LAST_MOMENT = 0.35


class People:
    def __init__(self, seed: str):
        self.seed = seed
        self.numbers = itertools.count(1)
        self.deletions = {LOCAL: 0, REMOTE: 0}

    def rest(self) -> None:
        """A quiet point."""
        self.deletions = {LOCAL: 0, REMOTE: 0}

    def create(self, side: str, chance: random.Random) -> Edit:
        number = next(self.numbers)
        uid = f"{side}-{number}@example.org" if number % 3 else f"{chance.getrandbits(64):016x}"
        return Edit(side, "create", uid, text=texts.make(uid, number, chance))

    def draw(self, count: int, shown: dict[str, dict[str, bytes]], lively: Iterable[str],
             chance: random.Random) -> list[Edit]:
        """So many edits, of items as they are shown on each side, the lively ones above all."""
        edits = []
        for _ in range(count):
            side = chance.choice([LOCAL, REMOTE])
            edits += self.one(side, shown, sorted(lively), chance)
        return edits

    def one(self, side: str, shown: dict[str, dict[str, bytes]], lively: list[str],
            chance: random.Random) -> list[Edit]:
        there = shown[side]
        draw = chance.random()
        if len(there) < FEWEST or draw < 0.1 and len(there) < MOST:
            return [self.create(side, chance)]
        near = [uid for uid in lively if uid in there]
        uid = chance.choice(near if near and chance.random() < 0.4 else sorted(there))
        if draw < 0.17 and self.deletions[side] < MOST_DELETIONS:
            self.deletions[side] += 1
            return [Edit(side, "delete", uid)]
        if draw < 0.23 and side == LOCAL:
            return [Edit(side, "rename", uid)]
        if draw < 0.35 and uid in shown[OTHER[side]]:
            return self.duel(uid, shown, chance)
        return [self.change(side, uid, self.property_of(side, there[uid], chance), chance)]

    def property_of(self, side: str, octets: bytes, chance: random.Random) -> str:
        schedule = texts.schedule_name(octets)
        if schedule and chance.random() < 0.12:
            return schedule
        return chance.choice(texts.TEXTS + ([texts.EXTENSION] if side == LOCAL else []))

    def change(self, side: str, uid: str, name: str, chance: random.Random) -> Edit:
        number = next(self.numbers)
        if name in texts.SCHEDULE.values():
            changes = texts.moved(name, number)
        else:
            changes = {name: f"{name.title()} {number} of the {side} side\\, Grüße"}
        kind = chance.choice(["in place", "vim", "over"]) if side == LOCAL else "edit"
        return Edit(side, kind, uid, changes)

    def duel(self, uid: str, shown: dict[str, dict[str, bytes]],
             chance: random.Random) -> list[Edit]:
        """Both sides edit one item: mostly different properties of it."""
        schedule = texts.schedule_name(shown[LOCAL][uid])
        here, there = chance.sample(texts.TEXTS, 2)
        draw = chance.random()
        if draw < 0.25:
            there = here
        elif draw < 0.4 and schedule:
            here = there = schedule
        elif draw < 0.5 and schedule:
            there = schedule
        return [self.change(LOCAL, uid, here, chance), self.change(REMOTE, uid, there, chance)]


def spread(edits: list[Edit], side: str, chance: random.Random) -> list[Edit]:
    """Those of one side, at random moments of a run."""
    mine = [edit for edit in edits if edit.side == side]
    moments = sorted(chance.random() * LAST_MOMENT for _ in mine)
    for edit, before, moment in zip(mine, [0, *moments], moments):
        edit.wait = moment - before
    return mine
