/// A value of type PERIOD (RFC 5545 §3.3.9): a start with an end or a duration.
public struct Period: Sendable, Hashable {
  /// How a period says where it ends.
  public enum Extent: Sendable, Hashable {
    case end(DateTime)
    case duration(CivilDuration)
  }

  public let start: DateTime
  public let extent: Extent

  public init(start: DateTime, extent: Extent) {
    self.start = start
    self.extent = extent
  }

  /// Reads a value as it stands in a line: `19970101T180000Z/19970102T070000Z` or `…/PT5H30M`.
  public static func read(
    _ value: some Collection<UInt8>, zone: TimeZoneName? = nil, notes: inout [ValueNote]
  ) throws(ValueError) -> Period {
    let parts = Array(value).split(separator: 0x2F, omittingEmptySubsequences: false)
    guard parts.count == 2, let second = parts.last else { throw .notPeriod }
    let start = try DateTime.read(parts[0], isDate: false, zone: zone, notes: &notes)
    let isDuration = second.contains { $0.uppercased == 0x50 }
    let extent: Extent =
      isDuration
      ? .duration(try CivilDuration.read(second, notes: &notes))
      : .end(try DateTime.read(second, isDate: false, zone: zone, notes: &notes))
    return Period(start: start, extent: extent)
  }
}
