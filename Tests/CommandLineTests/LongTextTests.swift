import TestSupport
import Testing

/// Somebody gives a calendar or an item a text that is longer than any that is kept of an answer.
@Suite struct LongTextTests {
  private static let long = String(repeating: "z", count: 70_000)
  private static let shared = ModelServer.homePath + "shared/"

  @Test func `a calendar of which the pair takes nothing is no trouble of the others`() async throws
  {
    let world = try FolderAndCalendar(displayName: "Office")
    try world.configure("collections = [\"work\"]")
    world.model.makeCalendar("shared", displayName: Self.long)
    world.model.put("a.ics", event("a", "Dentist"), in: FolderAndCalendar.path)
    let run = try await world.sync().run
    #expect(run.errors.isEmpty, "\(run.errors)")
    #expect(try world.here() == ["a"])
    #expect(try world.folders() == ["work"])
    try await world.expectQuiet()
  }

  @Test(arguments: [("displayname", "displayname"), ("c:calendar-description", "description")])
  func `a value stays there and is named once, and comes once it is shorter`(
    property: String, file: String
  ) async throws {
    let world = try FolderAndCalendar()
    try world.configure("metadata = [\"displayname\", \"description\"]")
    try await world.set(property, "Rooms")
    _ = try await world.sync()
    #expect(world.text(file) == "Rooms")
    try await world.set(property, Self.long)
    world.model.put("a.ics", event("a", "Dentist"), in: FolderAndCalendar.path)
    let run = try await world.sync().run
    let words =
      "note: p/work: the \(file) of the calendar \(FolderAndCalendar.path) cannot be read, so"
      + " nothing is made of it: it is longer than 65536 bytes; give it a shorter one there, with"
      + " another program\n"
    #expect(run.errors == words)
    #expect(try world.here() == ["a"])
    #expect(world.text(file) == "Rooms")
    for _ in 0..<2 { try await world.expectQuiet() }
    try await world.set(property, "Halls")
    #expect(try await world.sync().run.errors.isEmpty)
    #expect(world.text(file) == "Halls")
  }

  @Test func `a new calendar comes without its name, and discover and doctor say why`()
    async throws
  {
    let world = try FolderAndCalendar(displayName: "Office")
    world.model.makeCalendar("shared", displayName: Self.long)
    world.model.put("b.ics", event("b", "Plumber"), in: Self.shared)
    let words = "the displayname of the calendar \(Self.shared) cannot be read"
    for command in ["discover", "doctor", "sync"] {
      let run = try await world.calgw(command)
      #expect(run.status == 0, "\(run.output) \(run.errors)")
      #expect((run.output + run.errors).contains(words), "\(run.output) \(run.errors)")
      #expect(!(run.output + run.errors).contains("zzz"))
    }
    #expect(try world.folders() == ["shared", "work"])
    #expect(world.calgw.exists("calendars/shared/b.ics"))
    #expect(!world.calgw.exists("calendars/shared/displayname"))
  }

  @Test func `an entity tag is the trouble of its item alone`() async throws {
    let isOdd = Switch()
    let world = try FolderAndCalendar { request, steps in
      let asked = String(decoding: request.body, as: UTF8.self)
      guard isOdd.isOn, !asked.contains("calendar-multiget"), case .send(let bytes)? = steps.first
      else { return steps }
      let answer = String(decoding: bytes, as: UTF8.self)
      guard let body = answer.firstRange(of: "\r\n\r\n").map({ answer[$0.upperBound...] }),
        let item = body.firstRange(of: "/b.ics</D:href>"),
        let tag = body[item.upperBound...].firstRange(of: "<D:getetag>")
      else { return steps }
      let text = "\(body[..<tag.upperBound])\(Self.long)\(body[tag.upperBound...])"
      return [.answer(207, headers: ["Content-Type": "application/xml"], body: text)]
    }
    for uid in ["a", "b"] {
      world.model.put("\(uid).ics", event(uid, "Dentist"), in: FolderAndCalendar.path)
    }
    isOdd.turn(true)
    let sync = try await world.sync(status: 1)
    #expect(sync.run.errors.contains("b.ics is longer than 65536 bytes"), "\(sync.run.errors)")
    #expect(try world.here() == ["a"])
    #expect(sync.writes.isEmpty)
    isOdd.turn(false)
    world.model.put("b.ics", event("b", "Doctor"), in: FolderAndCalendar.path)
    _ = try await world.sync()
    #expect(try world.here() == ["a", "b"])
  }
}
