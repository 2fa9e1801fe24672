"""A literal reading of RFC 5545 §3.8.5 and of docs/recurrence.md for whole sets: everything is
listed, then put together. Rules come from dateutil or the literal reading of rules."""

import dateutil_reading
import literal_reading
from decisions import Question, parse_rule, print_rule
from moments import DAY, Home, Moment, duration, moment, wall_of

# So many occurrences of a rule are listed; frequent ones need more to get anywhere.
LISTED = {"HOURLY": 200, "MINUTELY": 300, "SECONDLY": 300}
# The wall's longest leap in the zones that are drawn, in seconds.
LEAP = {"Pacific/Apia": 90_000}


class Unanswered(Exception):
    """A library is too slow for a rule."""


def occurrence_walls(rule, start, patience, includes_start=True):
    """The walls of a rule without its UNTIL, and whether there are more."""
    parts = parse_rule(rule)
    parts.pop("UNTIL", None)
    question = Question(start.at(start.wall).text.rstrip("Z"), print_rule(parts), includes_start)
    limit = LISTED.get(parts["FREQ"], 60)
    if question.has_weeks:
        walls = literal_reading.expand(question, limit)
    else:
        walls = dateutil_reading.expand(question, limit, patience)
    if walls is None:
        raise Unanswered
    return walls, len(walls) == limit and limit < question.count


def starts_on_rule(rule, start, patience):
    """DTSTART is an occurrence of the rule by itself."""
    parts = parse_rule(rule)
    until = parts.pop("UNTIL", None)
    parts["COUNT"] = "1"
    try:
        walls, _ = occurrence_walls(print_rule(parts), start, patience, includes_start=False)
    except Unanswered:
        return False
    home = Home(start)
    return walls == [start.wall] and (
        until is None or home.key(start) <= home.key(moment(until, start.zone)))


def keys_of_rule(rule, home, patience, includes_start=True):
    """The keys of a rule, and the one up to which none is missing (None: no end)."""
    walls, goes_on = occurrence_walls(rule, home.start, patience, includes_start)
    keys = {(home.key_of_wall(wall), wall) for wall in walls}
    last = home.key_of_wall(walls[-1]) - LEAP.get(home.zone, 7200) if goes_on else None
    until = parse_rule(rule).get("UNTIL")
    if until:
        end = moment(until)
        if end.zone == "UTC" and home.zone is not None:  # D4: an instant
            kept = {key for key, _ in keys if key <= end.wall}
        else:  # as the wall shows it
            kept = {key for key, wall in keys if wall <= end.wall}
        start = home.key(home.start)
        return kept | ({start} if includes_start else set()), last
    return {key for key, _ in keys}, last


def end_of(start, ending, home, exact_from):
    """D15. `exact_from` is the start that a DTEND belongs to."""
    if isinstance(ending, Moment):
        length = home.key(ending) - home.key(exact_from)
        return start + max(length // DAY * DAY, DAY) if home.is_date else start + max(length, 0)
    days, seconds = duration(ending) if ending else (0, 0)
    if days < 0 or seconds < 0:
        days = seconds = 0
    if home.is_date:
        return start + max(days + -(-seconds // DAY), 1) * DAY
    if not days:
        return start + seconds
    return max(start, home.key_of_wall(home.wall(start) + days * DAY) + seconds)


class Reading:
    """All occurrences of an item up to `horizon`, each as (identity, start, end, override)."""

    def __init__(self, item, patience):
        self.item = item
        self.home = home = Home(item.start)
        self.horizon = None
        self.extents = {}
        self.keys = {home.key(item.start)}
        for rule in item.rules:
            self.keys |= self._listed(rule, patience, True)
        for start, end in item.additions:  # D13
            key = home.key_of_occurrence(start)
            self.keys.add(key)
            if end is not None:
                self.extents.setdefault(key, (end, start))
        self.excluded = {home.key(time) for time in item.exclusions
                         if home.is_date or not time.is_date}
        self.excluded_days = {time.wall // DAY for time in item.exclusions
                              if time.is_date and not home.is_date}
        self.by_rule = set()
        for rule in item.exclusion_rules:
            self.by_rule |= self._listed(rule, patience, False)
        self.starts = sorted(key for key in self.keys
                             if not self.is_excluded(key) and key not in self.by_rule)

    def _listed(self, rule, patience, includes_start):
        keys, last = keys_of_rule(rule, self.home, patience, includes_start)
        if last is not None:
            self.horizon = last if self.horizon is None else min(self.horizon, last)
        return keys

    def is_steady(self, key):
        """The zone has one offset for days around it: libical differs at changes."""
        return self.home.zone in (None, "UTC") or len(
            {wall_of(self.home.zone, key + far) - key - far for far in (-3 * DAY, 0, 3 * DAY)}) == 1

    def is_excluded(self, key):
        return key in self.excluded or self.home.wall(key) // DAY in self.excluded_days

    def overrides(self):
        """Of two for one occurrence the higher SEQUENCE, or the later."""
        kept = {}
        for index, override in enumerate(self.item.overrides):
            key = self.home.key_of_occurrence(override.id)
            other = kept.get(key)
            if other is None or override.sequence >= other[1].sequence:
                kept[key] = (index, override)
        return kept

    def shift(self, key, override):
        own = Home(override.start)
        return own.wall(own.key(override.start)) - self.home.wall(key)

    def all(self):
        item, home, overrides = self.item, self.home, self.overrides()
        found = []
        ranges = sorted((key, index, override) for key, (index, override) in overrides.items()
                        if override.is_range)
        for key in self.starts:
            if key in overrides:
                continue
            end, owner = self.extents.get(key, (None, None))
            within = [held for held in ranges if held[0] < key]
            if not within:  # the main component
                ending = end_of(key, *((end, home, owner) if owner else (item.ending, home,
                                                                        item.start)))
                found.append((key if item.is_series else None, key, ending, None))
                continue
            id, index, override = within[-1]  # D14
            own = Home(override.start)
            start = own.key_of_wall(home.wall(key) + self.shift(id, override))
            ending = end_of(start, *((end, own, owner) if owner else (override.ending, own,
                                                                     override.start)))
            found.append((key, start, ending, index))
        for key, (index, override) in overrides.items():  # D10, D12
            if not self.is_excluded(key):
                own = Home(override.start)
                start = own.key(override.start)
                found.append((key, start, end_of(start, override.ending, own, override.start),
                              index))
        return found

    def in_window(self, window):
        begin, to = window
        overlaps = lambda start, end: start < to and (end > begin or begin <= start == end)
        return sorted((one for one in self.all() if overlaps(one[1], one[2])), key=order)


def order(one):
    id, start, end, override = one
    return start, start if id is None else id, end, -1 if override is None else override
