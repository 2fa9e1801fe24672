"""What is looked at after each run, and at quiet points."""

import texts
from oracle import LOCAL, REMOTE, Oracle
from plan import Plan
from program import Run
from sides import Folder, Phone

# With a fault in the run: the server cannot be reached, asks to wait, or breaks the protocol.
TROUBLE = {69, 75, 76}
# What may be named without anything being broken: a file that is just being written, what a
# server or an editor kept from being written, and a write without a strong entity tag.
EXPECTED_PROBLEMS = {"incomplete", "refused", "unreadable", "broken-remote", "unguarded"}
Wrong = list[tuple[str, str]]


def by_uid(side: str, files: dict[str, bytes], oracle: Oracle) -> tuple[dict[str, str], Wrong]:
    """The name of each item, and what is wrong with the items of a side."""
    names, wrong = {}, []
    for name, octets in files.items():
        fault = texts.fault_of(octets)
        if fault:
            wrong.append((name, f"a text of the {side} side is not whole: {fault}"))
            continue
        uid, = texts.uids(octets)
        if uid in names:
            wrong.append((uid, f"it is there twice on the {side} side: {names[uid]} and {name}"))
        if uid not in oracle.accounts:
            wrong.append((uid, f"nobody made this item of the {side} side"))
        elif oracle.accounts[uid].is_gone:
            wrong.append((uid, f"it is back on the {side} side, gone as it was from both"))
        names[uid] = name
    return names, wrong


class Look:
    """Both sides at rest."""

    def __init__(self, folder: Folder, phone: Phone, oracle: Oracle, as_served: bool = False):
        self.files = {LOCAL: folder.texts(),
                      REMOTE: phone.served() if as_served else phone.texts()}
        self.names, self.wrong = {}, []
        for side, files in self.files.items():
            self.names[side], wrong = by_uid(side, files, oracle)
            self.wrong += wrong
        for side, known in ((LOCAL, folder.names), (REMOTE, phone.names)):
            for uid, name in self.names[side].items():
                if known.get(uid, name) != name:
                    self.wrong.append((uid, f"its name on the {side} side was {known[uid]}, and "
                                       f"nobody made it {name}"))
        folder.names, phone.names = dict(self.names[LOCAL]), dict(self.names[REMOTE])
        self.shown = {side: {uid: files[self.names[side][uid]] for uid in self.names[side]}
                      for side, files in self.files.items()}
        for side, shown in self.shown.items():
            for uid, octets in shown.items():
                if uid in oracle.accounts:
                    oracle.saw(side, uid, octets)

    def differing(self) -> list[str]:
        """The items that are not the same on both sides."""
        here, there = self.shown[LOCAL], self.shown[REMOTE]
        return sorted(uid for uid in {*here, *there} if uid not in here or uid not in there
                      or texts.content(here[uid]) != texts.content(there[uid]))

    def agreements(self, oracle: Oracle) -> Wrong:
        """What both sides share now, against what people did."""
        wrong = []
        differing = set(self.differing())
        for uid in sorted(set(oracle.accounts) - differing):
            octets = self.shown[LOCAL].get(uid)
            found = oracle.agree_on_nothing(uid) if octets is None else oracle.agree(uid, octets)
            wrong += [(uid, words) for words in found]
        return wrong


def judge_run(run: Run, plan: Plan, oracle: Oracle, has_half_saves: bool) -> Wrong:
    """What calgw says of a run that was not killed."""
    wrong = []
    allowed = {0, 1} | (TROUBLE if plan.has_faults else set())
    if run.status not in allowed:
        words = f"{run.output[-1500:]} {run.errors[-800:]}"
        wrong.append(("", f"calgw ended with {run.status}: {words}"))
    conflicts, problems = run.named("conflicts"), run.named("problems")
    if run.status in (0, 1) and bool(conflicts or problems) != bool(run.status):
        wrong.append(("", f"the status is {run.status} with {len(conflicts)} conflicts and "
                      f"{len(problems)} problems"))
    for conflict in conflicts:
        if not oracle.may_conflict(conflict["uid"]):
            words = f"a conflict that people gave no reason for: {conflict}"
            wrong.append((conflict["uid"], words))
    for problem in problems:
        code = problem["code"]
        # A body that the proxy cut off without a word is no whole item either.
        is_there = problem["href"] is not None
        is_cut = has_half_saves or is_there and "cut close" in plan.came_up
        if (code not in EXPECTED_PROBLEMS or code == "incomplete" and not is_cut
                or code == "unguarded" and not (plan.weakens_tags or plan.strips_tags)):
            wrong.append((problem["uid"] or "", f"a problem that nobody made: {problem}"))
    return wrong


def kept_versions(look: Look, history: list[dict]) -> dict[str, set]:
    """The contents of each item that a side or the history has."""
    kept: dict[str, set] = {}
    for shown in look.shown.values():
        for uid, octets in shown.items():
            kept.setdefault(uid, set()).add(texts.content(octets))
    for entry in history:
        if entry["before"] is not None:
            octets = entry["before"].encode()
            kept.setdefault(entry["uid"], set()).add(texts.content(octets))
    return kept
