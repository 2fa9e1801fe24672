"""Plays the rounds: people edit, a run of calgw meets its faults, and all is looked at."""

import collections
import random
import shutil
import threading
import time
from pathlib import Path
from urllib.parse import unquote

import checks
import texts
from file_events import FileEvents
from oracle import LOCAL, REMOTE, Oracle
from people import FEWEST, People, spread
from plan import Plan, Request
from program import CALENDAR, Calgw, Run
from proxy import FaultProxy
from sides import Edit, Folder, Phone

# Runs that a quiet point may take until there is nothing to do.
MOST_QUIET_RUNS = 3
# Of a usual run: what happens in the folder and beside the journal, and how many seconds it takes.
TYPICAL = {"kill at folder": 10, "kill at state": 60, "kill at time": 0.3}


class Rounds:
    def __init__(self, calgw: Path, seed: str, root: Path, server: tuple[str, Path]):
        self.seed, self.root = seed, root
        url, data = server
        self.counts: collections.Counter = collections.Counter()
        self.failures: list[str] = []
        self.told: set[tuple[str, str]] = set()
        self.number, self.weak_rounds = 0, 0
        self.failed_writes: set[str] = set()
        # Edited in the last round; in the last two.
        self.edited: set[str] = set()
        self.lively: set[str] = set()
        # Items that wait in a conflict.
        self.waiting: set[str] = set()
        self.oracle, self.people = Oracle(), People(seed)
        self.record = open(root / "rounds.log", "w", encoding="utf-8", buffering=1)
        self.proxy = FaultProxy(int(url.rstrip("/").rsplit(":", 1)[1]), self.calm())
        self.calgw = Calgw(calgw, root, self.proxy.url)
        self.folder = Folder(self.calgw.folder, self.oracle, self.chance("editors"))
        self.phone = Phone(url, f"/alice/{CALENDAR}/",
                           data / f"data/collection-root/alice/{CALENDAR}", self.oracle)
        self.folder.beyond, self.phone.beyond = self.phone, self.folder
        self.data = data
        self.phone.make_calendar()

    def chance(self, what: str) -> random.Random:
        return random.Random(f"{self.seed} {self.number} {what}")

    def log(self, words: str) -> None:
        self.record.write(f"{time.time():.3f} round {self.number} {words}\n")

    def calm(self) -> Plan:
        return Plan(self.chance("calm"), self.log, collections.Counter())

    # MARK: a round

    def begin(self) -> None:
        chance = self.chance("begin")
        for index in range(FEWEST + 20):
            self.perform([self.people.create((LOCAL, REMOTE)[index % 2], chance)])
        self.look = checks.Look(self.folder, self.phone, self.oracle)
        self.quieten()

    def play(self, number: int) -> None:
        self.number = number
        chance, plan = self.chance("people"), self.plan()
        before = self.people.draw(chance.randint(2, 5), self.look.shown, self.lively, chance)
        during = self.people.draw(chance.randint(2, 6), self.look.shown, self.lively, chance)
        if plan.weakens_tags or plan.strips_tags:
            # Without a strong tag nothing guards an edit in the moment of a write.
            before += [edit for edit in during if edit.side == REMOTE]
            during = [edit for edit in during if edit.side == LOCAL]
        self.perform(before)
        self.settle(sorted(self.waiting), chance)
        run = self.run_among(plan, during, chance)
        self.check(run, plan, during)
        edited = {edit.uid for edit in before + during}
        self.lively, self.edited = self.edited | edited, edited

    def plan(self) -> Plan:
        chance = self.chance("faults")
        plan = Plan(chance, self.log, self.counts)
        plan.failed, plan.meddle = self.failed_writes, self.meddle
        if chance.random() >= 0.15:
            plan.draw(TYPICAL)
        if self.weak_rounds == 0 and chance.random() < 0.05:
            self.weak_rounds = chance.randint(2, 4)
        if self.weak_rounds:
            self.weak_rounds -= 1
            plan.weakens_tags = True
            self.counts["rounds with weak entity tags"] += 1
        elif chance.random() < 0.15:
            plan.strips_tags = True
            self.counts["rounds without entity tags after PUT"] += 1
        return plan

    def perform(self, edits: list[Edit]) -> None:
        for edit in edits:
            if edit.wait:
                time.sleep(edit.wait)
            side = self.folder if edit.side == LOCAL else self.phone
            self.log(f"{edit.side} {edit.kind} {edit.uid} {edit.changes}")
            with side.lock:
                done = side.perform(edit)
            self.log(f"{edit.side} {edit.kind} {edit.uid} {'done' if done else 'not there'}")
            if done:
                self.counts[f"{edit.side}: {edit.kind}"] += 1

    def run_among(self, plan: Plan, during: list[Edit], chance: random.Random) -> Run:
        """A run of calgw, killed where the plan says so, while people go on."""
        self.proxy.plan = plan
        people = [threading.Thread(target=self.perform, args=(spread(during, side, chance),))
                  for side in (LOCAL, REMOTE)]
        for thread in people:
            thread.start()
        self.oracle.is_running = True
        process = self.calgw.start("sync", "--json", "--verbose")
        plan.victim = process.kill
        ends = self.killers(plan)
        run = self.calgw.finish(process)
        self.oracle.is_running = False
        for end in ends:
            end()
        for thread in people:
            thread.join()
        self.proxy.wait_until_quiet()
        if run.was_killed and plan.file_kill and not any(
                kind.startswith("kill") for kind in plan.came_up):
            plan.note(plan.file_kill)
        self.log(f"run {run.status} {plan.came_up} {run.output.strip()} {run.errors.strip()}")
        return run

    def meddle(self, side: str, request: Request) -> None:
        """Somebody edits what calgw reads or writes at this moment."""
        if side == REMOTE and (self.proxy.plan.weakens_tags or self.proxy.plan.strips_tags):
            return
        chance = self.chance(f"meddle {side} {self.proxy.plan.requests}")
        items = {unquote(name): uid for uid, name in self.phone.names.items()}
        names = [unquote(name) for name in request.names()]
        uids = [items[name] for name in names if name in items] or [request.target]
        uid = chance.choice(uids)
        if request.method == "PUT" and (self.phone.data / names[0]).exists():
            self.phone.names.setdefault(uid, names[0])
        if uid in self.oracle.accounts:
            name = chance.choice(texts.TEXTS)
            self.perform([self.people.change(side, uid, name, chance)])

    def killers(self, plan: Plan) -> list:
        """Starts what kills at a file event or at a moment; gives what ends it."""
        nth = 1 + int(plan.at)
        if plan.file_kill == "kill at time":
            timer = threading.Timer(plan.at, plan.kill)
            timer.start()
            return [timer.cancel]
        if plan.file_kill == "kill at folder":
            # Only what calgw itself does has such names.
            return [FileEvents(self.folder.path, lambda name: name.startswith(".calgw-"), nth,
                               plan.kill).stop]
        if plan.file_kill == "kill at state":
            return [FileEvents(self.calgw.state, lambda _: True, nth, plan.kill).stop]
        return []

    # MARK: checks

    def check(self, run: Run, plan: Plan, during: list[Edit]) -> None:
        self.counts["runs"] += 1
        self.counts["runs killed" if run.was_killed else f"runs with status {run.status}"] += 1
        # Each of these is empty for a moment, or half there.
        has_half_saves = "edited here" in plan.came_up or any(
            edit.kind in ("in place", "vim") for edit in during)
        if not run.was_killed:
            self.fail(checks.judge_run(run, plan, self.oracle, has_half_saves))
            conflicts = {one["uid"] for one in run.named("conflicts")}
            self.counts["conflicts"] += len(conflicts - self.waiting)
            if run.status in (0, 1):
                self.waiting = conflicts
            for kind in run.named("problems"):
                self.counts[f"problem {kind['code']}"] += 1
        self.look = checks.Look(self.folder, self.phone, self.oracle)
        self.fail(self.look.wrong)
        if run.status not in (0, 1):
            self.oracle.disturb()
        else:
            self.fail(self.look.agreements(self.oracle))
            self.fail([(name, "a temporary file is left") for name in self.folder.odd_names()])

    def quieten(self) -> None:
        """No faults and no edits: soon both sides are the same, and nothing is lost."""
        self.proxy.plan = self.calm()
        for _ in range(MOST_QUIET_RUNS):
            run = self.calgw.sync()
            self.log(f"quiet run {run.status} {run.output.strip()} {run.errors.strip()}")
            self.check(run, self.proxy.plan, [])
            if run.written == 0 and len(run.named("problems")) == 0:
                break
        else:
            self.fail([("", f"{MOST_QUIET_RUNS} quiet runs are not enough: {run.output}")])
        for uid in sorted(self.waiting):
            self.resolve(uid, self.chance(f"resolve {uid}").choice([LOCAL, REMOTE]))
        self.end_quiet()

    def settle(self, waiting: list[str], chance: random.Random) -> None:
        """Now and then a person settles a conflict between two runs."""
        self.proxy.plan = self.calm()
        for uid in waiting:
            if chance.random() < 0.4:
                self.look = checks.Look(self.folder, self.phone, self.oracle)
                if all(uid in shown for shown in self.look.shown.values()):
                    self.resolve(uid, chance.choice([LOCAL, REMOTE]))

    def resolve(self, uid: str, side: str) -> None:
        """A conflict may be over by now; then both sides are the same after this, too."""
        wanted = texts.values(self.look.shown[side][uid])
        run = self.calgw.run("resolve", uid, "--take", side, "--quiet")
        self.log(f"resolve {uid} {side} {run.status} {run.output.strip()} {run.errors.strip()}")
        self.counts[f"conflicts settled for the {side} side"] += 1
        look = checks.Look(self.folder, self.phone, self.oracle)
        self.fail([(uid, f"settled for the {side} side, it is another on the {other} one")
                   for other in (LOCAL, REMOTE)
                   if texts.values(look.shown[other].get(uid, b"")) != wanted])
        # What only the other side had is in the history.
        self.oracle.accounts[uid].is_uncertain = True
        self.waiting.discard(uid)

    def end_quiet(self) -> None:
        run = self.calgw.sync()
        self.log(f"last run {run.status} {run.output.strip()} {run.errors.strip()}")
        if run.status != 0 or run.report.get("requests") != 1:
            self.fail([("", f"a run with nothing to do: {run.status} {run.output} {run.errors}")])
        self.look = checks.Look(self.folder, self.phone, self.oracle, as_served=True)
        self.fail(self.look.wrong)
        self.fail([(uid, "the sides differ") for uid in self.look.differing()])
        self.fail(self.look.agreements(self.oracle))
        self.fail(self.oracle.lost(checks.kept_versions(self.look, self.calgw.history())))
        self.fail([(name, "a temporary file is left") for name in self.folder.odd_names()])
        self.counts["quiet points"] += 1
        self.people.rest()
        self.failed_writes.clear()

    def fail(self, wrong: checks.Wrong) -> None:
        for place, words in wrong:
            # What stays broken is told once.
            if (place, words) in self.told:
                continue
            self.told.add((place, words))
            text = f"seed {self.seed}, round {self.number}: {place}: {words}"
            self.log(f"FAILED {place}: {words}")
            print(f"FAILED  {text}", flush=True)
            self.failures.append(text)
        evidence = self.root / f"failures/{self.number}"
        if wrong and not evidence.exists():
            for name, source in (("state", self.calgw.state), ("folder", self.folder.path),
                                 ("server", self.data / "data")):
                shutil.copytree(source, evidence / name)
