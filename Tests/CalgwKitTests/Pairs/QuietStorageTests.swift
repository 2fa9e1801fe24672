import SyncModel
import TestSupport
import Testing

@testable import CalgwKit

/// What goes over the wire of an item with attendees, and what everybody else sees.
@Suite struct QuietStorageTests {
  private let server = MemoryStorage(surroundings: ModelClock().surroundings)

  private func quiet() -> QuietStorage {
    QuietStorage(server, digest: sha256)
  }

  private func item(_ summary: String, _ parameter: String = "") -> ItemData {
    let lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:u", "SUMMARY:\(summary)",
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
}
