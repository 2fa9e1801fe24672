"""What python-dateutil makes of a rule."""

import datetime
import signal

from dateutil import rrule

from decisions import WEEKDAYS, print_rule, seconds


class TooSlow(Exception):
    pass


def _too_slow(*_):
    raise TooSlow


signal.signal(signal.SIGALRM, _too_slow)
signal.signal(signal.SIGPROF, _too_slow)


def patiently(patience, work, of_the_wall=False):
    """What `work` gives; None where it takes longer than so many seconds: of the processor, unless
    another process does the work."""
    timer = signal.ITIMER_REAL if of_the_wall else signal.ITIMER_PROF
    try:
        try:
            signal.setitimer(timer, patience)
            return work()
        finally:
            signal.setitimer(timer, 0)
    except TooSlow:
        # The alarm may also go off while it is being switched off.
        signal.setitimer(timer, 0)
        return None


def expand(question, limit, patience):
    """The occurrences of a question; None where dateutil is too slow or fails."""
    parts = dict(question.parts)
    origin = question.start
    if parts["FREQ"] == "WEEKLY":  # D6: the first week is seen as a whole.
        first = WEEKDAYS.index(parts.get("WKST", "MO"))
        origin -= datetime.timedelta(days=(origin.weekday() - first) % 7)
    if "BYDAY" in parts:
        parts["BYDAY"] = _united(parts)

    def work():
        try:
            rule = rrule.rrulestr(print_rule(parts), dtstart=origin)
            return question.answer((seconds(time) for time in rule), limit)
        except IndexError:
            # It looks up the 53rd weekday of a year that has 52 behind the end of a list.
            return None
        except ValueError as error:
            if "empty set" not in str(error):
                raise
            return question.answer([], limit)

    return patiently(patience, work)


def _united(parts):
    """D7: dateutil intersects numbered and plain weekdays, so plain ones are numbered here."""
    days = parts["BYDAY"].split(",")
    if all(len(day) == 2 for day in days):
        return parts["BYDAY"]
    most = 5 if parts["FREQ"] == "MONTHLY" or "BYMONTH" in parts else 53
    united = []
    for day in days:
        united += [day] if len(day) > 2 else [f"{n}{day}" for n in range(1, most + 1)]
    return ",".join(united)
