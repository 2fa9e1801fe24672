"""A random case: what to ask us and the others, and what to try without."""

import copy

import dateutil_reading
import generate
import generate_sets
import known
import literal_reading
import set_peers
from decisions import Question, parse_rule, print_rule
from moments import Home, moment
from set_reading import Reading, Unanswered, order

EVER = 10**15


class RuleCase:
    """The first occurrences of a rule, in seconds on the wall."""

    kind = "rule"

    def __init__(self, start, rule, limit):
        self.start = start
        self.rule = rule
        self.limit = limit

    def request(self):
        lines = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:1", *self.lines(), "END:VEVENT",
                 "END:VCALENDAR", ""]
        return f"{-EVER}\t{EVER}\t{self.limit}\t" + "\x1f".join(lines)

    def lines(self):
        return [moment(self.start).line("DTSTART"), "RRULE:" + self.rule]

    def answers(self, ours, patience, libical):
        """What each oracle says, and what we say in the same form."""
        starts = [start for _, start, _, _ in ours]
        said = {}
        question = Question(self.start, self.rule)
        if question.has_weeks:
            said["literal"] = literal_reading.expand(question, self.limit)
        else:
            said["dateutil"] = dateutil_reading.expand(question, self.limit, patience)
        said["libical"] = self._libical(question, libical)
        return {name: (times, starts) for name, times in said.items() if times is not None}

    def _libical(self, question, libical):
        if not known.libical_understands(question.parts):
            return None
        rule = print_rule(question.sorted_parts)
        reply = libical.ask(f"rule\t{self.start}\t{rule}\t{4 * self.limit + 40}")
        if reply in (None, "!"):
            return None
        return question.answer([int(time) for time in reply.split(",") if time], self.limit)

    def reason(self, oracle, theirs, ours, confirmed):
        return known.reason(oracle, self.rule, ours, theirs, confirmed)

    def smaller(self):
        for rule in smaller_rules(self.rule):
            yield RuleCase(self.start, rule, self.limit)


class SetCase:
    """The occurrences of a set in a window, each with its identity, end and override."""

    kind = "set"

    def __init__(self, item, patience):
        self.item = item
        self.reading = Reading(item, patience)

    def request(self):
        begin, end = self.item.window
        return f"{begin}\t{end}\t100000\t" + self.item.text("\x1f")

    def lines(self):
        lines = self.item.lines()
        for override in self.item.overrides:
            lines += ["--", *override.lines()]
        begin, end = self.item.window
        return [*lines, f"window {begin} {end}"]

    def answers(self, ours, patience, libical):
        begin, end = self.item.window
        if ours != sorted(ours, key=lambda one: one[1]):
            return {"order": ([], ours)}
        answers = {"literal": (self.reading.in_window(self.item.window), sorted(ours, key=order))}
        ours_from = lambda low: [one for one in ours if low <= one[1] < end]
        starts = set_peers.dateutil_starts(self.item, end - 1, patience * 10)
        if starts is not None:
            answers["dateutil"] = ([key for key in starts if begin <= key < end],
                                   sorted({one[1] for one in ours_from(begin)}))
        spans = set_peers.libical_spans(self.item, libical, end)
        if spans is not None:
            # libical ends a day at 23:59:59, or a day later.
            form = (lambda span: span[0]) if self.item.start.is_date else tuple
            answers["libical"] = (sorted({form(s) for s in spans if begin <= s[0] < end}),
                                  sorted({form(one[1:3]) for one in ours_from(begin)}))
        return answers

    def reason(self, oracle, theirs, ours, confirmed):
        return known.reason_of_set(oracle, self, theirs, ours, confirmed)

    def smaller(self):
        """Without one element of a list, or with less of a rule, or the whole time."""
        item = self.item
        for name in item.LISTS:
            for index in range(len(getattr(item, name))):
                fewer = copy.copy(item)
                setattr(fewer, name, getattr(item, name)[:index] + getattr(item, name)[index + 1:])
                yield from self._try(fewer)
        for name in ("rules", "exclusion_rules"):
            for index, rule in enumerate(getattr(item, name)):
                for less in smaller_rules(rule):
                    other = copy.copy(item)
                    rules = list(getattr(item, name))
                    rules[index] = less
                    setattr(other, name, rules)
                    yield from self._try(other)
        if item.ending is not None:
            other = copy.copy(item)
            other.ending = None
            yield from self._try(other)

    def _try(self, item):
        try:
            case = SetCase(item, 1)
        except Unanswered:
            return
        begin, end = item.window
        known_to = case.reading.horizon
        if known_to is None or known_to >= end:
            yield case


def smaller_rules(rule):
    parts = parse_rule(rule)
    for name in [name for name in parts if name != "FREQ"]:
        yield print_rule({key: value for key, value in parts.items() if key != name})
        if "," in parts[name]:
            for value in parts[name].split(","):
                yield print_rule(dict(parts, **{name: value}))


def random_cases(seed, rules, sets, limit, patience):
    """Yields cases, and None for a set that is too slow for the libraries."""
    for start, rule in generate.cases(seed, rules):
        yield RuleCase(start, rule, limit)
    for index in range(sets):
        try:
            yield SetCase(generate_sets.item(f"set/{seed}/{index}", patience), patience)
        except Unanswered:
            yield None
