import Foundation
import Glibc
import TestSupport
import Testing

/// A name server on a loopback address of its own, and programs for which it is the only one.
final class NameServer: Sendable {
  private let program: RunningProgram
  private let address: String

  /// It takes port 53, and programs get files of their own in place of the system's.
  static let canRun =
    geteuid() == 0 && access(systemAuthorities, R_OK) == 0
    && (try? RunningProgram(
      ["/usr/bin/env", "unshare", "--mount", "true"],
      environment: ProcessInfo.processInfo.environment, directory: "/"))?.finish().status == 0

  /// Where Debian's libcurl looks for whom to trust.
  private static let systemAuthorities = "/etc/ssl/certs/ca-certificates.crt"

  /// RFC 1035 §4.1; a name without a record of the kind asked for exists all the same.
  private static let source = #"""
    import random, socket, struct, sys

    def name(text):
        labels = [label.encode() for label in text.split(".") if label]
        return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"

    def data(kind, words):
        if kind == "A":
            return 1, socket.inet_aton(words[0])
        if kind == "TXT":
            return 16, bytes([len(words[0])]) + words[0].encode()
        return 33, struct.pack(">HHH", *map(int, words[:3])) + name(words[3])

    records = {}
    for line in sys.argv[1:]:
        owner, kind, *words = line.split()
        records.setdefault(name(owner), []).append(data(kind, words))
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    while True:
        address = "127.53.%d.%d" % (random.randrange(256), random.randrange(1, 255))
        try:
            server.bind((address, 53))
            break
        except OSError:
            pass
    print(address, flush=True)
    while True:
        query, client = server.recvfrom(4096)
        end = query.index(0, 12) + 1
        owner, question = query[12:end].lower(), query[12:end + 4]
        kind, = struct.unpack(">H", query[end:end + 2])
        found = [data for its, data in records.get(owner, []) if its == kind]
        flags = 0x8580 if owner in records else 0x8583
        answers = b"".join(
            b"\xC0\x0C" + struct.pack(">HHIH", kind, 1, 60, len(data)) + data for data in found)
        header = struct.pack(">HHHHH", flags, 1, len(found), 0, 0)
        server.sendto(query[:2] + header + question + answers, client)
    """#

  /// - Parameter records: each a name, `A`, `TXT` or `SRV`, and what it says.
  init(_ records: [String]) throws {
    program = try RunningProgram(
      ["/usr/bin/env", "python3", "-c", Self.source] + records,
      environment: ProcessInfo.processInfo.environment, directory: "/")
    address = try #require(program.readLine())
  }

  deinit {
    program.send(SIGKILL)
    _ = program.finish()
  }

  /// Runs `calgw` where this server alone is asked for names, and an authority alone is trusted.
  func run(
    _ calgw: CommandLine, _ arguments: [String], trusting authority: String
  ) async throws -> CommandLine.Run {
    try calgw.write("resolv.conf", "nameserver \(address)\n")
    let script =
      "mount --bind resolv.conf /etc/resolv.conf && mount --bind \"$0\" \(Self.systemAuthorities) "
      + "&& exec \"$@\""
    return try await calgw.run(
      arguments, within: ["/usr/bin/env", "unshare", "--mount", "sh", "-c", script, authority])
  }
}
