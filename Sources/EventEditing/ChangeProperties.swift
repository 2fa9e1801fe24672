import ICalendar
import Recurrence

/// What a component says in those properties that an edit changes, before it does.
struct PropertyTexts {
  private var lines: [String: [[UInt8]]] = [:]

  init(of component: Component.ID, _ changes: [PropertyChange], in tree: SyntaxTree) {
    for change in changes {
      lines[change.name] = tree[component]?.lines(named: change.name).map(\.content) ?? []
    }
  }

  func says(_ name: String, like other: PropertyTexts) -> Bool { lines[name] == other.lines[name] }
}

extension SeriesEditor {
  /// Properties that say when the series is or when it was touched, which overrides do not share.
  private static let ofMainAlone: Set<String> = [
    "EXDATE", "RDATE", "EXRULE", "SEQUENCE", "DTSTAMP", "LAST-MODIFIED", "CREATED",
  ]

  /// Sets properties of the main component. An override that said the same follows; one that has
  /// something of its own keeps it, unless the edit is made on it.
  mutating func changeProperties(_ texts: [PropertyTexts]) throws(EditError) {
    for change in edit.properties { try change.check() }
    guard let first = series.members.first, let model = texts.first else { return }
    let reference = series.members.firstIndex(where: isNamed).flatMap {
      series.main == nil ? texts[$0] : nil
    }
    for change in edit.properties {
      for (member, text) in zip(series.members, texts) {
        let isFirst = member.id == first.id && series.main != nil
        guard isFirst || isNamed(member) || text.says(change.name, like: reference ?? model) else {
          if !Self.ofMainAlone.contains(change.name) { noteKept(member, change) }
          continue
        }
        guard isFirst || series.main == nil || !Self.ofMainAlone.contains(change.name) else {
          continue
        }
        let replaced = try series.tree.apply(change, to: member.id)
        if replaced > 1 { notes.append(.linesReplaced(property: change.name, count: replaced)) }
      }
    }
  }

  private mutating func noteKept(_ member: Series.Member, _ change: PropertyChange) {
    guard let id = member.schedule.recurrenceID, let key = series.set.key(of: id) else { return }
    notes.append(.overrideKept(series.name(ofKey: key), property: change.name))
  }
}

extension SyntaxTree {
  /// Sets or removes a property; gives the number of lines that there were of it.
  @discardableResult
  mutating func apply(
    _ change: PropertyChange, to component: Component.ID
  ) throws(EditError) -> Int {
    let lines = self[component]?.lines(named: change.name) ?? []
    guard let value = change.value else {
      try removeAll(change.name, in: component)
      return 0
    }
    let old = lines.first?.property
    let property = Property(
      name: old?.name ?? Array(change.name.utf8),
      parameters: change.parameters ?? old?.parameters ?? [], value: value)
    do { try set(property, in: component) } catch {
      throw error == .badName ? .badSetting(change.name) : .badValue(property: change.name)
    }
    return lines.count
  }
}

extension PropertyChange {
  /// What says which item this is, and the times, which are fields of an edit.
  private static let fixed: Set<String> = [
    "UID", "RECURRENCE-ID", "BEGIN", "END", "DTSTART", "DTEND", "DUE", "DURATION", "RRULE",
  ]

  func check() throws(EditError) {
    if Self.fixed.contains(name) { throw .fixedProperty(name) }
  }
}
