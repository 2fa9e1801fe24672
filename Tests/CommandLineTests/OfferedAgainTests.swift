import Foundation
import TestSupport
import Testing

/// What a server refused, and takes once a person has mended why.
@Suite struct OfferedAgainTests {
  @Test(arguments: [403, 507])
  func `it is sent at once where a person says that it holds`(status: Int) async throws {
    let isFull = Switch()
    let world = try FolderAndCalendar()
    world.model.interfere { request in
      isFull.isOn && request.method == "PUT" ? .answer(status) : nil
    }
    try world.write("gym.ics", event("gym", "Gym"))
    _ = try await world.sync()
    isFull.turn(true)
    try world.write("gym.ics", event("gym", "Sports"))
    var run = try await world.calgw("sync")
    if status == 507 { run = try await world.calgw("sync") }
    #expect(run.status == 1, "\(run.output) \(run.errors)")
    let command = "`calgw resolve --take local gym`"
    let time = status == 507 ? "an hour" : "a day"
    #expect(
      run.errors.contains(
        "offered again after \(time), or at once, over whatever is there by then, by \(command)."),
      "\(run.errors)")

    isFull.turn(false)
    let count = world.server.requests.count
    run = try await world.calgw("sync")
    #expect(run.status == 1, "\(run.output) \(run.errors)")
    let waiting = world.server.requests.dropFirst(count)
    #expect(!waiting.contains { $0.method == "PUT" })
    #expect(try await world.calgw("resolve", "gym", "--take", "local").status == 0)
    let there = world.model.items(in: FolderAndCalendar.path).values
    #expect(there.allSatisfy { String(decoding: $0, as: UTF8.self).contains("SUMMARY:Sports") })
    try await world.expectQuiet()
  }
}
