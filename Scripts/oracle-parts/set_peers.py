"""What python-dateutil's rruleset and libical make of whole sets. They are asked only what they
can answer; nothing of it is put right here but DTSTART off its rule (D1), which is not asked."""

import datetime
import zoneinfo

from dateutil import rrule

import known
from dateutil_reading import patiently
from decisions import EPOCH, Question, parse_rule, print_rule
from moments import Home


def dateutil_starts(item, horizon, patience):
    """The starts of a set without overrides; None where dateutil is not asked or is too slow."""
    try:
        return patiently(patience, lambda: _starts(item, horizon))
    except (ValueError, IndexError):
        # UNTIL must be as the RFC wants it; a 53rd weekday is beyond the end of a list.
        return None


def _starts(item, horizon):
    if item.overrides or any(time.is_date != item.start.is_date for time in item.exclusions):
        return None
    home = Home(item.start)
    union = rrule.rruleset()
    union.rdate(_aware(home, item.start))
    for rule in item.rules:
        native = _native(rule, home)
        if native is None:
            return None
        union.rrule(native)
    for rule in item.exclusion_rules:
        native = _native(rule, home)
        if native is None:
            return None
        union.exrule(native)
    for time, _ in item.additions:
        if time.is_date != item.start.is_date:
            return None
        union.rdate(_aware(home, time))
    for time in item.exclusions:
        union.exdate(_aware(home, time))
    found = set()
    for time in union:
        key = home.key_of_wall(int((time.replace(tzinfo=None) - EPOCH).total_seconds()))
        if key > horizon:
            break
        found.add(key)
    return sorted(found)


def _aware(home, time):
    """A time on the wall of the home."""
    is_here = time.zone == home.zone
    wall = EPOCH + datetime.timedelta(seconds=time.wall if is_here else home.wall(home.key(time)))
    if home.zone is None:
        return wall
    return wall.replace(tzinfo=zoneinfo.ZoneInfo(home.zone))


def _native(rule, home):
    """dateutil's own rule, with its own COUNT and UNTIL; None where the two are known to differ."""
    parts = parse_rule(rule)
    if "BYWEEKNO" in parts or (parts["FREQ"] == "WEEKLY" and "BYSETPOS" in parts):
        return None
    if len({len(day) > 2 for day in parts.get("BYDAY", "MO").split(",")}) > 1:
        return None
    if len(parts.get("UNTIL", "")) == 8 and not home.is_date:
        return None
    ends = {name: parts.pop(name) for name in ("COUNT", "UNTIL") if name in parts}
    question = Question(home.start.text.rstrip("Z"), print_rule(parts))
    asked = dict(question.parts, **ends)
    start = _aware(home, home.start)
    native = rrule.rrulestr(print_rule(asked), dtstart=start)
    return native if next(iter(native), None) == start else None


def libical_spans(item, libical, horizon):
    """Starts and ends of a set without overrides; None where libical is not asked."""
    if not known.libical_understands_set(item):
        return None
    reply = libical.ask(f"set\t{item.text(chr(0x1f))}\t{horizon}")
    if reply in (None, "!"):
        return None
    return sorted({tuple(map(int, span.split(":"))) for span in reply.split(",") if span})
