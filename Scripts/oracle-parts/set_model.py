"""A calendar item: a main component with what recurs, and overrides."""

from dataclasses import dataclass, field

from moments import Moment


@dataclass
class Component:
    start: Moment
    # None, a Moment, or the text of a DURATION.
    ending: Moment | str | None = None

    def lines(self):
        lines = [self.start.line("DTSTART")]
        if isinstance(self.ending, Moment):
            lines.append(self.ending.line("DTEND"))
        elif self.ending:
            lines.append("DURATION:" + self.ending)
        return lines


@dataclass
class Override(Component):
    id: Moment = None
    is_range: bool = False
    sequence: int = 0

    def lines(self):
        more = ";RANGE=THISANDFUTURE" if self.is_range else ""
        lines = [self.id.line("RECURRENCE-ID", more), *super().lines()]
        return lines + ([f"SEQUENCE:{self.sequence}"] if self.sequence else [])


@dataclass
class Item(Component):
    rules: list = field(default_factory=list)
    exclusion_rules: list = field(default_factory=list)
    # Pairs: a Moment, and None or the end of a PERIOD (a Moment or the text of a DURATION).
    additions: list = field(default_factory=list)
    exclusions: list = field(default_factory=list)
    overrides: list = field(default_factory=list)
    window: tuple = (0, 0)

    LISTS = ("rules", "exclusion_rules", "additions", "exclusions", "overrides")

    @property
    def is_series(self):
        return bool(self.rules or self.additions or self.overrides)

    def lines(self):
        lines = super().lines()
        lines += ["RRULE:" + rule for rule in self.rules]
        lines += ["EXRULE:" + rule for rule in self.exclusion_rules]
        lines += [self._addition(start, end) for start, end in self.additions]
        return lines + [time.line("EXDATE") for time in self.exclusions]

    @staticmethod
    def _addition(start, end):
        if end is None:
            return start.line("RDATE")
        text = end.text if isinstance(end, Moment) else end
        return start.line("RDATE", ";VALUE=PERIOD") + "/" + text

    def text(self, line_end="\n"):
        lines = ["BEGIN:VCALENDAR", "VERSION:2.0"]
        for component in [self, *self.overrides]:
            lines += ["BEGIN:VEVENT", "UID:1", *component.lines(), "END:VEVENT"]
        return line_end.join([*lines, "END:VCALENDAR", ""])
