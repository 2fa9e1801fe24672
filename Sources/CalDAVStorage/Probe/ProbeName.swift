public import SyncModel

/// What shows by its name that a probe made something: on a server that lets nobody remove
/// calendars, it stays there for ever.
enum ProbeName {
  /// The beginning of a calendar's name, and of the UID of an event in it.
  static let mark = "calgw-doctor-"
  /// Of a random number, in hexadecimal, that follow it in a calendar's name.
  static let digits = 8

  /// A new calendar's name, which nobody else can have chosen.
  static func calendar(_ surroundings: Surroundings) -> String {
    mark + String(surroundings.newUUID().filter(\.isHexDigit).suffix(digits))
  }

  static func isCalendar(_ name: String) -> Bool {
    guard name.hasPrefix(mark) else { return false }
    let rest = name.dropFirst(mark.count)
    return rest.utf8.count == digits && rest.allSatisfy { $0.isASCII && $0.isHexDigit }
  }
}

extension CollectionDescription {
  /// It is a calendar that a probe made and could not remove, or a folder of one, as far as names
  /// tell. Some servers choose the id by themselves, and what somebody has renamed since is his.
  public var isLeftByProbe: Bool {
    // A name that cannot be read is one.
    guard oddValues[.displayname] == nil else { return false }
    guard let displayName, !displayName.isEmpty else { return ProbeName.isCalendar(name) }
    return ProbeName.isCalendar(displayName)
  }
}
