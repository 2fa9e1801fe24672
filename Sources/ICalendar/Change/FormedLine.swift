/// A content line with its canonical form.
package struct FormedLine {
  package let line: ContentLine
  package let form: [UInt8]

  /// The lines of a group. Where some of them do not count, each has its content as its form: then
  /// a line is the same as one that is spelled alike.
  package static func all(_ group: PropertyGroups.Group?) -> [FormedLine] {
    guard let group else { return [] }
    // A canonical line holds no line feed and ends with one.
    let forms = group.canonical.split(separator: 0x0A)
    guard forms.count == group.lines.count else {
      return group.lines.map { FormedLine(line: $0, form: $0.content) }
    }
    return zip(group.lines, forms).map { FormedLine(line: $0, form: Array($1)) }
  }

  /// By what a line of a set is the one that it is among those of its name, where parameters only
  /// say something of it (`PropertySet.isToldByValue`): whatever is escaped in it.
  package var valueOfSet: [UInt8] {
    let relation = line.parameter(named: "RELTYPE")?.values.first?.uppercased ?? []
    let isParent = relation.elementsEqual("PARENT".utf8)
    return (isParent ? [] : relation) + [ASCII.colon] + LooseText.plain(line.value)
  }

  /// By what it is the one that it is where its parameters count as well.
  package var looseForm: [UInt8] {
    Array(LooseText.all(in: self).joined(separator: [ASCII.lineFeed]))
  }
}

extension ContentLine {
  /// By what two lines are the same attendee.
  package var attendeeAddress: [UInt8] { CalendarAddress.key(of: value) }

  /// It holds its data itself, and no address of them (RFC 5545 §3.8.1.1).
  package var isInline: Bool { says("ENCODING", "BASE64") || says("VALUE", "BINARY") }

  private func says(_ name: String, _ word: String) -> Bool {
    let values = parameter(named: name)?.values ?? []
    return values.contains { $0.uppercased.elementsEqual(word.utf8) }
  }
}
