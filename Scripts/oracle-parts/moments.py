"""Times as calendar text writes them, and where they are in the world. Instants come from Python's
zoneinfo, whose fold 0 is RFC 5545 §3.3.5: in a gap the offset before it, of two times the first."""

import datetime
import functools
import re
import zoneinfo
from dataclasses import dataclass

from decisions import EPOCH, parse_time, seconds

DAY = 86_400


@functools.lru_cache(maxsize=None)
def offset(zone, wall):
    time = (EPOCH + datetime.timedelta(seconds=wall)).replace(tzinfo=zoneinfo.ZoneInfo(zone))
    return int(time.utcoffset().total_seconds())


def wall_of(zone, instant):
    time = (EPOCH + datetime.timedelta(seconds=instant)).replace(tzinfo=datetime.timezone.utc)
    there = time.astimezone(zoneinfo.ZoneInfo(zone))
    return seconds(there.replace(tzinfo=None))


@dataclass(frozen=True)
class Moment:
    """A value of type DATE or DATE-TIME: wall seconds, and a zone; UTC and None are the other
    forms."""

    wall: int
    zone: str | None = None
    is_date: bool = False

    @property
    def text(self):
        time = EPOCH + datetime.timedelta(seconds=self.wall)
        if self.is_date:
            return f"{time:%Y%m%d}"
        return f"{time:%Y%m%dT%H%M%S}" + ("Z" if self.zone == "UTC" else "")

    def line(self, name, more=""):
        if self.is_date:
            more += ";VALUE=DATE"
        elif self.zone not in (None, "UTC"):
            more += ";TZID=" + self.zone
        return f"{name}{more}:{self.text}"

    @property
    def second_of_day(self):
        return self.wall % DAY

    def at(self, wall):
        return Moment(wall, self.zone, self.is_date)


def moment(text, zone=None):
    if text.endswith("Z"):
        return Moment(seconds(parse_time(text[:-1])), "UTC")
    return Moment(seconds(parse_time(text)), zone, len(text) == 8)


class Home:
    """Where the times of a component are: in a zone, on any wall, or dates. A key is an instant in
    a zone and wall seconds elsewhere."""

    def __init__(self, start):
        self.start = start
        self.zone = start.zone
        self.is_date = start.is_date

    def key_of_wall(self, wall):
        if self.is_date:
            return wall // DAY * DAY
        return wall if self.zone in (None, "UTC") else wall - offset(self.zone, wall)

    def wall(self, key):
        return key if self.zone in (None, "UTC") else wall_of(self.zone, key)

    def key(self, time):
        if self.zone is None or time.zone is None:
            return self.key_of_wall(time.wall)
        return time.wall if time.zone == "UTC" else time.wall - offset(time.zone, time.wall)

    def key_of_occurrence(self, time):
        """A date among times is the occurrence of that day at DTSTART's time of day."""
        if time.is_date and not self.is_date:
            return self.key_of_wall(time.wall + self.start.second_of_day)
        return self.key(time)


def duration(text):
    """Days and seconds of a DURATION."""
    sign = -1 if text.startswith("-") else 1
    units = {unit: int(number) for number, unit in re.findall(r"(\d+)([WDHMS])", text)}
    days = units.get("W", 0) * 7 + units.get("D", 0)
    clock = units.get("H", 0) * 3600 + units.get("M", 0) * 60 + units.get("S", 0)
    return sign * days, sign * clock
