import ICalendar

/// An organizer whom a server names by another address than it was sent: it knows the account by
/// several, or by a path of its own, and keeps the parameters, calgw's word among them.
enum RenamedOrganizer {
  /// The text without calgw's word, as `SchedulingAgent.unquieted` has it, also on an organizer so
  /// renamed: an item has one, so whoever stands in his place is he. But an attendee of `former` is
  /// somebody else, whom a person has made the organizer.
  static func unquieted(_ text: [UInt8], as former: [UInt8]) -> [UInt8] {
    let unquieted = SchedulingAgent.unquieted(text, as: former)
    guard SchedulingAgent.isClient(in: unquieted),
      let renamed = renamed(SyntaxTree(bytes: former), as: SyntaxTree(bytes: unquieted))
    else { return unquieted }
    return SchedulingAgent.unquieted(unquieted, as: renamed)
  }

  /// What was sent, with the organizer's address of the server's copy wherever it has his; nil
  /// where he has that already, or it is somebody else's.
  private static func renamed(_ former: SyntaxTree, as text: SyntaxTree) -> [UInt8]? {
    let people = people(in: former)
    guard let old = organizer(among: people), let new = organizer(among: self.people(in: text))
    else { return nil }
    let key = CalendarAddress.key(of: new)
    guard !people.contains(where: { CalendarAddress.key(of: $0.value) == key }) else { return nil }
    var renamed = former
    for line in people where CalendarAddress.key(of: line.value) == CalendarAddress.key(of: old) {
      guard var property = line.property else { continue }
      property.value = new
      // A line that cannot be written tells nothing of anybody.
      try? renamed.replace(line.id, with: property)
    }
    return renamed.bytes
  }

  /// His address; nil where there is none, or more than one.
  private static func organizer(among people: [ContentLine]) -> [UInt8]? {
    let addresses = people.filter { $0.isNamed("ORGANIZER") }.map(\.value)
    let isOne = Set(addresses.map { CalendarAddress.key(of: $0) }).count == 1
    return isOne ? addresses.first : nil
  }

  private static func people(in tree: SyntaxTree) -> [ContentLine] {
    CalendarObject(tree).components.flatMap(\.component.lines)
      .filter { $0.isNamed("ORGANIZER") || $0.isNamed("ATTENDEE") }
  }
}
