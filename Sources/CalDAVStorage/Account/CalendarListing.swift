public import SyncModel
import WebDAV

/// The calendars of an account, as far as its servers show them.
public struct CalendarListing: Sendable, Hashable {
  /// Sorted by name.
  public var calendars: [CollectionDescription]
  /// Where there may be more: nothing that is not listed is gone for sure, or was never there.
  public var unseen: [UnseenPlace]

  public init(calendars: [CollectionDescription], unseen: [UnseenPlace] = []) {
    self.calendars = calendars
    self.unseen = unseen
  }
}

/// A place of an account that nobody could look into, although the server does not say that it is
/// gone.
public struct UnseenPlace: Sendable, Hashable {
  public var address: String
  /// What the server said, in words.
  public var reason: String
  /// It is not let see: without a person that stays so.
  public var isForbidden: Bool

  public init(address: String, reason: String, isForbidden: Bool) {
    self.address = address
    self.reason = reason
    self.isForbidden = isForbidden
  }

  /// The place and what became of it, in words.
  public var words: String { "\(address): \(reason)" }
}

extension UnseenPlace {
  init(_ address: String, _ error: StorageError) {
    self.init(
      address: address, reason: error.why.isEmpty ? error.message : error.why,
      isForbidden: error.kind == .denied)
  }

  /// A member of a listing that has no part in its success; nil where it is gone, or shown.
  init?(_ address: WebURL, of response: DAVResponse) {
    guard let status = response.unseenStatus else { return nil }
    self.init(
      address: address.text, reason: "the server answered \(status)", isForbidden: status == 403)
  }
}

extension DAVResponse {
  /// The status for which nobody knows what it is; nil where that is known, or it is gone.
  var unseenStatus: Int? {
    if let status { return isSuccess || isGone ? nil : status }
    guard properties.resourceType == nil, let failedStatus else { return nil }
    return DAVResponse.gone.contains(failedStatus) ? nil : failedStatus
  }
}

/// What a home set has.
struct HomeListing {
  var calendars: [RemoteCalendar] = []
  var unseen: [UnseenPlace] = []
  /// Calendars that are left out since they are on another server.
  var foreign: [WebURL] = []

  mutating func add(_ other: HomeListing) {
    calendars += other.calendars
    unseen += other.unseen
    for address in other.foreign { Discovery.note(address, in: &foreign) }
  }
}
