/// The place that holds a side's collections: the root of a vdir, or an account's home sets.
public protocol CollectionHost: Sendable {
  /// Every collection there is, sorted by name.
  func listCollections() async throws(StorageError) -> [CollectionDescription]
  /// Makes a new, empty collection.
  func createCollection(_ proposal: CollectionProposal) async throws(StorageError)
    -> CollectionDescription
  /// Sets values, an empty one removes what is there, and gives the collection as it then is: a
  /// side may make something else of a value, or leave it. A value that is no longer the one of
  /// `collection` is left alone where the side can tell.
  func setMetadata(
    _ values: [MetadataKey: String], of collection: CollectionDescription
  ) async throws(StorageError) -> MetadataOutcome
  /// Opens one that `listCollections` or `createCollection` gave.
  func open(_ collection: CollectionDescription) async throws(StorageError) -> any Storage
}

/// A collection as its side describes it.
public struct CollectionDescription: Sendable, Hashable {
  /// How to address it: a folder's name, or a path on the server.
  public var href: Href
  /// The last part of its address: a folder's name, or the remote id.
  public var name: String
  public var displayName: String?
  /// `#RRGGBB` in lower case.
  public var color: String?
  /// What it is for, in words (RFC 4791 §5.2.1).
  public var calendarDescription: String?
  /// A whole number.
  public var order: String?
  /// What stands in the place of a value and is none: why, and what to do, in words.
  public var oddValues: [MetadataKey: String] = [:]
  /// The component kinds it takes, as `VEVENT`; nil: any.
  public var components: Set<String>?
  public var isReadOnly: Bool
  /// What makes it the same collection as last time: real path, device and inode of a folder, or
  /// the address on the server.
  public var identity: String
  /// What the server said of its state when it was listed; equal to a stored one, nothing changed.
  public var advertisedState: [UInt8]?

  public init(
    href: Href, name: String, displayName: String? = nil, color: String? = nil,
    calendarDescription: String? = nil, order: String? = nil, components: Set<String>? = nil,
    isReadOnly: Bool = false, identity: String,
    advertisedState: [UInt8]? = nil
  ) {
    self.href = href
    self.name = name
    self.displayName = displayName
    self.color = color
    self.calendarDescription = calendarDescription
    self.order = order
    self.components = components
    self.isReadOnly = isReadOnly
    self.identity = identity
    self.advertisedState = advertisedState
  }
}

/// What a new collection shall be.
public struct CollectionProposal: Sendable, Hashable {
  /// A single safe path component.
  public var name: String
  public var displayName: String?
  public var color: String?
  /// The component kinds to ask for; nil leaves the choice to the side.
  public var components: Set<String>?
  /// Of these are the items that are to go into it; empty where nobody knows.
  public var kinds: Set<String> = []

  public init(
    name: String, displayName: String? = nil, color: String? = nil, components: Set<String>? = nil
  ) {
    self.name = name
    self.displayName = displayName
    self.color = color
    self.components = components
  }
}
