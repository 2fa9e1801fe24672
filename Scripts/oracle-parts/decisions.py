"""The decisions of docs/recurrence.md, put around what another library is asked.

A library is asked for the rule without COUNT and UNTIL, with what it would fill in otherwise than
we do written out; DTSTART, COUNT and UNTIL are applied to its answer here.
"""

import datetime

WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
CLOCK_PARTS = ("BYHOUR", "BYMINUTE", "BYSECOND")
EPOCH = datetime.datetime(1970, 1, 1)


def parse_time(text):
    form = "%Y%m%d" if len(text) == 8 else "%Y%m%dT%H%M%S"
    return datetime.datetime.strptime(text, form)


def seconds(time):
    return int((time - EPOCH).total_seconds())


def parse_rule(text):
    return dict(part.split("=") for part in text.split(";"))


def print_rule(parts):
    return ";".join(f"{name}={value}" for name, value in parts.items())


class Question:
    """What to ask, and how to make our kind of answer of the reply."""

    def __init__(self, start, rule, includes_start=True):
        # EXRULE leaves DTSTART out only where it matches.
        self.includes_start = includes_start
        self.start_text = start
        self.start = parse_time(start)
        self.parts = parts = parse_rule(rule)
        self.count = int(parts.pop("COUNT", 10**9))
        until = parts.pop("UNTIL", None)
        self.until = parse_time(until) if until else None
        if len(start) == 8:  # D9
            for name in CLOCK_PARTS:
                parts.pop(name, None)
        days = {"BYDAY", "BYMONTHDAY", "BYYEARDAY"} & parts.keys()
        yearly = parts["FREQ"] == "YEARLY"
        if yearly and "BYWEEKNO" in parts and not days:  # D5
            parts["BYDAY"] = WEEKDAYS[self.start.weekday()]
        if yearly and days == {"BYMONTHDAY"} and not {"BYMONTH", "BYWEEKNO"} & parts.keys():  # D8
            parts["BYMONTH"] = str(self.start.month)
        if parts["FREQ"] == "WEEKLY":
            parts.setdefault("BYDAY", WEEKDAYS[self.start.weekday()])

    @property
    def sorted_parts(self):
        """With each list in order and without duplicates, and D8 written out."""
        parts = dict(self.parts)
        if parts["FREQ"] == "YEARLY" and {"BYDAY", "BYMONTHDAY"} <= parts.keys():
            if "BYWEEKNO" not in parts:
                parts.setdefault("BYMONTH", "1,2,3,4,5,6,7,8,9,10,11,12")
        for name, value in parts.items():
            values = set(value.split(","))
            if name.startswith("BY") and name != "BYDAY":
                parts[name] = ",".join(sorted(values, key=int))
            elif name == "BYDAY":
                by_weekday = lambda day: (WEEKDAYS.index(day[-2:]), day)
                parts[name] = ",".join(sorted(values, key=by_weekday))
        return parts

    @property
    def has_weeks(self):
        return "BYWEEKNO" in self.parts

    def answer(self, times, limit):
        """D1: DTSTART first, then what is after it; COUNT and UNTIL (inclusive)."""
        start = seconds(self.start)
        most = min(self.count, limit)
        last = seconds(self.until) if self.until else None
        found = [start] if self.includes_start else []
        for time in times:
            if len(found) >= most or (last is not None and time > last):
                break
            if time > start or (time == start and not found):
                found.append(time)
        return found
