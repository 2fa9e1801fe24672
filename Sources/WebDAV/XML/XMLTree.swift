/// An element of a small document, whole in memory: an error body, a request in tests.
package struct XMLTree: Sendable, Hashable {
  package var name: XMLName
  package var attributes: [XMLAttribute]
  package var children: [XMLTree] = []
  /// The element's own text, without that of its children.
  package var text: [UInt8] = []

  /// Parses a document, or throws what is wrong with it.
  package static func parse(
    _ bytes: [UInt8], limits: XMLLimits = XMLLimits()
  ) throws(XMLFault) -> XMLTree {
    let builder = Builder()
    let parser = XMLPushParser(builder, limits: limits)
    var fault: XMLFault?
    bytes.withUnsafeBytes { buffer in
      do throws(XMLFault) { try parser.feed(buffer) } catch { fault = error }
    }
    if let fault { throw fault }
    try parser.finish()
    return try withExtendedLifetime(builder) { () throws(XMLFault) in
      guard let root = builder.root else { throw XMLFault(.incomplete, "it has no root element") }
      return root
    }
  }

  /// The first child of a name.
  package func first(_ name: XMLName) -> XMLTree? { children.first { $0.name == name } }

  private final class Builder: XMLEventConsumer {
    var root: XMLTree?
    private var open: [XMLTree] = []

    func start(_ name: XMLName, _ attributes: [XMLAttribute]) {
      open.append(XMLTree(name: name, attributes: attributes))
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
      guard !open.isEmpty else { return }
      open[open.count - 1].text += bytes
    }

    func end(_ name: XMLName) {
      guard let done = open.popLast() else { return }
      if open.isEmpty { root = done } else { open[open.count - 1].children.append(done) }
    }
  }
}
