"""Makes the calendar objects of Scripts/compat: 300 odd ones, the same ones each time.

    compat_corpus.py FOLDER       writes them there, a file each

Fixtures/compat says what may be odd: each property and each schedule stands in one object by
itself, each form of the text in three, and the rest are combinations by a seed.
"""

import pathlib
import random
import re
import sys

from fill_calendar import ZONE

COUNT = 300
SEED = 5545
FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "Fixtures" / "compat"
COMPONENTS = {"event": "VEVENT", "todo": "VTODO", "journal": "VJOURNAL"}

# RFC 5545 §3.6.1: once in a component at most.
SINGLE = {
    "CLASS", "DESCRIPTION", "GEO", "LOCATION", "PRIORITY", "STATUS", "SUMMARY", "TRANSP", "URL",
    "COLOR", "PERCENT-COMPLETE", "COMPLETED",
}


class Section:
    """A named piece of Fixtures/compat, and the kinds of components that may have it."""

    def __init__(self, name, kinds):
        self.name, self.kinds, self.lines = name, kinds or list(COMPONENTS), []


def read(name):
    sections = []
    for line in (FIXTURES / name).read_text(encoding="utf-8").split("\n"):
        head = re.fullmatch(r"\[(.+)\]\s*(.*)", line)
        if head:
            sections.append(Section(head.group(1), head.group(2).split()))
        elif sections and line:
            sections[-1].lines.append(line)
    return sections


def property_name(line):
    return re.match(r"[A-Za-z0-9-]*", line).group().upper()


def component(kind, uid, summary, schedule, additions):
    """The lines of one component; what is added takes the place of what may be there once."""
    lines = schedule
    if not any(property_name(line) == "SUMMARY" for line in schedule):
        lines = [f"SUMMARY:{summary}", *schedule]
    for addition in additions:
        names = {property_name(line) for line in addition.lines} & SINGLE
        if addition.lines[0].startswith("BEGIN:"):
            names = set()
        lines = [line for line in lines if property_name(line) not in names] + addition.lines
    # Properties first: RFC 5545 §3.6 has components of components after them.
    start = next((i for i, line in enumerate(lines) if line.startswith("BEGIN:")), len(lines))
    depth, plain, nested = 0, lines[:start], []
    for line in lines[start:]:
        depth += line.startswith("BEGIN:")
        (nested if depth else plain).append(line)
        depth -= line.startswith("END:")
    name = COMPONENTS[kind]
    return [f"BEGIN:{name}", f"UID:{uid}", "DTSTAMP:20260101T120000Z", *plain, *nested,
            f"END:{name}"]


def calendar(kind, uid, schedule, additions):
    parts, zone = [[]], False
    summary = schedule.name.replace(",", "\\,")
    for line in schedule.lines:
        if line == "--":
            parts.append([])
        elif line == "{zone}":
            zone = True
        else:
            parts[-1].append(line)
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//calgw//compat//EN"]
    if zone:
        name = next(m.group(1) for m in (re.search(r"TZID=([^:;]+)", l) for l in parts[0]) if m)
        lines += [f"TZID:{name}" if line.startswith("TZID:") else line for line in ZONE]
    lines += component(kind, uid, summary, parts[0], additions)
    for part in parts[1:]:
        lines += component(kind, uid, summary, part, [])
    return lines + ["END:VCALENDAR"]


# MARK: forms of the text


def folded(line, width, blank=b" ", in_character=False):
    """RFC 5545 §3.1: 75 octets; many programs fold elsewhere, some inside a character."""
    octets, pieces = line.encode(), []
    while len(octets) > width:
        end = width
        while not in_character and octets[end] & 0xC0 == 0x80:
            end -= 1
        pieces.append(octets[:end])
        octets = octets[end:]
    return (b"\r\n" + blank).join([*pieces, octets])


def text(lines, form):
    width = {"folded at 20": 20, "not folded": 10 ** 9}.get(form, 74)
    blank = b"\t" if form == "folded with tabs" else b" "
    lines = [re.sub(r"^[A-Za-z-]+", lambda m: m.group().lower(), line) if
             form == "names in lower case" else line for line in lines]
    octets = b"".join(
        folded(line, width, blank, form == "folded inside characters") + b"\r\n" for line in lines)
    if form == "lines that end in LF":
        octets = octets.replace(b"\r\n", b"\n")
    return octets[:-2] if form == "no line end at the end" else octets


FORMS = ["folded at 20", "not folded", "folded with tabs", "folded inside characters",
         "names in lower case", "lines that end in LF", "no line end at the end"]


# MARK: the corpus


def corpus():
    """Yields (UID, name, octets)."""
    properties, schedules = read("properties.txt"), read("schedules.txt")
    plain = {kind: next(s for s in schedules if s.kinds == [kind]) for kind in COMPONENTS}
    chance = random.Random(SEED)
    made = [(s.kinds[0], s, [], "as RFC 5545 has it") for s in schedules]
    made += [(p.kinds[0], plain[p.kinds[0]], [p], "as RFC 5545 has it") for p in properties]
    for form in FORMS * 3:
        schedule, additions = chance.choice(schedules[:30]), chance.sample(properties[:40], 4)
        made.append(("event", schedule, additions, form))
    while len(made) < COUNT:
        schedule = chance.choice(schedules)
        kind = schedule.kinds[0]
        fitting = [p for p in properties if kind in p.kinds]
        form = chance.choice(FORMS) if chance.random() < 0.3 else "as RFC 5545 has it"
        made.append((kind, schedule, chance.sample(fitting, chance.randint(2, 6)), form))
    for number, (kind, schedule, additions, form) in enumerate(made):
        additions = [a for a in additions if kind in a.kinds]
        uid = f"compat-{number:03}@example.org"
        words = [schedule.name, *(a.name for a in additions)]
        if form != "as RFC 5545 has it":
            words.append(form)
        yield uid, " + ".join(words), text(calendar(kind, uid, schedule, additions), form)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for uid, _, octets in corpus():
        (folder / f"{uid}.ics").write_bytes(octets)


if __name__ == "__main__":
    main()
