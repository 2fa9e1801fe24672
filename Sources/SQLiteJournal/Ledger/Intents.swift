import GRDB
import SyncModel

extension Ledger {
  func open(_ intents: [Intent]) throws -> [Intent.ID] {
    try intents.map { intent in
      let values: [SQLValue] = [
        .integer(collection), .blob(intent.uid.bytes), .side(intent.side),
      ]
      let number = try db.row(
        """
        INSERT INTO intents (collection, uid, side, effect, href_key, href, expected_tag,
          expected_tag_is_strong, expected_digest, new_digest)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) RETURNING id
        """, values + Self.columns(of: intent.effect)
      ) { $0.integer(0) }
      guard let number else { throw damaged("an intent without a number") }
      if let source = intent.source {
        try db.run(
          """
          INSERT INTO intent_sources (intent, \(VersionColumns.names))
          VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
          """, [.integer(number)] + source.columns)
      }
      return Intent.ID(number)
    }
  }

  private static let selected = """
    SELECT id, intents.uid, side, effect, intents.href_key, intents.href, expected_tag,
      expected_tag_is_strong, expected_digest, new_digest,
      \(VersionColumns.names.split(separator: ", ").map { "source.\($0)" }.joined(separator: ", "))
    FROM intents LEFT JOIN intent_sources AS source ON source.intent = intents.id
    WHERE collection = ?1
    """

  func openIntents() throws -> [OpenIntent] {
    try db.rows("\(Self.selected) ORDER BY id", [.integer(collection)], Self.intent)
  }

  private func openIntent(_ id: Intent.ID) throws -> Intent? {
    try db.row(
      "\(Self.selected) AND id = ?2", [.integer(collection), .integer(id.number)], Self.intent
    )?.intent
  }

  /// An intent that is closed already stays as it is.
  func close(_ closed: ClosedIntent) throws {
    guard let intent = try openIntent(closed.id) else { return }
    try db.run("DELETE FROM intents WHERE id = ?1", [.integer(closed.id.number)])
    switch closed.outcome {
    case .agreed(let agreement):
      try overtake(by: intent)
      try put(agreement)
      try settleAttempts(intent.uid)
    case .forgotten:
      try overtake(by: intent)
      try remove(intent.uid)
      try settleAttempts(intent.uid)
    case .nothingWritten:
      break
    case .lookAgain:
      try write(Observation(side: intent.side, href: intent.href, state: .unread(nil)))
    case .refused(let wait):
      try refuse(intent, wait)
    }
  }

  private func overtake(by intent: Intent) throws {
    guard let seen = try glimpse(intent.side, intent.href) else { return }
    if seen.isOvertaken(by: intent.effect) { try drop(intent.side, intent.href) }
  }

  private func refuse(_ intent: Intent, _ wait: Observation.Wait) throws {
    let side = intent.side.opposite
    if let source = intent.source {
      if try glimpse(side, source.href) == nil {
        try write(Observation(side: side, href: source.href, state: .read(source)))
      }
      try setWait(wait, side, source.href)
    } else if let agreed = try agreement(of: intent.uid) {
      try setWait(wait, side, agreed[side].href)
    }
  }

  private static func columns(of effect: Intent.Effect) -> [SQLValue] {
    func columns(
      _ word: String, _ href: Href, _ expecting: Version?, _ new: ContentDigest?
    ) -> [SQLValue] {
      [
        .text(word), .blob(href.key), .blob(href.spelling), .optional(expecting?.tag?.bytes),
        expecting?.tag.map { .flag($0.isStrong) } ?? .null, .optional(expecting?.digest.bytes),
        .optional(new?.bytes),
      ]
    }
    return switch effect {
    case .create(let href, let new): columns("create", href, nil, new)
    case .replace(let href, let expecting, let new): columns("replace", href, expecting, new)
    case .delete(let href, let expecting): columns("delete", href, expecting, nil)
    }
  }

  private static func intent(_ row: SQLRow) throws -> OpenIntent {
    let source: Int32 = 10
    let href = row.href(key: 4, spelling: 5)
    let expecting = row.digest(8).map { Version(tag: row.tag(at: 6), digest: $0) }
    let effect: Intent.Effect
    switch (row.text(3), expecting, row.digest(9)) {
    case ("create", nil, let new?): effect = .create(href, new)
    case ("replace", let expecting?, let new?):
      effect = .replace(href, expecting: expecting, with: new)
    case ("delete", let expecting?, nil): effect = .delete(href, expecting: expecting)
    default: throw damaged("an intent without its effect")
    }
    return OpenIntent(
      id: Intent.ID(row.integer(0)),
      intent: Intent(
        uid: ItemID(bytes: row.bytes(1)), side: try row.word(Side.self, 2), effect: effect,
        source: row.isNull(source) ? nil : row.itemVersion(at: source)))
  }
}
