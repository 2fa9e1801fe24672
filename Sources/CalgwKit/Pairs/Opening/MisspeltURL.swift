import CalDAVStorage
import SyncModel
import WebDAV

/// Whether the account's URL was meant for another place, and is misspelt.
extension AccountConnection {
  /// What is to be said of the account's URL where it is more than its server's root and none of
  /// the calendars is below it; nil where there are none.
  func urlBeside(_ calendars: [CollectionDescription]) -> String? {
    guard !calendars.isEmpty, let url = try? WebURL(absolute: configuration.url) else { return nil }
    let place = url.asCollection.identity
    // A root leads to whatever there is, on other hosts, too (iCloud).
    guard url.path != [UInt8(ascii: "/")], !url.text.contains("/.well-known/") else { return nil }
    return calendars.contains { $0.identity.hasPrefix(place) }
      ? nil : "\(url.shown) itself is no calendar and has none below it"
  }

  /// The same where that leads nowhere itself, so that the calendars are those that the server's
  /// root names: not a principal, nor a home whose calendars are elsewhere.
  func urlInVain(_ calendars: [CollectionDescription]) -> String? {
    account.found?.isGuessed ?? false ? urlBeside(calendars) : nil
  }
}
