"""Writes cases that an oracle confirmed as a file of Fixtures/rrule. The dates are the oracle's."""

import datetime

from decisions import EPOCH
from moments import DAY, Home, wall_of

TITLE = "# Random cases whose dates dateutil, libical or a literal reading of the RFC confirmed."
SHOWN = 6


def write(options, confirmed):
    """Short cases, spread over all that were confirmed."""
    blocks = []
    for case, found in confirmed:
        block = of_set(case) if case.kind == "set" else of_rule(case, found)
        if block:
            blocks.append(block)
    step = max(1, len(blocks) // options.keep)
    lines = [TITLE, ""]
    for number, block in enumerate(blocks[::step][: options.keep], 1):
        lines += [f"# random-{number}", *block, ""]
    options.fixtures.write_text("\n".join(lines).rstrip() + "\n")


def of_rule(case, found):
    starts = [start for _, start, _, _ in found]
    if len(starts) < 3:
        return None
    texts = [written(start, None, len(case.start) == 8) for start in starts[:SHOWN]]
    goes_on = len(starts) > SHOWN or len(starts) == case.limit
    return case.lines() + rows(texts, goes_on)


def of_set(case):
    """A set with its window held to whole days."""
    item = case.item
    begin, end = (time // DAY for time in item.window)
    found = case.reading.in_window((begin * DAY, end * DAY))
    is_plain = len(item.rules) == 1 and not (
        item.exclusion_rules or item.additions or item.exclusions or item.overrides)
    if len(found) < 2 or end > 20_000 * 2 or is_plain:
        return None
    lines = case.lines()[:-1] + [f"from {day(begin)} to {day(end)}"]
    if max(map(len, lines)) > 98:
        return None
    texts = []
    for _, start, stop, override in found[:SHOWN]:
        home = Home((item if override is None else item.overrides[override]).start)
        text = written(start, home.zone, home.is_date)
        if stop != start + (DAY if home.is_date else 0):
            text += "/" + written(stop, home.zone, home.is_date)
        texts.append(text)
    return lines + rows(texts, len(found) > SHOWN)


def day(number):
    return f"{EPOCH + datetime.timedelta(days=number):%Y-%m-%d}"


def written(key, zone, is_date):
    """A key as the wall shows it, with its offset in a zone."""
    wall = key if zone in (None, "UTC") else wall_of(zone, key)
    time = EPOCH + datetime.timedelta(seconds=wall)
    if is_date:
        return f"{time:%Y-%m-%d}"
    text = f"{time:%Y-%m-%d %H:%M:%S}".removesuffix(":00")
    if zone is None:
        return text
    minutes = abs(wall - key) // 60
    return text + ("-" if wall < key else "+") + f"{minutes // 60:02}:{minutes % 60:02}"


def rows(texts, goes_on):
    """The arrow and the dates, broken where a line would be too long."""
    made, row = [], "→ "
    texts = texts + (["…"] if goes_on else [])
    for index, text in enumerate(texts):
        text += "," if index < len(texts) - 1 else ""
        if len(row) + len(text) > 98:
            made.append(row.rstrip())
            row = "  "
        row += text + " "
    return made + [row.rstrip()]
