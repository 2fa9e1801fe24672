"""Plays the round trip of Scripts/compat with one server, and says what it does to the objects.

    compat_check.py CALGW URL USER PASSWORD NAME NOTES

NOTES is docs/servers.md: what its section NAME says that the server refuses or loses is expected.
Status 0: nothing else happened; 1: something did, and stands in the last lines.
"""

import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import compat_client
import compat_corpus
from compat_client import meaning

EDITED = 40  # objects that are edited on each side
REMOVED = 20  # objects that are removed on each side


class Side:
    """A folder that calgw keeps the same as a calendar."""

    def __init__(self, root, name, server, policy="ask", calendar="compat"):
        self.folder, self.calendar = root / name, calendar
        self.folder.mkdir()
        self.config = root / f"{name}.toml"
        self.calgw, url, user, password = server[:4]
        self.config.write_text(f"""
state_dir = "{root}/{name}-state"
[account.server]
url = "{url}"
username = "{user}"
password = {{ env = "COMPAT_PASSWORD" }}
[pair.compat]
local = "{self.folder}"
remote = "server"
collections = ["{calendar}"]
conflict = "{policy}"
max_delete = "100%"
metadata = []
""")
        self.environment = {**os.environ, "COMPAT_PASSWORD": password}

    def sync(self):
        """One run: its report for the calendar."""
        run = subprocess.run(
            [self.calgw, "sync", "--json", "--config", str(self.config)], capture_output=True,
            env=self.environment, timeout=900)
        if not run.stdout:
            raise SystemExit(f"error: calgw ended with {run.returncode}: {run.stderr.decode()}")
        report = json.loads(run.stdout.splitlines()[0])
        if report["error"] or run.returncode not in (0, 1):
            raise SystemExit(f"error: calgw ended with {run.returncode}: {report['error']}")
        return report["collections"][0], report

    def texts(self):
        return {f.name: f.read_bytes() for f in (self.folder / self.calendar).glob("*.ics")}

    def by_uid(self):
        return {compat_client.uid(octets): octets for octets in self.texts().values()}

    def write(self, uid, octets):
        for file, old in self.texts().items():
            if compat_client.uid(old) == uid:
                (self.folder / self.calendar / file).write_bytes(octets)


class Check:
    def __init__(self, server, notes, root):
        self.server, self.root = server, root
        self.expected_losses, self.expected_refusals, self.refused_edits, self.asked = notes
        self.client = compat_client.OtherClient(*server[1:4])
        self.names, self.corpus = {}, {}
        for uid, name, octets in compat_corpus.corpus():
            self.names[uid], self.corpus[uid] = name, octets
        self.wrong, self.losses, self.refused = [], collections.Counter(), set()
        self.examples = {}

    def say(self, ok, text):
        print(("ok      " if ok else "FAILED  ") + text, flush=True)
        if not ok:
            self.wrong.append(text)

    def run(self):
        one = Side(self.root, "one", self.server)
        (one.folder / "compat").mkdir()
        for uid, octets in self.corpus.items():
            (one.folder / "compat" / f"{uid}.ics").write_bytes(octets)
        first = self.up(one)
        self.silent(one, "the second run")
        self.say(one.by_uid() == self.corpus, "the folder is as it was, byte for byte")
        served = self.compare(first)
        two = self.down(served)
        self.edit_here(one, served)
        self.edit_there(one)
        two.sync()
        self.remove(one, two)
        for side in (one, two):
            self.silent(side, f"the last run of folder {side.folder.name}")
        self.agree(one, two)
        self.lose_journal(one)
        self.from_another_client()

    # MARK: steps

    def up(self, side):
        report, whole = side.sync()
        refused = {p["uid"]: p for p in report["problems"]}
        self.refused = set(refused)
        count = report["pushed"]["created"]
        print(f"        {count} objects went up with {whole['requests']} requests,"
              f" {len(refused)} were refused")
        self.judge(refused, self.expected_refusals, "refused")
        self.say(count + len(refused) == len(self.corpus), "each object went up or was named")
        self.calendar = self.find_calendar()
        return {uid for uid in self.corpus if uid not in refused}

    def judge(self, refused, expected, words):
        """Says what was refused, and whether somebody wrote that down."""
        for uid, problem in sorted(refused.items()):
            name = self.names.get(uid, "?")
            known = any(re.search(pattern, name) for pattern in expected)
            self.say(known, f"{words}: {uid} ({name}): {problem['message']}; "
                     f"{problem['hint']}")

    def find_calendar(self):
        """The path of the calendar that calgw made."""
        calgw, url, user, password = self.server[:4]
        config = self.root / "one.toml"
        run = subprocess.run(
            [calgw, "discover", "--json", "--config", str(config)], capture_output=True,
            env={**os.environ, "COMPAT_PASSWORD": password}, timeout=120)
        for line in run.stdout.splitlines():
            found = json.loads(line)
            if "compat" in (found["id"], found["name"]):
                return found["href"]
        raise SystemExit(f"error: 'calgw discover' does not show the calendar: {run.stdout}")

    def silent(self, side, words):
        report, whole = side.sync()
        writes = [report[way][kind] for way in ("pulled", "pushed")
                  for kind in ("created", "updated", "deleted")] + [report["merged"]]
        self.say(not any(writes) and not report["conflicts"],
                 f"{words} has nothing to do ({whole['requests']} requests)")

    def compare(self, uploaded):
        served = self.client.objects(self.calendar)
        self.say(set(served) == uploaded, "the server has what went up, and nothing else")
        same = 0
        for uid in sorted(uploaded & set(served)):
            lost = meaning(self.corpus[uid]) - meaning(served[uid][2])
            same += self.corpus[uid] == served[uid][2]
            self.note_losses(uid, lost, served[uid][2])
        print(f"        {same} of {len(served)} are byte for byte what was sent")
        return served

    def note_losses(self, uid, lost, octets):
        for path, name, parameters, value in lost:
            words = self.words(path, name, parameters, value)
            known = self.expectation(f"{words}\nin {self.names[uid]}")
            now = [line.decode("utf-8", "replace") for line in compat_client.lines(octets)
                   if compat_client.split(line)[0] == name]
            if known is not None:
                self.losses[known] += 1
                self.examples.setdefault(known, (uid, f"{name};{parameters}:{value}", now))
            else:
                self.say(False, f"lost: {uid} ({self.names[uid]}): {words!r}; now {now}")

    @staticmethod
    def words(path, name, parameters, value):
        return f"{path.split('@')[0]} {name}{';' if parameters else ''}{parameters}:{value}"

    def expectation(self, words):
        """The pattern of docs/servers.md that names a loss."""
        return next((p for p in self.expected_losses if re.search(p, words, re.MULTILINE)), None)

    def unexpected(self, uid, old, new):
        """What is in one text and not in another, apart from what the notes name."""
        return [line for line in meaning(old) - meaning(new)
                if self.expectation(f"{self.words(*line)}\nin {self.names[uid]}") is None]

    def down(self, served):
        side = Side(self.root, "two", self.server)
        report, _ = side.sync()
        self.say(report["pulled"]["created"] == len(served), "all came down into a second folder")
        mine = side.by_uid()
        odd = {uid: lines for uid, (_, _, octets) in served.items()
               if (lines := self.unexpected(uid, octets, mine.get(uid, b""))
                   + self.unexpected(uid, mine.get(uid, b""), octets))}
        self.say(not odd, f"each as the server has it {list(odd.items())[:5] or ''}")
        return side

    def edit_here(self, side, served):
        uids = sorted(served)[::7][:EDITED]
        for uid in uids:
            side.write(uid, with_summary(side.by_uid()[uid], "edited in the folder"))
        report, _ = side.sync()
        refused = {p["uid"]: p for p in report["problems"] if p["uid"] not in self.refused}
        self.judge(refused, self.refused_edits, "an edit is refused")
        uids = [u for u in uids if u not in refused]
        self.say(report["pushed"]["updated"] == len(uids), f"{len(uids)} edits went up")
        now = self.client.objects(self.calendar)
        missing = [u for u in uids if b"edited in the folder" not in now[u][2]]
        self.say(not missing, f"the server has each of them {missing[:5] or ''}")
        self.silent(side, "the run after that")

    def edit_there(self, side):
        now, before = self.client.objects(self.calendar), side.by_uid()
        uids = sorted(now)[3::7][:EDITED]
        edited = []
        for uid in uids:
            href, tag, octets = now[uid]
            status, _, _ = self.client.send(
                "PUT", href, with_summary(octets, "edited on the server"), If_Match=tag,
                Content_Type="text/calendar; charset=utf-8")
            edited += [uid] if status in (200, 201, 204) else []
        self.say(len(edited) >= len(uids) * 3 // 4, f"{len(edited)} were edited on the server")
        report, _ = side.sync()
        self.say(report["pulled"]["updated"] + report["merged"] == len(edited),
                 f"the edits came down: {report['pulled']['updated']} {report['merged']}")
        after = side.by_uid()
        for uid in edited:
            lost = [l for l in self.unexpected(uid, before[uid], after[uid]) if l[1] != "SUMMARY"]
            self.say(not lost, f"an edit there takes nothing from the file: {lost}") if lost else 0
        missing = [u for u in edited if b"edited on the server" not in b"".join(
            compat_client.lines(after[u]))]
        self.say(not missing, f"the folder has each of them {missing[:5] or ''}")
        self.silent(side, "the run after that")

    def remove(self, one, two):
        uids = sorted(compat_client.uid(octets) for octets in two.texts().values())
        here, there = uids[:REMOVED], uids[-REMOVED:]
        for file, octets in one.texts().items():
            if compat_client.uid(octets) in here:
                (one.folder / "compat" / file).unlink()
        objects = self.client.objects(self.calendar)
        for uid in there:
            self.client.send("DELETE", objects[uid][0], If_Match=objects[uid][1])
        report, _ = one.sync()
        self.say((report["pushed"]["deleted"], report["pulled"]["deleted"]) == (REMOVED, REMOVED),
                 "deletions went up and came down")
        two.sync()

    def agree(self, one, two):
        served = self.client.objects(self.calendar)
        first, second = one.by_uid(), two.by_uid()
        self.say(set(served) == set(second) == set(first) - self.refused,
                 "all three have the same, apart from what was refused")

    def lose_journal(self, one):
        """A folder as it was after the last run, and no journal: nobody changed anything."""
        served = self.client.objects(self.calendar)
        side = Side(self.root, "unremembered", self.server, policy="merge")
        shutil.copytree(one.folder / "compat", side.folder / "compat")
        before = side.by_uid()
        report, _ = side.sync()
        conflicts = [c["uid"] for c in report["conflicts"]]
        odd = [f"{uid} ({self.names[uid]})" for uid in conflicts
               if not any(re.search(pattern, self.names[uid]) for pattern in self.asked)]
        self.say(not odd, f"after a lost journal, {len(conflicts)} of {len(served)} are for a"
                 f" person {odd[:5] or ''}")
        after, now = side.by_uid(), self.client.objects(self.calendar)
        # An edit that the server refused is one version of two that nobody can tell apart.
        refused = {uid for uid in before
                   if any(re.search(p, self.names[uid]) for p in self.refused_edits)}
        lost = {uid: lines for uid in sorted(set(before) - refused)
                if (lines := self.unexpected(uid, before[uid], after.get(uid, b"")))}
        self.say(not lost, f"the folder loses nothing {list(lost.items())[:5] or ''}")
        lost = {uid: lines for uid, (_, _, octets) in served.items()
                if (lines := self.unexpected(uid, octets, now.get(uid, ("", "", b""))[2]))}
        self.say(not lost, f"the server loses nothing {list(lost.items())[:5] or ''}")
        files = sum(before[uid] != after[uid] for uid in before)
        sent = sum(served[uid][2] != now[uid][2] for uid in served)
        print(f"        {files} files and {sent} objects of the server were written")
        again, whole = side.sync()
        self.say(again["pushed"] == again["pulled"] == report_of_nothing() and not again["merged"],
                 f"the run after that has nothing to do ({whole['requests']} requests)")

    def from_another_client(self):
        """The objects as another client writes them, in a calendar of its own: odd line ends, folds
        and escapes that calgw would not send."""
        self.client.send("DELETE", self.calendar)
        place = self.calendar.rstrip("/").rsplit("/", 1)[0] + "/another/"
        status, _, _ = self.client.send("MKCALENDAR", place)
        self.say(status == 201, f"another client makes a calendar ({status})")
        for number, octets in enumerate(self.corpus.values()):
            self.client.send("PUT", f"{place}{number}.ics", octets, If_None_Match="*",
                             Content_Type="text/calendar; charset=utf-8")
        served = self.client.objects(place)
        print(f"        {len(served)} of {len(self.corpus)} are taken as another client wrote them")
        self.say(len(served) >= len(self.corpus) // 2, "at least half of them")
        side = Side(self.root, "another", self.server, calendar="another")
        report, _ = side.sync()
        named = {p["uid"] for p in report["problems"]}
        mine = side.by_uid()
        self.say(set(served) - named == set(mine), "each comes down, or is named "
                 f"{sorted(set(served) - named ^ set(mine))[:5] or ''}")
        odd = {uid: lines for uid in sorted(set(served) & set(mine))
               if (lines := self.unexpected(uid, served[uid][2], mine[uid])
                   + self.unexpected(uid, mine[uid], served[uid][2]))}
        self.say(not odd, f"and says what the server has {list(odd.items())[:5] or ''}")
        self.silent(side, "the run after that")
        self.say(self.client.objects(place) == served, "nothing of it was written back")


def report_of_nothing():
    return {"created": 0, "updated": 0, "deleted": 0}


def with_summary(octets, summary):
    """The text with another SUMMARY in its first component; untouched lines stay as they are."""
    end = b"\r\n" if b"\r\n" in octets else b"\n"
    new = re.sub(rb"(?im)^SUMMARY[^\r\n]*(\r?\n[ \t][^\r\n]*)*", b"SUMMARY:" + summary.encode(),
                 octets, count=1)
    if new != octets:
        return new
    return re.sub(rb"(?im)^(UID[:;][^\r\n]*\r?\n)",
                  lambda m: m.group() + b"SUMMARY:" + summary.encode() + end, octets, count=1)


def read_notes(path, name):
    """The patterns in the section of a server, of `loses`, `refuses` and `refuses edits of`."""
    section = re.split(r"(?m)^## ", pathlib.Path(path).read_text(encoding="utf-8"))
    text = next((s for s in section if s.lower().startswith(name.lower())), "")
    words = "loses", "refuses", "refuses edits of", "disagrees on"
    return tuple(re.findall(rf"(?m)^- {word} `([^`]+)`", text) for word in words)


def main():
    *server, name, notes = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="calgw-compat.") as root:
        check = Check(server, read_notes(notes, name), pathlib.Path(root))
        check.run()
        for loss, count in sorted(check.losses.items()):
            print(f"        lost {count} times, as docs/servers.md says: {loss}")
            print("          {}: {} -> {}".format(*check.examples[loss]))
    print(f"{name}: {len(check.wrong)} that nobody wrote down")
    sys.exit(1 if check.wrong else 0)


if __name__ == "__main__":
    main()
