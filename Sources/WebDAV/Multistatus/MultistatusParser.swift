/// Turns the bytes of a multistatus (RFC 4918 §13) into responses, one at a time as they arrive.
package final class MultistatusParser: XMLEventConsumer {
  private let limits: XMLLimits
  private let consume: (DAVResponse) -> Void
  private var parser: XMLPushParser?
  private var path: [XMLName] = []
  /// The depth of the element whose text is collected; 0: none.
  private var textDepth = 0
  private var textLimit = 0
  private var text: [UInt8] = []
  private var textIsTooLong = false
  /// Where it is too long the whole answer is of no use.
  private var textIsEssential = false

  private var hrefs: [[UInt8]] = []
  private var response = DAVResponse(href: [])
  private var reader = PropertyReader()
  private var propstatStatus: Int?
  /// A propstat of this response was a 2xx.
  private var isGiven = false
  private var count = 0
  /// Bytes of the addresses so far.
  private var addressed = 0
  /// The sync token at the end of the answer, once it has come.
  package private(set) var syncToken: [UInt8]?

  package init(limits: XMLLimits = XMLLimits(), consume: @escaping (DAVResponse) -> Void) {
    self.limits = limits
    self.consume = consume
  }

  package func feed(_ bytes: UnsafeRawBufferPointer) throws(XMLFault) {
    let parser = self.parser ?? XMLPushParser(self, limits: limits)
    self.parser = parser
    try parser.feed(bytes)
  }

  /// Proves that the answer was whole.
  package func finish() throws(XMLFault) {
    guard let parser else { throw XMLFault(.incomplete, "the answer is empty") }
    try parser.finish()
  }

  // MARK: Events

  package func start(_ name: XMLName, _ attributes: [XMLAttribute]) throws(XMLFault) {
    path.append(name)
    if path.count == 1, name != .dav("multistatus") {
      throw XMLFault(.unexpected, "its root element is no DAV:multistatus")
    }
    if path.count == 2, name == .dav("response") {
      hrefs = []
      isGiven = false
      response = DAVResponse(href: [])
    }
    if path.count == 3, name == .dav("propstat") {
      reader = PropertyReader()
      propstatStatus = nil
    }
    if path.count == 4, path[1] == .dav("response"), path[2] == .dav("error") {
      response.preconditions.append(name.local)
    }
    if let below = propertyPath { reader.start(below, attributes) }
    beginText()
  }

  package func text(_ bytes: UnsafeBufferPointer<UInt8>) throws(XMLFault) {
    guard textDepth == path.count, textDepth > 0, !textIsTooLong else { return }
    guard bytes.count <= textLimit - text.count else {
      guard !textIsEssential else {
        throw XMLFault(.limit, "a text in it is longer than \(limits.text) bytes")
      }
      textIsTooLong = true
      text = []
      return
    }
    text += bytes
  }

  package func end(_ name: XMLName) throws(XMLFault) {
    if textDepth == path.count, textDepth > 0 {
      try endText()
      textDepth = 0
    }
    if path.count == 3, path[1] == .dav("response"), name == .dav("propstat") { endPropstat() }
    if path.count == 2, name == .dav("response") { try endResponse() }
    path.removeLast()
  }

  // MARK: Parts

  /// The names below `multistatus/response/propstat/prop`, where that is where we are.
  private var propertyPath: ArraySlice<XMLName>? {
    guard path.count > 4, path[1] == .dav("response"), path[2] == .dav("propstat"),
      path[3] == .dav("prop")
    else { return nil }
    return path[4...]
  }

  /// Begins to collect text, if this element's is wanted.
  private func beginText() {
    var (limit, isEssential) = (limits.text, true)
    if let below = propertyPath {
      switch PropertyReader.textUse(below) {
      case .none: return
      case .essential: break
      case .short: isEssential = false
      case .item: (limit, isEssential) = (limits.item, false)
      }
    } else {
      let isWanted =
        switch path.count {
        case 2: path[1] == .dav("sync-token")
        case 3:
          path[1] == .dav("response") && (path[2] == .dav("href") || path[2] == .dav("status"))
        case 4: path[2] == .dav("propstat") && path[3] == .dav("status")
        default: false
        }
      guard isWanted else { return }
      if path.last == .dav("href") { (limit, isEssential) = (limits.address, false) }
    }
    textDepth = path.count
    textLimit = limit
    textIsEssential = isEssential
    text = []
    textIsTooLong = false
  }

  private func endText() throws(XMLFault) {
    if let below = propertyPath {
      reader.text(below, textIsTooLong ? nil : text)
    } else if path.count == 2 {
      syncToken = text.trimmed
    } else if path.last == .dav("href") {
      // What is too long to be asked for names nothing.
      hrefs.append(textIsTooLong ? [] : text.trimmed)
    } else {
      let status = try Self.status(text)
      if path.count == 3 { response.status = status } else { propstatStatus = status }
    }
    text = []
  }

  private func endPropstat() {
    let status = propstatStatus ?? 200
    if (200...299).contains(status) {
      isGiven = true
      response.properties.merge(reader.properties)
      return
    }
    if [nil, 424].contains(response.failedStatus) { response.failedStatus = status }
    if !DAVResponse.gone.contains(status) {
      response.deniedStatus = response.deniedStatus ?? status
    }
  }

  /// RFC 4918 §14.24: one href with propstats, or several that share a status.
  private func endResponse() throws(XMLFault) {
    // One that names no resource says that there is something, and not what.
    if hrefs.isEmpty { hrefs = [[]] }
    if isGiven { response.deniedStatus = nil }
    count += hrefs.count
    guard count <= limits.responses else {
      throw XMLFault(.limit, "it names more than \(limits.responses) resources")
    }
    addressed += hrefs.reduce(0) { $0 + $1.count }
    guard addressed <= limits.addresses else {
      throw XMLFault(.limit, "its addresses have more than \(limits.addresses) bytes")
    }
    for href in hrefs {
      response.href = href
      consume(response)
    }
  }

  /// `HTTP/1.1 404 Not Found` (RFC 9112 §4); the first number of three digits counts.
  static func status(_ line: [UInt8]) throws(XMLFault) -> Int {
    for word in line.split(separator: 0x20) where word.count == 3 {
      if let status = Int(String(decoding: word, as: UTF8.self)), (100...599).contains(status) {
        return status
      }
    }
    throw XMLFault(.unexpected, "one of its status lines holds no status")
  }
}
