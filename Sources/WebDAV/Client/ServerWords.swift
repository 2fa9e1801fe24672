/// What a server says in an error body: its precondition elements, and its words for people.
package struct ServerWords: Sendable, Hashable {
  /// Characters of a server's text that are shown.
  package static let longestQuote = 200
  /// The same for a message in JSON: Google's have an address in them, which is of no use cut off.
  private static let longestMessage = 500
  /// Elements that are named to a person.
  private static let mostNamed = 3

  /// The names of the elements in `DAV:error` (RFC 4918 §16), in any namespace; not to be shown.
  package var preconditions: [String] = []
  /// The first of them, safe to show.
  package private(set) var named: [String] = []
  /// The address that a precondition names, as of the item that has a UID already (RFC 4791
  /// §5.3.2.1); safe to show, empty where there is none.
  package var place = ""
  /// The same as received; not to be shown.
  package private(set) var holder: [UInt8] = []
  /// Its message for people, safe to show; may be empty.
  package var text = ""
  /// Google's word for an API that nobody has enabled for the client; the message has the address
  /// that does it.
  package private(set) var isOfDisabledAPI = false

  /// - Parameter secrets: what is taken out of all that is shown.
  package init(body: [UInt8], head: HTTPResponseHead, hiding secrets: KnownSecrets) {
    let type = head.values(of: "Content-Type").first.map { $0.trimmed } ?? []
    let kind = String(decoding: type, as: UTF8.self).lowercased()
    if kind.hasPrefix("text/html") { return }
    if let tree = try? XMLTree.parse(body) {
      collect(tree, secrets)
      named = preconditions.prefix(Self.mostNamed).map {
        Self.safe(Array($0.utf8), hiding: secrets)
      }
    } else if let message = JSONMessage(body: body) {
      text = Self.safe(Array(message.text.utf8), limit: Self.longestMessage, hiding: secrets)
      isOfDisabledAPI = Self.namesDisabledAPI(body)
    } else if kind.hasPrefix("text/plain") {
      text = Self.safe(body, hiding: secrets)
    }
  }

  private static func namesDisabledAPI(_ body: [UInt8]) -> Bool {
    let words = String(decoding: body, as: UTF8.self)
    return ["accessNotConfigured", "has not been used in project"].contains { words.contains($0) }
  }

  /// Elements for people; sabre/dav puts them beside the preconditions.
  private static let commentary: Set<String> = [
    "message", "responsedescription", "human-readable", "exception", "sabredav-version", "file",
    "line", "code", "stacktrace",
  ]

  private static let messages: Set<String> = ["message", "responsedescription", "human-readable"]

  private mutating func collect(_ tree: XMLTree, _ secrets: KnownSecrets) {
    if tree.name == .dav("error") {
      preconditions += tree.children.map(\.name.local).filter { !Self.commentary.contains($0) }
    }
    // SOGo has its words right in the `DAV:error`.
    if text.isEmpty, tree.name == .dav("error") || Self.messages.contains(tree.name.local) {
      text = Self.safe(tree.text, hiding: secrets)
    }
    if place.isEmpty, let href = tree.children.first(where: { $0.name == .dav("href") }) {
      holder = href.text.trimmed
      place = Self.safe(holder, hiding: secrets)
    }
    for child in tree.children { collect(child, secrets) }
  }

  /// What can be shown on any terminal: controls and what turns the direction of text are visible
  /// escapes, blanks and line ends joined, the rest cut off. For messages alone: data, as the name
  /// of a calendar, is kept as it is.
  ///
  /// - Parameters:
  ///   - limit: in characters.
  ///   - secrets: what is taken out; nil where nothing is to be.
  package static func safe(
    _ bytes: [UInt8], limit: Int = ServerWords.longestQuote, hiding secrets: KnownSecrets? = nil
  ) -> String {
    // A tag, an address or one word: nothing to escape.
    if bytes.count <= limit, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) {
      let text = String(decoding: bytes, as: UTF8.self)
      return secrets?.concealed(text) ?? text
    }
    // An escape may stand within a secret, which is found without it, and is not shown then.
    let (bare, isBareCut) = Self.bare(bytes, limit: limit)
    if let concealed = secrets?.concealed(bare, isCut: isBareCut), concealed != bare {
      return concealed + (isBareCut ? "…" : "")
    }
    let (text, isCut) = oneLine(bytes, limit: limit, insteadOfHidden: visibleEscape)
    return (secrets?.concealed(text, isCut: isCut) ?? text) + (isCut ? "…" : "")
  }

  /// The same without what nobody sees.
  static func bare(_ bytes: [UInt8], limit: Int) -> (text: String, isCut: Bool) {
    oneLine(bytes, limit: limit) { _ in "" }
  }

  private static func oneLine(
    _ bytes: [UInt8], limit: Int, insteadOfHidden escape: (Unicode.Scalar) -> String
  ) -> (text: String, isCut: Bool) {
    var text = ""
    var count = 0
    // A character of a server takes four bytes at most.
    let head = bytes.prefix(limit * 8)
    for word in String(decoding: head, as: UTF8.self).split(whereSeparator: \.isWhitespace) {
      let pieces = word.unicodeScalars.map { isHidden($0) ? escape($0) : String($0) }
        .filter { !$0.isEmpty }
      guard !pieces.isEmpty else { continue }
      if !text.isEmpty {
        text += " "
        count += 1
      }
      for piece in pieces {
        count += piece.unicodeScalars.count
        guard count <= limit else { return (text, true) }
        text += piece
      }
    }
    return (text, head.count < bytes.count)
  }

  /// A terminal obeys it, or shows nothing that people know.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      true
    default: false
    }
  }
}
