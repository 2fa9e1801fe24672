import Foundation
import TestSupport
import Testing

/// Without a configuration a directory is itself the collection, or holds it: only the server
/// tells. A file on the command line is that file, and none of its name in the other of the two.
@Suite struct FilesOfOneNameTests {
  /// The folder `work` of the home directory and a calendar, or all calendars.
  private func words(_ world: FolderAndCalendar, _ path: String) -> [String] {
    ["--local", world.calgw.home + "/work", "--remote", world.server.url + path.dropFirst()]
  }

  private func text(_ file: String, of world: FolderAndCalendar) throws -> String {
    try String(contentsOfFile: "\(world.calgw.home)/\(file)", encoding: .utf8)
  }

  @Test(
    arguments: [
      (ModelServer.homePath, "work/work/gym.ics", "work/gym.ics"),
      (FolderAndCalendar.path, "work/gym.ics", "work/work/gym.ics"),
    ])
  func `the file that is named is settled, and no other`(
    remote: String, synced: String, stray: String
  ) async throws {
    let world = try FolderAndCalendar()
    world.model.put("gym.ics", event("gym", "Gym"), in: FolderAndCalendar.path)
    let words = words(world, remote)
    #expect(try await world.calgw.run(["sync"] + words).status == 0)
    try world.calgw.write(synced, event("gym", "Sports"))
    try world.calgw.write(stray, event("gym", "Stray"))
    for command in [["resolve", "--take", "remote"], ["diff"]] {
      let run = try await world.calgw.run(command + words + ["\(world.calgw.home)/\(stray)"])
      #expect(run.status == 64, "\(command) \(run.output)")
      #expect(run.errors.contains("is in no folder that is synced"), "\(run.errors)")
    }
    #expect(try text(synced, of: world) == event("gym", "Sports"))
    #expect(try text(stray, of: world) == event("gym", "Stray"))

    let file = "\(world.calgw.home)/\(synced)"
    let folder = String(file.dropLast("/gym.ics".count))
    for command in [["resolve", "--take", "remote"], ["diff"]] {
      let run = try await world.calgw.run(command + words + [folder])
      #expect(run.status == 64 && run.errors.contains("\(folder) is a folder"), "\(run.errors)")
    }
    let diff = try await world.calgw.run(["diff"] + words + [file])
    #expect(diff.status == 0 && diff.output.contains("Sports"), "\(diff.errors)")
    let run = try await world.calgw.run(["resolve", "--take", "remote"] + words + [file])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try text(synced, of: world).contains("SUMMARY:Gym"))
    #expect(try text(stray, of: world) == event("gym", "Stray"))
  }

  /// Each an address, and whether it may have been meant for one calendar.
  @Test(arguments: [("", false), (ModelServer.homePath, false), ("/calendars/alice/wrok/", true)])
  func `an address below which no calendar is may be misspelt`(path: String, isTold: Bool)
    async throws
  {
    let world = try FolderAndCalendar()
    try world.calgw.write("work/new.ics", event("new", "New"))
    let words = words(world, path)
    let run = try await world.calgw.run(["sync"] + words)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("is no calendar and has none below it") == isTold, "\(run.errors)")
    #expect(run.errors.contains("give the URL of its calendar as --remote"), "\(run.errors)")
    let again = try await world.calgw.run(["sync"] + words)
    #expect(!again.errors.contains("has none below it"), "\(again.errors)")
  }

  /// As before, with an account; and rules of its own say that more than one calendar is meant.
  @Test(
    arguments: [
      ("", "", false), (ModelServer.homePath, "", false), (ModelServer.principalPath, "", false),
      ("/.well-known/nothing", "", false), ("/calendars/alice/wrok/", "", true),
      ("/calendars/alice/wrok/", "collections = [\"work\"]", false),
    ])
  func `so may the URL of an account`(path: String, rules: String, isTold: Bool) async throws {
    let world = try FolderAndCalendar()
    try world.calgw.configure(server: world.server.url + path.dropFirst(), pair: rules)
    let doctor = try await world.calgw("doctor")
    let isWarned = doctor.output.contains("itself is no calendar and has none below it")
    #expect(isWarned == (path == "/calendars/alice/wrok/"), "\(doctor.output)")
    let run = try await world.calgw("sync")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("is no calendar and has none below it") == isTold, "\(run.errors)")
    let again = try await world.calgw("sync")
    #expect(again.errors.isEmpty, "\(again.errors)")
  }
}
