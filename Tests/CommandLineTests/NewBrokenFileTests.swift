import Foundation
import TestSupport
import Testing

/// A file that cannot be synced and never was: no mend speaks of a version to bring back.
@Suite struct NewBrokenFileTests {
  @Test(arguments: BrokenFileTests.damages)
  func `its mend says what to do with the file alone`(damage: BrokenFileTests.Damage) async throws {
    let folders = try TwoFolders()
    try folders.write("one", "gym", at: 10, "gym")
    let file = URL(filePath: "\(folders.calgw.home)/one/work/new.ics")
    try Data(damage.bytes(of: event("a", "Dentist"))).save(to: file)
    for command in ["sync", "status"] {
      let run = try await folders.calgw(command)
      let text = run.output + run.errors
      #expect(text.contains("[\(damage.code)]"), "\(text)")
      #expect(!text.contains("calgw log") && !text.contains("calgw restore"), "\(text)")
    }
  }
}
