/// What a server says in an error body: its precondition elements, and its words for people.
package struct ServerWords: Sendable, Hashable {
  /// Characters of a server's text that are shown.
  package static let longestQuote = 200
  /// The same for a message in JSON: Google's have an address in them, which is of no use cut off.
  private static let longestMessage = 500

  /// The names of the elements in `DAV:error` (RFC 4918 §16), in any namespace.
  package var preconditions: [String] = []
  /// The address that a precondition names, as of the item that has a UID already (RFC 4791
  /// §5.3.2.1); safe to show, empty where there is none.
  package var place = ""
  /// Its message for people, safe to show; may be empty.
  package var text = ""

  package init(body: [UInt8], head: HTTPResponseHead) {
    let type = head.values(of: "Content-Type").first.map { $0.trimmed } ?? []
    let kind = String(decoding: type, as: UTF8.self).lowercased()
    if kind.hasPrefix("text/html") { return }
    if let tree = try? XMLTree.parse(body) {
      collect(tree)
    } else if let message = JSONMessage(body: body) {
      text = Self.safe(Array(message.text.utf8), limit: Self.longestMessage)
    } else if kind.hasPrefix("text/plain") {
      text = Self.safe(body)
    }
  }

  /// Elements for people; sabre/dav puts them beside the preconditions.
  private static let commentary: Set<String> = [
    "message", "responsedescription", "human-readable", "exception", "sabredav-version", "file",
    "line", "code", "stacktrace",
  ]

  private mutating func collect(_ tree: XMLTree) {
    if tree.name == .dav("error") {
      preconditions += tree.children.map(\.name.local).filter { !Self.commentary.contains($0) }
    }
    if text.isEmpty, ["message", "responsedescription", "human-readable"].contains(tree.name.local)
    {
      text = Self.safe(tree.text)
    }
    if place.isEmpty, let href = tree.children.first(where: { $0.name == .dav("href") }) {
      place = Self.safe(href.text.trimmed)
    }
    for child in tree.children { collect(child) }
  }

  /// What can be shown on any terminal: controls and what turns the direction of text are left
  /// out, blanks joined, the rest cut off.
  ///
  /// - Parameter limit: in characters.
  package static func safe(
    _ bytes: [UInt8], limit: Int = ServerWords.longestQuote
  ) -> String {
    // A tag, an address or one word: nothing to leave out.
    if bytes.count <= limit, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) {
      return String(decoding: bytes, as: UTF8.self)
    }
    var text = ""
    var count = 0
    // A character of a server takes four bytes at most.
    let head = bytes.prefix(limit * 8)
    for word in String(decoding: head, as: UTF8.self).split(whereSeparator: \.isWhitespace) {
      let shown = word.unicodeScalars.filter {
        switch $0.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
          .paragraphSeparator:
          false
        default: true
        }
      }
      guard !shown.isEmpty else { continue }
      if !text.isEmpty {
        text += " "
        count += 1
      }
      for scalar in shown {
        count += 1
        guard count <= limit else { return text + "…" }
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
