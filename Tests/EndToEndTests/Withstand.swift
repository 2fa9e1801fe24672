import TestSupport
import Testing

extension Program {
  /// Peak resident memory, in MiB: less than 200 MB.
  private static let mostMemory = 190.0

  /// Runs before what means harm, and looks at what must hold whatever that is: it ends by itself
  /// with such a status, in little memory, in few words, and with none that a terminal obeys.
  func withstand(
    _ arguments: String..., endingWith statuses: Set<Int32>, environment: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Run {
    let run = try await measured(arguments, environment: environment)
    #expect(
      statuses.contains(run.status), "\(run.status) \(run.errors.prefix(1000))",
      sourceLocation: sourceLocation)
    #expect(run.memory < Self.mostMemory, "\(run.memory) MiB", sourceLocation: sourceLocation)
    #expect(run.errors.utf8.count < 20_000, sourceLocation: sourceLocation)
    #expect(!(run.errors + run.output).contains("\u{1B}"), sourceLocation: sourceLocation)
    return run
  }
}

extension ScriptedServer {
  /// The logins that it was shown, once each. One that came twice in a request counts, too.
  var logins: Set<String> {
    let shown = requests.flatMap { $0.values(of: "Authorization") }
    return Set(shown.map { String(decoding: $0, as: UTF8.self) })
  }

  /// Nobody has come to it, not even with a connection alone.
  func expectUnasked(sourceLocation: SourceLocation = #_sourceLocation) async {
    // Connections are counted in the order in which they came: this is the first.
    let address = url
    _ = await onOwnThread { try? browse(address) }
    #expect(requests.map(\.connection) == [0], sourceLocation: sourceLocation)
  }
}

/// A server that means no harm: the last account and pair of a configuration, whose one item comes
/// whatever the pairs before it meet.
struct Neighbour {
  private let server: ScriptedServer

  init() throws {
    var switches = ModelSwitches()
    switches.authentication = .basic
    let model = ModelServer(switches, surroundings: ModelClock().surroundings)
    let path = model.makeCalendar("well")
    model.put("well.ics", Event.make("well", "Well"), in: path)
    server = try ScriptedServer { model.steps(for: $0) }
  }

  /// Adds its account and its pair to what is configured.
  func join(_ sandbox: Sandbox) throws {
    let file = "config/calgw/config.toml"
    let before = try sandbox.read(file)
    try sandbox.write("secret-well", RealServer.password)
    try sandbox.write(
      file,
      """
      \(before)
      [account.well]
      url = "\(server.url)"
      username = "\(RealServer.username)"
      password = { file = "~/secret-well" }

      [pair.well]
      local = "~/well"
      remote = "well"

      """)
  }

  /// Its item has come, and it was shown no other login than its own.
  func expectSynced(
    in sandbox: Sandbox, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(sandbox.items(in: "well/well") == ["well.ics"], sourceLocation: sourceLocation)
    // alice:secret, in Base64.
    #expect(server.logins == ["Basic YWxpY2U6c2VjcmV0"], sourceLocation: sourceLocation)
  }
}
