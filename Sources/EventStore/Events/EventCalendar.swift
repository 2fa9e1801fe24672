public import SyncModel

/// A calendar of a store, as its events carry it.
public struct EventCalendar: Sendable, Hashable, Codable, Identifiable {
  /// Tells the calendars of one store apart: a folder's name, or an address. Chosen by who opens
  /// the store, and kept the same from run to run, since identifiers of events begin with it.
  public var id: String
  /// For people.
  public var name: String
  /// `#RRGGBB`; nil for none.
  public var color: String?

  public init(id: String, name: String, color: String? = nil) {
    self.id = id
    self.name = name
    self.color = color
  }

  /// A calendar as its side describes it: the collection's name is the id.
  public init(_ collection: CollectionDescription) {
    self.init(
      id: collection.name, name: collection.displayName ?? collection.name,
      color: collection.color.flatMap(opaqueColor))
  }
}

/// A calendar and the storage that holds its items: a vdir's folder, a calendar of a server, or any
/// other `Storage`.
public struct CalendarSource: Sendable {
  public var calendar: EventCalendar
  public var storage: any Storage

  public init(_ calendar: EventCalendar, storage: any Storage) {
    self.calendar = calendar
    self.storage = storage
  }
}
