public import SyncModel
import WebDAV

/// A version that a sync replaced or removed, as `log` shows it.
public struct KeptVersion: Sendable, Hashable {
  /// What `restore` takes: unique over all pairs.
  public var id: String
  public var pair: String
  public var collection: String
  public var entry: HistoryEntry
  /// The texts, where they were asked for; nil where there is none.
  public var before: ItemData?
  public var after: ItemData?
  /// There was a text before that was asked for, and its bytes in the journal were damaged.
  public internal(set) var isBeforeLost = false
  /// So with the text after.
  public internal(set) var isAfterLost = false
  /// What it was called, before or else after; nil where nobody asked, or where no text says so.
  public var title: String?

  public init(
    id: String, pair: String, collection: String, entry: HistoryEntry, before: ItemData? = nil,
    after: ItemData? = nil
  ) {
    self.id = id
    self.pair = pair
    self.collection = collection
    self.entry = entry
    self.before = before
    self.after = after
  }

  /// The machine-readable form: one line. The texts' bytes that are not UTF-8 become U+FFFD; of a
  /// text that has some all bytes stand beside it, and beside the null of one that is lost that it
  /// was there.
  public func json(withContent: Bool) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init(name: "id", value: .string(id)),
      .init(name: "time", value: .string(timestamp(entry.time))),
      .init(name: "pair", value: .string(pair)),
      .init(name: "collection", value: .string(collection)),
      .init(name: "uid", value: .string(entry.uid.text)),
      .init(name: "side", value: .string(entry.side.rawValue)),
      .init(name: "action", value: .string(entry.action.rawValue)),
      .init(name: "reason", value: .string(entry.reason)),
    ]
    if withContent {
      members += textMembers("before", before, isLost: isBeforeLost)
      members += textMembers("after", after, isLost: isAfterLost)
    }
    return .object(members)
  }

  private func textMembers(
    _ name: String, _ data: ItemData?, isLost: Bool
  ) -> [JSONValue.Member] {
    guard let data else {
      let lost = JSONValue.Member(name: "\(name)Lost", value: .boolean(true))
      return [.init(name: name, value: .null)] + (isLost ? [lost] : [])
    }
    if let text = String(validating: data.bytes, as: UTF8.self) {
      return [.init(name: name, value: .string(text))]
    }
    let text = String(decoding: data.bytes, as: UTF8.self)
    return [
      .init(name: name, value: .string(text)),
      .init(
        name: "\(name)Base64", value: .string(String(decoding: base64(data.bytes), as: UTF8.self))),
    ]
  }
}

/// RFC 3339 in UTC with milliseconds: `2026-01-05T08:00:00.000Z`.
public func timestamp(_ instant: Instant) -> String {
  let (days, inDay) = floorDivide(instant.milliseconds, by: 86_400_000)
  let date = civilDate(daysSince1970: days)
  func digits(_ number: Int64, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
  let time = [inDay / 3_600_000, inDay / 60_000 % 60, inDay / 1000 % 60].map { digits($0, 2) }
  return "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))"
    + "T\(time.joined(separator: ":")).\(digits(inDay % 1000, 3))Z"
}

private func floorDivide(_ number: Int64, by divisor: Int64) -> (Int64, Int64) {
  let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
  return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
}

/// The proleptic Gregorian date of a day, by eras of 400 years that begin on 1 March.
private func civilDate(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
  let (era, dayOfEra) = floorDivide(days + 719_468, by: 146_097)
  let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let shifted = (5 * dayOfYear + 2) / 153
  let month = shifted < 10 ? shifted + 3 : shifted - 9
  return (
    yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1
  )
}
