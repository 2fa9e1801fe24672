/// Who sends the messages of a scheduled item (RFC 6638 §7.1): the server, unless a parameter
/// SCHEDULE-AGENT=CLIENT on its ORGANIZER and ATTENDEEs says that the client does.
public enum SchedulingAgent {
  private static let parameter = "SCHEDULE-AGENT"

  /// The item has an organizer and attendees, so a server may send mail because of it.
  public static func isScheduled(_ text: [UInt8]) -> Bool {
    !scheduled(text).isEmpty
  }

  /// Somebody besides the organizer is an attendee, so that a server has whom to send mail to; who
  /// cannot be read is somebody.
  public static func hasGuests(_ text: [UInt8]) -> Bool {
    scheduled(text).contains { component in
      let organizer = component.line(named: "ORGANIZER")?.property
      return component.lines.contains { line in
        guard line.isNamed("ATTENDEE") else { return false }
        guard let organizer, let guest = line.property else { return true }
        return CalendarAddress.key(of: guest.value) != CalendarAddress.key(of: organizer.value)
      }
    }
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

  /// The text with SCHEDULE-AGENT=CLIENT on each ORGANIZER and ATTENDEE that it leaves to the
  /// server; the text itself where it leaves it none. Another agent is the word of a person.
  public static func quieted(_ text: [UInt8]) -> [UInt8] {
    edited(text) { property in
      guard isLeftToServer(property) else { return false }
      property.parameters.removeAll(where: isAgent)
      property.parameters.append(Parameter(name: Array(parameter.utf8), values: [client]))
      return true
    }
  }

  /// The text without what `quieted` has put into it, if that was given `former`: whom `former`
  /// leaves to the server, and the text to the client, is left to the server again, in the words of
  /// `former`. Whom `former` does not have, or has with another agent, keeps what the text says.
  public static func unquieted(_ text: [UInt8], as former: [UInt8]) -> [UInt8] {
    let agents = agentsOfServed(in: former)
    return edited(text) { property in
      guard isLeftToClient(property), let own = agents[Person(property)] else { return false }
      property.parameters.removeAll(where: isAgent)
      property.parameters += own
      return true
    }
  }

  /// The text names the client for somebody.
  public static func isClient(in text: [UInt8]) -> Bool {
    lines(of: text).contains(where: isLeftToClient)
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

  /// It names the client and nobody else. Some servers write the word in another case.
  private static func isLeftToClient(_ property: Property) -> Bool {
    let agents = property.parameters.filter(isAgent).flatMap(\.values)
    return agents.count == 1 && agents.allSatisfy { $0.map(\.uppercased) == client }
  }

  /// An organizer or attendee, in whatever spelling.
  private struct Person: Hashable {
    let property: String
    let address: [UInt8]

    init(_ property: Property) {
      self.property = String(decoding: property.name, as: UTF8.self).uppercased()
      address = CalendarAddress.key(of: property.value)
    }
  }

  /// Those whom a text leaves to the server wherever it names them, with how it says so: mostly by
  /// no word at all.
  private static func agentsOfServed(in text: [UInt8]) -> [Person: [Parameter]] {
    var served: [Person: [Parameter]] = [:]
    var others: Set<Person> = []
    for property in lines(of: text) {
      let (person, agents) = (Person(property), property.parameters.filter(isAgent))
      if isLeftToServer(property), served[person].map({ $0 == agents }) ?? true {
        served[person] = agents
      } else {
        others.insert(person)
      }
    }
    return served.filter { !others.contains($0.key) }
  }

  /// The lines of organizers and attendees that can be read.
  private static func lines(of text: [UInt8]) -> [Property] {
    guard mayBeScheduled(text) else { return [] }
    return SyntaxTree(bytes: text).calendars.flatMap(\.components).flatMap(\.lines)
      .filter(isOfPeople).compactMap(\.property)
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
