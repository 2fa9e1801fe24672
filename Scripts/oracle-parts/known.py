"""What libical 3.0 is not asked, and differences that docs/recurrence.md explains. Each is as
narrow as it can be told from outside."""

# 2582-01-01, the last year of libical's iterator.
LIBICAL_END = 19312905600

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


def reason(oracle, rule, ours, said):
    """Which explained difference it is; None if it is none."""
    if oracle == "libical" and any(ours == times for name, times in said.items() if name != oracle):
        return "libical against us and another reading"
    theirs = said[oracle]
    ends = theirs == ours[: len(theirs)] and len(ours) > len(theirs)
    if oracle == "libical" and ends and ours[len(theirs)] >= LIBICAL_END:
        return "libical ends with year 2582"
    parts = dict(part.split("=") for part in rule.split(";"))
    if oracle == "libical" and "-" in parts.get("BYWEEKNO", "") and parts.get("WKST", "MO") != "MO":
        return "libical counts weeks from the end as if they started on Monday"
    return None
