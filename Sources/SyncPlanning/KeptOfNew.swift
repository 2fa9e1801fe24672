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
  /// What servers say by themselves of those who take part does not count: they fill in names and
  /// what became of their messages, answer for who did not, and leave out RSVP. An answer that was
  /// sent is a person's, and another one, too.
  public func isAllSaid(in found: ItemData) -> Bool {
    let answered = answered(in: SyntaxTree(bytes: sent.bytes))
    guard isRewritten, let own = lines(of: sent, answered), let there = lines(of: found, answered)
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

  /// What is there is on the same days at the same hours, whatever its time zone is.
  public func isAtOneTime(with found: ItemData) -> Bool {
    Self.times(of: sent) == Self.times(of: found)
  }

  private static func times(of text: ItemData) -> [[UInt8]] {
    let names = ["DTSTART", "DUE", "RECURRENCE-ID", "RRULE", "RDATE", "EXDATE"]
    let components = SyntaxTree(bytes: text.bytes).calendars.flatMap(\.components)
    let lines = components.filter { !$0.isNamed("VTIMEZONE") }.flatMap(\.lines).filter { line in
      names.contains(where: line.isNamed)
    }
    return lines.map(\.value).sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// - Parameter answered: Of these the answer counts, and of all others who takes part nothing but
  ///   what no server says by itself.
  private func lines(of text: ItemData, _ answered: Set<[UInt8]>) -> [CanonicalText]? {
    var tree = comparable(text)
    for line in peoplesLines(of: tree) {
      guard var property = line.property else { continue }
      property.removeServersWords(isAnswered: answered.contains(line.attendeeAddress))
      guard (try? tree.replace(line.id, with: property)) != nil else { return nil }
    }
    return substance(of: tree).map { $0.split(separator: 0x0A).map(CanonicalText.init) }
  }

  /// The addresses of those who have answered.
  private func answered(in tree: SyntaxTree) -> Set<[UInt8]> {
    let lines = peoplesLines(of: tree).filter { line in
      let answer = line.parameter(named: "PARTSTAT")?.values.first ?? []
      return !["", "NEEDS-ACTION"].contains(String(decoding: answer, as: UTF8.self).uppercased())
    }
    return Set(lines.map(\.attendeeAddress))
  }

  private func peoplesLines(of tree: SyntaxTree) -> [ContentLine] {
    tree.calendars.flatMap(\.components).flatMap(\.lines).filter {
      $0.isNamed("ATTENDEE") || $0.isNamed("ORGANIZER")
    }
  }
}

extension Property {
  /// Takes out what servers fill in of an attendee, write in another way, or leave out.
  fileprivate mutating func removeServersWords(isAnswered: Bool) {
    let names = ["CN", "DIR", "EMAIL", "LANGUAGE", "RSVP", "SCHEDULE-STATUS"]
    for name in names + (isAnswered ? [] : ["PARTSTAT"]) { set(Array(name.utf8), to: nil) }
    parameters.removeAll {
      String(decoding: $0.name.prefix(2), as: UTF8.self).uppercased() == "X-"
    }
    // What holds where nothing is said (RFC 5545 §3.2.3, §3.2.16; RFC 6638 §7.1).
    let defaults = [
      ("CUTYPE", "INDIVIDUAL"), ("ROLE", "REQ-PARTICIPANT"), ("SCHEDULE-AGENT", "SERVER"),
    ]
    for (name, usual) in defaults {
      let value = values(of: Array(name.utf8))?.first ?? []
      if String(decoding: value, as: UTF8.self).uppercased() == usual {
        set(Array(name.utf8), to: nil)
      }
    }
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
