import ICalendar

/// What makes a component the same one in two texts of an item: overrides are told by the moment
/// that they stand for, however it is spelt.
struct PartKey: Hashable {
  /// In upper case.
  let kind: [UInt8]
  /// The UID.
  let name: [UInt8]
  /// Nil for a main component.
  let occurrence: Moment?
  /// RANGE=THISANDFUTURE.
  let isThisAndFuture: Bool

  var isOverride: Bool { occurrence != nil }
}

/// The parts of one text: its one VCALENDAR, and the components in it that have a UID, by key.
struct ItemParts {
  let calendar: Component
  let times: ItemTimes
  /// In the order of the text.
  private(set) var partKeys: [PartKey] = []
  private var parts: [PartKey: Component] = [:]

  /// Nil for a text that is not whole, has not exactly one VCALENDAR, or two components for one
  /// occurrence.
  init?(_ tree: SyntaxTree, _ context: TimeContext) {
    guard tree.wholeness == .whole, tree.calendars.count == 1, let calendar = tree.calendars.first
    else { return nil }
    self.calendar = calendar
    times = ItemTimes(tree, context)
    for component in calendar.components where Self.isPart(component) {
      let key = Self.key(of: component, times)
      guard parts.updateValue(component, forKey: key) == nil else { return nil }
      partKeys.append(key)
    }
  }

  subscript(key: PartKey) -> Component? { parts[key] }

  /// The one component that is no override; nil where there is none, or several.
  var main: PartKey? {
    let mains = partKeys.filter { !$0.isOverride }
    return mains.count == 1 ? mains.first : nil
  }

  var overrides: [PartKey] { partKeys.filter(\.isOverride) }

  /// The occurrences that the series excludes.
  var exclusions: Set<Moment> {
    guard let series = main.flatMap({ self[$0] }) else { return [] }
    var moments: Set<Moment> = []
    for line in series.lines(named: "EXDATE") {
      for value in line.value.split(separator: 0x2C) {
        moments.insert(times.occurrence(of: Array(value), in: line))
      }
    }
    return moments
  }

  /// Time zones, and what has no UID, are told apart like alarms.
  static func isPart(_ component: Component) -> Bool {
    !component.isNamed("VTIMEZONE") && !ComponentIdentity(component).name.isEmpty
  }

  private static func key(of component: Component, _ times: ItemTimes) -> PartKey {
    let identity = ComponentIdentity(component)
    let line = component.line(named: "RECURRENCE-ID")
    let range = line?.parameter(named: "RANGE")?.values.first ?? []
    return PartKey(
      kind: identity.kind, name: identity.name,
      occurrence: line.map { times.occurrence(of: $0.value, in: $0) },
      isThisAndFuture: String(decoding: range, as: UTF8.self).uppercased() == "THISANDFUTURE")
  }
}
