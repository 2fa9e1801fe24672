import Glibc
import WebDAV

/// The way to an account's server: its name, and a connection.
extension AccountWay {
  /// The host's name and the way to it. What lies behind a proxy or a socket, the handshake shows.
  mutating func examineHost() async {
    guard !isStopped, let url = try? WebURL(absolute: account.url) else { return }
    detour = account.detour(to: url)
    if let detour { return tell(.skipped, .name, "not looked at, since connections go \(detour)") }
    let reach = ReachHost(host: url.host, port: url.port, timeout: account.timeout)
    // A secret that is missing does not keep the host from being looked at.
    let watch = StopWatch(signals: doctor.signals)
    let lookup = await watch.watch(context.surroundings) { await reach.addresses() } ?? nil
    switch lookup {
    case nil: tellCutShort(.name)
    case .failed(let why)?:
      await tellUnfound(
        "the host \(url.host) is not known", why: why,
        hint: "check the url of the account, and the network connection", .name)
      tell(.skipped, .connection, "not looked at, since \(Finding.Step.name.words) failed")
      broken = .name
    case .found(let addresses)?:
      let list = addresses.map(\.text)
      let isAddress = list == [reach.bareHost]
      tell(
        .ok, .name,
        "\(url.host) is " + (isAddress ? "an address" : list.joined(separator: ", ")))
      guard !isStopped,
        let tries = await watch.watch(
          context.surroundings, { await reach.connections(to: addresses) }) ?? nil
      else { return tellCutShort(.connection) }
      await examine(tries, to: url)
    }
  }

  private mutating func examine(_ tries: [ReachHost.Try], to url: WebURL) async {
    func words(_ attempt: ReachHost.Try) -> String {
      let failure = attempt.errorNumber.map { SystemError($0).text.lowercased() } ?? "connected"
      return "\(attempt.address.text): \(failure)"
    }
    let failed = tries.filter { $0.errorNumber != nil }
    guard let good = tries.first(where: { $0.errorNumber == nil }) else {
      await tellUnfound(
        "no connection to \(url.host) port \(url.port)",
        why: failed.map(words).joined(separator: "; "),
        hint: "check the port of the url and the network connection, or try again later",
        .connection)
      broken = .connection
      return
    }
    tell(
      .ok, .connection, "\(good.address.text) port \(url.port) in \(good.milliseconds) ms")
    // A machine without IPv6 reaches no such address, and nobody misses it.
    let odd = failed.filter { attempt in
      attempt.errorNumber.map { !Self.isNoRoute($0) } ?? false
    }
    guard !odd.isEmpty else { return }
    tell(
      .warning, .connection, "an address of \(url.host) does not answer",
      why: odd.map(words).joined(separator: "; "),
      hint: "each connection may take longer; tell the server's operator")
  }

  /// Nobody answers where the URL leads.
  private mutating func tellUnfound(
    _ message: String, why: String, hint: String, _ step: Finding.Step
  ) async {
    let failure = RunFailure(
      .unreachable, code: "unreachable", message: message, why: why, hint: hint)
    await tellUnfound(failure, step)
  }

  private static func isNoRoute(_ code: Int32) -> Bool {
    [ENETUNREACH, EHOSTUNREACH, EAFNOSUPPORT, EADDRNOTAVAIL].contains(code)
  }
}
