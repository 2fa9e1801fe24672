import ICalendar
public import SyncModel

/// What a server says of attendees and organizers in its answer to a write: who comes (PARTSTAT; it
/// answers for rooms, and has answers of others), and what became of its messages (SCHEDULE-STATUS,
/// RFC 6638 §3.2.9). That is news for the person who sent the item, and no rewriting of it.
extension SentText {
  /// What the server stored, as it was before it said so: what both sides shared. Nil where it says
  /// nothing new.
  ///
  /// A parameter that the server left out says nothing, and neither does one that it wrote out
  /// though it holds without it. Where the item that was sent has an answer already, another one
  /// may be what the server had before and kept: that is no news, and a person's own answer stays.
  public func unanswered(_ found: ItemData) -> ItemData? {
    guard SchedulingAgent.isScheduled(found.bytes) else { return nil }
    var tree = SyntaxTree(bytes: found.bytes)
    let ours = Dictionary(
      SyntaxTree(bytes: sent.bytes).calendars.flatMap(\.components).map {
        (ComponentIdentity($0), $0)
      }, uniquingKeysWith: { first, _ in first })
    var edits: [(line: ContentLine.ID, asSent: Property)] = []
    for component in tree.calendars.flatMap(\.components) {
      guard let own = ours[ComponentIdentity(component)] else { continue }
      for name in ["ATTENDEE", "ORGANIZER"] {
        let known = Dictionary(
          own.lines(named: name).map { ($0.attendeeAddress, $0) },
          uniquingKeysWith: { first, _ in first })
        for line in component.lines(named: name) {
          guard let before = known[line.attendeeAddress]?.property,
            let asSent = line.property?.unanswered(since: before)
          else { continue }
          edits.append((line.id, asSent))
        }
      }
    }
    if edits.isEmpty { return nil }
    do throws(EditRefusal) {
      for edit in edits { try tree.replace(edit.line, with: edit.asSent) }
    } catch {
      return nil
    }
    return ItemData(bytes: tree.bytes)
  }
}

extension Property {
  /// The line with what it said before; nil where it says the same now.
  fileprivate func unanswered(since before: Property) -> Property? {
    var line = self
    for (name, usual) in Self.answers {
      let name = Array(name.utf8)
      guard let now = values(of: name) else { continue }
      let old = before.values(of: name)
      let said = old.map(Self.words) ?? [usual]
      if Self.words(now) == said || name == Array("PARTSTAT".utf8) && said != [usual] { continue }
      line.set(name, to: old)
    }
    return line == self ? nil : line
  }

  /// What servers say, and what holds where nothing is said (RFC 5545 §3.2.12).
  private static let answers = [("PARTSTAT", "NEEDS-ACTION"), ("SCHEDULE-STATUS", "")]

  private static func words(_ values: [[UInt8]]) -> [String] {
    values.map { String(decoding: $0, as: UTF8.self).uppercased() }
  }
}
