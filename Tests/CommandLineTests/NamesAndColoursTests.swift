import Synchronization
import TestSupport
import Testing

/// `metadata` before a server: names, colours and the like of a calendar in whole runs.
@Suite struct NamesAndColoursTests {
  private static let all =
    "metadata = [\"displayname\", \"color\", \"description\", \"order\"]"

  private func synced(
    _ switches: ModelSwitches = ModelSwitches(),
    answer: @escaping @Sendable (ReceivedRequest, [ServerStep]) -> [ServerStep] = { $1 }
  ) async throws -> FolderAndCalendar {
    let world = try FolderAndCalendar(
      displayName: "Work", color: "#FF8800FF", switches: switches, answer: answer)
    try world.configure(Self.all)
    world.model.put("a.ics", event("a", "Dentist"), in: FolderAndCalendar.path)
    _ = try await world.sync()
    #expect(world.text("displayname") == "Work")
    #expect(world.text("color") == "#ff8800")
    try await world.expectQuiet()
    return world
  }

  private func onServer(_ world: FolderAndCalendar) -> [String: String] {
    world.model.metadata(of: FolderAndCalendar.path)
  }

  @Test func `each side's change goes to the other, in one run`() async throws {
    let world = try await synced()
    try world.write("displayname", "Office\n")
    try await world.set("a:calendar-color", "#00FF00FF")
    let sync = try await world.sync()
    #expect(
      sync.run.output
        == "p/work: color came down: \"#ff8800\" → \"#00ff00\";"
        + " displayname went up: \"Work\" → \"Office\"\n")
    #expect(sync.run.errors.isEmpty, "\(sync.run.errors)")
    #expect(sync.methods.filter { $0 == "PROPPATCH" }.count == 1)
    #expect(world.text("displayname") == "Office\n")
    #expect(world.text("color") == "#00ff00")
    #expect(onServer(world) == ["displayname": "Office", "color": "#00FF00FF"])
    try await world.expectQuiet()
  }

  @Test(arguments: [("merge", "Theirs", "Mine", "remote"), ("local", "Mine", "Theirs", "local")])
  func `where both sides changed one the policy says which holds, and the other is named`(
    policy: String, winner: String, loser: String, side: String
  ) async throws {
    let world = try await synced()
    try world.configure("conflict = \"\(policy)\"")
    try world.write("displayname", "Mine")
    try await world.set("displayname", "Theirs")
    let sync = try await world.sync()
    let note = "both sides changed the displayname; the \(side) one holds, and '\(loser)' gives way"
    #expect(sync.run.errors.contains(note), "\(sync.run.errors)")
    #expect(world.text("displayname") == winner)
    #expect(onServer(world)["displayname"] == winner)
    try await world.expectQuiet()
  }

  @Test(arguments: ["merge", "local"])
  func `a long description that gives way is kept whole`(policy: String) async throws {
    let world = try await synced()
    try world.configure("\(Self.all)\nconflict = \"\(policy)\"")
    let texts = ["Mine", "Theirs"].map { who in
      (1...90).map { "\(who), line \($0)" }.joined(separator: "; ")
    }
    try world.write("description", texts[0])
    try await world.set("c:calendar-description", texts[1])
    let sync = try await world.sync()
    let words = "(whole in `calgw log --content`) gives way"
    #expect(sync.run.errors.contains(words), "\(sync.run)")
    let loser = texts[policy == "local" ? 1 : 0]
    let log = try await world.calgw("log", "--content", "p/work").output
    #expect(log.contains("\n  before:\n  | \(loser)\n  after:\n  | "), "\(log)")
    try await world.expectQuiet()
  }

  /// Such a server takes no slash in a name, and chooses the place of a calendar by itself.
  @Test func `what a server makes of a value holds on both sides, and is not sent again`()
    async throws
  {
    var switches = ModelSwitches()
    switches.ownOrder = "17"
    let world = try await synced(switches) { _, steps in
      steps.map { step -> ServerStep in
        guard case .send(let bytes) = step else { return step }
        let text = String(decoding: bytes, as: UTF8.self)
        return .send(Array(text.replacing("Desk/Home", with: "Desk-Home").utf8))
      }
    }
    try world.write("displayname", "Desk/Home")
    try world.write("order", "3")
    let sync = try await world.sync()
    #expect(sync.methods.filter { $0 == "PROPPATCH" }.count == 2)
    #expect(
      sync.run.output
        == "p/work: displayname came down: \"Desk/Home\" → \"Desk-Home\";"
        + " order came down: \"3\" → \"17\"\n")
    for words in ["'Desk-Home' of the displayname 'Desk/Home'", "'17' of the order '3'"] {
      let note = "note: p/work: the remote side made \(words), and that holds for both\n"
      #expect(sync.run.errors.contains(note), "\(sync.run.errors)")
    }
    for _ in 0..<2 { try await world.expectQuiet() }
    #expect(world.text("displayname") == "Desk-Home")
    #expect(world.text("order") == "17")
    #expect(onServer(world)["order"] == "17")

    // A change is one against what the server made of it, on either side.
    try await world.set("displayname", "Home")
    let down = try await world.sync()
    #expect(down.run.output == "p/work: displayname came down: \"Desk-Home\" → \"Home\"\n")
    #expect(world.text("displayname") == "Home")
    world.model.change { $0.ownOrder = nil }
    try world.write("order", "4")
    let up = try await world.sync()
    #expect(up.run.output == "p/work: order went up: \"17\" → \"4\"\n")
    #expect(onServer(world)["order"] == "4")
    #expect(world.text("order") == "4")
    try await world.expectQuiet()
  }

  @Test func `what a server made of a value waits where nothing is to be written here`()
    async throws
  {
    var switches = ModelSwitches()
    switches.ownDisplayName = "OFFICE"
    let world = try await synced(switches)
    try world.write("displayname", "Office")
    #expect(try await world.calgw("push").status == 0)
    #expect(world.text("displayname") == "Office")
    let status = try await world.calgw("status", "--exit-code")
    #expect(status.status == 1)
    #expect(status.output.contains("displayname \"Office\" → \"OFFICE\""), "\(status.output)")
    // It is not sent again meanwhile.
    let requests = world.server.requests.count
    #expect(try await world.calgw("push").status == 0)
    #expect(!world.server.requests.dropFirst(requests).map(\.method).contains("PROPPATCH"))
    let down = "p/work: displayname came down: \"Office\" → \"OFFICE\"\n"
    #expect(try await world.sync().run.output == down)
    #expect(world.text("displayname") == "OFFICE")
    try await world.expectQuiet()
  }

  @Test func `a pair that writes nothing here keeps its own form of a value`() async throws {
    var switches = ModelSwitches()
    switches.ownDisplayName = "OFFICE"
    let world = try await synced(switches)
    try world.configure("direction = \"push\"")
    try world.write("displayname", "Office")
    let sync = try await world.sync()
    let words = "was to have the displayname 'Office' and keeps 'OFFICE'"
    #expect(sync.run.errors.contains(words), "\(sync.run.errors)")
    #expect(world.text("displayname") == "Office")
    #expect(try await world.calgw("status", "--exit-code").status == 0)
  }

  @Test func `a value that a server refuses stays here, and is sent again once it changes`()
    async throws
  {
    var switches = ModelSwitches()
    switches.refusedProperties = ["calendar-color"]
    let world = try await synced(switches)
    try world.write("color", "#112233")
    let refused = try await world.sync()
    #expect(refused.methods.filter { $0 == "PROPPATCH" }.count == 1)
    #expect(
      refused.run.errors
        == "note: p/work: the remote side was to have the color '#112233' and keeps '#ff8800'"
        + " (the server answered 403); it is asked again once the other side changes it\n")
    #expect(world.text("color") == "#112233")
    #expect(onServer(world)["color"] == "#FF8800FF")
    world.model.change { $0.refusedProperties = [] }
    try await world.expectQuiet()
    try world.write("color", "#445566")
    let sync = try await world.sync()
    #expect(sync.run.output == "p/work: color went up: \"#ff8800\" → \"#445566\"\n")
    #expect(onServer(world)["color"] == "#445566FF")
    try await world.expectQuiet()
  }

  @Test func `a value that a server refuses is told once, and sent again once it changes`()
    async throws
  {
    let fails = Mutex(true)
    let world = try await synced { request, steps in
      request.method == "PROPPATCH" && fails.withLock { $0 } ? [.answer(409)] : steps
    }
    try world.write("color", "#112233")
    // The model is asked all the same, and must not act.
    world.model.change { $0.refusedProperties = ["calendar-color"] }
    let failed = try await world.sync()
    #expect(failed.methods.filter { $0 == "PROPPATCH" }.count == 1)
    let words = "keeps '#ff8800' (the server answered 409); it is asked again once the other side"
    #expect(failed.run.errors.contains(words), "\(failed.run.errors)")
    for _ in 0..<2 { try await world.expectQuiet() }
    #expect(try await world.calgw("status", "--exit-code").status == 0)
    #expect(world.text("color") == "#112233")
    world.model.change { $0.refusedProperties = [] }
    fails.withLock { $0 = false }
    try world.write("color", "#445566")
    let up = "p/work: color went up: \"#ff8800\" → \"#445566\"\n"
    #expect(try await world.sync().run.output == up)
    try await world.expectQuiet()
  }

  /// 502 says nothing of the value, and 401 nothing of what may be done another time; a server that
  /// fails (500) or has no room (507) may do so only once.
  @Test(arguments: [502, 401, 500, 507])
  func `what fails is tried again until it is done, and each run says so`(status: Int) async throws
  {
    let fails = Mutex(false)
    let world = try await synced { request, steps in
      guard request.method == "PROPPATCH", fails.withLock({ $0 }) else { return steps }
      return [.answer(status, headers: ["WWW-Authenticate": "Basic realm=\"x\""])]
    }
    try world.write("color", "#112233")
    // The model is asked all the same, and must not act.
    world.model.change { $0.refusedProperties = ["calendar-color"] }
    fails.withLock { $0 = true }
    var told = 0
    for _ in 0..<3 {
      let sync = try await world.sync(status: 1)
      #expect(sync.methods.contains("PROPPATCH"))
      #expect(sync.run.output == "p/work: color could not go up\n")
      let words = "the remote side could not be given the color, and the next run tries again: "
      if sync.run.errors.contains(words) { told += 1 }
      #expect(try await world.calgw("status", "--exit-code").status == 1)
    }
    #expect(told == 3)
    let json = try await world.sync(["--json"], status: 1).run.output
    let pending = ##""metadataPending":[{"key":"color","side":"remote","value":"#112233","##
    #expect(json.contains(pending), "\(json)")
    #expect(json.contains("\"status\":1,\"error\":null"), "\(json)")
    fails.withLock { $0 = false }
    world.model.change { $0.refusedProperties = [] }
    let up = "p/work: color went up: \"#ff8800\" → \"#112233\"\n"
    #expect(try await world.sync().run.output == up)
    #expect(onServer(world)["color"] == "#112233FF")
    try await world.expectQuiet()
  }

  // MARK: Servers that show a value late

  /// Before a server that shows its old name for as long as it is told to (Infomaniak: some 10 s).
  private func syncedLate(_ isLate: Late) async throws -> FolderAndCalendar {
    let world = try await synced { _, steps in
      guard isLate.value.withLock({ $0 }) else { return steps }
      return steps.map { step -> ServerStep in
        guard case .send(let bytes) = step else { return step }
        let text = String(decoding: bytes, as: UTF8.self)
        return .send(Array(text.replacing("Desk", with: "Work").utf8))
      }
    }
    try world.write("displayname", "Desk")
    let sync = try await world.sync()
    #expect(sync.run.output == "p/work: displayname went up: \"Work\" → \"Desk\"\n")
    #expect(sync.run.errors.isEmpty, "\(sync.run.errors)")
    #expect(world.text("displayname") == "Desk")
    #expect(onServer(world)["displayname"] == "Desk")
    #expect(try await world.calgw("status", "--exit-code").status == 0)
    return world
  }

  private final class Late: Sendable {
    let value = Mutex(true)
    func end() { value.withLock { $0 = false } }
  }

  @Test func `a value that shows late is neither undone nor sent again`() async throws {
    let isLate = Late()
    let world = try await syncedLate(isLate)
    isLate.end()
    for _ in 0..<2 { try await world.expectQuiet() }
    #expect(world.text("displayname") == "Desk")
  }

  @Test func `an edit made before the last one shows is one against that`() async throws {
    let isLate = Late()
    let world = try await syncedLate(isLate)
    isLate.end()
    try world.write("displayname", "Home")
    let sync = try await world.sync()
    #expect(sync.run.output == "p/work: displayname went up: \"Desk\" → \"Home\"\n")
    #expect(sync.run.errors.isEmpty, "\(sync.run.errors)")
    #expect(onServer(world)["displayname"] == "Home")
    try await world.expectQuiet()
  }

  @Test func `a value that does not show by the next run is told once, and kept here`()
    async throws
  {
    let isLate = Late()
    let world = try await syncedLate(isLate)
    let second = try await world.sync()
    #expect(
      second.run.errors
        == "note: p/work: the remote side was to have the displayname 'Desk' and keeps 'Work';"
        + " it is asked again once the other side changes it\n")
    #expect(second.methods == ["PROPFIND"])
    for _ in 0..<2 { try await world.expectQuiet() }
    #expect(world.text("displayname") == "Desk")
    isLate.end()
    for _ in 0..<2 { try await world.expectQuiet() }
    #expect(world.text("displayname") == "Desk")
  }

  @Test func `what metadata does not name is asked of neither side`() async throws {
    let world = try await synced()
    try world.configure("metadata = [\"color\"]")
    try world.write("displayname", "Office")
    try await world.expectQuiet()
    #expect(onServer(world)["displayname"] == "Work")
    try await world.set("displayname", "Desk")
    _ = try await world.sync()
    #expect(world.text("displayname") == "Office")
    #expect(onServer(world)["displayname"] == "Desk")
  }
}
