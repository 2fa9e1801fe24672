"""The items that the rounds are played with: made, read, changed and compared."""

import datetime
import functools
import random

import compat_client

# What people edit, and what stands for the schedule of each kind. Extensions are edited in the
# folder alone: docs/reliability.md says why nobody can tell such an edit on a server from what the
# server made of a write.
TEXTS = ["SUMMARY", "LOCATION", "DESCRIPTION"]
EXTENSION = "X-ROUNDS-NOTE"
SCHEDULE = {"VEVENT": "DTSTART", "VTODO": "DUE"}
# Every program may set these as it likes (docs/decisions/0001-digest-rule.md).
LAYOUT = {"PRODID", "DTSTAMP"}
NOISE = {"LAST-MODIFIED", "SEQUENCE"}
FIRST_DAY = datetime.datetime(2026, 1, 5, 8, 0)


def lines(octets: bytes) -> list[str]:
    return [line.decode("utf-8", "replace") for line in compat_client.lines(octets)]


def name_of(line: str) -> str:
    return line.replace(";", ":", 1).split(":", 1)[0].upper()


def value_of(line: str) -> str:
    return line.split(":", 1)[1] if ":" in line else ""


@functools.lru_cache(20_000)
def content(octets: bytes) -> tuple[tuple[str, str], ...]:
    """Everything that counts, whatever its order and folding: components and their lines."""
    found, stack = [], []
    for line in lines(octets):
        if name_of(line) == "BEGIN":
            stack.append((value_of(line), []))
        elif name_of(line) == "END" and stack:
            name, inner = stack.pop()
            which = next((one for one in inner if name_of(one) == "RECURRENCE-ID"), "")
            found += [(name + which, one) for one in [*inner, "END"]]
        elif stack and name_of(line) not in LAYOUT:
            stack[-1][1].append(line)
    return tuple(sorted(found))


def uids(octets: bytes) -> set[str]:
    return {value_of(line) for line in lines(octets) if name_of(line) == "UID"}


def fault_of(octets: bytes) -> str:
    """Why a text is no whole item; empty for one that is."""
    stack, has_component = [], False
    for line in lines(octets):
        if name_of(line) == "BEGIN":
            stack.append(value_of(line))
            has_component = True
        elif not stack:
            return "something stands outside of its components"
        elif name_of(line) == "END":
            if stack.pop() != value_of(line):
                return "its components are not closed in order"
    if stack or not has_component:
        return "it is cut off"
    if len(uids(octets)) != 1:
        return f"it has {len(uids(octets))} UIDs"
    return ""


def main_part(content_lines: list[str]) -> range:
    """Where the lines of the main component are: that without RECURRENCE-ID."""
    start, names = 0, []
    for index, line in enumerate(content_lines):
        if line in {"BEGIN:VEVENT", "BEGIN:VTODO"}:
            start, names = index + 1, []
        elif line in {"END:VEVENT", "END:VTODO"}:
            if "RECURRENCE-ID" not in names:
                return range(start, index)
        else:
            names.append(name_of(line))
    return range(0)


@functools.lru_cache(20_000)
def values(octets: bytes) -> dict[str, str]:
    """What the main component says, of the properties that people edit."""
    content_lines = lines(octets)
    wanted = {*TEXTS, EXTENSION, *SCHEDULE.values()}
    found = {}
    for index in main_part(content_lines):
        name = name_of(content_lines[index])
        if name in wanted:
            found[name] = value_of(content_lines[index])
    return found


@functools.lru_cache(20_000)
def rest(octets: bytes) -> tuple[tuple[str, str], ...]:
    """What nobody edits."""
    edited = {*TEXTS, EXTENSION, *SCHEDULE.values(), "DTEND", *NOISE}
    return tuple((where, line) for where, line in content(octets)
                 if name_of(line) not in edited or "RECURRENCE-ID" in where)


def changed(octets: bytes, changes: dict[str, str]) -> bytes:
    """The text with other values in its main component."""
    result = lines(octets)
    for name, value in changes.items():
        part = main_part(result)
        place = next((index for index in part if name_of(result[index]) == name), None)
        if place is None:
            result.insert(part.stop, f"{name}:{value}")
        else:
            result[place] = f"{name}:{value}"
    return "".join(line + "\r\n" for line in result).encode()


def moved(name: str, number: int) -> dict[str, str]:
    """A schedule that no other number gives."""
    start = FIRST_DAY + datetime.timedelta(minutes=number)
    end = start + datetime.timedelta(hours=1)
    changes = {name: f"{start:%Y%m%dT%H%M%SZ}"}
    return {**changes, "DTEND": f"{end:%Y%m%dT%H%M%SZ}"} if name == "DTSTART" else changes


def is_schedule_whole(octets: bytes) -> bool:
    """Start and end come from the same edit."""
    found = {name_of(line): value_of(line) for line in
             (lines(octets)[index] for index in main_part(lines(octets)))}
    if "DTEND" not in found:
        return True
    start, end = (datetime.datetime.strptime(found[name], "%Y%m%dT%H%M%SZ")
                  for name in ("DTSTART", "DTEND"))
    return end - start == datetime.timedelta(hours=1)


def make(uid: str, number: int, chance: random.Random) -> bytes:
    """A new item: mostly an event, some of them series with an override, some tasks."""
    kind = "VTODO" if number % 7 == 3 else "VEVENT"
    place = SCHEDULE[kind]
    when = [f"{name}:{value}" for name, value in moved(place, number).items()]
    series = kind == "VEVENT" and number % 5 == 2
    stamp = "DTSTAMP:20260101T000000Z"
    note = "Bring the papers\\, and something to eat.\\nGrüße"
    result = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//calgw//rounds//EN", f"BEGIN:{kind}",
              f"UID:{uid}", stamp, *when, f"SUMMARY:New {number}", f"LOCATION:Room {number}",
              f"DESCRIPTION:{note} {number}", "CATEGORIES:rounds,test",
              f"{EXTENSION}:{chance.randrange(1000)}"]
    if series:
        again = FIRST_DAY + datetime.timedelta(minutes=number, days=7)
        late, end = again + datetime.timedelta(hours=2), again + datetime.timedelta(hours=3)
        result += ["RRULE:FREQ=WEEKLY;COUNT=10", f"END:{kind}", f"BEGIN:{kind}", f"UID:{uid}",
                   stamp, f"RECURRENCE-ID:{again:%Y%m%dT%H%M%SZ}",
                   f"DTSTART:{late:%Y%m%dT%H%M%SZ}", f"DTEND:{end:%Y%m%dT%H%M%SZ}",
                   f"SUMMARY:New {number}\\, later that day"]
    result += [f"END:{kind}", "END:VCALENDAR"]
    return "".join(line + "\r\n" for line in result).encode()


def schedule_name(octets: bytes) -> str | None:
    """The property to move an item by; none for a series, whose override would be left behind."""
    if any(name_of(line) == "RRULE" for line in lines(octets)):
        return None
    return next((name for name in SCHEDULE.values() if name in values(octets)), None)
