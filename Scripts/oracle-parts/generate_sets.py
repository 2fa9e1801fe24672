"""Random sets, the same for a seed on every machine: what RFC 5545 §3.8.5 can say, much of it near
changes of zones."""

import datetime
import random

import generate
from decisions import parse_rule, parse_time, print_rule, seconds
from moments import DAY, Moment, moment
from set_model import Item, Override
from set_reading import Reading, Unanswered

# Zones and days on which they change their offset.
CHANGES = [
    ("Europe/Vienna", ["20260329", "20261025", "20240331", "20221030"]),
    ("America/New_York", ["20260308", "20261101", "20070311"]),
    ("Australia/Lord_Howe", ["20260405", "20261004"]),  # half an hour
    ("Pacific/Apia", ["20111230", "20110924"]),  # a day that never was
    ("America/Sao_Paulo", ["20181104", "20190217"]),  # at midnight
    ("Africa/Casablanca", ["20260215", "20260322"]),  # negative daylight saving
    ("Asia/Kathmandu", ["20260101"]),
    ("Europe/Dublin", ["20260329", "20261025"]),
]
TIMES = [(0, 0), (0, 30), (1, 0), (1, 30), (2, 0), (2, 15), (2, 30), (3, 0), (9, 0), (23, 30)]
DURATIONS = ["PT1H", "P1D", "PT24H", "P1DT2H", "P1W", "PT0S", "PT90M", "-PT1H", "PT36H"]
PLAIN = [
    "FREQ=DAILY", "FREQ=DAILY;INTERVAL=2", "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=SU,MO",
    "FREQ=HOURLY", "FREQ=HOURLY;INTERVAL=5", "FREQ=MINUTELY;INTERVAL=30", "FREQ=MONTHLY",
    "FREQ=MONTHLY;BYDAY=-1SU", "FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU", "FREQ=YEARLY",
    "FREQ=DAILY;BYHOUR=1,2,3;BYMINUTE=0,30",
]


class Draw:
    def __init__(self, seed):
        self.chance = random.Random(seed)

    def has(self, percent):
        return self.chance.random() * 100 < percent

    def pick(self, values):
        return self.chance.choice(values)

    def start(self):
        kind = self.chance.random()
        if kind < 0.2:
            return moment(self._near(self.pick(CHANGES)[1]))
        if kind < 0.4:
            start = moment(generate.random_start(self.chance))
            return start if start.is_date or self.has(50) else Moment(start.wall, "UTC")
        zone, days = self.pick(CHANGES)
        hour, minute = self.pick(TIMES)
        return moment(f"{self._near(days)}T{hour:02}{minute:02}00", zone)

    def _near(self, days):
        day = parse_time(self.pick(days)) - datetime.timedelta(days=self.pick([0, 1, 1, 2, 7, 30]))
        return f"{day:%Y%m%d}"

    def rule(self, start):
        text = start.text.rstrip("Z")
        rule = self.pick(PLAIN) if self.has(50) else generate.random_rule(self.chance, text)
        parts = parse_rule(rule)
        if start.is_date and parts["FREQ"] in ("HOURLY", "MINUTELY"):
            parts["FREQ"] = "DAILY"
        if "COUNT" in parts or self.has(40):
            parts.pop("UNTIL", None)
            if self.has(30):
                parts["COUNT"] = self.pick(["1", "2", "5", "12", "30"])
        else:
            parts["UNTIL"] = self.until(start)
        return print_rule(parts)

    def until(self, start):
        """In all forms, those that the RFC does not allow for this start too."""
        days = self.pick([-1, 0, 1, 3, 10, 40, 400, 3000])
        end = start.wall + days * DAY + self.pick([0, 0, 0, -1, 3600, -7200])
        form = self.pick(["date", "local", "UTC", "UTC"])
        return Moment(end, "UTC" if form == "UTC" else None, form == "date").text

    def ending(self, start):
        kind = self.chance.random()
        if kind < 0.3:
            return None
        if kind < 0.6:
            return self.pick(DURATIONS)
        end = start.wall + self.pick([0, 1800, 3600, DAY, DAY + 3600, 3 * DAY, -3600])
        if start.is_date:
            return Moment(end // DAY * DAY, is_date=True)
        return Moment(end, self.pick(["UTC", "Asia/Kathmandu"]) if self._leaves(start)
                      else start.zone)

    def _leaves(self, start):
        return start.zone is not None and self.has(15)

    def like(self, start, wall):
        """A time on a wall in some form: that of the start, mostly."""
        if start.is_date:
            return Moment(wall // DAY * DAY, is_date=True)
        if self._leaves(start):
            return Moment(wall, self.pick(["UTC", "Europe/Dublin", None]))
        return Moment(wall // DAY * DAY, is_date=True) if self.has(8) else start.at(wall)

    def addition(self, start):
        wall = start.wall + self.chance.randint(-5, 60) * DAY + self.pick([0, 0, 3600, -1800])
        time = self.like(start, wall)
        if start.is_date or time.is_date or self.has(70):
            return time, None
        if self.has(50):
            return time, self.pick(DURATIONS)
        return time, time.at(time.wall + self.pick([600, 7200, DAY]))

    def naming(self, home, key):
        """The occurrence of a key, as EXDATE or RECURRENCE-ID write it."""
        wall = home.wall(key)
        if home.is_date:
            return Moment(wall, is_date=True)
        if home.zone is None:
            return Moment(wall)
        if home.key_of_wall(wall) != key or self.has(15):
            return Moment(key, "UTC")
        if self.has(8):
            return Moment(wall // DAY * DAY, is_date=True)
        return Moment(wall, home.zone)

    def override(self, home, key):
        start = home.start
        shift = self.pick([0, 0, 3600, -7200, DAY, -DAY, 20 * DAY, -9 * DAY, 1800])
        wall = home.wall(key) + shift
        is_range = self.has(20)
        if home.is_date:
            own = Moment(wall // DAY * DAY, is_date=True)
        elif self._leaves(start):
            own = Moment(wall, self.pick(["UTC", "America/New_York"]))
        elif self.has(4) and not is_range:
            own = Moment(wall // DAY * DAY, is_date=True)
        else:
            own = start.at(wall)
        return Override(own, self.ending(own), self.naming(home, key), is_range,
                        self.pick([0, 0, 0, 1, 2]))


def item(seed, patience):
    """A set with its window; raises Unanswered where a rule is too slow for the libraries."""
    draw = Draw(seed)
    start = draw.start()
    made = Item(start, draw.ending(start))
    made.rules = [draw.rule(start) for _ in range(draw.pick([0, 1, 1, 1, 1, 2, 3]))]
    if draw.has(35):
        made.additions = [draw.addition(start) for _ in range(draw.pick([1, 2, 4]))]
    if made.rules and draw.has(20):
        made.exclusion_rules = [draw.rule(start)]
    plain = Reading(made, patience)
    keys = sorted(plain.keys)[:80]
    if draw.has(40):
        made.exclusions = [draw.naming(plain.home, draw.pick(keys))
                           for _ in range(draw.pick([1, 2, 5]))]
        if draw.has(20):
            made.exclusions.append(draw.like(start, start.wall + 5 * DAY + 60))
    if draw.has(40):
        made.overrides = [draw.override(plain.home, draw.pick(keys))
                          for _ in range(draw.pick([1, 1, 2, 4]))]
        if draw.has(15):  # of an occurrence that is none
            made.overrides.append(draw.override(plain.home, draw.pick(keys) + 420))
    made.window = window(draw, made, plain)
    return made


def window(draw, made, reading):
    begin = reading.home.key(made.start) - 40 * DAY
    end = reading.horizon
    if end is None:
        end = max(reading.keys) + 400 * DAY
    elif any(override.is_range for override in made.overrides):
        end -= max(abs(reading.shift(reading.home.key_of_occurrence(override.id), override))
                   for override in made.overrides) + 2 * DAY
    if draw.has(40):
        begin = draw.chance.randint(min(begin, end), end)
    return begin, max(begin, end)
