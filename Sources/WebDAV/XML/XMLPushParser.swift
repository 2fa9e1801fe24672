import CXML2

/// Takes the events of an `XMLPushParser`. A thrown fault ends the document.
package protocol XMLEventConsumer: AnyObject {
  func start(_ name: XMLName, _ attributes: [XMLAttribute]) throws(XMLFault)
  /// A piece of text or CDATA of the innermost element, with entities replaced.
  func text(_ bytes: UnsafeBufferPointer<UInt8>) throws(XMLFault)
  func end(_ name: XMLName) throws(XMLFault)
}

/// Parses XML as it arrives, by libxml2's SAX2 interface.
///
/// No entity is declared or loaded, no file and no address is opened: a DOCTYPE ends the document.
/// Only UTF-8 is taken. That a document is whole is proved by `finish`.
package final class XMLPushParser {
  private static let librarySetUp: Void = xmlInitParser()
  /// Names kept for their elements to come: no answer of WebDAV has so many.
  private static let mostNames = 256
  /// Bytes handed to libxml2 at a time, so that the limit on silence is looked at often.
  private static let slice = 16 << 10
  /// Blanks passed over before the document. None may stand before an XML declaration; servers in
  /// PHP send a line break that one of their files begins or ends with.
  private static let mostBlanks = 512

  private let limits: XMLLimits
  /// The consumer owns the parser, and not the other way round.
  private unowned let consumer: any XMLEventConsumer
  private var context: xmlParserCtxtPtr?
  private var fault: XMLFault?
  private var open: [XMLName] = []
  private var sawRoot = false
  private var received = 0
  private var silent = 0
  private var hadEvent = false
  private var opening: [UInt8] = []
  private var blanks = 0
  private var references = SurrogateReferences()
  /// The names so far. libxml2 keeps each name and namespace once as long as the parser lives, so
  /// that their addresses tell them apart.
  private var names: [NamePlace: XMLName] = [:]
  private var namespaces: [UnsafePointer<xmlChar>: XMLNamespace] = [:]

  private struct NamePlace: Hashable {
    let local: UnsafePointer<xmlChar>?
    let uri: UnsafePointer<xmlChar>?
  }

  package init(_ consumer: any XMLEventConsumer, limits: XMLLimits = XMLLimits()) {
    _ = Self.librarySetUp
    self.consumer = consumer
    self.limits = limits
    var handler = Self.handler
    context = xmlCreatePushParserCtxt(
      &handler, Unmanaged.passUnretained(self).toOpaque(), nil, 0, nil)
    if let context {
      _ = xmlCtxtUseOptions(context, CInt(bitPattern: XML_PARSE_NONET.rawValue))
    } else {
      fault = XMLFault(.limit, "there is no memory for an XML parser")
    }
  }

  deinit { xmlFreeParserCtxt(context) }

  /// Takes the next bytes of the document.
  package func feed(_ bytes: UnsafeRawBufferPointer) throws(XMLFault) {
    try throwFault()
    received += bytes.count
    guard received <= limits.document else {
      throw fail(.limit, "the answer is larger than \(limits.document) bytes")
    }
    let document = withoutBlanks(bytes)
    if opening.count < 4 {
      opening += document.prefix(4 - opening.count)
      try checkOpening()
    }
    guard !document.contains(0) else { throw fail(.encoding, "the answer holds a zero byte") }
    if let joined = references.joined(document) { try parse(joined) } else { try parse(document) }
  }

  private func withoutBlanks(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard opening.isEmpty else { return bytes }
    let leading = bytes.prefix(Self.mostBlanks - blanks).prefix(while: Self.isBlank)
    blanks += leading.count
    return UnsafeRawBufferPointer(rebasing: bytes.dropFirst(leading.count))
  }

  private static func isBlank(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }

  private func parse(_ bytes: [UInt8]) throws(XMLFault) {
    let fault = bytes.withUnsafeBytes { bytes -> XMLFault? in
      do throws(XMLFault) {
        try parse(bytes)
        return nil
      } catch { return error }
    }
    if let fault { throw fault }
  }

  private func parse(_ bytes: UnsafeRawBufferPointer) throws(XMLFault) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.slice))
      rest = rest.dropFirst(Self.slice)
      hadEvent = false
      let code = xmlParseChunk(
        context, piece.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(piece.count), 0)
      try throwFault()
      guard code == 0 || context?.pointee.wellFormed == 1 else { throw fail(code) }
      silent = hadEvent ? 0 : silent + piece.count
      guard silent <= limits.silence else {
        throw fail(.limit, "one tag of the answer is longer than \(limits.silence) bytes")
      }
    }
  }

  /// Says that nothing follows, and proves that the document was whole.
  package func finish() throws(XMLFault) {
    try throwFault()
    try parse(references.rest())
    guard sawRoot, open.isEmpty else {
      throw fail(.incomplete, "the answer ended within its XML")
    }
    let code = xmlParseChunk(context, nil, 0, 1)
    try throwFault()
    guard code == 0 || context?.pointee.wellFormed == 1 else { throw fail(code) }
  }

  /// UTF-8 begins with `<`, after a byte order mark and blanks; UTF-16, UTF-32, UTF-7 and EBCDIC
  /// do not.
  private func checkOpening() throws(XMLFault) {
    var start = opening[...]
    if start.first == 0xEF {
      guard [0xEF, 0xBB, 0xBF].starts(with: start.prefix(3)) else {
        throw fail(.encoding, "the answer is no XML in UTF-8")
      }
      start = start.dropFirst(3)
    }
    let first = start.first { !Self.isBlank($0) }
    guard first == nil || first == UInt8(ascii: "<") else {
      throw fail(.encoding, "the answer is no XML in UTF-8")
    }
  }

  private func throwFault() throws(XMLFault) {
    if let fault { throw fault }
  }

  private func fail(_ code: CInt) -> XMLFault {
    failIllFormed(code, line: context?.pointee.input?.pointee.line ?? 0)
  }

  @discardableResult
  private func failIllFormed(_ code: CInt, line: CInt) -> XMLFault {
    // What libxml2 says of an XML declaration anywhere but at the very beginning.
    let isLateDeclaration = code == CInt(bitPattern: XML_ERR_RESERVED_XML_NAME.rawValue)
    let why = isLateDeclaration ? ": something stands before <?xml" : ""
    return fail(
      .illFormed, "its XML is not well-formed\(why) (line \(line), libxml2 error \(code))")
  }

  @discardableResult
  private func fail(_ kind: XMLFault.Kind, _ message: String) -> XMLFault {
    let fault = self.fault ?? XMLFault(kind, message)
    self.fault = fault
    xmlStopParser(context)
    return fault
  }

  private func pass(_ event: () throws(XMLFault) -> Void) {
    hadEvent = true
    guard fault == nil else { return }
    do { try event() } catch { fail(error.kind, error.message) }
  }
}

// MARK: libxml2's callbacks

extension XMLPushParser {
  private static func of(_ context: UnsafeMutableRawPointer?) -> XMLPushParser? {
    context.map { Unmanaged<XMLPushParser>.fromOpaque($0).takeUnretainedValue() }
  }

  private static var handler: xmlSAXHandler {
    var handler = xmlSAXHandler()
    handler.initialized = UInt32(XML_SAX2_MAGIC)
    handler.startDocument = { XMLPushParser.of($0)?.checkDeclaration() }
    handler.internalSubset = { context, _, _, _ in
      XMLPushParser.of(context)?.fail(.doctype, "the answer's XML has a DOCTYPE")
    }
    handler.startElementNs = { context, local, _, uri, declared, _, count, _, attributes in
      XMLPushParser.of(context)?.start(
        local, uri, declared: Int(declared), count: Int(count), attributes)
    }
    handler.endElementNs = { context, _, _, _ in XMLPushParser.of(context)?.end() }
    handler.characters = { context, text, count in
      XMLPushParser.of(context)?.text(text, Int(count))
    }
    handler.ignorableWhitespace = handler.characters
    handler.cdataBlock = handler.characters
    handler.comment = { context, _ in XMLPushParser.of(context)?.hadEvent = true }
    handler.processingInstruction = { context, _, _ in
      XMLPushParser.of(context)?.hadEvent = true
    }
    handler.serror = { context, error in
      guard let error else { return }
      XMLPushParser.of(context)?.report(error.pointee)
    }
    return handler
  }

  private func report(_ error: xmlError) {
    // A namespace's name that is no URI is odd and changes nothing.
    guard error.level.rawValue >= XML_ERR_ERROR.rawValue,
      error.code != CInt(bitPattern: XML_WAR_NS_URI.rawValue)
    else { return }
    failIllFormed(error.code, line: error.line)
  }

  private func checkDeclaration() {
    hadEvent = true
    guard let context else { return }
    let declared = context.pointee.encoding ?? context.pointee.input?.pointee.encoding
    guard let declared else { return }
    let name = String(cString: declared).uppercased()
    guard ["UTF-8", "UTF8", "US-ASCII", "ASCII"].contains(name) else {
      fail(.encoding, "the answer's XML declares another encoding than UTF-8")
      return
    }
  }

  private func start(
    _ local: UnsafePointer<xmlChar>?, _ uri: UnsafePointer<xmlChar>?, declared: Int, count: Int,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  ) {
    pass { () throws(XMLFault) in
      sawRoot = true
      guard open.count < limits.depth else {
        throw XMLFault(.limit, "its XML is nested deeper than \(limits.depth) elements")
      }
      guard declared <= limits.attributes, count <= limits.attributes - declared else {
        throw XMLFault(.limit, "an element of it has more than \(limits.attributes) attributes")
      }
      let name = name(NamePlace(local: local, uri: uri))
      open.append(name)
      try consumer.start(name, Self.read(attributes, count))
    }
  }

  private func name(_ place: NamePlace) -> XMLName {
    if let known = names[place] { return known }
    let name = XMLName(
      place.uri.map(namespace) ?? .other, place.local.map { String(cString: $0) } ?? "")
    if names.count < Self.mostNames { names[place] = name }
    return name
  }

  private func namespace(_ uri: UnsafePointer<xmlChar>) -> XMLNamespace {
    if let known = namespaces[uri] { return known }
    let namespace = XMLNamespace(rawValue: String(cString: uri)) ?? .other
    if namespaces.count < Self.mostNames { namespaces[uri] = namespace }
    return namespace
  }

  private static func read(
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int
  ) -> [XMLAttribute] {
    guard let attributes, count > 0 else { return [] }
    return (0..<count).compactMap { index in
      // Five pointers each: local name, prefix, namespace, the value's begin and end.
      let five = attributes + 5 * index
      guard let name = five[0], let begin = five[3], let end = five[4] else { return nil }
      let value = UnsafeBufferPointer(start: begin, count: max(0, end - begin))
      return XMLAttribute(name: String(cString: name), value: Array(value))
    }
  }

  private func text(_ text: UnsafePointer<xmlChar>?, _ count: Int) {
    pass { () throws(XMLFault) in
      try consumer.text(UnsafeBufferPointer(start: text, count: max(0, count)))
    }
  }

  private func end() {
    pass { () throws(XMLFault) in
      guard let name = open.popLast() else { return }
      try consumer.end(name)
    }
  }
}
