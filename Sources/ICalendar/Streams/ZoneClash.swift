/// A name of a time zone that the components of an item use with two meanings: they stand in
/// several VCALENDARs, each of which has definitions of its own (RFC 5545 §3.4, §3.6.5). No one
/// object can have both.
public struct ZoneClash: Sendable, Hashable {
  /// The TZID as it is written.
  public let name: [UInt8]
  /// The physical lines that the two VTIMEZONEs begin on, from 1.
  public let lines: [Int]

  package init(name: [UInt8], lines: [Int]) {
    self.name = name
    self.lines = lines
  }

  /// What is wrong, for people, without a full stop.
  public var message: String {
    let zone = String(decoding: name, as: UTF8.self)
    let places = lines.map(String.init).joined(separator: " and ")
    return "its parts need two time zones of the name \(zone) with unlike rules, in lines \(places)"
  }

  /// What to do about it, without a full stop.
  public static let mend =
    "give one of the two time zones another name, in its TZID and in the times that name it"
}

/// Gathers which VTIMEZONEs the components of an item use, and finds the names with two meanings.
struct ZoneUses {
  private var first: [[UInt8]: (line: Int, variant: Int)] = [:]
  private var told: Set<[UInt8]> = []
  /// In the order found, one of each name.
  private(set) var clashes: [ZoneClash] = []

  /// - Parameter variant: as `ZoneVariants` numbers it.
  mutating func add(_ name: [UInt8], line: Int, variant: Int) {
    guard let other = first[name] else {
      first[name] = (line, variant)
      return
    }
    guard other.variant != variant, told.insert(name).inserted else { return }
    clashes.append(ZoneClash(name: name, lines: [other.line, line]))
  }
}

/// Numbers the VTIMEZONEs of each name in a text: those of one number mean the same.
package struct ZoneVariants {
  private struct Known {
    let first: [UInt8]
    /// By canonical form. Most texts have the same bytes wherever they define a zone.
    var numbers: [[UInt8]: Int] = [:]
  }

  private var known: [[UInt8]: Known] = [:]

  package init() {}

  /// The number of a definition of a name; 0 is the first one's.
  package mutating func number(of zone: [UInt8], named name: [UInt8]) -> Int {
    guard var known = known[name] else {
      known[name] = Known(first: zone)
      return 0
    }
    if zone == known.first { return 0 }
    if known.numbers.isEmpty { known.numbers[form(known.first)] = 0 }
    let form = form(zone)
    let number = known.numbers[form] ?? known.numbers.count
    known.numbers[form] = number
    self.known[name] = known
    return number
  }

  private func form(_ zone: [UInt8]) -> [UInt8] { canonicalForm(of: SyntaxTree(bytes: zone)) }
}
