package import SyncModel
package import WebDAV

/// A calendar collection as a server described it.
package struct RemoteCalendar: Sendable {
  let url: WebURL
  private(set) var properties: DAVProperties
  /// The origin whose paths are given without a host.
  let home: String
  /// The server's clock as it said so, in milliseconds since 1970; nil where it did not tell.
  let date: Int64?
  /// When it was asked for that description: what came to be there later is not in it.
  let describedAt: Instant
  /// Its name, colour and the like could not be read, so nobody knows whether it has any.
  var lacksTexts = false

  package init(
    url: WebURL, properties: DAVProperties, home: String, at describedAt: Instant,
    date: Int64? = nil
  ) {
    self.url = url
    self.properties = properties
    self.home = home
    self.describedAt = describedAt
    self.date = date
  }

  /// A path on the account's own server; an absolute URL elsewhere.
  var href: Href { RemoteCalendar.href(url, home: home) }

  static func href(_ url: WebURL, home: String) -> Href {
    if url.origin == home { return Href(spelling: url.target, key: url.pathKey) }
    let origin = Array(url.origin.utf8)
    return Href(spelling: origin + url.target, key: origin + url.pathKey)
  }

  /// Adds what was asked for by itself.
  mutating func add(texts: DAVProperties) { properties.merge(texts) }

  var description: CollectionDescription {
    var description = CollectionDescription(
      href: href, name: url.lastName, displayName: displayName,
      color: properties.color.flatMap { normalColor(String(decoding: $0, as: UTF8.self)) },
      calendarDescription: calendarDescription, order: order, components: components,
      isReadOnly: isReadOnly, identity: url.asCollection.identity,
      advertisedState: state.encoded)
    if lacksTexts {
      for key in MetadataKey.allCases { description.oddValues[key] = Self.textsAreUnread }
    }
    for key in MetadataKey.allCases where properties.tooLong.contains(key.property) {
      description.oddValues[key] = Self.textIsTooLong
    }
    return description
  }

  /// What the server says of the collection's state (RFC 6578 §4; CTag).
  var state: CalendarState {
    CalendarState(token: properties.syncToken, tag: properties.calendarTag)
  }

  /// The server has the report (RFC 6578 §3), or does not say and has a token.
  var listsDeltas: Bool {
    guard let reports = properties.reports, !reports.isEmpty else {
      return properties.syncToken != nil
    }
    return reports.contains("sync-collection")
  }

  /// Unknown is taken for yes: a failing multiget has a way around.
  var hasMultiget: Bool {
    guard let reports = properties.reports, !reports.isEmpty else { return true }
    return reports.contains("calendar-multiget")
  }

  var components: Set<String>? {
    guard let kinds = properties.components, !kinds.isEmpty else { return nil }
    return kinds
  }

  /// Privileges that are missing or empty say nothing; a refused write will.
  private var isReadOnly: Bool {
    guard let privileges = properties.privileges, !privileges.isEmpty else { return false }
    return privileges.isDisjoint(with: ["all", "write", "write-content", "bind", "unbind"])
  }

  /// Radicale gives the path of a calendar that has no name, as `alice/work`: that is none.
  private var displayName: String? {
    guard let shown = properties.displayName.flatMap(KeptText.line) else { return nil }
    let parts = shown.split(separator: "/", omittingEmptySubsequences: false)
    let isPath =
      parts.count > 1
      && url.path.split(separator: UInt8(ascii: "/")).suffix(parts.count)
        .map { String(decoding: PercentCoding.decoded(Array($0)), as: UTF8.self) }
        == parts.map(String.init)
    return isPath ? nil : shown
  }

  private var order: String? {
    properties.order.flatMap { Int(String(decoding: $0, as: UTF8.self)) }.map(String.init)
  }

  private var calendarDescription: String? {
    properties.calendarDescription.flatMap(KeptText.lines)
  }
}
