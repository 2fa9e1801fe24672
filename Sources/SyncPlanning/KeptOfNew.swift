import ICalendar
public import SyncModel

extension SentText {
  /// What is there says nothing that was not sent: a server has left something out, or spelt a list
  /// in another way. When an item is, which occurrences it has and who takes part no server leaves
  /// out; people do.
  ///
  /// Of a new item under a name that nobody else can know, that is what the server made of it. Who
  /// took something out there meanwhile has done so on the server alone; taken for an edit, what
  /// the server left out would go out of the folder.
  ///
  /// - Parameter byAddress: Whatever is said of those who take part, as long as they are the same:
  ///   servers fill in names, answers, and what became of their messages, and leave out RSVP.
  public func isAllSaid(in found: ItemData, attendees byAddress: Bool = false) -> Bool {
    guard isRewritten, let own = lines(of: sent, byAddress), let there = lines(of: found, byAddress)
    else { return false }
    var rest = own[...]
    for line in there {
      guard let place = rest.firstIndex(where: { line.says($0) }),
        !rest[..<place].contains(where: \.isAPersons)
      else { return false }
      rest = rest[(place + 1)...]
    }
    return rest.isEmpty
  }

  private func lines(of text: ItemData, _ byAddress: Bool) -> [CanonicalText]? {
    var tree = comparable(text)
    if byAddress {
      let lines = tree.calendars.flatMap(\.components).flatMap(\.lines)
      for line in lines where line.isNamed("ATTENDEE") || line.isNamed("ORGANIZER") {
        let bare = Property(name: line.name, value: line.attendeeAddress)
        guard (try? tree.replace(line.id, with: bare)) != nil else { return nil }
      }
    }
    return substance(of: tree).map { $0.split(separator: 0x0A).map(CanonicalText.init) }
  }
}

/// A line of a canonical form, or the border of a component.
private struct CanonicalText {
  private let bytes: ArraySlice<UInt8>
  private let name: String

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    name = String(decoding: bytes.prefix { $0 != 0x3A && $0 != 0x3B }, as: UTF8.self)
  }

  /// Nothing but a person takes it out.
  var isAPersons: Bool { isBorder || propertiesThatServersKeep.contains(name) }

  func says(_ other: CanonicalText) -> Bool {
    if bytes == other.bytes { return true }
    return name == other.name && Self.lists.contains(name) && letters == other.letters
  }

  /// `{VEVENT` and `}`.
  private var isBorder: Bool { bytes.first == 0x7B || bytes.first == 0x7D }

  /// Without the escapes of commas, which some servers add, and without case.
  private var letters: [UInt8] {
    String(decoding: bytes.filter { $0 != 0x5C }, as: UTF8.self).lowercased().utf8.map { $0 }
  }

  private static let lists: Set<String> = ["CATEGORIES", "RESOURCES"]
}
