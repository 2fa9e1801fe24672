import SyncModel

/// The columns of an item version, alike in every table that has one.
enum VersionColumns {
  static let names = """
    href_key, href, uid, tag, tag_is_strong, digest, canonical, summary, last_modified, modified, \
    components
    """
  static let count: Int32 = 11
}

extension ItemVersion {
  var columns: [SQLValue] {
    [
      .blob(href.key), .blob(href.spelling), .blob(uid.bytes), .optional(version.tag?.bytes),
      version.tag.map { .flag($0.isStrong) } ?? .null, .blob(version.digest.bytes),
      .blob(canonical.bytes), .text(summary), .optional(lastModified?.milliseconds),
      .optional(modified?.milliseconds), .text(joined(components)),
    ]
  }
}

/// Component kinds as one text, each ended by a line feed, which none of them can contain.
private func joined(_ components: [String]) -> String {
  components.map { $0 + "\n" }.joined()
}

private func components(_ text: String) -> [String] {
  text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
}

extension SQLRow {
  /// Reads `VersionColumns` from the column `first` on.
  func itemVersion(at first: Int32) -> ItemVersion {
    ItemVersion(
      href: href(key: first, spelling: first + 1), uid: ItemID(bytes: bytes(first + 2)),
      version: Version(
        tag: tag(at: first + 3), digest: ContentDigest(bytes: bytes(first + 5))),
      canonical: ContentDigest(bytes: bytes(first + 6)), summary: text(first + 7),
      lastModified: instant(first + 8), modified: instant(first + 9),
      components: components(text(first + 10)))
  }

  func href(key: Int32, spelling: Int32) -> Href {
    Href(spelling: bytes(spelling), key: bytes(key))
  }

  /// Reads an entity tag from two columns: its bytes and its strength.
  func tag(at first: Int32) -> EntityTag? {
    optionalBytes(first).map { EntityTag(bytes: $0, isStrong: integer(first + 1) != 0) }
  }

  func instant(_ column: Int32) -> Instant? {
    optionalInteger(column).map(Instant.init(milliseconds:))
  }

  /// Those from one to another one: the clock may have been set back in between.
  func times(_ first: Int32, _ last: Int32) -> ClosedRange<Instant>? {
    guard let from = instant(first), let to = instant(last) else { return nil }
    return min(from, to)...max(from, to)
  }

  func digest(_ column: Int32) -> ContentDigest? {
    optionalBytes(column).map(ContentDigest.init(bytes:))
  }

  /// Reads a word that stands for a case.
  func word<T: RawRepresentable<String>>(_ type: T.Type, _ column: Int32) throws -> T {
    let word = text(column)
    guard let value = T(rawValue: word) else { throw damaged("an unknown word for \(type)") }
    return value
  }

  func problem(at first: Int32, cause: ItemProblem.Cause? = nil) throws -> ItemProblem {
    ItemProblem(
      try word(ItemProblem.Code.self, first), text(first + 1), hint: text(first + 2), cause: cause)
  }

  /// The same with the UIDs of the text, from the column after it.
  func problemWithUIDs(at first: Int32) throws -> ItemProblem {
    var problem = try problem(at: first)
    let uids = optionalBytes(first + 3) ?? []
    problem.uids = uids.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .dropLast().map { ItemID(bytes: Array($0)) }
    return problem
  }
}

extension ItemProblem {
  var columns: [SQLValue] { [.text(code.rawValue), .text(message), .text(hint)] }

  /// Each ended by a line feed, which no line of a text contains; null where there are none.
  var columnOfUIDs: SQLValue {
    uids.isEmpty ? .null : .blob(uids.flatMap { $0.bytes + [UInt8(ascii: "\n")] })
  }
}
