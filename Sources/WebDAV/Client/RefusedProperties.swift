extension DAVRefusal {
  /// Properties of one answer that are kept: more than calgw ever sends.
  private static let mostNamed = 10

  /// Reads an answer to a request that sets several properties at once, and that the refusal of one
  /// fails as a whole: in a 207, or a 424 with `mkcol-response`, the status that counts is that of
  /// the first that is refused for itself. The others fail with it (RFC 4918 §11.4).
  package static func ofProperties(_ answer: DAVAnswer, body: [UInt8]) -> DAVRefusal {
    let whole = DAVRefusal(answer, body: body)
    guard [207, 424].contains(answer.status), let tree = try? XMLTree.parse(body) else {
      return whole
    }
    let failures = failures(in: tree)
    guard let told = failures.first(where: { $0.status != 424 }) ?? failures.first else {
      return whole
    }
    var refusal = DAVRefusal(status: told.status, url: answer.url, words: whole.words)
    refusal.properties = told.names.prefix(mostNamed).map {
      ServerWords.safe(Array($0.utf8), hiding: answer.secrets)
    }
    return refusal
  }

  /// What is no success in a tree, in its order.
  private static func failures(in tree: XMLTree) -> [(status: Int, names: [String])] {
    var failures = tree.children.flatMap { Self.failures(in: $0) }
    if let line = tree.first(.dav("status")), let status = try? MultistatusParser.status(line.text),
      !(200...299).contains(status)
    {
      let names = tree.first(.dav("prop"))?.children.map(\.name.local) ?? []
      failures.insert((status, names), at: 0)
    }
    return failures
  }
}
