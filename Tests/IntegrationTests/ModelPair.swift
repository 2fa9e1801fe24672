import CalDAVStorage
import SyncExecution
import SyncModel
import SyncPlanning
import Synchronization
import TestSupport
import Testing
import WebDAV

/// A folder in memory and a calendar of the model server, kept the same by the engine. Each sync is
/// a run of its own: it lists the calendars first and knows of earlier runs what the journal has.
final class ModelPair: Sendable {
  static let calendar = ModelServer.homePath + "work/"

  let clock = ModelClock()
  let server: ModelServer
  let folder: MemoryStorage
  let journal = MemoryJournal()
  private let way: OvertakenServer
  /// The origin of the account's home set, which may be another than the account's own.
  private let home: String
  /// What a probe found, which each run knows; nothing else is remembered.
  private let learned = Mutex<CalDAVAccount.Learned?>(nil)

  init(
    home: String = ModelServer.origin, _ change: (inout ModelSwitches) -> Void = { _ in }
  ) {
    self.home = home
    var switches = ModelSwitches()
    change(&switches)
    server = ModelServer(switches, surroundings: clock.surroundings)
    way = OvertakenServer(server)
    server.makeCalendar("work", components: ["VEVENT"])
    folder = MemoryStorage(surroundings: clock.surroundings)
  }

  private func openAccount() throws -> CalDAVAccount {
    var options = CalDAVAccount.Options()
    options.trustedHosts = TrustedHosts([String(home.dropFirst("http://".count))])
    options.found = FoundLocation(
      .homeSets([home + ModelServer.homePath]), foundAt: clock.now,
      trusting: options.trustedHosts)
    options.learned = learned.withLock { $0 }
    return try CalDAVAccount(
      url: ModelServer.origin + "/",
      credentials: CalDAVAccount.Credentials(
        username: Array("alice".utf8), password: Array("secret".utf8)),
      transport: way, surroundings: clock.surroundings, digest: sha256, options: options)
  }

  /// The calendar as a run opens it.
  func openCalendar() async throws -> CalDAVStorage {
    let account = try openAccount()
    let listed = try await account.listCollections()
    return try await account.openCalendar(try #require(listed.first { $0.name == "work" }))
  }

  /// With another journal than the pair's, it is as if that was lost.
  @discardableResult
  func sync(
    with other: MemoryJournal? = nil, policy: ConflictPolicy = .merge
  ) async throws -> CollectionReport {
    try await collection(other, policy).run()
  }

  func resolve(
    _ uid: String, taking choice: ConflictChoice, with other: MemoryJournal? = nil
  ) async throws -> CollectionReport {
    try await collection(other).resolve(ItemID(bytes: Array(uid.utf8)), taking: choice)
  }

  /// Finds out what guards are worth on the server, as `calgw doctor --write` does.
  func probe() async throws {
    let account = try openAccount()
    _ = try await account.listCollections()
    _ = try await account.probe()
    let found = account.learned
    learned.withLock { $0 = found }
  }

  private func collection(
    _ other: MemoryJournal?, _ policy: ConflictPolicy = .merge
  ) async throws -> CollectionSync {
    var options = SyncOptions()
    options.policy = policy
    options.deletionLimit.isLifted = true
    return CollectionSync(
      name: "work", local: folder, remote: try await openCalendar(), journal: other ?? journal,
      surroundings: clock.surroundings, digest: sha256, options: options)
  }

  /// Time for a slow server to show what it was given, and two runs.
  func settle() async throws {
    for _ in 0..<2 {
      clock.advance(milliseconds: 600_000)
      try await sync()
    }
  }

  // MARK: The two sides

  func putFile(_ uid: String, _ text: String) {
    folder.put(Href("\(uid).ics"), ItemData(bytes: Array(text.utf8)))
  }

  /// Another text for the file of an item, whatever its name is.
  func editFile(_ uid: String, _ text: String) {
    for href in hrefs(of: uid) { folder.put(href, ItemData(bytes: Array(text.utf8))) }
  }

  func removeFile(_ uid: String) { hrefs(of: uid).forEach(folder.remove) }

  private func hrefs(of uid: String) -> [Href] {
    folder.items.filter { Self.text($0.value.bytes).contains("UID:\(uid)\r\n") }.map(\.key)
  }

  func putRemote(_ uid: String, _ text: String) {
    let name = names(of: uid).first ?? Array("\(uid).ics".utf8)
    server.put(name, Array(text.utf8), in: Self.calendar)
  }

  func removeRemote(_ uid: String) {
    for name in names(of: uid) { server.remove(name, in: Self.calendar) }
  }

  /// Another client acts once, just before the next request of one of these methods arrives.
  func before(_ methods: Set<String>, _ act: @escaping @Sendable () -> Void) {
    way.before(methods, act)
  }

  /// A text of another one is at the very address of the next item that is sent, just before that
  /// arrives.
  ///
  /// - Parameter text: nil: the same, as where something on the way delivers a write twice.
  func takeAddress(with text: String?) {
    way.overtake(["PUT"]) { [server] request in
      let name = ModelServer.name(ofPath: Array(request.url.utf8))
      server.put(name, text.map { Array($0.utf8) } ?? request.body, in: Self.calendar)
    }
  }

  private func names(of uid: String) -> [[UInt8]] {
    server.items(in: Self.calendar)
      .filter { Self.text($0.value).contains("UID:\(uid)\r\n") }.map(\.key)
  }

  static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// The texts of an item in the folder, or on the server; more than one should not be.
  func files(_ uid: String) -> [String] {
    folder.items.values.map { Self.text($0.bytes) }.filter { $0.contains("UID:\(uid)\r\n") }
  }

  func remotes(_ uid: String) -> [String] {
    names(of: uid).compactMap { server.data($0, in: Self.calendar) }.map(Self.text)
  }

  /// The summaries of an item on both sides, as `A|A`; `-` where it is not there.
  func summaries(_ uid: String) -> String {
    func summary(_ texts: [String]) -> String {
      let lines = texts.flatMap { $0.split(separator: "\r\n") }
      let summaries = lines.filter { $0.hasPrefix("SUMMARY:") }.map { String($0.dropFirst(8)) }
      return summaries.isEmpty ? "-" : summaries.joined(separator: "+")
    }
    return summary(files(uid)) + "|" + summary(remotes(uid))
  }

  /// The history has a text as one that calgw wrote over or removed.
  func isKept(_ text: String) -> Bool {
    journal.state.history.compactMap(\.entry.before).contains(sha256(Array(text.utf8)))
  }

  /// What the server answers to another client's calendar-query for all events.
  func query() async throws -> String {
    let filter = "<C:comp-filter name='VCALENDAR'><C:comp-filter name='VEVENT'/></C:comp-filter>"
    let body =
      "<C:calendar-query xmlns:D='DAV:' xmlns:C='urn:ietf:params:xml:ns:caldav'>"
      + "<D:prop><D:getetag/></D:prop><C:filter>\(filter)</C:filter></C:calendar-query>"
    let sink = BytesSink(limit: 1 << 20)
    let request = HTTPRequest(
      method: "REPORT", url: ModelServer.origin + Self.calendar,
      headers: [HTTPHeader("Depth", "1")], body: Array(body.utf8))
    let head = try await server.send(request, into: sink)
    #expect(head.status == 207)
    return Self.text(sink.bytes)
  }

  // MARK: Texts

  static func event(_ uid: String, _ summary: String, _ lines: [String] = []) -> String {
    let text =
      [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//calgw//pair//EN", "BEGIN:VEVENT",
        "UID:\(uid)", "DTSTAMP:20260101T000000Z", "DTSTART:20260301T090000Z",
        "DTEND:20260301T100000Z", "SUMMARY:\(summary)",
      ] + lines + ["END:VEVENT", "END:VCALENDAR"]
    return text.map { $0 + "\r\n" }.joined()
  }

  static func meeting(_ uid: String, _ summary: String, answer: String = "NEEDS-ACTION") -> String {
    event(
      uid, summary,
      [
        "ORGANIZER:mailto:alice@example.org", "ATTENDEE;PARTSTAT=\(answer):mailto:bob@example.org",
      ])
  }

  // MARK: Stories

  /// Nothing is written on either side by one more run, which has no conflict either.
  func expectSilence(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let (before, files) = (server.items(in: Self.calendar), folder.items)
    server.forgetRequests()
    let report = try await sync()
    let writes = server.requests.filter { ["PUT", "DELETE"].contains($0.method) }.map(\.line)
    #expect(writes == [], "it writes again", sourceLocation: sourceLocation)
    #expect(report.pulled.total == 0 && report.merged == 0, sourceLocation: sourceLocation)
    #expect(report.conflicts.isEmpty, sourceLocation: sourceLocation)
    #expect(folder.items == files, sourceLocation: sourceLocation)
    #expect(server.items(in: Self.calendar) == before, sourceLocation: sourceLocation)
  }

  /// Another client edits an item after a run has looked for changes, and before its first look or
  /// write because of an edit in the folder: neither edit is lost.
  ///
  /// - Returns: the report of that run.
  @discardableResult
  func makeOvertaken(sourceLocation: SourceLocation = #_sourceLocation) async throws
    -> CollectionReport
  {
    putFile("o", Self.event("o", "A"))
    try await settle()
    putFile("o", Self.event("o", "B"))
    before(["GET", "PUT"]) { [self] in
      putRemote("o", Self.event("o", "A", ["LOCATION:There"]))
    }
    let report = try await sync()
    try await settle()
    #expect(summaries("o") == "B|B", sourceLocation: sourceLocation)
    for text in files("o") + remotes("o") {
      #expect(text.contains("LOCATION:There\r\n"), sourceLocation: sourceLocation)
    }
    return report
  }

  /// Items of both sides meet, a change and a deletion go each way, and then all is silent.
  ///
  /// - Parameter pause: in milliseconds, until the changes must have been seen.
  func makeRound(
    after pause: Int64 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    for uid in ["a", "b"] { putFile(uid, Self.event(uid, "A")) }
    for uid in ["c", "d"] { putRemote(uid, Self.event(uid, "A")) }
    try await settle()
    for uid in ["a", "b", "c", "d"] {
      #expect(summaries(uid) == "A|A", "\(uid) at first", sourceLocation: sourceLocation)
    }
    try await expectSilence(sourceLocation: sourceLocation)
    putFile("a", Self.event("a", "B"))
    putRemote("c", Self.event("c", "B"))
    removeFile("b")
    removeRemote("d")
    clock.advance(milliseconds: pause)
    try await settle()
    let expected = ["a": "B|B", "b": "-|-", "c": "B|B", "d": "-|-"]
    for (uid, summaries) in expected {
      #expect(self.summaries(uid) == summaries, "\(uid) then", sourceLocation: sourceLocation)
    }
    try await expectSilence(sourceLocation: sourceLocation)
  }
}
