import Synchronization
import TestSupport
import Testing

/// A server that ends the connections which it said it keeps, without a word: what was sent on one
/// is lost.
@Suite struct EndedConnectionTests {
  /// Takes one request on each connection, and does nothing of what comes after it.
  private func server(of model: ModelServer) throws -> ScriptedServer {
    let used = Mutex<Set<Int>>([])
    return try ScriptedServer { request in
      let isFirst = used.withLock { $0.insert(request.connection).inserted }
      return isFirst ? model.steps(for: request) : [.close]
    }
  }

  @Test func `calendars are made there, named and coloured`() async throws {
    let model = ModelServer(ModelSwitches(), surroundings: ModelClock().surroundings)
    model.makeCalendar("work", displayName: "Work")
    let server = try server(of: model)
    let calgw = try CommandLine()
    try calgw.configure(server: server.url, pair: "")
    try calgw.write("calendars/club/displayname", "Club\n")
    try calgw.write("calendars/club/choir.ics", event("choir", "Choir"))
    var run = try await calgw.run(["sync"])
    #expect(run.status == 0, "\(run.output) \(run.errors)")

    try calgw.write("calendars/work/displayname", "Office\n")
    run = try await calgw.run(["sync"])
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    run = try await calgw.run(["discover"])
    #expect(run.output.contains("Office") && run.output.contains("Club"), "\(run.output)")
  }
}
