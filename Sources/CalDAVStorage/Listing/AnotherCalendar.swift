import SyncModel
import WebDAV

/// An item as it was at a cursor's token. Where a report of what changed since does not name it, it
/// is as it was, or the token is not of this calendar.
struct Witness: Sendable, Hashable {
  var href: Href
  /// Strong.
  var tag: EntityTag

  init(href: Href, tag: EntityTag) {
    self.href = href
    self.tag = tag
  }

  /// Nil where the listing does not say which version is there.
  init?(_ item: ListedItem) {
    guard item.problem == nil, let tag = item.tag, tag.isStrong, tag != Members.unasked else {
      return nil
    }
    self.init(href: item.href, tag: tag)
  }
}

extension SyncCursor {
  /// Takes another witness where a page names the present one, or there is none yet.
  mutating func keepWitness(of page: ChangePage) {
    if let href = witness?.href, page.names(href) { witness = nil }
    witness = witness ?? page.present.lazy.compactMap { Witness($0) }.first
  }
}

extension ChangePage {
  fileprivate func names(_ href: Href) -> Bool {
    gone.contains(href) || present.contains { $0.href == href }
  }
}

/// Calendars that were deleted and made anew at their address, on servers that take a token of the
/// former one: a report names some items of the new one, and of the former ones none is gone.
extension CalDAVStorage {
  func isMadeAnew(since known: SyncCursor, _ advertised: CalendarState?) -> Bool {
    if let before = known.identity, let identity { return before != identity }
    return known.page == 0 && advertised?.isBehind(known) ?? false
  }

  /// Whether a token that the server has gone on from may be one of a calendar that was at this
  /// address before: the calendar has another date than it had; or the token is a number, and no
  /// date says that this is still the same calendar.
  func mayBeOfAnother(_ known: SyncCursor, _ advertised: CalendarState?) -> Bool {
    guard identity == nil, let advertised, advertised.encoded != nil,
      !known.isSame(in: advertised, bySync: true)
    else { return false }
    if let before = known.creation, let creation, !known.isUndated { return before != creation }
    return CalendarState(token: known.token, tag: nil).hasBareNumber
  }

  /// Whether the server's date is not that of the calendar's making: some give the time of the last
  /// change, or the present one. It moved, and the witness is there as it was. A date that a number
  /// comes with is believed all the same, since only that tells two calendars apart there.
  func isUndated(_ page: ChangePage, since known: SyncCursor?) -> Bool {
    guard let known else { return false }
    if known.isUndated { return true }
    guard let witness = known.witness, let before = known.creation, let creation,
      before != creation, !CalendarState(token: known.token, tag: nil).hasBareNumber
    else { return false }
    return page.present.contains { $0.href == witness.href && $0.tag == witness.tag }
  }

  /// Whether a report of changes is about another calendar than its token: nothing but the token
  /// tells them apart, and that counts the changes of one calendar (sabre/dav: Baikal, Davis,
  /// Nextcloud), so that the report names the last items of the new one alone. One look at the
  /// witness decides, since all tags at each change would be megabytes. A look that fails says
  /// nothing.
  func isOfAnother(
    _ known: SyncCursor, _ advertised: CalendarState?, _ members: Members, _ newToken: [UInt8]
  ) async -> Bool {
    guard identity == nil, creation == nil || known.isUndated, advertised != nil,
      !known.isListing, known.page == 0, newToken != known.token,
      CalendarState(token: known.token, tag: nil).endsInCount, let witness = known.witness,
      !members.gone.contains(witness.href),
      !members.present.contains(where: { $0.href == witness.href }),
      let address = address(witness.href), let listed = await listed([address])
    else { return false }
    if let seen = listed.first(where: { $0.href == witness.href }) {
      guard let tag = seen.tag, tag.isStrong else { return false }
      return !tag.isSpelling(of: witness.tag)
    }
    // Some servers leave out of a multiget what is there.
    if case .absent = await get(address) { return true }
    return false
  }
}
