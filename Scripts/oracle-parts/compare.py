"""Asks all, compares, shrinks what differs and says which known difference it is."""

import os
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

import dateutil_reading
import generate
import known
import literal_reading
from decisions import EPOCH, Question, datetime, parse_rule, print_rule

BATCH = 5000


def ours(cases, limit, root):
    """Our occurrences: a test that reads a file and writes one."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rules"
        path.write_text("".join(f"{start}\t{rule}\t{limit}\n" for start, rule in cases))
        run = subprocess.run(
            ["swift", "test", "--skip-build", "--filter", "OracleTests"],
            cwd=root,
            env=dict(os.environ, CALGW_ORACLE_RULES=str(path)),
            capture_output=True,
            text=True,
        )
        answers = Path(str(path) + ".answers")
        if not answers.exists():
            raise SystemExit("oracle: our part failed; build the tests first\n" + run.stdout)
        lines = answers.read_text().splitlines()
    return [[int(time) for time in line.split("\t")[0].split(",") if time] for line in lines]


class Libical:
    """libical, restarted where it takes too long."""

    def __init__(self, program):
        self.program = program
        self.process = None

    def expand(self, question, limit, patience=0.05):
        parts = question.sorted_parts
        if not self.program.exists() or not known.libical_understands(question.parts):
            return None
        if self.process is None:
            self.process = subprocess.Popen(
                [self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        rule = print_rule(parts)

        def work():
            print(question.start_text, rule, 4 * limit + 40, sep="\t", file=self.process.stdin)
            self.process.stdin.flush()
            return self.process.stdout.readline().strip()

        reply = dateutil_reading.patiently(patience, work)
        if reply is None:
            self.process.kill()
            self.process.wait()
            self.process = None
            return None
        if reply == "!":
            return None
        times = [int(time) for time in reply.split(",") if time]
        return question.answer(times, limit)


def readings(start, rule, limit, libical, patience):
    """What each oracle says; those that say nothing are left out."""
    said = {}
    question = Question(start, rule)
    if question.has_weeks:
        said["literal"] = literal_reading.expand(question, limit)
    else:
        said["dateutil"] = dateutil_reading.expand(question, limit, patience)
    said["libical"] = libical.expand(question, limit)
    return {name: times for name, times in said.items() if times is not None}


def show(times):
    return [str(EPOCH + datetime.timedelta(seconds=time)) for time in times]


def first_difference(left, right):
    place = next((i for i, pair in enumerate(zip(left, right)) if pair[0] != pair[1]), None)
    return min(len(left), len(right)) if place is None else place


def shrink(start, rule, oracle, limit, libical, root):
    """The rule without the parts and list elements that the difference does not need."""
    def differs(candidate):
        said = readings(start, candidate, limit, libical, 1).get(oracle)
        return said is not None and said != ours([(start, candidate)], limit, root)[0]

    parts = parse_rule(rule)
    for name in [name for name in parts if name != "FREQ"]:
        fewer = {key: value for key, value in parts.items() if key != name}
        if differs(print_rule(fewer)):
            parts = fewer
            continue
        for value in parts[name].split(","):
            single = dict(parts, **{name: value})
            if "," in parts[name] and differs(print_rule(single)):
                parts = single
                break
    return print_rule(parts)


def run(options, root, home):
    libical = Libical(home / "libical_reading")
    counts, explained, unexplained, confirmed = Counter(), Counter(), [], []
    cases = list(generate.cases(options.seed, options.rules))
    for first in range(0, len(cases), BATCH):
        batch = cases[first : first + BATCH]
        for (start, rule), found in zip(batch, ours(batch, options.limit, root)):
            said = readings(start, rule, options.limit, libical, options.patience)
            counts["asked"] += 1
            counts["nobody answered"] += not said
            for name, times in said.items():
                counts[f"{name} answered"] += 1
                if times == found:
                    continue
                reason = known.reason(name, rule, found, said)
                if reason:
                    explained[f"{name}: {reason}"] += 1
                else:
                    unexplained.append((name, start, rule))
            if found in said.values() and len(found) > 1:
                confirmed.append((start, rule, found))
        print(f"{first + len(batch)} rules, {len(unexplained)} unexplained", flush=True)
    for name, number in sorted(counts.items()) + sorted(explained.items()):
        print(f"{number:8} {name}")
    for name, number in Counter(name for name, _, _ in unexplained).items():
        print(f"{number:8} UNEXPLAINED against {name}")
    for name, start, rule in unexplained[: options.report]:
        report(name, start, rule, options, libical, root)
    if options.fixtures:
        write_fixtures(options, confirmed)
    return 1 if unexplained else 0


def report(name, start, rule, options, libical, root):
    small = shrink(start, rule, name, options.limit, libical, root)
    found = ours([(start, small)], options.limit, root)[0]
    said = readings(start, small, options.limit, libical, 1).get(name, [])
    place = first_difference(found, said)
    print(f"\nDTSTART:{start}\nRRULE:{small}\n  from number {place + 1} on")
    print(f"  ours:     {show(found[place : place + 4])}")
    print(f"  {name}: {show(said[place : place + 4])}")


def write_fixtures(options, confirmed):
    """Short cases, spread over all that were confirmed."""
    short = [case for case in confirmed if len(case[2]) >= 3]
    step = max(1, len(short) // options.keep)
    title = "# Random rules whose dates dateutil, libical or a reading of the RFC confirmed."
    lines = [title, ""]
    for number, (start, rule, found) in enumerate(short[::step][: options.keep], 1):
        is_date = len(start) == 8
        shown = found[:6]
        times = [str(EPOCH + datetime.timedelta(seconds=time)) for time in shown]
        texts = [time[:10] if is_date else time.removesuffix(":00") for time in times]
        ends = len(found) <= 6 and len(found) < options.limit
        prefix = "DTSTART;VALUE=DATE:" if is_date else "DTSTART:"
        lines += [f"# random-{number}", prefix + start, "RRULE:" + rule]
        rows, row = [], "→ "
        for index, text in enumerate(texts + ([] if ends else ["…"])):
            text += "," if index < len(texts) - (1 if ends else 0) else ""
            if len(row) + len(text) > 98:
                rows.append(row.rstrip())
                row = "  "
            row += text + " "
        lines += rows + [row.rstrip(), ""]
    options.fixtures.write_text("\n".join(lines).rstrip() + "\n")
