import Foundation
import TestSupport
import Testing

/// Whole calendars, with the real program and real servers: as many items as show whether one
/// run's pages and batches end where the next ones begin. `Scripts/bench` takes 10,000; here most
/// of the time would be the servers'. What is asserted is what was asked of the server.
@Suite(.serialized) struct VolumeTests {
  @Test(arguments: [(RealServer.Kind.radicale, 2_000, 200), (.xandikos, 600, 120)])
  func `a calendar comes down, a folder goes up, and then there is nothing to do`(
    kind: RealServer.Kind, down: Int, up: Int
  ) async throws {
    let server = try await RealServer.start(kind)
    try await server.fill("full", items: down)
    let pair = try Pair(server: server, calendar: "full")
    let first = try await pair.calgw.measured("sync", "--json")
    #expect(first.status == 0, "\(first.errors.prefix(2000))")
    #expect(pair.sandbox.items(in: pair.folder).count == down)
    try await expectQuiet(pair, items: down)

    let empty = try await server.otherClient.makeCalendar(server.path(of: "empty"))
    #expect(empty.status == 201)
    let push = try Pair(server: server, calendar: "empty")
    for number in 0..<up {
      let uid = "up-\(number)@example.org"
      try push.write("up-\(number).ics", Event.make(uid, "Event \(number)"))
    }
    let second = try await push.calgw.measured("sync", "--json")
    #expect(second.status == 0, "\(second.errors.prefix(2000))")
    #expect(try await server.otherClient.list(server.path(of: "empty")).count == up)
    try await expectQuiet(push, items: up)
    #expect(max(first.memory, second.memory) < 120, "MiB")
    print(
      "\(kind): \(down) down: \(first.cpu) s CPU, \(first.memory) MiB;"
        + " \(up) up: \(second.cpu) s CPU, \(second.memory) MiB")
    await server.stop()
  }

  /// No write, no body, at most one request.
  private func expectQuiet(_ pair: Pair, items: Int) async throws {
    let run = try await pair.calgw.measured("sync", "--json")
    #expect(run.status == 0, "\(run.errors)")
    let object = try #require(try run.objects().first)
    #expect(object["requests"] as? Int == 1)
    let bytes = try #require(object["bytesIn"] as? Int)
    #expect(bytes < 20_000, "no body is among what came in")
    let collection = try #require((object["collections"] as? [[String: Any]])?.first)
    #expect(collection["unchanged"] as? Int == items)
    for direction in ["pulled", "pushed"] {
      let counts = try #require(collection[direction] as? [String: Int])
      #expect(counts.values.allSatisfy { $0 == 0 })
    }
    print("nothing to do with \(items): \(run.cpu) s CPU, \(run.memory) MiB")
  }
}
