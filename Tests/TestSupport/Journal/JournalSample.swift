public import SyncModel

/// Small nouns for the tests of journals.
public enum JournalSample {
  /// A text and its digest.
  public static func content(_ word: String) -> StoredContent {
    let bytes = Array("BEGIN:VCALENDAR\r\nX-WORD:\(word)\r\nEND:VCALENDAR\r\n".utf8)
    return StoredContent(digest: sha256(bytes), data: ItemData(bytes: bytes))
  }

  public static func digest(_ word: String) -> ContentDigest { content(word).digest }

  public static func tag(_ word: String?, isStrong: Bool = true) -> EntityTag? {
    word.map { EntityTag(bytes: Array("\"\($0)\"".utf8), isStrong: isStrong) }
  }

  public static func version(_ word: String, tag: String? = nil) -> Version {
    Version(tag: self.tag(tag ?? word), digest: digest(word))
  }

  /// An item whose tag is made of its content unless another is given.
  public static func item(
    _ uid: String, at href: String, _ word: String, tag: String? = nil
  ) -> ItemVersion {
    ItemVersion(
      href: Href(href), uid: ItemID(uid), version: version(word, tag: tag),
      canonical: digest("canonical " + word), summary: "About \(word)",
      lastModified: Instant(milliseconds: 1_700_000_000_123), modified: nil,
      components: ["VEVENT"])
  }

  /// `uid.ics` here and `/uid` there, with one content.
  public static func agreement(_ uid: String, _ word: String) -> Agreement {
    Agreement(
      uid: ItemID(uid), local: item(uid, at: "\(uid).ics", word),
      remote: item(uid, at: "/\(uid)", word))
  }

  public static func seen(
    _ side: Side, _ href: String, _ state: Observation.State, wait: Observation.Wait? = nil
  ) -> ObservedChange {
    .observed(Observation(side: side, href: Href(href), state: state, wait: wait))
  }

  public static func read(_ side: Side, _ item: ItemVersion) -> ObservedChange {
    .observed(Observation(side: side, href: item.href, state: .read(item)))
  }

  public static let problem = ItemProblem(
    .refused, "the server refused it", hint: "make it smaller")

  /// Of a text with the UIDs of two items.
  public static let severalUIDs: ItemProblem = {
    var problem = ItemProblem(.severalUIDs, "it holds two items", hint: "keep one")
    problem.uids = [ItemID("u"), ItemID("v\\n w")]
    return problem
  }()

  public static func refusal(_ word: String) -> Observation.Wait {
    .refused(
      digest(word),
      ItemProblem(.refused, "it has another one", hint: "remove it", cause: .uidIsTaken),
      retry: Instant(seconds: 1_800_000_000))
  }

  /// A write of `word` over `old`, carried over from the other side.
  public static func replacement(
    of old: ItemVersion, on side: Side, by source: ItemVersion
  ) -> Intent {
    Intent(
      uid: old.uid, side: side,
      effect: .replace(old.href, expecting: old.version, with: source.version.digest),
      source: source)
  }

  public static func deletion(of old: ItemVersion, on side: Side) -> Intent {
    Intent(
      uid: old.uid, side: side, effect: .delete(old.href, expecting: old.version), source: nil)
  }

  public static func entry(
    _ uid: String, at seconds: Int64, _ before: String, after: String? = nil
  ) -> HistoryEntry {
    HistoryEntry(
      time: Instant(seconds: seconds), uid: ItemID(uid), side: .local,
      action: after == nil ? .deleted : .replaced, reason: "changed on the server",
      href: Href("\(uid).ics"), before: digest(before), after: after.map(digest))
  }
}
