import TestSupport
import Testing

/// A calendar that both sides had, and that its server's home does not list, as some servers show a
/// new one only after a while.
@Suite struct UnlistedCalendarTests {
  private static let path = FolderAndCalendar.path

  /// One item in step; then the home does not list the calendar.
  private func world(_ selection: String = "") async throws -> FolderAndCalendar {
    let world = try FolderAndCalendar(displayName: "Work")
    let folder = selection.hasPrefix("calendar") ? "~/calendars/work" : "~/calendars"
    try world.calgw.configure(server: world.server.url, folder: folder, pair: selection)
    try world.write("a.ics", event("a", "Dentist"))
    _ = try await world.sync()
    world.model.change { $0.unlistedCalendars = [Self.path] }
    return world
  }

  @Test(
    arguments: [
      "", "collections = [\"work\"]", "collections = [{ work = \"Work\" }]", "calendar = \"Work\"",
    ])
  func `one that answers at its address is synced as ever, for one more request`(
    selection: String
  ) async throws {
    let world = try await world(selection)
    let still = try await world.sync()
    #expect(still.run.output == "p/work: nothing to do\n", "\(still.run.output)")
    #expect(still.run.errors.isEmpty, "\(still.run.errors)")
    #expect(still.methods == ["PROPFIND", "PROPFIND"])
    try world.write("b.ics", event("b", "Choir"))
    world.model.put("c.ics", event("c", "Sports"), in: Self.path)
    let sync = try await world.sync()
    #expect(sync.run.output == "p/work: down: 1 new; up: 1 new\n", "\(sync.run.output)")
    #expect(sync.run.errors.isEmpty, "\(sync.run.errors)")
    #expect(world.there() == ["a", "b", "c"])
    #expect(try world.here().count == 3)
    // It is no new one when it is listed again.
    world.model.change { $0.unlistedCalendars = [] }
    try await world.expectQuiet()
    #expect(world.model.calendarPaths == [Self.path])
  }

  /// What its address says once it is not listed any more.
  @Test(
    arguments: [
      .answer(404), .answer(410), .answer(403), .answer(301, headers: [["Location", otherPath]]),
      .answer(207, headers: [["Content-Type", "application/xml"]], body: noCalendar),
    ] as [ModelFault])
  func `one that does not answer as a calendar is gone`(answer: ModelFault) async throws {
    let world = try await world("collections = [\"work\"]")
    world.model.makeCalendar("other")
    world.model.interfere { $0.path == Self.path ? answer : nil }
    let sync = try await world.sync(status: 1)
    #expect(sync.run.errors.contains("[collection-gone]"), "\(sync.run.errors)")
    #expect(sync.run.errors.contains("run `calgw forget p/work`"), "\(sync.run.errors)")
    #expect(sync.writes.isEmpty)
    #expect(try world.here() == ["a"])
  }

  @Test func `one that was gone and is listed again goes on where it was`() async throws {
    let world = try await world()
    world.model.interfere { $0.path == Self.path ? .answer(404) : nil }
    for _ in 0..<2 {
      let gone = try await world.sync(status: 1)
      #expect(gone.run.errors.contains("[collection-gone]"), "\(gone.run.errors)")
      #expect(gone.writes.isEmpty)
    }
    try world.write("b.ics", event("b", "Choir"))
    world.model.put("c.ics", event("c", "Sports"), in: Self.path)
    world.model.interfere(nil)
    world.model.change { $0.unlistedCalendars = [] }
    let back = try await world.sync()
    #expect(back.run.output == "p/work: down: 1 new; up: 1 new\n", "\(back.run.output)")
    #expect(!back.run.errors.contains("collection-gone"), "\(back.run.errors)")
    #expect(back.writes.map(\.method) == ["PUT"])
    #expect(world.there() == ["a", "b", "c"])
    #expect(try world.here() == ["a", "b", "c"])
    #expect(world.model.calendarPaths == [Self.path])
    try await world.expectQuiet()
    // From now on what it lacks was deleted there.
    world.model.remove(Array("c.ics".utf8), in: Self.path)
    #expect(try await world.sync().run.output == "p/work: down: 1 deleted\n")
  }

  private static let otherPath = ModelServer.homePath + "other/"

  private static let noCalendar =
    "<D:multistatus xmlns:D='DAV:'><D:response><D:href>\(path)</D:href><D:propstat><D:prop>"
    + "<D:resourcetype><D:collection/></D:resourcetype></D:prop>"
    + "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>"

  @Test(arguments: [(500, 76), (502, 69), (423, 76)] as [(Int, Int32)])
  func `one at whose address the server fails is told by that, and nothing else waits for it`(
    answer: Int, status: Int32
  ) async throws {
    let world = try await world()
    world.model.makeCalendar("other")
    world.model.put("o.ics", event("o", "Other"), in: Self.otherPath)
    world.model.interfere { $0.path == Self.path ? .answer(answer) : nil }
    let sync = try await world.sync(status: status)
    #expect(sync.run.output.contains("down: 1 new"), "\(sync.run.output)")
    let words = "the remote collection \(Self.path), which is not listed, is there cannot be said"
    #expect(sync.run.errors.contains(words), "\(sync.run.errors)")
    #expect(sync.run.errors.contains("the server answered \(answer)"), "\(sync.run.errors)")
    #expect(!sync.run.errors.contains("collection-gone"), "\(sync.run.errors)")
    #expect(!sync.run.errors.contains("calgw forget"), "\(sync.run.errors)")
    world.model.interfere(nil)
    #expect(try await world.sync().run.output.contains("p/work: nothing to do"))
  }

  /// As some servers answer for what is gone, and others while something is broken.
  @Test(arguments: [400, 405, 422])
  func `one whose address refuses to say is to be looked for, and then forgotten`(
    answer: Int
  ) async throws {
    let world = try await world()
    world.model.interfere { $0.path == Self.path ? .answer(answer) : nil }
    for _ in 0..<2 {
      let sync = try await world.sync(status: 76)
      #expect(sync.run.errors.contains("the server answered \(answer)"), "\(sync.run.errors)")
      let mend = try #require(sync.run.errors.firstRange(of: "run `calgw forget p/work`"))
      let before = sync.run.errors[..<mend.lowerBound]
      #expect(before.contains("sync again later, since this may pass"), "\(sync.run.errors)")
      #expect(
        before.contains("only if the server's own pages do not show the calendar either"),
        "\(sync.run.errors)")
    }
    #expect(try world.here() == ["a"])
    world.model.interfere(nil)
    #expect(try await world.sync().run.output == "p/work: nothing to do\n")
  }

  @Test func `a name that nothing has does not make it gone`() async throws {
    let world = try await world("calendar = \"Work\"")
    try world.calgw.configure(
      server: world.server.url, folder: "~/calendars/work", pair: "calendar = \"Wrok\"")
    let words = try await world.sync(status: 1).run.errors
    #expect(words.contains("`calendar` is \"Wrok\""), "\(words)")
    #expect(!words.contains("is gone"), "\(words)")
  }

  @Test(arguments: [0, 1])
  func `one of two servers is no other one than it was`(side: Int) async throws {
    let models = TwoServers.plain()
    models[0].makeCalendar("work", displayName: "Work")
    models[0].put("a.ics", event("a", "Dentist"), in: Self.path)
    let pair = try TwoServers(models)
    #expect(try await pair.calgw("sync").status == 0)
    #expect(pair.there.calendarPaths == [Self.path])
    models[side].change { $0.unlistedCalendars = [Self.path] }
    models[side].put("b.ics", event("b", "Choir"), in: Self.path)
    let run = try await pair.calgw("sync")
    #expect(run.output == "p/work: \(side == 0 ? "up" : "down"): 1 new\n", "\(run.output)")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(models.map(\.calendarPaths) == [[Self.path], [Self.path]])
    #expect(models.map { $0.items(in: Self.path).count } == [2, 2])
  }
}
