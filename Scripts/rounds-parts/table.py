"""The table of what came up."""

import collections

from oracle import Oracle

GROUPS = {
    "what broke": ("drop", "cut", "429", "500", "502", "503", "504", "token", "rounds with"),
    "killed": ("kill ",),
    "people": ("local:", "remote:", "edited"),
    "calgw said": ("runs ", "conflict", "problem"),
}


def show(counts: collections.Counter, rounds: int, oracle: Oracle, seconds: float) -> None:
    print(f"\n{rounds} rounds, {counts['runs']} runs, {counts['quiet points']} quiet points, "
          f"{len(oracle.accounts)} items, {seconds:.0f} s")
    print(f"{oracle.uncertain} saves met a write of calgw in the same moment; {oracle.cautious} "
          "items were merged, after a kill, as if nobody knew which save was the later one\n")
    print("| | | times |\n|---|---|---|")
    for group, beginnings in GROUPS.items():
        for name in sorted(counts):
            if name.startswith(beginnings):
                print(f"| {group} | {name} | {counts[name]} |")
