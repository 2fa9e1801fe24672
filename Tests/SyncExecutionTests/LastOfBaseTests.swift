import SyncExecution
import SyncModel
import TestSupport
import Testing

/// What a server never kept is in the folder alone. Where a person edits or deletes it there, it
/// can be taken back all the same.
@Suite struct LastOfBaseTests {
  private static let file = Href("dentist.ics")

  /// A server that drops extensions.
  private let world = World { data in
    let text = String(decoding: data.bytes, as: UTF8.self)
    let kept = text.split(separator: "\r\n").filter { !$0.hasPrefix("X-") }
    return ItemData(bytes: Array((kept.joined(separator: "\r\n") + "\r\n").utf8))
  }

  private static func event(_ letter: Character) -> ItemData {
    let text = String(decoding: World.event("dentist", letter).bytes, as: UTF8.self)
    return ItemData(bytes: Array(text.replacing("SUMMARY", with: "X-LOCAL:1\r\nSUMMARY").utf8))
  }

  /// What the history has of the folder, the newest last.
  private func kept() throws -> [ContentDigest?] {
    let world = world
    let entries = try world.executor.run { try await world.journal.history(of: nil) }
    return entries.map(\.entry).filter { $0.side == .local }.map(\.before)
  }

  @Test func `the former file is in the history after an edit and after a deletion`() throws {
    world.local.put(Self.file, Self.event("A"))
    _ = try world.sync()
    #expect(try kept().isEmpty)
    world.local.put(Self.file, Self.event("B"))
    #expect(try world.sync().pushed.updated == 1)
    #expect(try kept() == [sha256(Self.event("A").bytes)])
    world.local.remove(Self.file)
    #expect(try world.sync().pushed.deleted == 1)
    #expect(Set(try kept()) == [sha256(Self.event("A").bytes), sha256(Self.event("B").bytes)])
  }

  @Test func `nothing is kept twice where the server had all of it`() throws {
    world.set("dentist", "A", on: .local)
    _ = try world.sync()
    world.set("dentist", "B", on: .local)
    _ = try world.sync()
    world.set("dentist", "-", on: .local)
    #expect(try world.sync().pushed.deleted == 1)
    #expect(try kept().isEmpty)
  }
}
