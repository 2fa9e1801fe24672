import CalgwKit
import Synchronization
import TestSupport
import Testing

/// When a run that finds no calendars asks name servers, and what it believes, with those in our
/// hands.
@Suite struct AskedNameServersTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let unknown = "https://no-such-host.invalid/"

  private func gateway(
    _ url: String, proxy: String = "none", signals: StopSignals? = nil, _ resolver: ServiceResolver
  ) throws -> Gateway {
    let text = """
      state_dir = "state"
      [account.home]
      url = "\(url)"
      proxy = "\(proxy)"
      [pair.copy]
      local = "here"
      remote = "home"
      """
    let configuration = try Configuration.parse(
      text: Array(text.utf8), file: folder.path + "/config.toml", environment: .home)
    return try Gateway(configuration, environment: .home, signals: signals, resolver: resolver)
  }

  /// Syncs an account twice and looks at it once, in one run of the program.
  ///
  /// - Parameter target: the host that the records name, and its port.
  /// - Returns: what failed each time, and the names that were asked for.
  private func run(
    _ url: String, proxy: String = "none", target: (host: String, port: UInt16)
  ) async throws -> (failures: [RunFailure], asked: [String]) {
    let asked = Mutex<[String]>([])
    let resolver = ServiceResolver { name, kind in
      asked.withLock { $0.append(name) }
      guard kind == .location else { return [.text([Array("path=/dav/".utf8)])] }
      return [.location(priority: 0, weight: 1, port: target.port, target: target.host)]
    }
    let gateway = try gateway(url, proxy: proxy, resolver)
    let pair = try #require(try gateway.targets([]).first)
    var failures: [RunFailure] = []
    for _ in 0..<2 {
      let report = await gateway.sync(pair, RunOptions())
      failures.append(try #require(report.failure))
    }
    failures += await gateway.status(pair, offline: false).failures
    #expect(failures.count == 3)
    return (failures, asked.withLock { $0 })
  }

  @Test func `each failure tells of the place, and nothing is asked twice`() async throws {
    let (failures, asked) = try await run(Self.unknown, target: ("caldav.example.org", 8443))
    for failure in failures {
      #expect(failure.status == .unreachable)
      #expect(
        failure.hint.contains(
          "the name servers of no-such-host.invalid say that its calendars are at"
            + " https://caldav.example.org:8443/dav/: set url to that"), "\(failure.hint)")
    }
    // For a host (SRV), then for a path (TXT).
    let name = "_caldavs._tcp.no-such-host.invalid"
    #expect(asked == [name, name])
  }

  @Test(arguments: [
    "https://127.0.0.1:1/", "https://localhost:1/", "https://no-such-host.invalid/dav/",
  ])
  func `nobody is asked about an address, this machine or a path`(url: String) async throws {
    let (failures, asked) = try await run(url, target: ("caldav.example.org", 443))
    #expect(failures.allSatisfy { $0.status == .unreachable })
    #expect(asked.isEmpty)
  }

  @Test func `nobody is asked past a proxy`() async throws {
    let (failures, asked) = try await run(
      Self.unknown, proxy: "http://127.0.0.1:1", target: ("caldav.example.org", 443))
    #expect(failures.allSatisfy { $0.status == .unreachable })
    #expect(asked.isEmpty)
  }

  /// As of a server that is down for an hour: its account's URL is the right one.
  @Test(arguments: [(443, false), (8443, true)] as [(UInt16, Bool)])
  func `where no server answers, another path of it is no other place`(
    port: UInt16, isNamed: Bool
  ) async throws {
    let (failures, asked) = try await run(Self.unknown, target: ("no-such-host.invalid", port))
    #expect(!asked.isEmpty)
    #expect(failures.allSatisfy { $0.hint.contains("name servers") == isNamed }, "\(failures)")
  }

  @Test func `nobody is asked for a pair that has synced`() async throws {
    let model = ModelServer(surroundings: ModelClock().surroundings)
    model.makeCalendar("work")
    let server = try ScriptedServer { model.steps(for: $0) }
    let first = try gateway(server.url, ServiceResolver { _, _ in nil })
    let report = await first.sync(try #require(try first.targets([]).first), RunOptions())
    #expect(report.failure == nil)
    let (failures, asked) = try await run(Self.unknown, target: ("caldav.example.org", 443))
    #expect(failures.allSatisfy { $0.status == .unreachable }, "\(failures)")
    #expect(asked.isEmpty)
  }

  @Test func `a run whose time ends while name servers are asked says that`() async throws {
    let time = Mutex(ContinuousClock.now)
    let signals = StopSignals(told: nil, now: { time.withLock { $0 } })
    let resolver = ServiceResolver { _, _ in
      time.withLock { $0 += .seconds(7200) }
      return [.location(priority: 0, weight: 1, port: 443, target: "caldav.example.org")]
    }
    let gateway = try gateway(Self.unknown, signals: signals, resolver)
    let report = await gateway.sync(try #require(try gateway.targets([]).first), RunOptions())
    let failure = try #require(report.failure)
    #expect(failure.status == .tryLater && failure.code == "deadline", "\(failure)")
    #expect(!failure.hint.contains("name servers"), "\(failure.hint)")
  }
}
