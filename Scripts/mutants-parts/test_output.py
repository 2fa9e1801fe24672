"""What `swift test` says of tests of the library Testing."""

import re

# A test is named in quotes, which may hold quotes, or as it is declared.
NAME = r"(\".+?\"|`[^`\n]+`\([^()\n]*\)|\w+\([^()\n]*\))"
# The words that tell what became of it count after the end of its name alone: a name may hold them,
# as "… although the server said that it failed" does. The line of the whole run names no test.
FAILED = re.compile(
    rf"✘ Test (?:case passing .+? to )?{NAME}(?: \(aka '.*?'\))?"
    r"(?: with \d+ test cases?)?(?: with \d+ arguments? .+?)? (?:recorded an|failed after)")
BEGUN = re.compile(rf"◇ Test {NAME}(?: \(aka '.*?'\))? started")


def failed_test(output):
    """The first test that recorded an issue or failed."""
    found = FAILED.search(plain(output))
    return found and found[1]


def last_begun(output):
    """Where tests run one after the other: the one in which the program itself ended, if it did."""
    begun = BEGUN.findall(plain(output))
    return begun[-1] if begun and not plays_tests(output) else None


def plays_tests(output):
    """A run came to its end, and had tests: a filter that fits none is a success, too."""
    return re.search(r"Test run with [1-9]", output) is not None


def plain(output):
    """Without colours."""
    return re.sub(r"\x1b\[[\d;]*m", "", output)
