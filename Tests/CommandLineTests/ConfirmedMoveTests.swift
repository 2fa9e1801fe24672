import Foundation
import TestSupport
import Testing

/// A pair that wants to be asked before each deletion, of which nobody can be asked here.
@Suite struct ConfirmedMoveTests {
  /// How a server differs that moves nothing.
  enum Kind: CaseIterable, Sendable {
    /// It takes the item twice.
    case plain
    /// It takes no second item of a UID, and says so.
    case unique
    /// It says nothing.
    case silent

    func change(_ switches: inout ModelSwitches) {
      switches.moveRefusal = 405
      if self == .plain { return }
      switches.uidConflictStatus = self == .unique ? 403 : 412
      switches.uidsSpanCalendars = true
      if self == .silent { switches.uidConflictElement = nil }
    }
  }

  private func moved(_ kind: Kind) async throws -> TwoCalendars {
    let pair = try TwoCalendars(keys: "confirm_delete = \"always\"\n") { kind.change(&$0) }
    for uid in ["dentist", "gym", "swim"] {
      try pair.calgw.write("calendars/private/\(uid).ics", event(uid, uid))
    }
    try pair.calgw.write("calendars/work/choir.ics", event("choir", "choir"))
    #expect(try await pair.calgw("sync").status == 0)
    try pair.move("dentist", from: "private", to: "work")
    return pair
  }

  private func expectMoved(
    _ pair: TwoCalendars, at place: SourceLocation = #_sourceLocation
  ) async throws {
    #expect(pair.counts("private", "work") == [2, 2], sourceLocation: place)
    let quiet = try await pair.calgw("sync")
    #expect(quiet.status == 0 && quiet.errors.isEmpty, "\(quiet.errors)", sourceLocation: place)
  }

  /// The deletion is the half of a move, and takes nothing away.
  @Test(arguments: [Kind.plain, .unique])
  func `does not ask whether what was moved is to be deleted`(kind: Kind) async throws {
    let pair = try await moved(kind)
    let dry = try await pair.calgw("sync", "--dry-run")
    #expect(dry.status == 0 && dry.errors.isEmpty, "\(dry.output) \(dry.errors)")
    let run = try await pair.calgw("sync")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.output) \(run.errors)")
    try await expectMoved(pair)

    try FileManager.default.removeItem(atPath: "\(pair.calgw.home)/calendars/private/gym.ics")
    let asked = try await pair.calgw("sync")
    #expect(asked.status == 1, "\(asked.output) \(asked.errors)")
    #expect(asked.errors.contains("nobody said yet that it goes"), "\(asked.errors)")
    #expect(pair.counts("private", "work") == [2, 2])
  }

  /// There it would be deleted to see whether that helps.
  @Test func `is not moved for a guess, unless the run may delete`() async throws {
    let held = try await moved(.silent)
    let run = try await held.calgw("sync")
    #expect(run.status == 1, "\(run.output) \(run.errors)")
    #expect(run.errors.contains("it may take no second one of a UID"), "\(run.errors)")
    #expect(!run.errors.contains("nobody said yet"), "\(run.errors)")
    #expect(held.counts("private", "work") == [3, 1])

    let free = try await moved(.silent)
    let allowed = try await free.calgw("sync", "--allow-mass-delete")
    #expect(allowed.status == 0 && allowed.errors.isEmpty, "\(allowed.output) \(allowed.errors)")
    try await expectMoved(free)
  }
}
