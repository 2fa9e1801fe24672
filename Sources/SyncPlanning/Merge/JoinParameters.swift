import ICalendar
import SyncModel

/// A line of a set as a side has it: which one it is, and what parameters say of it.
struct SetLine {
  let source: [UInt8]
  let form: [UInt8]
  /// What makes it the one that it is, as the address of an attendee.
  let key: [UInt8]
  var property: Property
  /// The line is not as it stands in a text any more.
  var isEdited = false

  /// The lines of a group that can be read.
  static func all(_ group: PropertyGroups.Group?, key: (FormedLine) -> [UInt8]) -> [SetLine] {
    FormedLine.all(group).compactMap { formed in
      formed.line.property.map {
        SetLine(source: formed.line.source, form: formed.form, key: key(formed), property: $0)
      }
    }
  }

  var newLine: SyntaxTree.NewLine { isEdited ? .property(property) : .source(source) }

  /// Takes the spelling of its value from another line of one meaning.
  mutating func spell(as other: SetLine) {
    guard property.value != other.property.value else { return }
    isEdited = true
    property.value = other.property.value
  }

  mutating func set(_ name: [UInt8], to values: [[UInt8]]?) {
    guard property.values(of: name) != values else { return }
    isEdited = true
    property.set(name, to: values)
  }
}

extension Property {
  /// The values of a parameter, addresses in the spelling by which they are compared; nil also
  /// where they say the default.
  fileprivate func said(of name: [UInt8]) -> [[UInt8]]? {
    values(of: name).flatMap { values in
      if Meaning.isDefault(name, values) { return nil }
      return Meaning.isOfAddresses(name) ? values.map { CalendarAddress.key(of: $0) } : values
    }
  }
}

/// Joins the two versions of one line, parameter by parameter.
struct ParameterJoin {
  let newer: Side
  private(set) var hasLost = false

  init(newer: Side) { self.newer = newer }

  mutating func join(
    _ local: SetMerge<SetLine>.Version, _ remote: SetMerge<SetLine>.Version
  ) -> BothSides<SetLine> {
    let versions = BothSides(local, remote)
    var result = BothSides(local.text, remote.text)
    var names: [[UInt8]] = []
    for side in Side.allCases {
      names += versions[side].text.property.parameterNames
      names += versions[side].base?.property.parameterNames ?? []
    }
    var seen: Set<[UInt8]> = []
    for name in names where seen.insert(name).inserted {
      let here = local.text.property.said(of: name)
      let there = remote.text.property.said(of: name)
      let isChanged = versions.map { $0.base.map { base in base.property.said(of: name) } }
      let changed = BothSides(
        isChanged.local.map { $0 != here } ?? (here != nil),
        isChanged.remote.map { $0 != there } ?? (there != nil))
      guard here != there else { continue }
      let winner: Side
      switch (changed.local, changed.remote) {
      case (false, false): continue
      case (true, false): winner = .local
      case (false, true): winner = .remote
      case (true, true):
        winner = self.winner(of: name)
        hasLost = true
      }
      let values = versions[winner].text.property.values(of: name)
      result[winner.opposite].set(name, to: values)
    }
    return result
  }

  /// Who says a parameter that both sides set: the server what became of its messages (RFC 6638
  /// §3.2.9); else the side that was edited last.
  private func winner(of name: [UInt8]) -> Side {
    name.elementsEqual("SCHEDULE-STATUS".utf8) ? .remote : newer
  }

  /// Somebody has said something else of an attendee, as with an answer; not so who only filled in
  /// a name, an address or an extension, as programs and servers do by themselves.
  static func isEdit(_ old: SetLine, _ new: SetLine) -> Bool {
    (old.property.parameterNames + new.property.parameterNames).contains { name in
      isSaid(name) && old.property.said(of: name) != new.property.said(of: name)
    }
  }

  /// A person says it by this parameter, by its name in upper case; others programs and servers
  /// fill in.
  static func isSaid(_ name: [UInt8]) -> Bool {
    let name = String(decoding: name, as: UTF8.self)
    // What a guest writes with an answer comes as an extension of Apple's and Google's.
    if name == "X-RESPONSE-COMMENT" { return true }
    return !name.hasPrefix("X-") && !name.hasPrefix("SCHEDULE-")
      && !["CN", "EMAIL", "DIR", "LANGUAGE"].contains(name)
  }
}
