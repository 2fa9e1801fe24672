"""A proxy between calgw and the server that breaks what its plan says."""

import dataclasses
import email.utils
import http.client
import http.server
import re
import socket
import struct
import threading
import time
from collections.abc import Callable

from plan import Plan, Request

HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length"}
# Of calgw's and of the server's answers: more is a fault of one of the two.
PATIENCE = 30


@dataclasses.dataclass
class Answer:
    status: int
    reason: str
    headers: list[tuple[str, str]]
    body: bytes

    def octets(self, body: bytes | None = None, length: int | None = None,
               extra: str = "") -> bytes:
        """The answer on the wire; with a body or a length that are not its own, where given."""
        head = [f"HTTP/1.1 {self.status} {self.reason}"]
        head += [f"{name}: {value}" for name, value in self.headers]
        if length is not None:
            head.append(f"Content-Length: {length}")
        if extra:
            head.append(extra)
        whole = self.body if body is None else body
        return "\r\n".join([*head, "", ""]).encode("latin-1") + whole


def refusal(kind: str) -> Answer:
    """What a server says that does not do what it is asked."""
    status = int(kind[:3])
    headers = [("Content-Type", "text/plain")]
    if kind.endswith("seconds"):
        headers.append(("Retry-After", "1"))
    if kind.endswith("date"):
        headers.append(("Retry-After", email.utils.formatdate(time.time() + 1, usegmt=True)))
    return Answer(status, http.client.responses[status], headers, b"not now\n")


INVALID_TOKEN = Answer(403, "Forbidden", [("Content-Type", "application/xml; charset=utf-8")], (
    b'<?xml version="1.0" encoding="utf-8"?>\n'
    b'<error xmlns="DAV:"><valid-sync-token/></error>\n'))


def weakened(answer: Answer) -> Answer:
    """As a proxy gives it on that compresses answers: weak tags, and nothing else is new."""
    headers = [(name, "W/" + value if name.lower() == "etag" and value[:1] == '"' else value)
               for name, value in answer.headers]
    body = re.sub(rb"(getetag>\s*)(\"|&quot;)", rb"\1W/\2", answer.body)
    return dataclasses.replace(answer, headers=headers, body=body)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = PATIENCE

    def handle_any(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length) if length else b""
        request = Request(self.command, self.path, dict(self.headers.items()), body)
        with self.server.busy():
            plan = self.server.plan
            kind = plan.take(request)
            plan.log(f"request {self.command} {self.path} {kind or ''}")
            try:
                self.play(kind, request, plan)
            except OSError:
                # calgw is gone, mostly by a kill of ours.
                self.close_connection = True

    def play(self, kind: str | None, request: Request, plan: Plan) -> None:
        match kind:
            case "drop before":
                self.drop(request)
            case "drop after":
                self.forward(request, plan)
                self.drop(request)
            case "kill before":
                plan.kill()
                self.drop(request)
            case "kill on the way":
                self.forward(request, plan, sent=plan.kill)
                self.drop(request)
            case "kill after":
                self.forward(request, plan)
                plan.kill()
                self.drop(request)
            case "kill answered":
                self.give(self.forward(request, plan), request)
                time.sleep(plan.chance.random() * 0.003)
                plan.kill()
            case "edited here" | "edited there":
                plan.meddle("local" if kind == "edited here" else "remote", request)
                self.give(self.forward(request, plan), request)
            case "edited there after":
                answer = self.forward(request, plan)
                plan.meddle("remote", request)
                self.give(answer, request)
            case "token refused":
                self.give(INVALID_TOKEN, request)
            case "500 after":
                self.forward(request, plan)
                self.give(refusal("500"), request)
            case "cut length" | "cut chunk" | "cut close":
                self.cut(kind, self.forward(request, plan), plan)
            case None:
                self.give(self.forward(request, plan), request)
            case _:
                self.give(refusal(kind), request)

    # MARK: to the server

    def forward(self, request: Request, plan: Plan,
                sent: Callable[[], None] | None = None) -> Answer:
        server = http.client.HTTPConnection("127.0.0.1", self.server.upstream, timeout=PATIENCE)
        try:
            server.putrequest(request.method, request.path, skip_host=True,
                              skip_accept_encoding=True)
            for name, value in request.headers.items():
                if name.lower() not in HOP_BY_HOP | {"expect"}:
                    server.putheader(name, value)
            if request.body or request.method == "PUT":
                server.putheader("Content-Length", str(len(request.body)))
            server.putheader("Connection", "close")
            server.endheaders(request.body)
            if sent:
                sent()
            response = server.getresponse()
            headers = [(name, value) for name, value in response.getheaders()
                       if name.lower() not in HOP_BY_HOP]
            answer = Answer(response.status, response.reason, headers, response.read())
        finally:
            server.close()
        if request.is_write and plan.strips_tags:
            answer.headers = [one for one in answer.headers if one[0].lower() != "etag"]
        return weakened(answer) if plan.weakens_tags else answer

    # MARK: to calgw

    def give(self, answer: Answer, request: Request) -> None:
        bodiless = request.method == "HEAD" or answer.status in (204, 304)
        self.wfile.write(answer.octets(b"" if bodiless else None,
                                       None if answer.status == 204 else len(answer.body)))

    def cut(self, kind: str, answer: Answer, plan: Plan) -> None:
        """Half of the answer, then the end of the connection."""
        part = answer.body[:plan.chance.randrange(len(answer.body) + 1)]
        if part == answer.body:
            part = part[:-1]
        match kind:
            case "cut length":
                octets = answer.octets(part, len(answer.body))
            case "cut chunk":
                chunk = f"{len(part) + 10:x}\r\n".encode() + part
                octets = answer.octets(chunk, extra="Transfer-Encoding: chunked")
            case _:
                octets = answer.octets(part, extra="Connection: close")
        self.wfile.write(octets)
        self.close_connection = True

    def drop(self, request: Request) -> None:
        """Ends the connection: every other time at once, as a reset."""
        if len(request.path + str(request.headers)) % 2:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                       struct.pack("ii", 1, 0))
            self.connection.close()
        self.close_connection = True

    def finish(self) -> None:
        try:
            super().finish()
        except OSError:
            pass

    def log_message(self, format: str, *arguments: object) -> None:
        pass


for method in ("GET", "HEAD", "OPTIONS", "PUT", "DELETE", "PROPFIND", "PROPPATCH", "REPORT",
               "MKCALENDAR", "MKCOL", "POST"):
    setattr(Handler, f"do_{method}", Handler.handle_any)


class FaultProxy(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, upstream: int, plan: Plan):
        super().__init__(("127.0.0.1", 0), Handler)
        self.upstream, self.plan = upstream, plan
        self.under_way, self.quiet = 0, threading.Condition()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"

    def busy(self) -> "Busy":
        return Busy(self)

    def wait_until_quiet(self) -> None:
        """Until the server has answered all that calgw asked, alive or not."""
        with self.quiet:
            self.quiet.wait_for(lambda: self.under_way == 0, PATIENCE)

    def handle_error(self, request: object, client_address: object) -> None:
        pass


class Busy:
    """Counts a request that is under way."""

    def __init__(self, proxy: FaultProxy):
        self.proxy = proxy

    def __enter__(self) -> None:
        with self.proxy.quiet:
            self.proxy.under_way += 1

    def __exit__(self, *_: object) -> None:
        with self.proxy.quiet:
            self.proxy.under_way -= 1
            self.proxy.quiet.notify_all()
