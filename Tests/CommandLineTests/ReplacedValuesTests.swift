import Foundation
import Synchronization
import TestSupport
import Testing

/// Names and colours that a sync replaced, in `log` and `restore`.
@Suite struct ReplacedValuesTests {
  /// A calendar with a name and no colour, in step, and what was answered to it.
  private func synced(
    answer: @escaping @Sendable (ReceivedRequest, [ServerStep]) -> [ServerStep] = { $1 }
  ) async throws -> FolderAndCalendar {
    let world = try FolderAndCalendar(displayName: "Work", answer: answer)
    world.model.put("a.ics", event("a", "Dentist"), in: FolderAndCalendar.path)
    _ = try await world.sync()
    #expect(try await log(world).isEmpty)
    return world
  }

  /// The same with a name that went up since.
  private func renamed(
    answer: @escaping @Sendable (ReceivedRequest, [ServerStep]) -> [ServerStep] = { $1 }
  ) async throws -> FolderAndCalendar {
    let world = try await synced(answer: answer)
    try world.write("displayname", "Office")
    _ = try await world.sync()
    return world
  }

  /// The lines of the log, without their times.
  private func log(_ world: FolderAndCalendar, _ name: String = "p") async throws -> [String] {
    let log = try await world.calgw("log", name)
    #expect(log.status == 0, "\(log.errors)")
    return log.output.split(separator: "\n").map { line in
      let parts = line.split(separator: "  ")
      return ([parts[0]] + parts.dropFirst(2)).joined(separator: "  ")
    }
  }

  private func onServer(_ world: FolderAndCalendar) -> [String: String] {
    world.model.metadata(of: FolderAndCalendar.path)
  }

  private static let toOffice =
    "p/value-1  p/work  remote  replaced  the name was \"Work\", set to \"Office\""
  private static let toWork = "the name was \"Office\", set to \"Work\""

  // MARK: The log

  @Test func `the log tells what went, in the order of time, beside the items`() async throws {
    let world = try await renamed()
    try world.write("a.ics", event("a", "Doctor"))
    _ = try await world.sync()
    try await world.set("a:calendar-color", "#00FF00FF")
    _ = try await world.sync()
    let lines = try await log(world)
    #expect(lines.count == 3, "\(lines)")
    let toGreen = "p/value-2  p/work  local  replaced  there was no colour, set to \"#00ff00\""
    #expect(lines.first == toGreen)
    #expect(lines.dropFirst().first?.hasPrefix("p/1  p/work  remote  replaced  ") == true)
    #expect(lines.last == Self.toOffice)
    #expect(try await log(world, "p/work") == lines)
    #expect(try await log(world, "a").count == 1, "that of an item has its versions alone")
    let json = try await world.calgw("log", "--json").output.split(separator: "\n")
    let own = ##""metadata":{"key":"color","before":null,"after":"#00ff00"}}"##
    #expect(json.first?.hasSuffix(own) == true, "\(json)")
    #expect(json.first?.contains(#""collection":"work","uid":null,"side":"local""#) == true)
    #expect(json.dropFirst().first?.contains("metadata") == false)
  }

  @Test func `what a server refuses has replaced nothing, and what fails is there once`()
    async throws
  {
    let fails = Mutex(false)
    let world = try await synced { request, steps in
      request.method == "PROPPATCH" && fails.withLock { $0 } ? [.answer(502)] : steps
    }
    world.model.change { $0.refusedProperties = ["displayname"] }
    try world.write("displayname", "Office")
    _ = try await world.sync()
    #expect(try await log(world).isEmpty)
    fails.withLock { $0 = true }
    try world.write("displayname", "Desk")
    for _ in 0..<3 { _ = try await world.sync([], status: 1) }
    let lines = try await log(world)
    #expect(lines.count == 1 && lines[0].hasSuffix("was \"Work\", set to \"Desk\""), "\(lines)")
  }

  @Test func `it is kept by the limits of the history`() async throws {
    let world = try await renamed()
    try world.write("displayname", "Home")
    _ = try await world.sync()
    #expect(try await log(world).count == 2)
    try world.configure("history = { keep = \"0s\", versions = 1 }")
    let pruned = try await world.calgw("log", "--prune")
    #expect(pruned.output == "p: 1 version removed, 10 bytes\n", "\(pruned)")
    #expect(try await log(world).count == 1)
  }

  // MARK: Back

  @Test func `a value comes back on both sides, and so does the one that it replaces`()
    async throws
  {
    let world = try await renamed()
    let words = ": \"Office\" → \"Work\""
    let dry = try await world.calgw("restore", "p/value-1", "--dry-run")
    #expect(
      dry.output
        == "p/work: displayname would come back\(words); displayname would go up\(words)"
        + " (dry run: nothing was changed)\n")
    #expect(world.text("displayname") == "Office" && onServer(world)["displayname"] == "Office")
    #expect(try await log(world) == [Self.toOffice])

    let run = try await world.calgw("restore", "p/value-1")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output == "p/work: displayname came back\(words); displayname went up\(words)\n")
    #expect(world.text("displayname") == "Work" && onServer(world)["displayname"] == "Work")
    #expect(
      try await log(world) == [
        "p/value-3  p/work  remote  replaced  \(Self.toWork)",
        "p/value-2  p/work  local  replaced  \(Self.toWork)", Self.toOffice,
      ])
    try await world.expectQuiet()
    #expect(try await world.calgw("restore", "p/value-1").output == "p/work: nothing to do\n")

    let again = try await world.calgw("restore", "value-2", "--json")
    #expect(again.status == 0, "\(again.errors)")
    let own = #"{"key":"displayname","side":"local","value":"Office","before":"Work"}"#
    #expect(again.output.contains("\"metadata\":[\(own),{"), "\(again.output)")
    #expect(world.text("displayname") == "Office" && onServer(world)["displayname"] == "Office")
    try await world.expectQuiet()
  }

  @Test func `what the server has by now gives way, and is in the log`() async throws {
    let world = try await renamed()
    try await world.set("displayname", "Desk")
    #expect(try await world.calgw("restore", "p/value-1").status == 0)
    #expect(world.text("displayname") == "Work" && onServer(world)["displayname"] == "Work")
    let lost = "p/value-3  p/work  remote  replaced  the name was \"Desk\", set to \"Work\""
    #expect(try await log(world).first == lost)
    try await world.expectQuiet()
  }

  /// The folder has no file that says so.
  @Test func `the name that a calendar shared with its folder comes back`() async throws {
    let world = try FolderAndCalendar(displayName: "work")
    // A folder that calgw makes has the file.
    try world.write("a.ics", event("a", "Dentist"))
    _ = try await world.sync()
    #expect(world.text("displayname") == nil)
    try await world.set("displayname", "Office")
    _ = try await world.sync()
    let words = "the name was \"work\", set to \"Office\""
    #expect(try await log(world) == ["p/value-1  p/work  local  replaced  \(words)"])
    let run = try await world.calgw("restore", "p/value-1")
    #expect(run.status == 0, "\(run.errors)")
    #expect(world.text("displayname") == "work" && onServer(world)["displayname"] == "work")
    try await world.expectQuiet()
  }

  /// The folder has no file that says so, since somebody removed it.
  @Test func `the name that the calendar alone had comes back`() async throws {
    let world = try FolderAndCalendar(displayName: "Job")
    try world.write("a.ics", event("a", "Dentist"))
    _ = try await world.sync()
    try world.remove("displayname")
    _ = try await world.sync()
    #expect(onServer(world)["displayname"] == "Job")
    try await world.set("displayname", "Office")
    _ = try await world.sync()
    let id = try #require(try await log(world).first?.split(separator: " ").first)
    let run = try await world.calgw("restore", String(id))
    #expect(run.status == 0, "\(run.errors)")
    #expect(world.text("displayname") == "Job" && onServer(world)["displayname"] == "Job")
    try await world.expectQuiet()
  }

  @Test func `a value that was not there is removed, and comes back`() async throws {
    let world = try await synced()
    try world.write("color", "#112233")
    _ = try await world.sync()
    let run = try await world.calgw("restore", "p/value-1")
    #expect(run.status == 0, "\(run.errors)")
    let words = ": \"#112233\" → none"
    #expect(run.output == "p/work: color came back\(words); color went up\(words)\n")
    #expect(world.text("color") == nil && onServer(world)["color"] == nil)
    let lines = try await log(world)
    #expect(
      lines.first == "p/value-3  p/work  remote  deleted  the colour was \"#112233\", removed")
    try await world.expectQuiet()
    #expect(try await world.calgw("restore", "p/value-3").status == 0)
    #expect(world.text("color") == "#112233" && onServer(world)["color"] == "#112233FF")
    try await world.expectQuiet()
  }

  @Test func `where a server lets nobody remove it that is told`() async throws {
    let world = try await synced()
    try world.write("color", "#112233")
    _ = try await world.sync()
    world.model.change { $0.refusedProperties = ["calendar-color"] }
    let run = try await world.calgw("restore", "p/value-1")
    #expect(run.status == 1, "\(run)")
    #expect(run.output == "p/work: color came back: \"#112233\" → none; 1 problem\n")
    let note = "was to have no color and keeps '#112233' (the server answered 403)\n"
    #expect(run.errors.contains(note), "\(run.errors)")
    let problem = "the remote side keeps its color \"#112233\" instead of having none again"
    #expect(run.errors.contains(problem), "\(run.errors)")
    #expect(world.text("color") == nil && onServer(world)["color"] == "#112233FF")
    try await world.expectQuiet()
  }

  @Test func `what fails on the way is sent by the next sync`() async throws {
    let fails = Mutex(false)
    let world = try await renamed { request, steps in
      request.method == "PROPPATCH" && fails.withLock { $0 } ? [.answer(502)] : steps
    }
    // The model is asked all the same, and must not act.
    world.model.change { $0.refusedProperties = ["displayname"] }
    fails.withLock { $0 = true }
    let run = try await world.calgw("restore", "p/value-1")
    #expect(run.status == 1, "\(run)")
    #expect(run.errors.contains("and the next run tries again"), "\(run.errors)")
    #expect(world.text("displayname") == "Work" && onServer(world)["displayname"] == "Office")
    world.model.change { $0.refusedProperties = [] }
    fails.withLock { $0 = false }
    let up = "p/work: displayname went up: \"Office\" → \"Work\"\n"
    #expect(try await world.sync().run.output == up)
    try await world.expectQuiet()
  }

  // MARK: What is in the way

  @Test(
    arguments: [
      (
        "read_only = true",
        "the remote side is read-only and has \"Office\", so the displayname \"Work\" stays on"
          + " the local side [read-only]"
      ), ("direction = \"pull\"", "this pair only pulls, so the displayname that was restored"),
    ])
  func `where nothing may be written it comes back here alone`(key: String, words: String)
    async throws
  {
    let world = try await renamed()
    try world.configure(key)
    let run = try await world.calgw("restore", "p/value-1")
    #expect(run.status == 1, "\(run)")
    let output = "p/work: displayname came back: \"Office\" → \"Work\"; 1 problem\n"
    #expect(run.output == output)
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(world.text("displayname") == "Work" && onServer(world)["displayname"] == "Office")
    // As an edit that was made here it waits.
    let status = try await world.calgw("status").output
    #expect(status.contains("displayname \"Office\" → \"Work\"\n"), "\(status)")
    guard key.hasPrefix("read_only") else { return }
    let sync = try await world.sync([], status: 1)
    #expect(sync.run.errors.contains(words), "\(sync.run)")
  }

  @Test func `what the pair leaves out, or what is no value, is left alone`() async throws {
    let world = try await renamed()
    try world.configure("metadata = [\"color\"]")
    let other = try await world.calgw("restore", "p/value-1")
    #expect(other.status == 1)
    #expect(other.errors.contains("this pair leaves out the displayname"), "\(other.errors)")
    try world.configure()
    try world.write("displayname", "a\u{1}b")
    let odd = try await world.calgw("restore", "p/value-1")
    #expect(odd.status == 1)
    let words = "what the local side has in the place of the displayname is left alone"
    #expect(odd.errors.contains(words), "\(odd.errors)")
    #expect(world.text("displayname") == "a\u{1}b" && onServer(world)["displayname"] == "Office")
  }

  @Test func `in a folder that was renamed it comes back under the name of now`() async throws {
    let world = try await renamed()
    try FileManager.default.moveItem(
      atPath: world.calgw.home + "/calendars/work", toPath: world.calgw.home + "/calendars/desk")
    let run = try await world.calgw("restore", "p/value-1")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("p/desk: displayname came back"), "\(run.output)")
    #expect(onServer(world)["displayname"] == "Work")
    #expect(try await log(world, "p/desk").count == 3)
  }

  @Test func `a collection that is gone takes nothing back`() async throws {
    let world = try await renamed()
    world.model.makeCalendar("other")
    world.model.removeCalendar(FolderAndCalendar.path)
    let one = try await world.calgw("restore", "p/value-1")
    #expect(one.status == 1, "\(one)")
    #expect(one.errors.contains("[collection-gone]"), "\(one.errors)")
    #expect(world.text("displayname") == "Office")
    try FileManager.default.removeItem(atPath: world.calgw.home + "/calendars/work")
    let both = try await world.calgw("restore", "p/value-1")
    #expect(both.status == 66, "\(both)")
    #expect(both.errors.contains("is in the pair no more"), "\(both.errors)")
    #expect(both.errors.contains("set what `calgw log` shows"), "\(both.errors)")
  }

  @Test func `a file or a subscription in place of the server has no names to set`() async throws {
    let world = try await renamed()
    try world.calgw.write("work.ics", event("a", "Dentist"))
    try world.calgw.configure(
      "[pair.p]\nlocal = \"~/calendars\"\nremote = { file = \"~/work.ics\" }\n")
    let run = try await world.calgw("restore", "p/value-1")
    #expect(run.status == 1, "\(run)")
    #expect(run.errors.contains("so the displayname does not come back"), "\(run.errors)")
    #expect(world.text("displayname") == "Office")
  }

  @Test(
    arguments: [
      ("p/value-9", 66, "there is no version \"p/value-9\" in the log"),
      ("p/value-x", 64, "\"p/value-x\" is no version's id"),
      ("q/value-1", 64, "there is no pair \"q\""),
    ] as [(String, Int32, String)])
  func `an id that is not there is told as one of an item is`(
    id: String, status: Int32, words: String
  ) async throws {
    let world = try await renamed()
    let run = try await world.calgw("restore", id)
    #expect(run.status == status)
    #expect(run.errors.contains(words), "\(run.errors)")
  }
}
