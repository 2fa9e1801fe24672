"""What libical 3.0 is not asked, and differences that docs/recurrence.md explains. Each is as
narrow as it can be told from outside."""

from decisions import CLOCK_PARTS, Question, parse_rule
from moments import Home
from set_reading import starts_on_rule

# 2582-01-01, the last year of libical's iterator.
LIBICAL_END = 19312905600

# 2011-12-30T10:00:00Z, where Samoa has no 30 December.
APIA_SKIPS_A_DAY = 1325239200

SUB_DAILY = ("HOURLY", "MINUTELY", "SECONDLY")
LIMITS = {
    "HOURLY": ("BYHOUR",),
    "MINUTELY": ("BYHOUR", "BYMINUTE"),
    "SECONDLY": ("BYHOUR", "BYMINUTE", "BYSECOND"),
}


def libical_understands(parts):
    """libical applies BYSETPOS to months and years alone, ignores negative days of a month in
    DAILY, and forgets INTERVAL and the first occurrences where a rule of hours, minutes or seconds
    is limited. With
    BYMONTHDAY it counts weekdays in the month also where there is no BYMONTH."""
    frequency = parts["FREQ"]
    if "BYSETPOS" in parts and frequency not in ("MONTHLY", "YEARLY"):
        return False
    if frequency == "DAILY" and "-" in parts.get("BYMONTHDAY", ""):
        return False
    if frequency == "YEARLY" and "BYMONTHDAY" in parts and "BYMONTH" not in parts:
        if any(len(day) > 2 for day in parts.get("BYDAY", "").split(",")):
            return False
    days = ("BYMONTH", "BYMONTHDAY", "BYYEARDAY", "BYDAY")
    limits = set(LIMITS.get(frequency, ())) | set(days if frequency in SUB_DAILY else ())
    return not limits & set(parts)


def libical_understands_set(item):
    """libical's own loop over a set takes local RDATE as UTC and dates among times as
    midnight UTC, leaves out RDATE of type PERIOD and a DTSTART off its rule, ends before an UNTIL
    of type DATE, goes through lists as they are written, looks at the first occurrence of EXRULE
    alone, and lets an occurrence end before its start."""
    if item.overrides or item.exclusion_rules:
        return False
    for rule in item.rules:
        asked = Question(item.start.text.rstrip("Z"), rule.replace("Z", ""))
        if not libical_understands(asked.parts) or asked.parts != asked.sorted_parts:
            return False
        if item.start.is_date and set(CLOCK_PARTS) & parse_rule(rule).keys():
            return False
    times = [*item.exclusions, *(start for start, _ in item.additions)]
    if any(time.is_date != item.start.is_date for time in times):
        return False
    form = "UTC" if item.start.zone else None
    if any(start.zone not in ("UTC", form) or end for start, end in item.additions):
        return False
    untils = [parse_rule(rule).get("UNTIL", "") for rule in item.rules]
    if not item.start.is_date and any(len(until) == 8 for until in untils):
        return False
    if not all(starts_on_rule(rule, item.start, 1) for rule in item.rules):
        return False
    if isinstance(item.ending, str):
        return not item.ending.startswith("-")
    home = Home(item.start)
    return item.ending is None or home.key(item.ending) >= home.key(item.start)


def reason(oracle, rule, ours, theirs, agreed):
    """Which explained difference it is; None if it is none. `agreed` are the oracles with us."""
    if oracle == "libical" and agreed:
        return "libical against us and another reading"
    ends = theirs == ours[: len(theirs)] and len(ours) > len(theirs)
    if oracle == "libical" and ends and ours[len(theirs)] >= LIBICAL_END:
        return "libical ends with year 2582"
    parts = parse_rule(rule)
    if oracle == "libical" and "-" in parts.get("BYWEEKNO", "") and parts.get("WKST", "MO") != "MO":
        return "libical counts weeks from the end as if they started on Monday"
    return None


def reason_of_set(oracle, case, theirs, ours, agreed):
    """The same for a set."""
    reading, home = case.reading, case.reading.home
    if oracle == "literal" or "literal" not in agreed:
        return None
    start = lambda one: one[0] if isinstance(one, tuple) else one
    theirs, ours = [sorted(set(map(start, side))) for side in (theirs, ours)]
    if oracle == "libical" and theirs == [key for key in ours if key < LIBICAL_END]:
        return "libical ends with year 2582"
    if home.zone in (None, "UTC"):
        return None
    if theirs == ours:
        return f"{oracle}'s ends over a change of the zone"
    changes = {key for key in set(theirs) ^ set(ours) if not reading.is_steady(key)}
    if changes == set(theirs) ^ set(ours):
        return f"{oracle} around changes of the zone"
    if oracle != "libical":
        return None
    leap = 1800 if home.zone == "Australia/Lord_Howe" else 3600
    if len(theirs) == len(ours) and {abs(x - y) for x, y in zip(theirs, ours)} == {0, leap}:
        return "libical has another offset for some days"
    # Of two rules that meet, one may be off by the leap and the other not, so that theirs are more.
    is_off = lambda keys, others: all({key - leap, key + leap} & others for key in keys)
    one, other = set(theirs), set(ours)
    if is_off(one - other, other) and is_off(other - one, one) and not any(
        parse_rule(rule)["FREQ"] in SUB_DAILY for rule in case.item.rules
    ):
        return "libical has another offset for some days"
    if home.wall(home.key(home.start)) != home.start.wall:
        return "libical carries a start in a gap on to every day"
    if home.zone == "Pacific/Apia" or any(
        parse_rule(rule)["FREQ"] in SUB_DAILY for rule in case.item.rules
    ):
        change = next((key for key in reading.starts if not reading.is_steady(key)), None)
        # Apia went over the date line: what lies on both sides of it need not lie near it.
        if change is None and home.zone == "Pacific/Apia":
            change = APIA_SKIPS_A_DAY
        if change and [k for k in theirs if k < change] == [k for k in ours if k < change]:
            return "libical counts hours, or a day that a zone skips, in the world"
    return None
