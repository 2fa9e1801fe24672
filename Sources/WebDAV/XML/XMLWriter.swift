/// Writes an XML document as bytes, every text escaped.
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

  package mutating func text(_ text: [UInt8]) {
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
