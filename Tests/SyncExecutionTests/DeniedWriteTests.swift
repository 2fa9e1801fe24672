import SyncExecution
import SyncModel
import TestSupport
import Testing

/// Edits that a server says it stored, and in whose place is what there was before.
@Suite struct DeniedWriteTests {
  private static let href = Href("dentist.ics")
  private static let description = "DESCRIPTION:What the server keeps, and what it cuts off"

  /// The event, with one line more.
  private static func text(_ line: String) -> ItemData {
    let text = String(decoding: World.event("dentist", "A").bytes, as: UTF8.self)
    return ItemData(bytes: Array(text.replacing("END:VEVENT", with: line + "\r\nEND:VEVENT").utf8))
  }

  /// A server that keeps 30 characters of a description.
  private func cuttingWorld() -> World {
    World { data in
      let lines = String(decoding: data.bytes, as: UTF8.self)
        .split(separator: "\r\n", omittingEmptySubsequences: false)
        .map { $0.hasPrefix("DESCRIPTION:") ? $0.prefix(30) : $0 }
      return ItemData(bytes: Array(lines.joined(separator: "\r\n").utf8))
    }
  }

  /// An entity tag that is made of the text alone: the same text again has the same one.
  private static func tag(of data: ItemData) -> EntityTag {
    let letters = sha256(data.bytes).bytes.map { UInt8(ascii: "A") + $0 % 26 }
    return EntityTag(bytes: [UInt8(ascii: "\"")] + letters + [UInt8(ascii: "\"")])
  }

  /// A sync with a server that makes its entity tags so.
  private func sync(_ world: World) throws -> CollectionReport {
    let remote = world.remote
    var server = ForwardingStorage(remote)
    server.list = { (cursor) throws(StorageError) in
      var page = try await remote.listChanges(since: cursor)
      page.present = page.present.map { listed in
        ListedItem(href: listed.href, tag: remote.items[listed.href].map(Self.tag(of:)))
      }
      return page
    }
    server.look = { (batch) throws(StorageError) in
      let outcomes = try await remote.read(batch)
      return outcomes.map { outcome in
        guard case .found(let version, let data, let modified) = outcome.result else {
          return outcome
        }
        let tagged = Version(tag: Self.tag(of: data), digest: version.digest)
        return ReadOutcome(href: outcome.href, result: .found(tagged, data, modified: modified))
      }
    }
    server.write = { batch in
      await remote.carryOut(batch).map { outcome in
        guard case .stored(let href, let version, let modified) = outcome.result else {
          return outcome
        }
        let tag = remote.items[href].map(Self.tag(of:))
        let tagged = Version(tag: tag, digest: version.digest)
        return WriteOutcome(href: href, result: .stored(href, tagged, modified: modified))
      }
    }
    let engine = CollectionSync(
      name: "test", local: world.local, remote: server, journal: world.journal,
      surroundings: world.surroundings, digest: sha256, options: SyncOptions())
    return try world.executor.run { await engine.run() }
  }

  private func messages(_ report: CollectionReport) -> [String] {
    report.problems.map(\.problem.message)
  }

  @Test func `what differs is named of an edit beyond a cut, until that is undone`() throws {
    let world = cuttingWorld()
    let (plain, edited) = (Self.text(Self.description), Self.text(Self.description + ", edited"))
    world.local.put(Self.href, plain)
    #expect(messages(try sync(world)) == [])
    world.local.put(Self.href, edited)
    for _ in 0..<3 {
      let report = try sync(world)
      #expect(
        messages(report) == [
          "the remote side said that it stored it, and keeps the former description"
        ])
      let hint = report.problems.first?.problem.hint ?? ""
      #expect(hint.contains("shorten it") && !hint.contains("delete"), "\(hint)")
      #expect(hint.contains("undo the edit on the local side"), "\(hint)")
      #expect(world.local.items[Self.href] == edited)
      #expect(world.remote.items[Self.href] == Self.text(String(Self.description.prefix(30))))
    }
    world.local.put(Self.href, plain)
    #expect(messages(try sync(world)) == [])
  }

  @Test func `of a text that is cut off at a comma without a backslash it is told that`() throws {
    // As Radicale does.
    let world = World { data in
      let text = String(decoding: data.bytes, as: UTF8.self)
      return ItemData(bytes: Array(text.replacing("LOCATION:Hall, 2", with: "LOCATION:Hall").utf8))
    }
    world.local.put(Self.href, Self.text("LOCATION:Hall"))
    #expect(messages(try sync(world)) == [])
    world.local.put(Self.href, Self.text("LOCATION:Hall, 2"))
    let report = try sync(world)
    #expect(
      messages(report) == ["the remote side said that it stored it, and keeps the former place"])
    let hint = report.problems.first?.problem.hint ?? ""
    #expect(hint.contains(#"write `\,` or"#) && hint.contains("on the local side"), "\(hint)")
    #expect(hint.contains("`calgw check FILE`") && !hint.contains("shorten"), "\(hint)")
    world.local.put(Self.href, Self.text(#"LOCATION:Hall\, 2"#))
    #expect(messages(try sync(world)) == [])
    let stored = String(decoding: world.remote.items[Self.href]?.bytes ?? [], as: UTF8.self)
    #expect(stored.contains(#"LOCATION:Hall\, 2"#))
  }

  @Test func `of a time that is not taken it is told so, under whatever entity tag`() throws {
    let world = World { data in
      let text = String(decoding: data.bytes, as: UTF8.self)
      return ItemData(bytes: Array(text.replacing("T100600Z", with: "T100500Z").utf8))
    }
    world.set("dentist", "A", on: .local)
    _ = try world.sync()
    let text = String(decoding: World.event("dentist", "A").bytes, as: UTF8.self)
      .replacing("T100500Z", with: "T100600Z")
    world.local.put(Self.href, ItemData(bytes: Array(text.utf8)))
    #expect(
      messages(try world.sync()) == [
        "the remote side said that it stored it, and keeps the former time"
      ])
  }
}
