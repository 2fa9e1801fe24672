"""What python-dateutil makes of a rule, with the decisions of docs/recurrence.md put around it."""

import datetime
import signal

from dateutil import rrule

WEEKDAYS = {"MO": 0, "TU": 1, "WE": 2, "TH": 3, "FR": 4, "SA": 5, "SU": 6}


class TooSlow(Exception):
    pass


def parse_time(text):
    form = "%Y%m%d" if len(text) == 8 else "%Y%m%dT%H%M%S"
    return datetime.datetime.strptime(text, form)


def expand(start_text, rule_text, limit, seconds):
    """The first occurrences as datetimes; None where dateutil takes too long.

    Put around it: DTSTART is the first occurrence and counts (D1); BYSETPOS sees the first week as a
    whole (D6); BYWEEKNO without BYDAY is DTSTART's weekday (D5); YEARLY with BYMONTHDAY alone is in
    DTSTART's month (D8); a DATE has no hours (D9).
    """
    start = parse_time(start_text)
    parts = dict(part.split("=") for part in rule_text.split(";"))
    count = int(parts.pop("COUNT", 10**9))
    until = parts.pop("UNTIL", None)
    if len(start_text) == 8:
        for name in ("BYHOUR", "BYMINUTE", "BYSECOND"):
            parts.pop(name, None)
    days = {"BYDAY", "BYMONTHDAY", "BYYEARDAY"} & parts.keys()
    if "BYWEEKNO" in parts and not days:
        parts["BYDAY"] = list(WEEKDAYS)[start.weekday()]
    yearly = parts["FREQ"] == "YEARLY"
    if yearly and days == {"BYMONTHDAY"} and not {"BYMONTH", "BYWEEKNO"} & parts.keys():
        parts["BYMONTH"] = str(start.month)
    origin = start
    if parts["FREQ"] == "WEEKLY":
        parts.setdefault("BYDAY", list(WEEKDAYS)[start.weekday()])
        first = WEEKDAYS[parts.get("WKST", "MO")]
        origin -= datetime.timedelta(days=(start.weekday() - first) % 7)
    text = ";".join(f"{name}={value}" for name, value in parts.items())
    found = [start]
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        for time in rrule.rrulestr(text, dtstart=origin):
            if until is not None and time > parse_time(until):
                break
            if len(found) >= min(count, limit):
                break
            if time > start:
                found.append(time)
        return found
    except TooSlow:
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _too_slow(*_):
    raise TooSlow


signal.signal(signal.SIGALRM, _too_slow)
