import CalgwKit
import Foundation
import SyncModel
import TestSupport
import Testing

/// Whole runs with a window, at times that the test chooses.
@Suite struct WindowTests {
  private struct World {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func gateway(_ day: String, _ window: String) throws -> Gateway {
      let text = """
        state_dir = "state"
        [pair.copy]
        local = "here"
        remote = { local = "there" }
        calendar = "."
        max_delete = "100%"
        \(window.isEmpty ? "" : "window = \(window)")
        """
      let configuration = try Configuration.parse(
        text: Array(text.utf8), file: folder.path + "/config.toml", environment: .home)
      let date = try Date(day + "T00:00:00Z", strategy: .iso8601)
      var surroundings = Surroundings.live
      surroundings.now = { Instant(seconds: Int64(date.timeIntervalSince1970)) }
      return try Gateway(
        configuration, environment: .home, signals: nil, surroundings: surroundings)
    }

    @discardableResult
    func sync(_ day: String, _ window: String) async throws -> CollectionReport {
      let gateway = try gateway(day, window)
      let report = await gateway.sync(
        try #require(try gateway.targets([]).first), RunOptions())
      #expect(report.status == .success, "\(report.failures)")
      return try #require(report.collections.first)
    }

    func pending(_ day: String, _ window: String) async throws -> Int {
      let gateway = try gateway(day, window)
      let target = try #require(try gateway.targets([]).first)
      return await gateway.status(target, offline: false).items.count
    }

    func write(_ side: String, _ uid: String, _ day: String, _ more: String = "") throws {
      let lines = [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//", "BEGIN:VEVENT", "UID:\(uid)",
        "DTSTAMP:20260101T000000Z", "DTSTART:\(day)T100000Z", "SUMMARY:\(uid)\(more)", "END:VEVENT",
        "END:VCALENDAR", "",
      ]
      try folder.write("\(side)/\(uid).ics", lines.joined(separator: "\r\n"))
    }

    func remove(_ side: String, _ uid: String) throws {
      try FileManager.default.removeItem(atPath: "\(folder.path)/\(side)/\(uid).ics")
    }

    var here: [String] { folder.names(in: "here").map { String($0.dropLast(4)) } }
    var there: [String] { folder.names(in: "there").map { String($0.dropLast(4)) } }
  }

  private let window = "{ past = \"14d\", future = \"30d\" }"

  /// Synced on 2026-06-15: `mine` is an old one from here, the others are from there.
  private func world() async throws -> World {
    let world = try World()
    try world.write("here", "mine", "20200101")
    for (uid, day) in [("old", "20260101"), ("near", "20260620"), ("later", "20260815")] {
      try world.write("there", uid, day)
    }
    let report = try await world.sync("2026-06-15", window)
    #expect(report.pulled.created == 1)
    #expect(report.pushed.created == 1)
    return world
  }

  @Test func `what is in the window comes, what is here goes there whatever its time`() async throws
  {
    let world = try await world()
    #expect(world.here == ["mine", "near"])
    #expect(world.there == ["later", "mine", "near", "old"])
    let second = try await world.sync("2026-06-15", window)
    #expect(second.pulled.total + second.pushed.total == 0)
    #expect(try await world.pending("2026-06-15", window) == 0)
  }

  @Test func `time brings items into the window and takes none away`() async throws {
    let world = try await world()
    try await world.sync("2026-08-01", window)
    #expect(world.here == ["later", "mine", "near"])
    try await world.sync("2027-08-01", window)
    #expect(world.here == ["later", "mine", "near"])
    #expect(world.there == ["later", "mine", "near", "old"])
  }

  @Test(arguments: [
    ("{ past = \"1d\", future = \"1d\" }", ["mine", "near"]),
    ("{ past = \"400d\" }", ["later", "mine", "near", "old"]),
    ("{ future = \"1d\" }", ["mine", "near", "old"]), ("", ["later", "mine", "near", "old"]),
  ])
  func `another window deletes nothing and brings what is in it`(new: String, here: [String])
    async throws
  {
    let world = try await world()
    try await world.sync("2026-06-15", new)
    #expect(world.here == here)
    try await world.sync("2026-06-15", window)
    #expect(world.here == here)
    #expect(world.there == ["later", "mine", "near", "old"])
  }

  @Test func `what is here stays in step outside the window too`() async throws {
    let world = try await world()
    try world.write("here", "mine", "20200101", " edited")
    try world.write("there", "near", "20200101", " moved out")
    let report = try await world.sync("2026-06-15", window)
    #expect(report.pushed.updated == 1)
    #expect(report.pulled.updated == 1)
    #expect(world.here == ["mine", "near"])
    try world.remove("here", "mine")
    try world.remove("there", "near")
    try await world.sync("2026-06-15", window)
    #expect(world.here == [])
    #expect(world.there == ["later", "old"])
  }

  @Test func `an item outside that is changed there comes once it is inside`() async throws {
    let world = try await world()
    try world.write("there", "old", "20260102", " still old")
    try await world.sync("2026-06-15", window)
    #expect(world.here == ["mine", "near"])
    try world.write("there", "old", "20260616", " moved in")
    try world.remove("there", "later")
    let report = try await world.sync("2026-06-15", window)
    #expect(report.pulled.created == 1)
    #expect(world.here == ["mine", "near", "old"])
    let last = try await world.sync("2026-06-15", "")
    #expect(last.pulled.total + last.pushed.total == 0)
  }

  @Test func `the same item made here meets the one outside`() async throws {
    let world = try await world()
    try world.write("here", "old", "20260101")
    let report = try await world.sync("2026-06-15", window)
    #expect(report.pulled.total + report.pushed.total == 0)
    #expect(report.conflicts.isEmpty)
    try world.remove("there", "old")
    try await world.sync("2026-06-15", window)
    #expect(world.here == ["mine", "near"])
  }
}
