/// What the lines of one name are together where their order says nothing, so that what one text
/// added and what another one lacks are told one by one (docs/merge.md).
package enum PropertySet {
  /// Of words in lists.
  case words
  /// Of moments in lists.
  case moments
  /// Of lines.
  case lines

  /// Nil for a property that stands once. By its name in upper case, empty for lines that cannot be
  /// read; `isRepeated` where it stands more than once.
  package init?(_ name: [UInt8], isRepeated: Bool) {
    switch String(decoding: name, as: UTF8.self) {
    case "CATEGORIES", "RESOURCES": self = .words
    case "EXDATE", "RDATE": self = .moments
    case "ATTACH", "COMMENT", "CONTACT", "RELATED-TO", "REQUEST-STATUS", "CONFERENCE", "IMAGE",
      "FREEBUSY", "LINK", "CONCEPT", "":
      self = .lines
    default:
      guard isRepeated else { return nil }
      self = .lines
    }
  }

  /// Of a set of lines of that name, each is the one that it is by its value.
  package static func isToldByValue(_ name: [UInt8]) -> Bool { toldByValue.contains(name) }

  private static let toldByValue = [
    "ATTACH", "COMMENT", "CONTACT", "RELATED-TO", "CONFERENCE", "IMAGE", "LINK", "CONCEPT",
  ].map { Array($0.utf8) }
}
