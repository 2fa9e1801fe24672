import ICalendar

/// What a component was before an edit, to say afterwards how it was revised.
struct Revision {
  private let component: Component.ID
  private let bytes: [UInt8]
  private let schedule: [[UInt8]]

  /// The properties whose change makes a revision significant, so that those who are invited have
  /// to look at it again (RFC 5545 §3.8.7.4).
  private static let significant = [
    "DTSTART", "DTEND", "DUE", "DURATION", "RRULE", "EXRULE", "RDATE", "EXDATE", "RECURRENCE-ID",
  ]

  init(of component: Component.ID, in tree: SyntaxTree) {
    self.component = component
    bytes = tree[component]?.bytes ?? []
    schedule = Self.schedule(of: component, in: tree)
  }

  private static func schedule(of component: Component.ID, in tree: SyntaxTree) -> [[UInt8]] {
    guard let view = tree[component] else { return [] }
    return significant.flatMap { view.lines(named: $0).map(\.content) }
  }

  /// The component is not as it was.
  func isChanged(in tree: SyntaxTree) -> Bool { tree[component]?.bytes != bytes }

  /// Marks the revision: DTSTAMP and LAST-MODIFIED are now, and SEQUENCE is raised where a time or
  /// a rule changed (RFC 5545 §3.8.7.2-4, RFC 5546 §2.1.4). What the edit set itself stays as set.
  func finish(
    in tree: inout SyntaxTree, now: UTCDateTime, setByHand: Set<String> = []
  ) throws(EditError) {
    guard isChanged(in: tree) else { return }
    let isSignificant = Self.schedule(of: component, in: tree) != schedule
    for name in ["DTSTAMP", "LAST-MODIFIED"] where !setByHand.contains(name) {
      let after = name == "DTSTAMP" ? "UID" : "DTSTAMP"
      try tree.setProperty(Property(name, value: now.value), in: component, after: after)
    }
    guard isSignificant, !setByHand.contains("SEQUENCE") else { return }
    let old = tree[component].map(ItemComponent.init)?.sequence ?? 0
    let (next, overflow) = max(0, old).addingReportingOverflow(1)
    let property = Property("SEQUENCE", value: String(overflow ? old : next))
    try tree.setProperty(property, in: component, after: "LAST-MODIFIED")
  }
}

extension SyntaxTree {
  /// Makes a component the first version of a new item: SEQUENCE 0, created and changed now.
  mutating func markNew(_ component: Component.ID, now: UTCDateTime) throws(EditError) {
    if self[component]?.line(named: "SEQUENCE") != nil {
      try setProperty(Property("SEQUENCE", value: "0"), in: component, after: "UID")
    }
    try setProperty(Property("DTSTAMP", value: now.value), in: component, after: "UID")
    try setProperty(Property("CREATED", value: now.value), in: component, after: "DTSTAMP")
    try setProperty(Property("LAST-MODIFIED", value: now.value), in: component, after: "CREATED")
  }
}
