"""An account of every save that a person made; it knows nothing of how calgw works."""

import dataclasses
import threading

import texts

LOCAL, REMOTE = "local", "remote"
OTHER = {LOCAL: REMOTE, REMOTE: LOCAL}


@dataclasses.dataclass
class Account:
    """What people did to one item since both sides were last the same."""

    first: bytes
    # Of the last time that both sides were the same; none where they never were.
    agreed: dict[str, str] | None = None
    # The values that were saved, by property and side, in order; those that a later save, or the
    # other side's value, took the place of, by property and side of that save; and those of
    # people who deleted the item afterwards: they may have gone with it.
    saves: dict[str, dict[str, list[str]]] = dataclasses.field(default_factory=dict)
    superseded: dict[tuple[str, str], set[str]] = dataclasses.field(default_factory=dict)
    withdrawn: dict[str, set[str | None]] = dataclasses.field(default_factory=dict)
    # By side and property, the values that a person saved over and then deleted with the item.
    replaced: dict[tuple[str, str], set[str]] = dataclasses.field(default_factory=dict)
    # Sides that saved or deleted; sides that saved another schedule.
    touched: set[str] = dataclasses.field(default_factory=set)
    moved: set[str] = dataclasses.field(default_factory=set)
    # What a side's last deletion was shown, until that side saves again.
    deletions: dict[str, dict[str, str]] = dataclasses.field(default_factory=dict)
    is_uncertain: bool = False
    # A run was killed or failed since.
    is_disturbed: bool = False
    # Sides that deleted it while a run was under way.
    met_run: set[str] = dataclasses.field(default_factory=set)
    is_gone: bool = False
    # What a side's person saved last and has not replaced; and what calgw took the place of.
    last: dict[str, bytes] = dataclasses.field(default_factory=dict)
    owed: list[bytes] = dataclasses.field(default_factory=list)

    def start_anew(self, octets: bytes | None) -> None:
        self.agreed = None if octets is None else texts.values(octets)
        self.saves, self.superseded, self.withdrawn, self.deletions = {}, {}, {}, {}
        self.replaced = {}
        self.touched, self.moved, self.met_run = set(), set(), set()
        self.is_uncertain = self.is_disturbed = False
        self.is_gone = octets is None

    def supersede(self, side: str, name: str, value: str) -> None:
        self.superseded.setdefault((side, name), set()).add(value)

    def standing(self, name: str, side: str | None = None) -> list[str]:
        """The saved values of a property, of one side or both, that nothing took the place of."""
        old = self.superseded.get((LOCAL, name), set()) | self.superseded.get((REMOTE, name), set())
        return [value for whose, values in self.saves.get(name, {}).items()
                if side in (None, whose) for value in values if value not in old]

    def values_of(self, name: str) -> list[str]:
        """All that was ever saved of a property."""
        return [value for values in self.saves.get(name, {}).values() for value in values]

    def is_excused(self, name: str, value: str) -> bool:
        """A run was killed before it was in the journal that an item or an edit had arrived. Then
        two edits of one property, of which one was made on top of the other, look like edits of
        two people who knew nothing of each other, and the times of the sides decide."""
        if value in self.standing(name) or value in self.withdrawn.get(name, ()):
            return True
        if not any(self.saves.get(name, {}).values()):
            return value == (self.agreed or {}).get(name)
        both = all(self.saves.get(name, {}).get(side) for side in (LOCAL, REMOTE))
        return (both or self.agreed is None) and value in self.values_of(name)

    def give_way(self, side: str, earlier: dict[str, list[str]], shown: dict[str, str],
                 there: dict[str, str]) -> None:
        """Where both sides show one value, a save of another one before that had given way to it
        already: it is no reason for the item to outlive its deletion."""
        for name, values in earlier.items():
            for value in values:
                if value != there.get(name) == shown.get(name):
                    self.supersede(side, name, value)

    def withdraw(self, side: str) -> None:
        """What a person saved is that person's to delete."""
        for name, saves in self.saves.items():
            if saves.get(side):
                before = (self.agreed or {}).get(name)
                self.withdrawn.setdefault(name, {before}).update(saves.pop(side))
        for whose, name in list(self.superseded):
            if whose == side:
                self.replaced.setdefault((side, name), set()).update(
                    self.superseded.pop((whose, name)))


class Oracle:
    def __init__(self) -> None:
        self.accounts: dict[str, Account] = {}
        self.lock = threading.Lock()
        # Saves whose place among calgw's own writes is not known; conflicts on what one side moved.
        self.uncertain = self.cautious = 0
        # calgw is at work.
        self.is_running = False

    # MARK: what people do

    def saw(self, side: str, uid: str, shown: bytes) -> None:
        """A person on a side opens an item."""
        with self.lock:
            account = self.accounts[uid]
            last = account.last.get(side)
            if last is None or texts.content(last) == texts.content(shown):
                return
            # calgw has replaced what this person had saved.
            account.owed.append(account.last.pop(side))
            now = texts.values(shown)
            for name, value in texts.values(last).items():
                theirs = account.saves.get(name, {}).get(OTHER[side], [])
                if now.get(name) != value and now.get(name) in theirs:
                    account.supersede(OTHER[side], name, value)

    def saved(self, side: str, uid: str, octets: bytes, shown: bytes | None,
              is_certain: bool = True) -> None:
        with self.lock:
            account = self.accounts.setdefault(uid, Account(octets))
            before = {} if shown is None else texts.values(shown)
            for name, value in texts.values(octets).items():
                if before.get(name) == value:
                    continue
                if name in before:
                    account.supersede(side, name, before[name])
                account.saves.setdefault(name, {}).setdefault(side, []).append(value)
                if name in texts.SCHEDULE.values():
                    account.moved.add(side)
            account.touched.add(side)
            account.deletions.pop(side, None)
            account.last[side] = octets
            if not is_certain:
                account.is_uncertain = True
                self.uncertain += 1

    def saves_on(self, side: str, uid: str) -> dict[str, list[str]]:
        """What was saved on a side by now."""
        with self.lock:
            account = self.accounts.get(uid)
            return {} if account is None else {
                name: list(saves.get(side, [])) for name, saves in account.saves.items()}

    def deleted(self, side: str, uid: str, shown: bytes, there: bytes | None,
                earlier: dict[str, list[str]]) -> None:
        """A person deletes what a side shows, while the other side shows `there`, where `earlier`
        had been saved before."""
        with self.lock:
            account = self.accounts[uid]
            account.touched.add(side)
            account.deletions[side] = texts.values(shown)
            if self.is_running:
                account.met_run.add(side)
            if there is not None:
                account.give_way(
                    OTHER[side], earlier, texts.values(shown), texts.values(there))
            account.withdraw(side)
            account.last.pop(side, None)

    # MARK: what must follow. Each gives what is wrong, in words.

    def disturb(self) -> None:
        """A run was killed or failed: what it did may not be in the journal."""
        for account in self.accounts.values():
            account.is_disturbed = True

    def may_conflict(self, uid: str) -> bool:
        """Only what both sides moved may wait for a person, and nothing that one side alone
        touched. Where both edited it and a run was killed, calgw cannot always know that a move had
        arrived before the next one was made."""
        account = self.accounts[uid]
        if account.touched != {LOCAL, REMOTE}:
            return False
        if account.is_uncertain or account.moved == {LOCAL, REMOTE}:
            return True
        if account.is_disturbed:
            self.cautious += 1
        return account.is_disturbed

    def agree(self, uid: str, octets: bytes) -> list[str]:
        """Both sides show this, after a run that ended well."""
        account = self.accounts[uid]
        wrong = self.wrong_values(account, octets)
        if wrong and account.is_disturbed and all(
                account.is_excused(name, value) for name, value in texts.values(octets).items()):
            self.cautious += 1
            wrong = []
        wrong = [] if account.is_uncertain else wrong + self.wrong_life(account)
        account.start_anew(octets)
        return wrong

    def agree_on_nothing(self, uid: str) -> list[str]:
        account = self.accounts[uid]
        wrong = []
        if not account.is_gone and not account.is_uncertain:
            if not account.deletions:
                wrong.append("it is gone, and nobody deleted it")
            for side, shown in account.deletions.items():
                other = OTHER[side]
                unseen = self.unseen(account, other, shown)
                may_be_merged = account.is_disturbed or side in account.met_run
                if unseen and may_be_merged and self.both_saved(account, unseen, other):
                    # A run that failed, or had read both before the deletion, may have merged
                    # them: then one of them holds, and the other is in the history.
                    self.cautious += 1
                elif unseen and other not in account.deletions:
                    wrong.append(f"it is gone, and what was saved on the {other} side was not "
                                 f"what was deleted on the {side} one")
        account.start_anew(None)
        return wrong

    @staticmethod
    def unseen(account: Account, side: str, shown: dict[str, str]) -> set[str]:
        """Properties with a value that stands on a side and was not shown to who deleted, neither
        then nor when that person saved another one over it."""
        return {name for name in account.saves for value in account.standing(name, side)
                if shown.get(name) != value
                and value not in account.replaced.get((OTHER[side], name), ())}

    @staticmethod
    def both_saved(account: Account, names: set[str], other: str) -> bool:
        """The side that deleted had saved them, too."""
        return all(account.saves[name].get(other) and name in account.withdrawn for name in names)

    @staticmethod
    def wrong_values(account: Account, octets: bytes) -> list[str]:
        wrong = []
        for name, value in texts.values(octets).items():
            allowed = {*account.standing(name), *account.withdrawn.get(name, ())}
            if not any(account.saves.get(name, {}).values()) and not allowed:
                allowed = {(account.agreed or {}).get(name)}
            if value not in allowed:
                wrong.append(f"{name} is {value!r} and should be {' or '.join(map(repr, allowed))}")
        missing = {*account.saves, *(account.agreed or {})} - set(texts.values(octets))
        wrong += [f"{name} is missing" for name in sorted(missing)]
        if texts.rest(octets) != texts.rest(account.first):
            wrong.append("a line that nobody edited is another")
        if not texts.is_schedule_whole(octets):
            wrong.append("its start and its end are of two edits")
        return wrong

    @staticmethod
    def wrong_life(account: Account) -> list[str]:
        return [f"it is back, though deleted on the {side} side and not edited on the other"
                for side in account.deletions if OTHER[side] not in account.touched]

    def lost(self, kept: dict[str, set]) -> list[tuple[str, str]]:
        """Saves that nobody has any more; `kept` is what the sides and the history have."""
        found = []
        for uid, account in sorted(self.accounts.items()):
            here = kept.get(uid, set())
            for octets in [*account.owed, *account.last.values()]:
                if texts.content(octets) not in here:
                    said = ", ".join(texts.values(octets).values())
                    found.append((uid, f"a save is on no side and not in the history: {said}"))
        return found
