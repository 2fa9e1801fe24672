public import SyncModel
import WebDAV

/// What a server says that a calendar can do.
public struct CalendarAbilities: Sendable, Hashable {
  /// It lists what changed since a token (RFC 6578).
  public var listsDeltas: Bool
  /// It has a tag of all its content (CTag).
  public var hasContentTag: Bool
  /// It gives many items in one answer (RFC 4791 §7.9).
  public var hasMultiget: Bool
  /// The largest item it takes, in bytes; nil: it does not say.
  public var largestItem: Int?
}

extension CalDAVAccount {
  /// What a calendar can do; one that was not listed before is looked at first.
  public func abilities(
    of collection: CollectionDescription
  ) async throws(StorageError) -> CalendarAbilities {
    let calendar: RemoteCalendar
    if let known = listed(collection.href) {
      calendar = known
    } else {
      calendar = try await look(at: try resolve(collection.href))
    }
    return CalendarAbilities(
      listsDeltas: calendar.listsDeltas, hasContentTag: calendar.state.tag != nil,
      hasMultiget: calendar.hasMultiget, largestItem: calendar.properties.maxResourceSize)
  }
}
