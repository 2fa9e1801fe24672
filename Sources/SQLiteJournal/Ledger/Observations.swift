import GRDB
import SyncModel

/// As much of an observation as the rules need.
struct Glimpse {
  enum State: String {
    case unread
    case read
    case obstructed
    case gone
  }

  let state: State
  let tag: EntityTag?
  let digest: ContentDigest?
  /// As in `Observation`.
  let since: Instant?
  let missed: ClosedRange<Instant>?

  /// What was seen is this version, as far as it can be told.
  func shows(_ version: Version) -> Bool {
    switch state {
    case .read: digest == version.digest
    case .unread: tag != nil && tag == version.tag
    case .obstructed, .gone: false
    }
  }

  /// What was seen is what the effect was guarded by, so that it is no news once it succeeded.
  func isOvertaken(by effect: Intent.Effect) -> Bool {
    switch effect {
    case .create: state == .gone
    case .replace(_, let expecting, _): shows(expecting)
    case .delete(_, let expecting): state == .gone || shows(expecting)
    }
  }
}

extension Ledger {
  func glimpse(_ side: Side, _ href: Href) throws -> Glimpse? {
    try db.row(
      """
      SELECT state, tag, tag_is_strong, digest, since, missed_from, missed_to FROM observations
      WHERE \(Self.atPlace)
      """, place(side, href)
    ) { row in
      Glimpse(
        state: try row.word(Glimpse.State.self, 0), tag: row.tag(at: 1), digest: row.digest(3),
        since: row.instant(4), missed: row.times(5, 6))
    }
  }

  func drop(_ side: Side, _ href: Href) throws {
    try db.run("DELETE FROM observations WHERE \(Self.atPlace)", place(side, href))
  }

  func record(_ changes: [ObservedChange], on side: Side) throws {
    for change in changes {
      switch change {
      case .observed(var seen):
        seen.side = side
        try observe(seen)
      case .refreshed(let item):
        try refresh(item, on: side)
      case .dropped(let href):
        try drop(side, href)
      }
    }
  }

  /// `gone` without an agreement that refers to it says nothing.
  private func observe(_ seen: Observation) throws {
    if seen.state == .gone, try holder(seen.side, seen.href) == nil {
      try drop(seen.side, seen.href)
    } else {
      try write(seen)
    }
  }

  /// Without an agreement it was read, and that is kept.
  private func refresh(_ item: ItemVersion, on side: Side) throws {
    guard var agreement = try agreement(of: item.uid) else {
      return try observe(Observation(side: side, href: item.href, state: .read(item)))
    }
    agreement[side] = item
    try put(agreement)
    try drop(side, item.href)
  }

  func setWait(_ wait: Observation.Wait?, _ side: Side, _ href: Href) throws {
    try db.run(
      """
      UPDATE observations SET wait = ?4, refused_digest = ?5, refused_code = ?6,
        refused_message = ?7, refused_hint = ?8, retry_at = ?9, window_after = ?10,
        window_until = ?11, refused_cause = ?12 WHERE \(Self.atPlace)
      """, place(side, href) + Self.columns(of: wait))
  }

  func write(_ seen: Observation) throws {
    try db.run(
      """
      INSERT OR REPLACE INTO observations (collection, side, state, \(VersionColumns.names),
        \(Self.problemColumns), \(Self.waitColumns), since, missed_from, missed_to)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
        ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, coalesce((\(Self.formerSince)), ?28),
        coalesce((\(Self.formerMissed("missed_from"))), ?29, \(Self.newlyMissed(Self.sinceUnread))),
        coalesce((\(Self.formerMissed("missed_to"))), ?30, \(Self.newlyMissed("?28"))))
      """,
      [.integer(collection), .side(seen.side)] + Self.columns(of: seen.state, href: seen.href)
        + Self.columns(of: seen.wait)
        + [seen.since, seen.missed?.lowerBound, seen.missed?.upperBound].map {
          .optional($0?.milliseconds)
        })
  }

  func allObservations() throws -> [Observation] {
    try db.rows(
      """
      SELECT side, state, \(VersionColumns.names), \(Self.problemColumns),
        \(Self.waitColumns), since, missed_from, missed_to FROM observations WHERE collection = ?1
      ORDER BY side, href_key
      """, [.integer(collection)], Self.observation)
  }
}

extension Ledger {
  private static let problemColumns = "problem_code, problem_message, problem_hint, problem_uids"
  private static let countOfProblem: Int32 = 4
  static let waitColumns = """
    wait, refused_digest, refused_code, refused_message, refused_hint, retry_at, window_after, \
    window_until, refused_cause
    """

  private static let countOfWait: Int32 = 9
  private static let atPlaceOfNew = "collection = ?1 AND side = ?2 AND href_key = ?4"
  /// An agreement has the place, and what is seen there is not read as its item.
  private static let isMissing =
    "EXISTS (SELECT 1 FROM agreed_versions WHERE \(atPlaceOfNew) AND uid IS NOT ?6)"
  private static let formerSince = """
    SELECT since FROM observations WHERE \(atPlaceOfNew)
      AND state <> 'read' AND (state = 'gone') = (?3 = 'gone')
    """
  /// One end of the time in which the item went, where that was known before.
  private static func formerMissed(_ column: String) -> String {
    """
    SELECT \(column) FROM observations WHERE \(atPlaceOfNew) AND \(isMissing)
      AND uid IS NOT (SELECT uid FROM agreed_versions WHERE \(atPlaceOfNew))
    """
  }

  /// The same, where it is by this look.
  private static func newlyMissed(_ time: String) -> String {
    "CASE WHEN ?28 IS NOT NULL AND ?3 IN ('gone', 'read') AND \(isMissing) THEN \(time) END"
  }

  /// Since when nothing there was read as an item; else this look.
  private static let sinceUnread = """
    coalesce((SELECT since FROM observations
      WHERE \(atPlaceOfNew) AND state IN ('unread', 'obstructed')), ?28)
    """

  private static func columns(of state: Observation.State, href: Href) -> [SQLValue] {
    let noProblem: [SQLValue] = [.null, .null, .null, .null]
    switch state {
    case .unread(let tag):
      return [.text("unread")] + bare(href, tag) + noProblem
    case .read(let item):
      return [.text("read"), .blob(href.key), .blob(href.spelling)] + item.columns.dropFirst(2)
        + noProblem
    case .obstructed(let tag, let problem):
      return [.text("obstructed")] + bare(href, tag) + problem.columns + [problem.columnOfUIDs]
    case .gone:
      return [.text("gone")] + bare(href, nil) + noProblem
    }
  }

  /// The columns of a version of which nothing but the tag is known.
  private static func bare(_ href: Href, _ tag: EntityTag?) -> [SQLValue] {
    [
      .blob(href.key), .blob(href.spelling), .null, .optional(tag?.bytes),
      tag.map { .flag($0.isStrong) } ?? .null, .null, .null, .null, .null, .null, .null,
    ]
  }

  private static func columns(of wait: Observation.Wait?) -> [SQLValue] {
    switch wait {
    case nil: [.null] + nothingRefused + [.null, .null, .null]
    case .conflict: [.text("conflict")] + nothingRefused + [.null, .null, .null]
    case .refused(let digest, let problem, let retry):
      [.text("refused"), .blob(digest.bytes)] + problem.columns
        + [.integer(retry.milliseconds), .null, .null, .optional(problem.cause?.rawValue)]
    case .outOfWindow(let after, let until):
      [.text("window")] + nothingRefused
        + [.integer(after.milliseconds), .optional(until?.milliseconds), .null]
    }
  }

  private static let nothingRefused: [SQLValue] = [.null, .null, .null, .null, .null]

  private static func observation(_ row: SQLRow) throws -> Observation {
    let version: Int32 = 2
    let problem = version + VersionColumns.count
    let href = row.href(key: version, spelling: version + 1)
    let tag = row.tag(at: version + 3)
    let state: Observation.State =
      switch try row.word(Glimpse.State.self, 1) {
      case .unread: .unread(tag)
      case .read: .read(row.itemVersion(at: version))
      case .obstructed: .obstructed(tag, try row.problemWithUIDs(at: problem))
      case .gone: .gone
      }
    return Observation(
      side: try row.word(Side.self, 0), href: href, state: state,
      wait: try wait(row, at: problem + countOfProblem),
      since: row.instant(problem + countOfProblem + countOfWait),
      missed: row.times(
        problem + countOfProblem + countOfWait + 1, problem + countOfProblem + countOfWait + 2))
  }

  /// Why an observation waits, from `waitColumns` beginning at a column.
  static func wait(_ row: SQLRow, at first: Int32) throws -> Observation.Wait? {
    guard !row.isNull(first) else { return nil }
    switch row.text(first) {
    case "conflict": return .conflict
    case "refused":
      guard let digest = row.digest(first + 1), let retry = row.instant(first + 5) else {
        throw damaged("a refusal without its content")
      }
      let cause =
        row.isNull(first + 8) ? nil : try row.word(ItemProblem.Cause.self, first + 8)
      return .refused(digest, try row.problem(at: first + 2, cause: cause), retry: retry)
    case "window":
      guard let after = row.instant(first + 6) else { throw damaged("a window without its start") }
      return .outOfWindow(after: after, until: row.instant(first + 7))
    default: throw damaged("an unknown reason to wait")
    }
  }
}
