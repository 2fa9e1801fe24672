import Foundation
import TestSupport
import Testing

/// Who looks before he leaps: `status` and a dry run before the first sync, of a folder that is not
/// there yet. They say what the sync does, and make nothing.
@Suite struct FirstContactTests {
  /// The figures of a report in JSON, without its single steps.
  private func figures(_ run: CommandLine.Run) throws -> [String] {
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let collections = try #require(report["collections"] as? [[String: Any]])
    return try collections.map { collection in
      var collection = collection
      collection["actions"] = nil
      let data = try JSONSerialization.data(withJSONObject: collection, options: [.sortedKeys])
      return String(decoding: data, as: UTF8.self)
    }
  }

  /// The words for a folder and the calendar of a server, without a configuration.
  private func words(_ world: FolderAndCalendar, folder: String = "cal") -> [String] {
    [
      "--local", "\(world.calgw.home)/\(folder)", "--remote",
      world.server.url + FolderAndCalendar.path.dropFirst(),
    ]
  }

  private func filled() throws -> FolderAndCalendar {
    let world = try FolderAndCalendar(displayName: "Work")
    for uid in ["dentist", "gym"] {
      world.model.put("\(uid).ics", event(uid, uid), in: FolderAndCalendar.path)
    }
    return world
  }

  @Test func `without a configuration a look finds what the sync brings`() async throws {
    let world = try filled()
    let words = words(world)
    let status = try await world.calgw.run(["status"] + words)
    #expect(status.status == 0, "\(status.errors)")
    for uid in ["dentist", "gym"] {
      #expect(
        status.output.contains("\(uid).ics): created on the remote side"), "\(status.output)")
    }
    let dry = try await world.calgw.run(["sync", "--dry-run"] + words)
    #expect(dry.status == 0, "\(dry.errors)")
    #expect(
      dry.output.contains(
        "/cal: would make the folder cal on the local side; down: 2 new;"
          + " displayname would come down"), "\(dry.output)")
    let foreseen = try await world.calgw.run(["sync", "--dry-run", "--json"] + words)
    #expect(!world.calgw.exists("cal") && !world.calgw.exists("state"))
    let run = try await world.calgw.run(["sync", "--json"] + words)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try figures(foreseen) == figures(run))
    #expect(run.output.contains(#""made":{"side":"local","name":"cal"}"#), "\(run.output)")
    #expect(world.calgw.exists("cal/gym.ics"))
    let again = try await world.calgw.run(["status"] + words)
    #expect(again.output.contains("nothing is pending"), "\(again.output)")
  }

  /// A pair of the folders `one` and `two`, of which the one is not there.
  @Test(
    arguments: [
      ("calendar = \"work\"", "two/work/gym.ics"), ("calendar = \".\"", "two/gym.ics"),
      ("calendar = \".\"", "one/gym.ics"), ("", "two/work/gym.ics"), ("", "one/work/gym.ics"),
    ])
  func `in a configured pair it finds the same, under the same name`(keys: String, file: String)
    async throws
  {
    let folders = try TwoFolders(keys)
    try folders.calgw.write(file, event("gym", "Gym"))
    let missing = file.hasPrefix("one") ? "two" : "one"
    let side = file.hasPrefix("one") ? "local" : "remote"
    let status = try await folders.calgw("status")
    #expect(status.status == 0, "\(status.errors)")
    #expect(status.output.contains("created on the \(side) side"), "\(status.output)")
    let dry = try await folders.calgw("sync", "--dry-run", "--json")
    #expect(dry.status == 0, "\(dry.errors)")
    #expect(!folders.calgw.exists(missing) && !folders.calgw.exists("state"))
    let run = try await folders.calgw("sync", "--json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("\"made\":{"), "\(run.output)")
    #expect(try figures(dry) == figures(run))
    let later = try await folders.calgw("sync", "--dry-run")
    #expect(later.output.contains("nothing to do"), "\(later.output)")
  }

  @Test func `a folder that has vanished after a sync is an error, for a look too`() async throws {
    let world = try filled()
    let words = words(world)
    #expect(try await world.calgw.run(["sync"] + words).status == 0)
    try FileManager.default.removeItem(atPath: world.calgw.home + "/cal")
    for command in [["status"], ["sync", "--dry-run"], ["sync"]] {
      let run = try await world.calgw.run(command + words)
      #expect(run.status == 74, "\(command): \(run.output) \(run.errors)")
      #expect(!world.calgw.exists("cal"))
    }
    #expect(world.there() == ["dentist", "gym"])
  }

  @Test func `where a file is in the way of the folder, a look says what the sync says`()
    async throws
  {
    let world = try filled()
    try world.calgw.write("notes", "none")
    for folder in ["notes", "notes/cal"] {
      for command in [["status"], ["sync", "--dry-run"], ["sync"]] {
        let run = try await world.calgw.run(command + words(world, folder: folder))
        #expect(run.status == 73, "\(command): \(run.output) \(run.errors)")
        #expect(run.errors.contains("Not a directory"), "\(run.errors)")
      }
    }
  }

  @Test func `where a link leads nowhere, a look says what the sync says`() async throws {
    let world = try filled()
    let home = world.calgw.home
    try FileManager.default.createSymbolicLink(
      atPath: "\(home)/link", withDestinationPath: "\(home)/unmounted")
    for folder in ["link", "link/cal"] {
      for command in [["status"], ["sync", "--dry-run"], ["sync"]] {
        let run = try await world.calgw.run(command + words(world, folder: folder))
        #expect(run.status == 73, "\(command): \(run.output) \(run.errors)")
        #expect(run.errors.contains("check that the disk is mounted"), "\(run.errors)")
      }
    }
    #expect(!world.calgw.exists("unmounted"))
  }

  @Test func `the figures of a dry run are those of the run, once the sides were in step`()
    async throws
  {
    let folders = try TwoFolders()
    for uid in ["choir", "dentist", "gym", "lunch", "walk"] {
      try folders.write("one", uid, at: 10, uid)
    }
    let first = try await folders.calgw("sync", "--dry-run", "--json")
    #expect(try figures(first) == figures(try await folders.calgw("sync", "--json")))
    try folders.write("one", "gym", at: 11, "gym")
    try folders.write("two", "lunch", at: 12, "lunch")
    try folders.write("two", "new", at: 10, "new")
    try FileManager.default.removeItem(atPath: folders.calgw.home + "/one/work/choir.ics")
    let dry = try await folders.calgw("sync", "--dry-run", "--json")
    let run = try await folders.calgw("sync", "--json")
    #expect(run.output.contains("\"unchanged\":2"), "\(run.output)")
    #expect(try figures(dry) == figures(run))
  }
}
