"""Random starts and rules, the same for a seed on every machine."""

import datetime
import random

WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
FREQUENCIES = ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"]
# Edges of months, years and weeks come more often than chance would have them.
EDGE_DAYS = [(1, 1), (2, 28), (2, 29), (3, 1), (12, 28), (12, 29), (12, 31), (1, 3), (1, 31)]


def random_start(chance):
    year = chance.choice([1997, 2000, 2003, 2004, 2009, 2015, 2020, 2021, 2024, 2026, 2032])
    if chance.random() < 0.4:
        month, day = chance.choice(EDGE_DAYS)
        if (month, day) == (2, 29) and year % 4:
            day = 28
    else:
        month, day = chance.randint(1, 12), chance.randint(1, 28)
    if chance.random() < 0.15:
        return f"{year:04}{month:02}{day:02}"
    hour, minute, second = chance.choice(
        [(9, 0, 0), (0, 0, 0), (23, 59, 59), (12, 30, 0), (17, 45, 15)]
    )
    return f"{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}"


def numbers(chance, low, high, most=3, negative=False):
    count = chance.choice([1, 1, 1, 2, most])
    values = [chance.randint(low, high) for _ in range(count)]
    if negative:
        values = [-value if chance.random() < 0.35 else value for value in values]
    return ",".join(str(value) for value in values)


def weekdays(chance, ordinals):
    days = []
    for _ in range(chance.choice([1, 1, 2, 3, 5])):
        number = ""
        if ordinals and chance.random() < 0.6:
            number = str(chance.choice(ordinals))
        days.append(number + chance.choice(WEEKDAYS))
    return ",".join(days)


def random_rule(chance, start):
    is_date = len(start) == 8
    frequency = chance.choice(FREQUENCIES[:4] if is_date else FREQUENCIES)
    parts = {}
    if chance.random() < 0.5:
        parts["INTERVAL"] = str(chance.choice([2, 2, 3, 4, 5, 7, 12, 13, 61]))
    if chance.random() < 0.3:
        parts["WKST"] = chance.choice(WEEKDAYS)
    has = lambda percent: chance.random() * 100 < percent
    rare = 12 if frequency in FREQUENCIES[4:] else 30
    if has(rare):
        parts["BYMONTH"] = numbers(chance, 1, 12)
    if frequency == "YEARLY" and has(20):
        parts["BYWEEKNO"] = numbers(chance, 1, 53, negative=True)
    if frequency in ("YEARLY", "HOURLY", "MINUTELY", "SECONDLY") and has(rare // 2):
        parts["BYYEARDAY"] = numbers(chance, 1, 366, 5, negative=True)
    if frequency != "WEEKLY" and has(rare):
        parts["BYMONTHDAY"] = numbers(chance, 1, 31, 4, negative=True)
    if has(rare + 15):
        ordinals = []
        if frequency == "MONTHLY":
            ordinals = [1, 2, 3, 4, 5, -1, -2, -5]
        if frequency == "YEARLY" and "BYWEEKNO" not in parts:
            in_month = "BYMONTH" in parts
            ordinals = [1, 2, 5, -1, -2] if in_month else [1, 2, 20, 52, 53, -1, -2, -53]
        parts["BYDAY"] = weekdays(chance, ordinals)
    if not is_date:
        if has(20):
            parts["BYHOUR"] = numbers(chance, 0, 23)
        if has(20):
            parts["BYMINUTE"] = numbers(chance, 0, 59)
        if has(15):
            parts["BYSECOND"] = numbers(chance, 0, 59)
    if has(20):
        parts["BYSETPOS"] = numbers(chance, 1, chance.choice([2, 4, 10]), negative=True)
    ending = chance.random()
    if ending < 0.3:
        parts["COUNT"] = str(chance.choice([1, 2, 3, 7, 20]))
    elif ending < 0.5:
        parts["UNTIL"] = random_until(chance, start)
    names = list(parts)
    chance.shuffle(names)
    return ";".join([f"FREQ={frequency}"] + [f"{name}={parts[name]}" for name in names])


def random_until(chance, start):
    date = datetime.date(int(start[:4]), int(start[4:6]), int(start[6:8]))
    date += datetime.timedelta(days=chance.choice([0, 1, 3, 30, 400, 4000, -1]))
    return date.strftime("%Y%m%d") + start[8:]


def cases(seed, count):
    """Yields (start, rule) pairs."""
    for index in range(count):
        chance = random.Random(f"{seed}/{index}")
        start = random_start(chance)
        yield start, random_rule(chance, start)
