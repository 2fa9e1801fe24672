import ICalendar
public import Recurrence

/// Which occurrences are asked for.
public struct AgendaWindow: Sendable {
  public var window: OccurrenceWindow
  /// Only the first so many of each series are given, and more are no trouble: nobody said where
  /// the window ends. Nil: all of them are meant.
  public var first: Int?
  /// Occurrences with STATUS:CANCELLED too.
  public var includesCancelled: Bool
  /// Where floating times and dates are placed.
  public var placement: Zone

  /// Without an end of the window, so many occurrences of a series are given.
  public static let usualFirst = 1000

  public init(
    _ window: OccurrenceWindow, first: Int? = nil, includesCancelled: Bool = false,
    placement: Zone
  ) {
    self.window = window
    self.first = first
    self.includesCancelled = includesCancelled
    self.placement = placement
  }
}

/// The occurrences of a file.
package struct FileExpansion {
  package var entries: [AgendaEntry] = []
  /// A series has more than `AgendaWindow.first`; its first ones are there.
  var isCut = false
  /// A series has more than `limit`: they are left out from there on.
  var isTooMany = false
  /// A search for occurrences was given up.
  var searchLimits: Set<ExpansionLimit> = []
  /// Why series are left out whole, one sentence each without a full stop.
  var zoneClashes: [String] = []
  /// The first line that hides occurrences because it cannot be read, in words; nil where there is
  /// none.
  private var unreadTime: String?
  /// How many such lines there are.
  private var unreadTimes = 0

  /// Of one series in one window. A day of seconds, 86,400, fits; a rule for every second of a year
  /// does not.
  static let limit = 100_000

  /// What is left out since a line cannot be read, a sentence without a full stop; nil: nothing.
  var unreadNote: String? {
    unreadTime.map {
      "\($0) cannot be read, and is left out"
        + (unreadTimes > 1 ? " (one of \(unreadTimes))" : "")
    }
  }

  /// Expands every series of an object.
  package init(_ series: [ItemSeries], _ wanted: AgendaWindow) {
    for series in series { add(series, wanted) }
  }

  private mutating func add(_ series: ItemSeries, _ wanted: AgendaWindow) {
    if unreadTime == nil, let line = series.unreadTimes.first {
      let title = visibleText(series.summary, limit: 60)
      unreadTime =
        "the \(line.property) of \"\(title)\"" + (line.line.map { " in line \($0)" } ?? "")
    }
    unreadTimes += series.unreadTimes.count
    if let clash = series.zoneClash {
      zoneClashes.append("\(series.summary.debugDescription) cannot be listed: \(clash.message)")
      return
    }
    var occurrences = series.set.occurrences(in: wanted.window)
    var count = 0
    // Counted with the cancelled ones, so that those cannot go on for ever either.
    while let occurrence = occurrences.next() {
      if count == wanted.first {
        isCut = true
        break
      }
      guard count < Self.limit else {
        isTooMany = true
        break
      }
      count += 1
      guard let entry = series.entry(occurrence) else { continue }
      if entry.details.isCancelled, !wanted.includesCancelled { continue }
      entries.append(entry)
    }
    // That a rule never matches is sure and no trouble; that a search was ended is not.
    searchLimits.formUnion(occurrences.limits.filter { !$0.isCertain })
  }
}
