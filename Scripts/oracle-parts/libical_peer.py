"""libical, in a process that is started again where it takes too long."""

import subprocess

from dateutil_reading import patiently


class Libical:
    def __init__(self, program, patience=0.1):
        self.program = program
        self.patience = patience
        self.process = None

    def ask(self, line):
        """The reply to a line; None where there is no libical or none in time."""
        if self.program is None:
            return None
        if self.process is None:
            self.process = subprocess.Popen(
                [self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            reply = patiently(self.patience, lambda: self._exchange(line), of_the_wall=True)
        except BrokenPipeError:
            reply = None
        if not reply:
            self.process.kill()
            self.process.wait()
            self.process = None
        return reply.rstrip("\n") if reply else None

    def _exchange(self, line):
        print(line, file=self.process.stdin)
        self.process.stdin.flush()
        return self.process.stdout.readline()
