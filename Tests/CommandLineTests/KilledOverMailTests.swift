import Foundation
import Glibc
import TestSupport
import Testing

/// A run that is killed once a server has what may make it send mail: nobody was told of that.
@Suite(.timeLimit(.minutes(20))) struct KilledOverMailTests {
  private static let note = "the server may have sent invitations or updates for 1 item"

  private let world: FolderAndCalendar
  /// The server keeps to itself what became of a write.
  private let isMute = Switch()
  private let stored = DispatchSemaphore(value: 0)

  init() throws {
    let (isMute, stored) = (self.isMute, self.stored)
    world = try FolderAndCalendar { request, steps in
      guard isMute.isOn, request.method == "PUT" else { return steps }
      return [.run { stored.signal() }, .silence]
    }
  }

  private func dentist(at hour: Int) -> String {
    event("dentist", "Dentist").replacing("DTSTART:20260105T10", with: "DTSTART:20260105T\(hour)")
  }

  private func meeting() -> String {
    let people = "ORGANIZER:mailto:a@example.org\r\nATTENDEE:mailto:b@example.org\r\n"
    return event("review", "Review").replacing("END:VEVENT", with: people + "END:VEVENT")
  }

  /// A conflict, a version in the log, and a meeting that the server has from a killed run.
  private func kill() async throws {
    try world.write("dentist.ics", dentist(at: 10))
    try world.write("gym.ics", event("gym", "Gym"))
    _ = try await world.sync()
    try world.write("gym.ics", event("gym", "Sports"))
    _ = try await world.sync()
    try world.write("dentist.ics", dentist(at: 11))
    let name = try #require(
      world.model.items(in: FolderAndCalendar.path).first { _, data in
        String(decoding: data, as: UTF8.self).contains("UID:dentist")
      }?.key)
    world.model.put(name, Array(dentist(at: 12).utf8), in: FolderAndCalendar.path)
    try world.write("review.ics", meeting())
    isMute.turn(true)
    let (program, stored) = (try world.calgw.start(["sync"]), self.stored)
    let run = await onOwnThread { () -> CommandLine.Run in
      _ = stored.wait(timeout: .now() + .seconds(240))
      program.send(SIGKILL)
      return program.finish()
    }
    #expect(run.status == 128 + SIGKILL, "\(run.output) \(run.errors)")
    isMute.turn(false)
    #expect(world.there() == ["dentist", "gym", "review"])
  }

  @Test(
    arguments: [
      ["resolve", "dentist", "--take", "both"], ["resolve", "dentist", "--take", "local"],
      ["restore", "p/1"],
    ])
  func `the next command tells of it, whichever it is`(command: [String]) async throws {
    try await kill()
    let dry = try await world.calgw.run(command + ["--dry-run"])
    #expect(dry.status == 0 && !dry.errors.contains("may have sent"), "\(dry.errors)")
    let run = try await world.calgw.run(command)
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(run.errors.components(separatedBy: Self.note).count == 2, "\(run.errors)")
    let next = try await world.calgw("sync")
    #expect(!next.errors.contains("may have sent"), "\(next.errors)")
  }

  @Test func `its JSON has the number`() async throws {
    try await kill()
    let run = try await world.calgw("resolve", "dentist", "--take", "both", "--json")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(run.output.contains(#""invitations":1,"#), "\(run.output)")
  }
}
