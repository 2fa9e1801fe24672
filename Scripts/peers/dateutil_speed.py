"""What python-dateutil takes for a work of probe/Speed.swift: dateutil_speed.py FILE FROM TO.
Times are on the wall, without zones."""

import datetime
import sys
import time

from dateutil import rrule

path, *ends = sys.argv[1:]
begin, end = (datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=int(t)) for t in ends)
rules = []
with open(path) as lines:
    for line in lines:
        start, text = line.rstrip("\n").split("\t")
        start = datetime.datetime.strptime(start, "%Y%m%dT%H%M%S")
        rules.append(rrule.rrulestr(text, dtstart=start))


def expand():
    count = 0
    for rule in rules:
        for moment in rule:
            if moment >= end:
                break
            if moment >= begin:
                count += 1
    return count


runs, started = 0, time.process_time()
while runs == 0 or time.process_time() - started < 0.2:
    count = expand()
    runs += 1
print(count, (time.process_time() - started) / runs)
