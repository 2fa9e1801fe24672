import ICalendar
public import Recurrence
public import SyncModel

/// The span of time of which items are taken from the remote side: those that have an occurrence in
/// it. What is outside is left where it is, and nothing is ever deleted because of it.
public struct SyncWindow: Sendable {
  public let from: Instant
  /// Exclusive.
  public let to: Instant
  private let zones: ZoneCatalog

  public init(from: Instant, to: Instant, zones: ZoneCatalog) {
    self.from = from
    self.to = to
    self.zones = zones
  }

  /// What an earlier look at an item's text says of it in this window: true is certain, and false
  /// means that the text has to be looked at again.
  public func isOutside(_ wait: Observation.Wait?) -> Bool {
    guard case .outOfWindow(let after, let until) = wait else { return false }
    return after <= from && (until.map { to <= $0 } ?? true)
  }

  /// Nil for an item with an occurrence in the window, or with no place in time at all, or of which
  /// nobody can tell; else the reason to wait. Floating times and dates are taken for UTC, and what
  /// is wrong in the definition of a zone counts for nothing: a window is a matter of days.
  public func wait(of text: ItemData) -> Observation.Wait? {
    let object = CalendarObject(SyntaxTree(bytes: text.bytes))
    var ofZones: [ScheduleFinding] = []
    let definitions = TimeZoneDefinition.all(in: object.tree, findings: &ofZones)
    let resolver = ZoneResolver(catalog: zones, definitions: definitions)
    var findings: [ScheduleFinding] = []
    var next: Instant?
    for kind in object.kinds {
      let components = object.components.filter { $0.kind == kind }
      let overrides = components.filter(\.isOverride).map { Schedule.read($0, findings: &findings) }
      let mains = components.filter { !$0.isOverride }
        .map { Schedule.read($0, findings: &findings) }
      if findings.contains(where: \.mayHideOccurrences) { return nil }
      // Overrides alone are what an attendee of some occurrences has.
      let schedules: [Schedule?] = mains.isEmpty ? [nil] : mains
      for main in schedules {
        let set = RecurrenceSet(main: main, overrides: overrides, zones: resolver)
        guard set.hasPlaceInTime else { return nil }
        guard let start = firstStart(of: set) else { continue }
        if start < to { return nil }
        next = next.map { min($0, start) } ?? start
      }
    }
    return .outOfWindow(after: from, until: next)
  }

  /// The start of the first occurrence that ends after the window's start.
  private func firstStart(of set: RecurrenceSet) -> Instant? {
    var occurrences = set.occurrences(in: OccurrenceWindow(from: seconds(from), to: Int.max))
    return occurrences.next().map { Instant(seconds: Int64($0.start.instant)) }
  }

  private func seconds(_ instant: Instant) -> Int {
    Int(instant.milliseconds / 1000) - (instant.milliseconds % 1000 < 0 ? 1 : 0)
  }
}

extension ScheduleFinding {
  /// What is left out may have had occurrences: a rule that cannot be read could mean any day.
  fileprivate var mayHideOccurrences: Bool {
    switch kind {
    // What takes occurrences away hides none where it is left out.
    case .unreadable, .repeated: !["EXDATE", "EXRULE"].contains(property)
    case .odd: false
    }
  }
}

extension RecurrenceSet {
  /// A component without a start happens at no time, or at any.
  fileprivate var hasPlaceInTime: Bool {
    !problems.contains { problem in
      switch problem {
      case .mainWithoutStart, .overrideWithoutStart: true
      case .missingZone, .foundZone, .overriddenTwice, .rangeLeftOut, .note: false
      }
    }
  }
}
