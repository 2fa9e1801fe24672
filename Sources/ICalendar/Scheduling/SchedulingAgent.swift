/// Who sends the messages of a scheduled item (RFC 6638 §7.1): the server, unless a parameter
/// SCHEDULE-AGENT=CLIENT on its ORGANIZER and ATTENDEEs says that the client does.
public enum SchedulingAgent {
  private static let parameter = "SCHEDULE-AGENT"

  /// The item has an organizer and attendees, so a server may send mail because of it.
  public static func isScheduled(_ text: [UInt8]) -> Bool {
    !scheduled(text).isEmpty
  }

  /// A server that stores this text tells people of each change of it: there is an ORGANIZER or
  /// ATTENDEE for whom the text names no other agent. To name one later is such a change, and the
  /// server says that the meeting is off (RFC 6638 §3.2.1).
  public static func isServer(of text: [UInt8]) -> Bool {
    scheduled(text).contains { component in
      component.lines.contains { line in
        isOfPeople(line) && (line.property.map(isLeftToServer) ?? true)
      }
    }
  }

  /// The text without what a server notes of attendees by itself: who comes (PARTSTAT), that it was
  /// asked (RSVP, which goes with the answer), and what became of its messages (SCHEDULE-STATUS).
  public static func withoutAnswers(_ text: [UInt8]) -> [UInt8] {
    edited(text) { property in
      let count = property.parameters.count
      property.parameters.removeAll { ["PARTSTAT", "RSVP", "SCHEDULE-STATUS"].contains(name($0)) }
      return property.parameters.count != count
    }
  }

  /// The text with SCHEDULE-AGENT=CLIENT on each ORGANIZER and ATTENDEE; the text itself where it
  /// has none of them.
  public static func quieted(_ text: [UInt8]) -> [UInt8] {
    edited(text) { property in
      let old = property.parameters
      property.parameters.removeAll { isAgent($0) }
      property.parameters.append(Parameter(name: Array(parameter.utf8), values: [client]))
      return property.parameters != old
    }
  }

  /// The text without SCHEDULE-AGENT=CLIENT; the text itself where nothing has it.
  public static func unquieted(_ text: [UInt8]) -> [UInt8] {
    edited(text) { property in
      let count = property.parameters.count
      property.parameters.removeAll { $0.values == [client] && isAgent($0) }
      return property.parameters.count != count
    }
  }

  private static let client = Array("CLIENT".utf8)

  private static func isAgent(_ parameter: Parameter) -> Bool { name(parameter) == Self.parameter }

  private static func name(_ parameter: Parameter) -> String {
    String(decoding: parameter.name, as: UTF8.self).uppercased()
  }

  /// What names no agent is the server's; an agent of another name is nobody's that it knows.
  private static func isLeftToServer(_ property: Property) -> Bool {
    let agents = property.parameters.filter(isAgent).flatMap(\.values)
    return agents.isEmpty
      || agents.contains { String(decoding: $0, as: UTF8.self).uppercased() == "SERVER" }
  }

  private static func isOfPeople(_ line: ContentLine) -> Bool {
    line.isNamed("ORGANIZER") || line.isNamed("ATTENDEE")
  }

  /// The components that have both.
  private static func scheduled(_ text: [UInt8]) -> [Component] {
    guard mayBeScheduled(text) else { return [] }
    return CalendarObject(SyntaxTree(bytes: text)).components.map(\.component).filter {
      $0.line(named: "ORGANIZER") != nil && $0.line(named: "ATTENDEE") != nil
    }
  }

  /// A look at the bytes spares reading what cannot have attendees. A fold may cut a name, and
  /// then the text is read.
  private static func mayBeScheduled(_ text: [UInt8]) -> Bool {
    var previous: UInt8 = 0
    for byte in text {
      if previous == ASCII.lineFeed, isStart(byte) || byte == ASCII.space || byte == ASCII.tab {
        return true
      }
      previous = byte
    }
    return false
  }

  /// Of ORGANIZER and ATTENDEE, in any case.
  private static func isStart(_ byte: UInt8) -> Bool {
    [UInt8(ascii: "O"), UInt8(ascii: "A")].contains(byte.uppercased)
  }

  /// Lets `change` have each ORGANIZER and ATTENDEE of the items; it says whether it changed one.
  private static func edited(_ text: [UInt8], _ change: (inout Property) -> Bool) -> [UInt8] {
    guard mayBeScheduled(text) else { return text }
    var tree = SyntaxTree(bytes: text)
    var edits: [(ContentLine.ID, Property)] = []
    for component in tree.calendars.flatMap(\.components) {
      for line in component.lines where isOfPeople(line) {
        guard var property = line.property, change(&property) else { continue }
        edits.append((line.id, property))
      }
    }
    for (line, property) in edits {
      // A line that cannot be written is left as it is.
      do { try tree.replace(line, with: property) } catch { continue }
    }
    return edits.isEmpty ? text : tree.bytes
  }
}
