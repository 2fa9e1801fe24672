public import SyncModel
import WebDAV

/// What a server says that a calendar can do, less what it was found not to do.
public struct CalendarAbilities: Sendable, Hashable {
  /// It lists what changed since a token (RFC 6578).
  public var listsDeltas: Bool
  /// It has a tag of all its content (CTag).
  public var hasContentTag: Bool
  /// It gives many items in one answer (RFC 4791 §7.9).
  public var hasMultiget: Bool
  /// The largest item it takes, in bytes; nil: it does not say.
  public var largestItem: Int?
  /// What the account may not do there although it may write (RFC 3744 §3); none where it may do
  /// all, or nothing, or the server does not say.
  public var forbidden: Set<Right>

  /// What may be done with the items of a calendar.
  public enum Right: Sendable, CaseIterable {
    case add, change, remove

    /// The privilege for it alone.
    fileprivate var privilege: String {
      switch self {
      case .add: "bind"
      case .change: "write-content"
      case .remove: "unbind"
      }
    }
  }
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
      listsDeltas: calendar.listsDeltas && !memory.lacks(.syncCollection),
      hasContentTag: calendar.state.tag != nil,
      hasMultiget: calendar.hasMultiget && !memory.lacks(.multiget),
      largestItem: calendar.properties.maxResourceSize, forbidden: calendar.forbidden)
  }
}

extension RemoteCalendar {
  /// What is missing where there is something; a calendar that is read-only is so as a whole.
  fileprivate var forbidden: Set<CalendarAbilities.Right> {
    let given = properties.privileges ?? []
    let rights = CalendarAbilities.Right.allCases
    guard given.isDisjoint(with: ["all", "write"]),
      rights.contains(where: { given.contains($0.privilege) })
    else { return [] }
    return Set(rights.filter { !given.contains($0.privilege) })
  }
}
