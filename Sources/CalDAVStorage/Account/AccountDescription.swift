public import SyncModel

/// Where an account's calendars are: remembered, it makes the next runs one request.
public enum AccountLocation: Sendable, Hashable {
  /// The URL is itself a calendar, and the only one.
  case calendar(String)
  /// The collections that hold the calendars.
  case homeSets([String])

  /// Of the calendar, or of the home sets.
  var addresses: [String] {
    switch self {
    case .calendar(let address): [address]
    case .homeSets(let addresses): addresses
    }
  }

  /// It is in several home sets, of which one may be gone without the others.
  var isSplit: Bool { if case .homeSets(let homes) = self { homes.count > 1 } else { false } }

  /// As a line of text, to be kept.
  public var encoded: String {
    switch self {
    case .calendar(let url): "calendar \(url)"
    case .homeSets(let urls): (["homes"] + urls).joined(separator: " ")
    }
  }

  /// Reads what `encoded` gave; nil for anything else.
  public init?(encoded: String) {
    let words = encoded.split(separator: " ").map(String.init)
    guard words.count > 1 else { return nil }
    switch words[0] {
    case "calendar": self = .calendar(words[1])
    case "homes": self = .homeSets(Array(words.dropFirst()))
    default: return nil
    }
  }
}

/// What discovery found.
public struct AccountDescription: Sendable, Hashable {
  /// The user's own resource; nil on servers without principals.
  public var principal: String?
  /// To be remembered.
  public var location: AccountLocation
  /// Sorted by name.
  public var calendars: [CollectionDescription]
  /// Where there may be more.
  public var unseen: [UnseenPlace]
  /// Servers beside the configured one that the account lives on, learned over https. The
  /// credentials go there too, so a person should see them.
  public var otherOrigins: [String]

  public init(
    principal: String?, location: AccountLocation, calendars: [CollectionDescription],
    unseen: [UnseenPlace] = [], otherOrigins: [String]
  ) {
    self.principal = principal
    self.location = location
    self.calendars = calendars
    self.unseen = unseen
    self.otherOrigins = otherOrigins
  }

  var listing: CalendarListing { CalendarListing(calendars: calendars, unseen: unseen) }
}
