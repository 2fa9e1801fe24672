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
  /// As a message has it.
  public var address: String
  /// Why nobody could, and what a person can do about it.
  public var trouble: StorageError
  /// The server that it is on, as `TrustedHosts` has it, where nobody has vouched for that one; nil
  /// for any other.
  public var foreignHost: String?

  public init(_ address: String, _ trouble: StorageError) {
    self.address = withoutQuery(address)
    self.trouble = trouble
  }

  /// It stays so until a person does something about it: asks for a permission, or vouches for the
  /// server that it is on.
  public var isForbidden: Bool { trouble.kind == .denied }

  /// Its server asks to be asked later: a run that goes without it is not done.
  public var isPutOff: Bool { if case .tryLater = trouble.kind { true } else { false } }

  /// The place and what became of it, in words.
  public var words: String {
    let (message, why) = (trouble.message, trouble.why)
    if why.isEmpty { return "\(address): \(message)" }
    // A message that names the place says nothing more.
    return message.contains(address) ? "\(address): \(why)" : "\(address): \(message): \(why)"
  }
}

extension UnseenPlace {
  /// A calendar at an address that cannot be used.
  static func unusable(_ href: [UInt8], at home: WebURL) -> UnseenPlace {
    let shown = String(decoding: href, as: UTF8.self)
    return UnseenPlace(
      home.shown,
      StorageError(
        .protocolBroken, "it names a calendar by an address that cannot be used, '\(shown)'",
        hint: "tell the server's operator, or give the calendar another name there"))
  }

  /// A calendar on another server, to which nothing is sent that anybody could listen to.
  static func overheard(_ address: WebURL) -> UnseenPlace {
    UnseenPlace(
      address.shown,
      StorageError(
        overheard: address, "it is on another server, \(address.origin), which is not asked"))
  }

  /// A member of a listing that has no part in its success; nil where it is gone, or shown.
  init?(_ address: WebURL, of response: DAVResponse) {
    guard let status = response.unseenStatus else { return nil }
    var trouble = StorageError(status: status, of: address, doing: "looking for calendars")
    // The server itself named the address, so nobody has mistyped it.
    if trouble.kind != .denied {
      trouble.hint = "try again later; the server's own log says what went wrong"
    }
    self.init(address.shown, trouble)
  }
}

extension StorageError {
  /// The account's server named a place on another one by an address of plain http.
  init(overheard address: WebURL, _ message: String) {
    self.init(
      .denied, message, why: "its address begins with http:, and anybody could listen",
      hint: "tell the server's operator; if the network is safe, add allow_http = true and"
        + " trusted_hosts = [\"\(address.trustedName)\"] to the account")
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
  /// Servers of calendars that are left out since they are on another one.
  var foreign: [WebURL] = []
  /// These calendars.
  var elsewhere: [ForeignCalendar] = []

  mutating func add(_ other: HomeListing) {
    calendars += other.calendars
    unseen += other.unseen
    elsewhere += other.elsewhere
    for address in other.foreign { Discovery.note(address, in: &foreign) }
  }
}
