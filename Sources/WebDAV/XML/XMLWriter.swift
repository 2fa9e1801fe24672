/// Writes an XML document as bytes, every text escaped and fit for XML.
///
/// The four namespaces have fixed prefixes, declared at the root.
package struct XMLWriter: Sendable {
  package private(set) var bytes: [UInt8]

  package init() { bytes = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8) }

  /// Writes a document of one root element.
  package static func document(
    _ root: XMLName, _ content: (inout XMLWriter) -> Void
  ) -> [UInt8] {
    var writer = XMLWriter()
    let declarations: [(String, XMLNamespace)] = [
      ("D", .dav), ("C", .caldav), ("CS", .calendarServer), ("A", .apple),
    ]
    writer.raw("<")
    writer.spell(root)
    for (prefix, namespace) in declarations {
      writer.raw(" xmlns:\(prefix)=\"\(namespace.rawValue)\"")
    }
    writer.raw(">")
    content(&writer)
    writer.close(root)
    return writer.bytes
  }

  package mutating func element(
    _ name: XMLName, attributes: [(String, String)] = [],
    _ content: (inout XMLWriter) -> Void
  ) {
    open(name, attributes)
    raw(">")
    content(&self)
    close(name)
  }

  package mutating func element(_ name: XMLName, text: [UInt8]) {
    element(name) { $0.text(text) }
  }

  package mutating func empty(_ name: XMLName, attributes: [(String, String)] = []) {
    open(name, attributes)
    raw("/>")
  }

  /// What XML 1.0 has no way to carry, and what is no UTF-8, becomes U+FFFD: a document with it is
  /// refused whole.
  package mutating func text(_ text: [UInt8]) { escaped(Self.fit(text)) }

  /// Replaces what has a meaning in XML and nothing else, as a careless server does.
  package mutating func escaped(_ text: [UInt8]) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "&"): raw("&amp;")
      case UInt8(ascii: "<"): raw("&lt;")
      // Not needed but in `]]>`, which must not stand in a text.
      case UInt8(ascii: ">"): raw("&gt;")
      case UInt8(ascii: "\""): raw("&quot;")
      // A parser would take a bare CR for a line feed (XML 1.0 §2.11).
      case UInt8(ascii: "\r"): raw("&#13;")
      default: bytes.append(byte)
      }
    }
  }

  private static func fit(_ text: [UInt8]) -> [UInt8] {
    // Nearly every text is plain, and then as it is to be.
    if text.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      scalars.append(isFit(scalar) ? scalar : "\u{FFFD}")
    }
    return Array(String(scalars).utf8)
  }

  /// XML 1.0 §2.2: what is left out may not stand there as a reference either.
  private static func isFit(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 9, 10, 13: true
    case 0..<32, 0xFFFE, 0xFFFF: false
    default: true
    }
  }

  private mutating func open(_ name: XMLName, _ attributes: [(String, String)]) {
    raw("<")
    spell(name)
    for (key, value) in attributes {
      raw(" ")
      raw(key)
      raw("=\"")
      text(Array(value.utf8))
      raw("\"")
    }
  }

  private mutating func close(_ name: XMLName) {
    raw("</")
    spell(name)
    raw(">")
  }

  private mutating func spell(_ name: XMLName) {
    switch name.namespace {
    case .dav: raw("D:")
    case .caldav: raw("C:")
    case .calendarServer: raw("CS:")
    case .apple: raw("A:")
    case .other: break
    }
    raw(name.local)
  }

  private mutating func raw(_ text: String) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }
}
