package import SyncModel
import WebDAV

/// Fields of bytes in one line of text: `name=value name=value`, values percent-encoded.
enum FieldCoding {
  static func encode(_ fields: [(String, [UInt8]?)]) -> [UInt8] {
    let written = fields.compactMap { name, value in
      value.map { "\(name)=" + String(decoding: PercentCoding.segment($0), as: UTF8.self) }
    }
    return Array(written.joined(separator: " ").utf8)
  }

  static func decode(_ bytes: [UInt8]) -> [String: [UInt8]] {
    var fields: [String: [UInt8]] = [:]
    for field in bytes.split(separator: 0x20) {
      guard let equals = field.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = String(decoding: field[..<equals], as: UTF8.self)
      fields[name] = PercentCoding.decoded(Array(field[(equals + 1)...]))
    }
    return fields
  }
}

/// What a server says of a collection's state: equal, nothing changed.
package struct CalendarState: Sendable, Hashable {
  var token: [UInt8]?
  var tag: [UInt8]?
  /// A time that had hardly passed when it was read: what changed within it may not show.
  package var isFresh = false

  package init(token: [UInt8]?, tag: [UInt8]?) {
    self.token = token
    self.tag = tag
  }

  package init(encoded: [UInt8]) {
    let fields = FieldCoding.decode(encoded)
    self.init(token: fields["token"], tag: fields["ctag"])
  }

  /// The server counts its changes, and the count is lower than it was: so it begins anew where a
  /// calendar is deleted and made again, and such a server takes the token of the former one.
  package func isBehind(_ former: SyncCursor) -> Bool {
    Self.isLower(token, than: former.token) || Self.isLower(tag, than: former.tag)
  }

  /// Digits of a count of changes: ten million are more than a calendar sees. A time has more (ten
  /// of seconds), and a hash in decimal nearly always. Both go down while the calendar stays the
  /// same, a hash at every other change, and each time would cost a comparison of all tags.
  private static let longestCount = 7

  /// Whether two that differ in the count at their end alone go down.
  private static func isLower(_ new: [UInt8]?, than old: [UInt8]?) -> Bool {
    guard let new = new.map(counted), let old = old.map(counted), new.words == old.words,
      let now = new.count, let before = old.count
    else { return false }
    return now < before
  }

  /// The token is a number alone: of the changes in all calendars (DAViCal: `data:,27`), or a
  /// second (SOGo). It goes on upwards in a calendar that is made anew, and one of the former is
  /// taken.
  package var hasBareNumber: Bool {
    guard let token else { return false }
    let number = Self.withoutScheme(token)
    return !number.isEmpty && number.allSatisfy(Self.digits.contains)
  }

  /// The token ends in a count of its own (`http://sabre.io/ns/sync/27`): of the changes in one
  /// calendar, and begun anew with it. Digits at the end of a hash have a letter before them.
  package var endsInCount: Bool {
    guard let token, !hasBareNumber else { return false }
    let (words, count) = Self.counted(token)
    guard count != nil, let last = words.last else { return false }
    return Self.beforeCounts.contains(last)
  }

  private static let beforeCounts = Array("/-:,=".utf8)

  /// Tokens are URIs (RFC 6578 §6.2), so some have one that says nothing.
  static func withoutScheme(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    let scheme = Array("data:,".utf8)
    return bytes.starts(with: scheme) ? bytes.dropFirst(scheme.count) : bytes[...]
  }

  static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  private static func counted(_ bytes: [UInt8]) -> (words: ArraySlice<UInt8>, count: Int?) {
    let digits = bytes.reversed().prefix(while: Self.digits.contains)
    let isCount = digits.count <= longestCount
    let count = isCount ? Int(String(decoding: digits.reversed(), as: UTF8.self)) : nil
    return (bytes.dropLast(digits.count), count)
  }

  /// Nil where the server says nothing.
  var encoded: [UInt8]? {
    token == nil && tag == nil ? nil : FieldCoding.encode([("token", token), ("ctag", tag)])
  }
}

/// Where a listing of a calendar left off.
package struct SyncCursor: Sendable, Hashable {
  /// Of the last sync-collection, or read before the last listing.
  package var token: [UInt8]?
  /// Read before the last listing.
  var tag: [UInt8]?
  /// The collection's DAV:resource-id (RFC 5842 §3.1); another one is another calendar, made anew
  /// at the same address.
  var identity: [UInt8]?
  /// When the collection was made, as the server says it (RFC 4918 §15.1).
  var creation: [UInt8]?
  /// That is not when it was made.
  var isUndated = false
  /// An item as it was at the token.
  var witness: Witness?
  /// Of the state, that it was fresh.
  var isFresh = false
  /// When all tags were last compared; nil: they are to be.
  var comparedAt: Instant?
  /// When what was of no use was last to be read again; nil: it is to be.
  var rereadAt: Instant?
  /// The last report of changes had no answer, and all tags were compared instead.
  var isSilent = false
  /// What the last whole listing said, as one number, where the calendar's tag tells of changes.
  var listed: Int64?
  /// When the tag moved under which that listing may be late: it is to be made once more.
  var lateSince: Instant?
  /// Pages read of a listing that has more; 0: it was whole.
  var page = 0
  /// The pages are of everything, and not of changes.
  var isListing = false

  /// All tags are to be compared.
  var isUncompared: Bool { comparedAt == nil }

  package init(
    state: CalendarState, identity: [UInt8]?, creation: [UInt8]? = nil, comparedAt: Instant?
  ) {
    self.identity = identity
    self.creation = creation
    token = state.token
    tag = state.tag
    isFresh = state.isFresh
    self.comparedAt = comparedAt
  }

  /// Nil for what another release or another storage wrote: everything is listed then.
  package init?(_ cursor: Cursor) {
    let fields = FieldCoding.decode(cursor.bytes)
    func number(_ name: String) -> Int64? {
      fields[name].flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
    }
    /// What never was stands as 0.
    func moment(_ name: String) -> Instant? {
      number(name).flatMap { $0 == 0 ? nil : Instant(milliseconds: $0) }
    }
    guard fields["caldav"] == [UInt8(ascii: "1")], number("compared") != nil,
      let page = number("page"), (0...Int64(Int32.max)).contains(page)
    else { return nil }
    token = fields["token"]
    tag = fields["ctag"]
    isFresh = fields["fresh"] != nil
    isSilent = fields["silent"] != nil
    listed = number("listed")
    lateSince = moment("late")
    identity = fields["id"]
    creation = fields["created"]
    isUndated = fields["undated"] != nil
    if let spelling = fields["witness"], let key = fields["witness-key"],
      let tag = EntityTag(received: fields["witness-tag"])
    {
      witness = Witness(href: Href(spelling: spelling, key: key), tag: tag)
    }
    comparedAt = moment("compared")
    rereadAt = moment("reread")
    self.page = Int(page)
    isListing = fields["listing"] != nil
  }

  package var cursor: Cursor {
    let never = Instant(milliseconds: 0)
    func written(_ time: Instant) -> [UInt8] { Array("\(time.milliseconds)".utf8) }
    return Cursor(
      bytes: FieldCoding.encode([
        ("caldav", [UInt8(ascii: "1")]), ("compared", written(comparedAt ?? never)),
        ("reread", written(rereadAt ?? never)), ("page", Array("\(page)".utf8)),
        ("listing", isListing ? [UInt8(ascii: "1")] : nil),
        ("id", identity), ("created", creation), ("token", token), ("ctag", tag),
        ("fresh", isFresh ? [UInt8(ascii: "1")] : nil),
        ("silent", isSilent ? [UInt8(ascii: "1")] : nil),
        ("listed", listed.map { Array("\($0)".utf8) }),
        ("late", lateSince.map(written)),
        ("undated", isUndated ? [UInt8(ascii: "1")] : nil),
        ("witness", witness?.href.spelling), ("witness-key", witness?.href.key),
        ("witness-tag", witness?.tag.bytes),
      ]))
  }

  /// The server says that nothing changed since, and nothing can have changed unseen.
  func isUnchanged(in state: CalendarState, bySync: Bool) -> Bool {
    !isFresh && lateSince == nil && isSame(in: state, bySync: bySync)
  }

  /// What the server says is what it said.
  func isSame(in state: CalendarState, bySync: Bool) -> Bool {
    guard page == 0 else { return false }
    let sameTag = tag == nil || state.tag == nil ? nil : tag == state.tag
    let sameToken = token == nil || state.token == nil ? nil : token == state.token
    // A token decides, and where none is shown the CTag; one that moved outvotes the token.
    return bySync
      ? (sameToken ?? sameTag) == true && sameTag != false : (sameTag ?? sameToken) == true
  }
}
