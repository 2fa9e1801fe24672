public import ICalendar

/// Finds the zone that a TZID means in an object (RFC 5545 §3.2.19).
public struct ZoneResolver: Sendable {
  public let catalog: ZoneCatalog
  /// The object's own VTIMEZONEs; of two of one name the first counts.
  public let definitions: [TimeZoneDefinition]
  /// Those of a whole text, for names that the object does not define; the array is shared.
  private let others: [TimeZoneDefinition]

  public init(
    catalog: ZoneCatalog, definitions: [TimeZoneDefinition] = [],
    others: [TimeZoneDefinition] = []
  ) {
    self.catalog = catalog
    self.definitions = definitions
    self.others = others
  }

  /// Where a zone was found.
  public enum Origin: String, Sendable, Hashable, CaseIterable {
    case tzdata
    case definition
    case windowsName = "windows-name"
    case prefixedName = "prefixed-name"
    case offsetName = "offset-name"
  }

  /// The zone of a name and where it was found; nil if the name means nothing here, and then times
  /// with it are floating, with a diagnostic.
  ///
  /// tzdata is asked first, since it knows the changes of the last years; then the object's own
  /// VTIMEZONE; then the names of Windows, names with a prefix such as
  /// `/freeassociation.sourceforge.net/Europe/Vienna`, and names that are an offset.
  public func zone(named name: TimeZoneName) -> (zone: Zone, origin: Origin)? {
    let text = name.text
    if let zone = catalog.zone(named: text) { return (zone, .tzdata) }
    let own = definitions.first { $0.name == name } ?? others.first { $0.name == name }
    if let zone = own?.zone() {
      return (zone, .definition)
    }
    if let zone = WindowsZones.name(of: text).flatMap(catalog.zone(named:)) {
      return (zone, .windowsName)
    }
    if let zone = prefixed(text) { return (zone, .prefixedName) }
    return Self.offset(text).map { (Zone(name: text, offset: $0), .offsetName) }
  }

  /// The names of Windows that are known, in lower case.
  public static var windowsNames: [String] { WindowsZones.names.keys.sorted() }

  /// `/vendor/…/Europe/Vienna`: the longest end that is a name of tzdata, which has up to three
  /// parts. RFC 5545 §3.2.19 has a slash start what is unique in the world.
  private func prefixed(_ text: String) -> Zone? {
    if text.lowercased() == "tzone://microsoft/utc" { return .utc }
    guard text.hasPrefix("/") else { return nil }
    let parts = text.split(separator: "/").suffix(4).dropFirst()
    return parts.indices.lazy
      .compactMap { catalog.zone(named: parts[$0...].joined(separator: "/")) }.first
  }

  /// `GMT+0100`, `UTC-05:30`, `+02`: east of Greenwich is positive, unlike in `Etc/GMT-1`.
  private static func offset(_ text: String) -> UTCOffset? {
    var rest = text.uppercased()[...]
    for prefix in ["GMT", "UTC"] where rest.hasPrefix(prefix) { rest = rest.dropFirst(3) }
    guard let sign = rest.first, sign == "+" || sign == "-" else { return nil }
    let digits = rest.dropFirst().filter { $0 != ":" }
    guard digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    let padded = digits.count % 2 == 1 ? "0" + digits : String(digits)
    guard padded.count == 2 || padded.count == 4, let number = Int(padded) else { return nil }
    let hours = padded.count == 2 ? number : number / 100
    let minutes = padded.count == 2 ? 0 : number % 100
    guard hours <= 14, minutes <= 59 else { return nil }
    return UTCOffset(seconds: (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60))
  }
}
