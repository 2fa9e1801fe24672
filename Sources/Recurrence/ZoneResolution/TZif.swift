import ICalendar

/// Reads a zone from the bytes of a TZif file (RFC 8536 and 9636, versions 1 to 4).
public enum TZif {
  /// Why the bytes are no zone.
  public enum Failure: Error, Sendable, Hashable {
    case notTZif
    /// A count or index points outside of the bytes, or times are out of order.
    case damaged
    /// The POSIX footer cannot be read.
    case badFooter
  }

  /// No zone of tzdata has more than 300 changes in its table; a file with more is none of it.
  public static let changeLimit = 20_000

  /// Reads a zone. Leap seconds are not looked at: iCalendar has none.
  public static func zone(name: String, bytes: [UInt8]) throws(Failure) -> Zone {
    var reader = TZifReader(bytes: bytes)
    let header = try reader.header()
    guard header.version >= 2 else { return try reader.zone(header, name: name, width: 4) }
    // The first block is for old readers; the second has 64-bit times.
    try reader.skip(header.size(width: 4))
    return try reader.zone(try reader.header(), name: name, width: 8)
  }
}

private struct TZifReader {
  let bytes: [UInt8]
  private var index = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  struct Header {
    var version: Int
    var utcFlags: Int
    var standardFlags: Int
    var leaps: Int
    var times: Int
    var types: Int
    var characters: Int

    func size(width: Int) -> Int {
      times * (width + 1) + types * 6 + characters + leaps * (width + 4) + standardFlags + utcFlags
    }
  }

  mutating func skip(_ count: Int) throws(TZif.Failure) {
    guard count >= 0, bytes.count - index >= count else { throw .damaged }
    index += count
  }

  private mutating func take(_ count: Int) throws(TZif.Failure) -> ArraySlice<UInt8> {
    let start = index
    try skip(count)
    return bytes[start..<index]
  }

  private mutating func integer(_ width: Int) throws(TZif.Failure) -> Int {
    let taken = try take(width)
    let unsigned = taken.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return width == 8
      ? Int(Int64(bitPattern: unsigned)) : Int(Int32(truncatingIfNeeded: unsigned))
  }

  mutating func header() throws(TZif.Failure) -> Header {
    guard bytes.count - index >= 44, bytes[index..<(index + 4)].elementsEqual("TZif".utf8) else {
      throw .notTZif
    }
    let version = bytes[index + 4]
    try skip(20)
    var counts: [Int] = []
    for _ in 0..<6 { counts.append(try integer(4)) }
    // Counts are held to what the bytes can have, so sizes cannot overflow.
    guard counts.allSatisfy({ (0...bytes.count).contains($0) }),
      counts[3] <= TZif.changeLimit, counts[4] > 0
    else { throw .damaged }
    return Header(
      version: version >= 0x32 ? 2 : 1, utcFlags: counts[0], standardFlags: counts[1],
      leaps: counts[2], times: counts[3], types: counts[4], characters: counts[5])
  }

  private struct LocalType {
    var offset: Int
    var designation: Zone.Designation
  }

  mutating func zone(
    _ header: Header, name: String, width: Int
  ) throws(TZif.Failure) -> Zone {
    var instants: [Int] = []
    for _ in 0..<header.times { instants.append(try integer(width)) }
    let places = try take(header.times)
    let types = try localTypes(header)
    try skip(header.leaps * (width + 4) + header.standardFlags + header.utcFlags)
    guard let first = types.first else { throw .damaged }
    var changes: [ZoneChange] = []
    for (instant, place) in zip(instants, places) {
      guard Int(place) < types.count else { throw .damaged }
      // What is after year 9999 cannot be asked for.
      guard instant <= CivilDateTime.lastSecond else { break }
      // The first entry may stand for the Big Bang; before year 0 there is nothing to look up.
      let held = max(instant, CivilDateTime.firstSecond)
      if let last = changes.last, held <= last.instant {
        guard held == CivilDateTime.firstSecond else { throw .damaged }
        changes.removeLast()
      }
      let type = types[Int(place)]
      // A last entry that changes nothing marks the end of 32-bit time.
      let before =
        changes.last.map { ($0.offset, $0.designation) } ?? (first.offset, first.designation)
      guard type.offset != before.0 || type.designation != before.1 else { continue }
      changes.append(
        ZoneChange(instant: held, offset: type.offset, designation: type.designation))
    }
    return Zone(
      name: name, firstOffset: first.offset, firstDesignation: first.designation,
      changes: changes, tail: try width == 8 ? footer() : .none)
  }

  private mutating func localTypes(_ header: Header) throws(TZif.Failure) -> [LocalType] {
    var records: [(offset: Int, isDaylight: Bool, name: Int)] = []
    for _ in 0..<header.types {
      let offset = try integer(4)
      let flags = try take(2)
      guard abs(offset) <= UTCOffset.limit else { throw .damaged }
      records.append((offset, flags[flags.startIndex] != 0, Int(flags[flags.startIndex + 1])))
    }
    let characters = Array(try take(header.characters))
    return records.map { record in
      let text = characters.dropFirst(record.name).prefix { $0 != 0 }
      return LocalType(
        offset: record.offset,
        designation: .init(
          abbreviation: String(decoding: text, as: UTF8.self), isDaylight: record.isDaylight))
    }
  }

  private mutating func footer() throws(TZif.Failure) -> ZoneTail {
    let rest = bytes[index...]
    guard rest.first == 0x0A, let end = rest.dropFirst().firstIndex(of: 0x0A) else {
      throw .badFooter
    }
    let text = Array(rest[(rest.startIndex + 1)..<end])
    guard !text.isEmpty else { return .none }
    guard let tail = PosixRule.tail(text) else { throw .badFooter }
    return tail
  }
}
