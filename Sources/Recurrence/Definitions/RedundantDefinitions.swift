public import ICalendar
import Synchronization

/// Tells which VTIMEZONEs of an item say nothing that tzdata does not say of the item's times
/// (docs/decisions/0010-time-zone-definitions.md).
///
/// Programs write a zone each in their way, and servers shorten, replace, drop and add what they
/// are sent. Where the TZID is a name of tzdata and the offsets are its offsets as long as the item
/// goes on, the text of the definition has no meaning of its own.
public final class RedundantDefinitions: Sendable {
  private let catalog: ZoneCatalog
  /// What was found of a definition, by its bytes: items by the thousand have the same one. Nil
  /// where it cannot be compared.
  private let known = Mutex<[[UInt8]: Comparison?]>([:])

  /// Compares with the zones of a catalog.
  public init(_ catalog: ZoneCatalog) { self.catalog = catalog }

  /// A calendar has some tens; so many definitions are remembered.
  private static let limit = 1_000

  /// A definition beside the zone of its name.
  private struct Comparison {
    let name: TimeZoneName
    let zone: Zone
    /// Where the two differ, ascending; within `years`.
    let disagreements: [Range<Int>]

    /// The offsets are the same at all instants of a range.
    func agrees(in span: ClosedRange<Int>) -> Bool {
      guard RedundantDefinitions.years.contains(span.lowerBound),
        RedundantDefinitions.years.contains(span.upperBound)
      else { return false }
      var (low, high) = (0, disagreements.count)
      while low < high {
        let middle = (low + high) / 2
        if disagreements[middle].upperBound <= span.lowerBound {
          low = middle + 1
        } else {
          high = middle
        }
      }
      return low == disagreements.count || disagreements[low].lowerBound > span.upperBound
    }
  }

  /// Instants from 1900 to the year up to which definitions are followed. What is before or after
  /// is not compared, and a definition counts there.
  private static let years = start(of: 1900)..<start(of: TimeZoneDefinition.lastExpandedYear + 1)

  private static func start(of year: Int) -> Int {
    Gregorian.day(year: year, month: 1, day: 1) * 86_400
  }

  /// The redundant VTIMEZONEs of a text, in its order.
  public func all(in tree: SyntaxTree) -> [Component] {
    let comparable = tree.calendars.flatMap(\.components)
      .filter { $0.isNamed("VTIMEZONE") }
      .compactMap { component in comparison(of: component).map { (component, $0) } }
    if comparable.isEmpty { return [] }
    let span = ItemSpan(tree)
    return comparable.filter { isRedundant($0.1, span) }.map(\.0)
  }

  private func isRedundant(_ comparison: Comparison, _ span: ItemSpan) -> Bool {
    switch span.use(of: comparison.name) {
    case .nothing: return true
    case .unreadable: return false
    case .written(let walls):
      let zone = comparison.zone
      let first = zone.instant(of: walls.lowerBound) - Self.margin
      func agrees(through end: Int) -> Bool {
        let last = zone.instant(of: max(walls.upperBound, end)) + Self.margin
        return comparison.agrees(in: first...max(first, last))
      }
      // Most agree for good, and then nobody needs to know when a series ends.
      return agrees(through: span.latestEnd) || span.isCounted && agrees(through: span.countedEnd())
    }
  }

  /// In seconds. Offsets are less than a day, so a change that is two days away from a time, by
  /// either zone, has no part in what that time on the wall means.
  private static let margin = 2 * 86_400

  private func comparison(of component: Component) -> Comparison? {
    let bytes = component.bytes
    if let known = known.withLock({ $0[bytes] }) { return known }
    let comparison = compare(component)
    known.withLock { if $0.count < Self.limit { $0[bytes] = .some(comparison) } }
    return comparison
  }

  /// Nil for a definition under another name than one of tzdata's, and for one that other programs
  /// might read in another way.
  private func compare(_ component: Component) -> Comparison? {
    var findings: [ScheduleFinding] = []
    guard let definition = TimeZoneDefinition(component, findings: &findings),
      component.lines(named: "TZID").count == 1,
      let zone = catalog.zone(named: definition.name.text),
      findings.allSatisfy({ if case .odd = $0.kind { true } else { false } }),
      definition.observances.count == component.components.count,
      component.components.allSatisfy(\.isPlainObservance),
      let defined = definition.zone()
    else { return nil }
    return Comparison(
      name: definition.name, zone: zone,
      disagreements: defined.disagreements(with: zone, in: Self.years))
  }
}

extension Component {
  /// It says once what must be said once, and nothing that only some programs heed.
  fileprivate var isPlainObservance: Bool {
    ["DTSTART", "TZOFFSETFROM", "TZOFFSETTO"].allSatisfy { lines(named: $0).count == 1 }
      && ["EXDATE", "EXRULE"].allSatisfy { line(named: $0) == nil }
  }
}
