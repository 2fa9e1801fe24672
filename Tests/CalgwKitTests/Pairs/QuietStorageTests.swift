import CalgwKit
import SyncModel
import Synchronization
import TestSupport
import Testing

/// What goes over the wire of an item with attendees, and what everybody else sees.
@Suite struct QuietStorageTests {
  private let server = MemoryStorage(surroundings: ModelClock().surroundings)

  /// - Parameters:
  ///   - sent: what earlier runs sent, or the pair's other calendars got.
  ///   - texts: what the journal has of the item; nil: as it is without any agent.
  private func quiet(
    tellsAttendees: Bool = true, sent: SilencedItems? = nil, texts: [ItemData]? = nil
  ) -> QuietStorage {
    let known = sent ?? silenced(texts ?? [item("A")])
    return QuietStorage(server, digest: sha256, silenced: known) { tellsAttendees }
  }

  private func silenced(
    _ texts: [ItemData], former: Set<ItemID> = [], own: Set<ItemID> = []
  ) -> SilencedItems {
    SilencedItems(former: former, own: own) { _ in
    } findTexts: { _ in
      texts
    }
  }

  private func read(_ href: Href, of storage: QuietStorage) async throws -> ItemData? {
    guard case .found(let version, let data, _)? = try await storage.read([href]).first?.result
    else { return nil }
    #expect(version.digest == sha256(data.bytes))
    return data
  }

  /// The organizer is left to the server, and the attendees are not.
  private func excluding(_ summary: String, organizer: String = "") -> ItemData {
    let lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:u", "SUMMARY:\(summary)",
      "ORGANIZER\(organizer):mailto:a@example.org",
      "ATTENDEE;SCHEDULE-AGENT=NONE:mailto:b@example.org",
      "ATTENDEE;schedule-agent=client:mailto:d@example.org", "END:VEVENT", "END:VCALENDAR",
    ]
    return ItemData(bytes: lines.flatMap { Array(($0 + "\r\n").utf8) })
  }

  @Test func `whom a person excludes is excluded on both sides, as he wrote it`() async throws {
    let href = Href("u.ics")
    let storage = quiet(texts: [excluding("A")])
    _ = await storage.carryOut([.create(href, excluding("A"))])
    #expect(try await onServer(href) == excluding("A", organizer: wire))
    #expect(try await read(href, of: storage) == excluding("A"))
  }

  @Test func `what another client stored with the word keeps it`() async throws {
    let (storage, href) = (quiet(texts: [item("A", wire)]), Href("theirs.ics"))
    server.put(href, item("A", wire))
    #expect(try await read(href, of: storage) == item("A", wire))
    let seen = Version(tag: nil, digest: sha256(item("A", wire).bytes))
    _ = await storage.carryOut([.replace(href, expecting: seen, with: item("B", wire))])
    #expect(try await onServer(href) == item("B", wire))
    #expect(try await read(href, of: storage) == item("B", wire))
  }

  @Test func `the word is calgw's where an earlier run sent it, and nobody's known else`()
    async throws
  {
    let (href, uid) = (Href("u.ics"), ItemID("u"))
    server.put(href, item("B", wire))
    let (before, nothing) = ([item("A")], [ItemData]())
    let cases: [(SilencedItems, String)] = [
      (silenced(before, own: [uid]), ""), (silenced(before, former: [uid]), ""),
      // The server had it without the word, and another client has added it.
      (silenced(before), wire), (silenced(before, own: [ItemID("v")]), wire),
      // The journal has lost what it was.
      (silenced(nothing, own: [uid]), wire),
    ]
    for (sent, word) in cases {
      #expect(try await read(href, of: quiet(sent: sent)) == item("B", word))
    }
  }

  /// Some servers know an account by several addresses, and name it by one of their own.
  @Test(
    arguments: [
      ("", "urn:uuid:1", ["b", "urn:uuid:1"], ""), ("", "mailto:x@example.org", ["b", "a"], ""),
      // A person has made an attendee the organizer, or had the word there before.
      ("", "mailto:b@example.org", ["b", "a"], ";SCHEDULE-AGENT=CLIENT"),
      (";SCHEDULE-AGENT=CLIENT", "urn:uuid:1", ["b", "a"], ";SCHEDULE-AGENT=CLIENT"),
    ] as [(String, String, [String], String)])
  func `the word goes from an organizer whom the server names by another address, too`(
    sent: String, organizer: String, attendees: [String], kept: String
  ) async throws {
    let href = Href("u.ics")
    let former = meeting("mailto:a@example.org", sent, ["b", "a"])
    server.put(href, meeting(organizer, wire, attendees, wire))
    let storage = quiet(sent: silenced([former], own: [ItemID("u")]))
    #expect(try await read(href, of: storage) == meeting(organizer, kept, attendees))
  }

  private func meeting(
    _ organizer: String, _ parameter: String, _ attendees: [String], _ agent: String = ""
  ) -> ItemData {
    let people = attendees.map { name in
      "ATTENDEE\(agent):" + (name.contains(":") ? name : "mailto:\(name)@example.org")
    }
    let start = ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:u"]
    let lines =
      start + ["ORGANIZER\(parameter):\(organizer)"] + people + ["END:VEVENT", "END:VCALENDAR"]
    return ItemData(bytes: lines.flatMap { Array(($0 + "\r\n").utf8) })
  }

  @Test func `what a write under way was made of counts where it gives the very text`()
    async throws
  {
    let href = Href("u.ics")
    // A person has excluded everybody. The write may have happened or not.
    let texts = [item("B", wire), item("A")]
    server.put(href, item("A", wire))
    let untouched = quiet(sent: silenced(texts, own: [ItemID("u")]))
    #expect(try await read(href, of: untouched) == item("A"))
    server.put(href, item("B", wire))
    #expect(try await read(href, of: untouched) == item("B", wire))
  }

  @Test func `what is sent with the word is noted before, and only that`() async throws {
    let noted = Noted()
    let sent = SilencedItems { items in
      noted.note(items)
    } findTexts: { _ in
      []
    }
    let storage = quiet(sent: sent)
    _ = await storage.carryOut([.create(Href("all.ics"), item("A", wire))])
    #expect(noted.items.isEmpty)
    server.beforeNextCall { _ in noted.seal() }
    _ = await storage.carryOut([.create(Href("u.ics"), item("A"))])
    #expect(noted.items == [ItemID("u")])
  }

  @Test func `what was noted is not noted again, and what could not be is`() async throws {
    let kept = Mutex<(isBusy: Bool, batches: [Set<ItemID>])>((true, []))
    let sent = SilencedItems { items async throws(JournalError) in
      let isBusy = kept.withLock { state in
        if !state.isBusy { state.batches.append(items) }
        return state.isBusy
      }
      if isBusy { throw JournalError(.busy, "it is in use") }
    } findTexts: { _ in
      []
    }
    let storage = quiet(sent: sent)
    let (first, second) = (Href("u.ics"), Href("v.ics"))
    _ = await storage.carryOut([.create(first, item("A"))])
    #expect(try await onServer(first) == nil)
    kept.withLock { $0.isBusy = false }
    _ = await storage.carryOut([.create(first, item("A"))])
    _ = await storage.carryOut([.create(Href("w.ics"), item("B"))])
    _ = await storage.carryOut([.create(second, item("C", of: "v")), .create(first, item("D"))])
    #expect(kept.withLock { $0.batches } == [[ItemID("u")], [ItemID("v")]])
    #expect(try await onServer(second) == item("C", wire, of: "v"))
  }

  /// What a store was given, until the server was called.
  private final class Noted: Sendable {
    private let held = Mutex<(items: Set<ItemID>, isSealed: Bool)>(([], false))

    var items: Set<ItemID> { held.withLock { $0.items } }

    func note(_ items: Set<ItemID>) {
      held.withLock { if !$0.isSealed { $0.items = items } }
    }

    func seal() { held.withLock { $0.isSealed = true } }
  }

  private func item(
    _ summary: String, _ parameter: String = "", of uid: String = "u"
  ) -> ItemData {
    let lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:\(uid)", "SUMMARY:\(summary)",
      "ORGANIZER\(parameter):mailto:a@example.org", "ATTENDEE\(parameter):mailto:b@example.org",
      "END:VEVENT", "END:VCALENDAR",
    ]
    return ItemData(bytes: lines.flatMap { Array(($0 + "\r\n").utf8) })
  }

  private let wire = ";SCHEDULE-AGENT=CLIENT"

  private func onServer(_ href: Href) async throws -> ItemData? {
    guard case .found(_, let data, _)? = try await server.read([href]).first?.result else {
      return nil
    }
    return data
  }

  @Test func `the wire alone names the client`() async throws {
    let storage = quiet()
    let outcome = await storage.carryOut([.create(Href("u.ics"), item("A"))]).first
    guard case .stored(let href, let version, _)? = outcome?.result else {
      Issue.record("\(String(describing: outcome))")
      return
    }
    #expect(version.digest == sha256(item("A").bytes))
    #expect(try await onServer(href) == item("A", wire))
    let read = try #require(try await storage.read([href]).first)
    guard case .found(let seen, let data, _) = read.result else {
      Issue.record("\(read)")
      return
    }
    #expect(data == item("A"))
    #expect(seen == version)
  }

  @Test(arguments: [true, false])
  func `a write is guarded by what was seen, with a tag and without`(hasTag: Bool) async throws {
    let storage = quiet()
    _ = await storage.carryOut([.create(Href("u.ics"), item("A"))])
    guard
      case .found(var seen, _, _)? = try await storage.read([Href("u.ics")]).first?.result
    else { return }
    if !hasTag { seen.tag = nil }
    let first = await storage.carryOut([
      .replace(Href("u.ics"), expecting: seen, with: item("B"))
    ])
    #expect(try await onServer(Href("u.ics")) == item("B", wire), "\(first)")
    let stale = await storage.carryOut([
      .replace(Href("u.ics"), expecting: seen, with: item("C")),
      .delete(Href("u.ics"), expecting: seen),
    ])
    #expect(stale.map(\.result) == [.changedMeanwhile, .changedMeanwhile])
    #expect(try await onServer(Href("u.ics")) == item("B", wire))
  }

  @Test(arguments: ["", ";SCHEDULE-AGENT=SERVER"])
  func `what the server tells people of is not written over, and what is beside it is`(
    agent: String
  ) async throws {
    let (storage, theirs) = (quiet(), Href("theirs.ics"))
    server.put(theirs, item("A", agent))
    _ = await storage.carryOut([.create(Href("u.ics"), item("A"))])
    var seen: [Href: Version] = [:]
    for outcome in try await storage.read([theirs, Href("u.ics")]) {
      if case .found(let version, _, _) = outcome.result { seen[outcome.href] = version }
    }
    let outcomes = await storage.carryOut([
      .create(Href("new.ics"), item("N")),
      .replace(theirs, expecting: try #require(seen[theirs]), with: item("B")),
      .replace(Href("u.ics"), expecting: try #require(seen[Href("u.ics")]), with: item("B")),
      .replace(Href("gone.ics"), expecting: try #require(seen[theirs]), with: item("B")),
    ])
    #expect(outcomes.map(\.href.text) == ["new.ics", "theirs.ics", "u.ics", "gone.ics"])
    #expect(outcomes[1].result == .refused(.tellsAttendees))
    #expect(outcomes[3].result == .changedMeanwhile)
    #expect(try await onServer(theirs) == item("A", agent))
    #expect(try await onServer(Href("u.ics")) == item("B", wire))
    #expect(try await onServer(Href("new.ics")) == item("N", wire))
    // A person who takes it away means it: `docs/configuration.md` says what that does.
    let deletion = GuardedWrite.delete(theirs, expecting: try #require(seen[theirs]))
    let deleted = try #require(await storage.carryOut([deletion]).first)
    #expect(deleted.result == .removed && deleted.mayHaveTold)
    #expect(outcomes.allSatisfy { !$0.mayHaveTold })
  }

  @Test(
    arguments: [
      ("", true, true), ("", false, false), (";SCHEDULE-AGENT=CLIENT", true, false),
    ] as [(String, Bool, Bool)])
  func `a deletion may tell people of what is the server's own`(
    parameter: String, tells: Bool, mayHaveTold: Bool
  ) async throws {
    let (storage, href) = (quiet(tellsAttendees: tells), Href("a.ics"))
    server.put(href, item("A", parameter))
    guard case .found(let seen, _, _)? = try await storage.read([href]).first?.result else {
      Issue.record("it is not there")
      return
    }
    let stale = Version(tag: nil, digest: sha256([]))
    let kept = await storage.carryOut([.delete(href, expecting: stale)])
    #expect(kept.map(\.result) == [.changedMeanwhile] && kept.map(\.mayHaveTold) == [false])
    let gone = await storage.carryOut([.delete(href, expecting: seen)])
    #expect(gone.map(\.result) == [.removed] && gone.map(\.mayHaveTold) == [mayHaveTold])
  }

  @Test func `a server that tells nobody anything takes every edit`() async throws {
    let (storage, theirs) = (quiet(tellsAttendees: false), Href("theirs.ics"))
    server.put(theirs, item("A"))
    let read = try await storage.read([theirs]).first?.result
    guard case .found(let seen, _, _)? = read else {
      Issue.record("\(String(describing: read))")
      return
    }
    let edit = GuardedWrite.replace(theirs, expecting: seen, with: item("B"))
    #expect(await storage.carryOut([edit]).count == 1)
    #expect(try await onServer(theirs) == item("B", wire))
  }

  @Test func `where nobody can look first, nothing is written`() async throws {
    let storage = quiet()
    _ = await storage.carryOut([.create(Href("u.ics"), item("A"))])
    let read = try await storage.read([Href("u.ics")]).first?.result
    guard case .found(let seen, _, _)? = read else {
      Issue.record("\(String(describing: read))")
      return
    }
    server.answer(looksAt: Href("u.ics"), ItemProblem(.brokenRemote, "it fails", hint: "wait"))
    let outcome = await storage.carryOut([
      .replace(Href("u.ics"), expecting: seen, with: item("B"))
    ]).first
    #expect(outcome?.isTransient == true)
    server.answer(looksAt: Href("u.ics"), nil)
    #expect(try await onServer(Href("u.ics")) == item("A", wire))
  }
}
