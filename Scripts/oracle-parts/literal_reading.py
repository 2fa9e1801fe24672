"""A slow literal reading of RFC 5545 §3.3.10 for rules with BYWEEKNO, where libraries disagree: the
year of a numbered week is the period, and each of its days is held against each part."""

import datetime

from decisions import WEEKDAYS, seconds

DAY = datetime.timedelta(days=1)


def first_week(year, start):
    """The first day of the week, starting on weekday `start`, that holds 4 January."""
    fourth = datetime.date(year, 1, 4)
    return fourth - DAY * ((fourth.weekday() - start) % 7)


def numbers(parts, name):
    return [int(number) for number in parts[name].split(",")] if name in parts else None


def days_of(year, parts, start):
    first, following = first_week(year, start), first_week(year + 1, start)
    weeks = (following - first).days // 7
    wanted = numbers(parts, "BYWEEKNO")
    months, month_days = numbers(parts, "BYMONTH"), numbers(parts, "BYMONTHDAY")
    year_days = numbers(parts, "BYYEARDAY")
    weekdays = parts["BYDAY"].split(",") if "BYDAY" in parts else None
    day = first
    while day < following:
        number = (day - first).days // 7 + 1
        next_month = (day.replace(day=28) + DAY * 4).replace(day=1)
        from_end = (day - next_month).days
        in_year = day.timetuple().tm_yday
        from_year_end = (day - datetime.date(day.year, 12, 31)).days - 1
        if (
            (number in wanted or number - weeks - 1 in wanted)
            and (not months or day.month in months)
            and (not month_days or day.day in month_days or from_end in month_days)
            and (not year_days or in_year in year_days or from_year_end in year_days)
            and (not weekdays or WEEKDAYS[day.weekday()] in weekdays)
        ):
            yield day
        day += DAY


def occurrences(question, last_year):
    parts, begin = question.parts, question.start
    start = WEEKDAYS.index(parts.get("WKST", "MO"))
    year = begin.date().year + 1
    while first_week(year, start) > begin.date():
        year -= 1
    clock = sorted(
        {
            datetime.time(hour, minute, second)
            for hour in numbers(parts, "BYHOUR") or [begin.hour]
            for minute in numbers(parts, "BYMINUTE") or [begin.minute]
            for second in numbers(parts, "BYSECOND") or [begin.second]
        }
    )
    positions = numbers(parts, "BYSETPOS")
    while year <= last_year:
        found = [
            datetime.datetime.combine(day, time)
            for day in days_of(year, parts, start)
            for time in clock
        ]
        if positions:
            places = {place - 1 if place > 0 else len(found) + place for place in positions}
            found = [found[place] for place in sorted(places) if 0 <= place < len(found)]
        yield from map(seconds, found)
        year += int(parts.get("INTERVAL", 1))


def expand(question, limit):
    """The occurrences of a question; None where the years looked at may hold too few."""
    # So many periods, as far as the years of Python's dates go.
    last = min(question.start.year + 450 * int(question.parts.get("INTERVAL", 1)), 9990)
    found = question.answer(occurrences(question, last), limit)
    return found if question.until or len(found) >= min(limit, question.count) else None
