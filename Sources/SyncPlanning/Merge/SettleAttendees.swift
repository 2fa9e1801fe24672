import ICalendar
import SyncModel

extension MergeDraft {
  /// Unites attendees by address. One that both sides changed is joined parameter by parameter.
  mutating func settleAttendees(
    _ name: [UInt8], _ versions: BothSides<Versions>, _ occurrence: String?
  ) {
    var join = AttendeeJoin(newer: newer)
    let merge = SetMerge<AttendeeLine>(
      key: { $0.address }, isSame: { $0.form == $1.form }, join: { join.join($0, $1) })
    let lists = versions.map {
      BaseAndText(
        base: AttendeeLine.all($0.baseGroups[name]), text: AttendeeLine.all($0.groups[name]))
    }
    let merged = merge.merge(lists)
    for side in merge.survivors(lists) { lose(name, to: side, occurrence) }
    settle(name, versions, as: merged.map { $0.map(\.newLine) })
    if join.hasLost { lose(name, to: newer, occurrence) }
  }
}

/// An attendee as a side has it.
private struct AttendeeLine {
  let source: [UInt8]
  let form: [UInt8]
  let address: [UInt8]
  var property: Property
  /// The line is not as it stands in a text any more.
  var isEdited = false

  static func all(_ group: PropertyGroups.Group?) -> [AttendeeLine] {
    FormedLine.all(group).compactMap { formed in
      formed.line.property.map {
        AttendeeLine(
          source: formed.line.source, form: formed.form, address: formed.line.attendeeAddress,
          property: $0)
      }
    }
  }

  var newLine: SyntaxTree.NewLine { isEdited ? .property(property) : .source(source) }

  mutating func set(_ name: [UInt8], to values: [[UInt8]]?) {
    guard property.values(of: name) != values else { return }
    isEdited = true
    property.set(name, to: values)
  }
}

extension Property {
  /// The values of a parameter; nil also where they say the default.
  fileprivate func said(of name: [UInt8]) -> [[UInt8]]? {
    values(of: name).flatMap { Meaning.isDefault(name, $0) ? nil : $0 }
  }
}

/// Joins the two versions of one attendee.
private struct AttendeeJoin {
  let newer: Side
  var hasLost = false

  mutating func join(
    _ local: SetMerge<AttendeeLine>.Version, _ remote: SetMerge<AttendeeLine>.Version
  ) -> BothSides<AttendeeLine> {
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
}
