"""Asks all, compares, shrinks what differs and says which known difference it is."""

import subprocess
from collections import Counter
from itertools import islice

import cases
import fixtures
from decisions import EPOCH, datetime
from libical_peer import Libical

BATCH = 2000


class Oracle:
    def __init__(self, options, probe, libical):
        self.options = options
        self.probe = probe
        self.libical = Libical(libical)
        self.counts = Counter()
        self.explained = Counter()
        self.unexplained = []
        self.confirmed = []

    def ours(self, batch):
        """Our occurrences of cases: identity, start, end, override."""
        requests = "".join(case.request() + "\n" for case in batch)
        run = subprocess.run([self.probe, "expand"], input=requests, capture_output=True, text=True)
        lines = run.stdout.split("\n")[:-1]
        if len(lines) != len(batch):
            place = batch[len(lines)].lines()
            raise SystemExit("oracle: calgw stopped at\n" + "\n".join(place) + run.stderr[-2000:])
        number = lambda text: int(text) if text else None
        return [[tuple(map(number, one.split(":"))) for one in line.split(",") if one]
                for line in lines]

    def compare(self, batch):
        for case, found in zip(batch, self.ours(batch)):
            answers = case.answers(found, self.options.patience, self.libical)
            self.counts[f"{case.kind}s asked"] += 1
            self.counts[f"{case.kind}s that nobody answered"] += not answers
            agreed = [name for name, (theirs, ours) in answers.items() if theirs == ours]
            for name, (theirs, ours) in answers.items():
                self.counts[f"{case.kind}s that {name} answered"] += 1
                if theirs == ours:
                    continue
                reason = case.reason(name, theirs, ours, agreed)
                if reason:
                    self.explained[f"{case.kind}s, {name}: {reason}"] += 1
                else:
                    self.unexplained.append((name, case))
            if agreed:
                self.confirmed.append((case, found))

    def differs(self, case, oracle):
        answers = case.answers(self.ours([case])[0], 1, self.libical)
        if oracle not in answers:
            return False
        theirs, ours = answers[oracle]
        agreed = [name for name, (left, right) in answers.items() if left == right]
        return theirs != ours and not case.reason(oracle, theirs, ours, agreed)

    def shrink(self, case, oracle):
        """The case without what the difference does not need."""
        while True:
            smaller = next((one for one in case.smaller() if self.differs(one, oracle)), None)
            if smaller is None:
                return case
            case = smaller

    def report(self, oracle, case):
        small = self.shrink(case, oracle)
        theirs, ours = small.answers(self.ours([small])[0], 1, self.libical)[oracle]
        place = first_difference(ours, theirs)
        print("\n" + "\n".join(small.lines()) + f"\n  from number {place + 1} on")
        print(f"  calgw:    {shown(ours[place : place + 3])}")
        print(f"  {oracle + ':':9} {shown(theirs[place : place + 3])}", flush=True)


def shown(found):
    """Times as people read them."""
    def text(one):
        if isinstance(one, tuple):
            return "(" + " ".join(map(text, one)) + ")"
        if one is None or abs(one) < 10_000:
            return str(one)
        return f"{EPOCH + datetime.timedelta(seconds=one):%Y%m%dT%H%M%S}"

    return ", ".join(map(text, found)) or "no more"


def first_difference(left, right):
    place = next((i for i, pair in enumerate(zip(left, right)) if pair[0] != pair[1]), None)
    return min(len(left), len(right)) if place is None else place


def run(options, probe, libical):
    oracle = Oracle(options, probe, libical)
    made = cases.random_cases(
        options.seed, options.rules, options.sets, options.limit, options.patience)
    while batch := list(islice(made, BATCH)):
        oracle.counts["sets too slow to list"] += batch.count(None)
        oracle.compare([case for case in batch if case is not None])
    for name, number in sorted(oracle.counts.items()) + sorted(oracle.explained.items()):
        print(f"{number:8} {name}")
    for name, number in Counter(name for name, _ in oracle.unexplained).items():
        print(f"{number:8} UNEXPLAINED against {name}")
    # What speaks against all but libical comes first.
    for name, case in sorted(oracle.unexplained, key=lambda one: one[0] == "libical")[
        : options.report
    ]:
        oracle.report(name, case)
    if options.fixtures:
        fixtures.write(options, oracle.confirmed)
    asked = oracle.counts["rules asked"] + oracle.counts["sets asked"]
    print(f"oracle: seed {options.seed}: {asked} cases, {oracle.explained.total()} known "
          f"differences, {len(oracle.unexplained)} unexplained")
    return 1 if oracle.unexplained else 0
