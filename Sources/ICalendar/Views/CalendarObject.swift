/// What a calendar object resource holds (RFC 4791 §4.1): the components of an item, from all
/// VCALENDARs of a text.
public struct CalendarObject: Sendable {
  public let tree: SyntaxTree
  /// The components other than VTIMEZONE, in the order of the text.
  public let components: [ItemComponent]

  /// Reads the components of a text; they stay as they were when the tree changes.
  public init(_ tree: SyntaxTree) {
    self.tree = tree
    components = tree.calendars.flatMap(\.components)
      .filter { !$0.isNamed("VTIMEZONE") }
      .map(ItemComponent.init)
  }

  /// The UIDs that occur, each once, in the order of the text. An item has one.
  public var uids: [[UInt8]] {
    var seen: Set<[UInt8]> = []
    return components.flatMap(\.uids).filter { seen.insert($0).inserted }
  }

  /// A component has several UIDs: it was more than one.
  package var hasFusedComponents: Bool { components.contains { !$0.otherUIDs.isEmpty } }

  /// The components without a UID, or with an empty one.
  public var componentsWithoutUID: [ItemComponent] { components.filter { $0.uid == nil } }

  /// The kinds of the components, as `VEVENT`, each once, sorted. What a program keeps of its own
  /// beside an event (x-comp, RFC 5545 §3.6) does not make it another kind of item.
  public var kinds: [String] {
    let all = Set(components.map(\.kind))
    let known = all.intersection(Self.itemKinds)
    return (known.isEmpty ? all : known).sorted()
  }

  private static let itemKinds: Set = ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VAVAILABILITY"]

  /// The components that are no overrides of another's occurrence.
  public var mainComponents: [ItemComponent] { components.filter { !$0.isOverride } }

  /// The SUMMARY of the first main component that has one, else the first that there is; without
  /// escapes, for people. Empty where there is none.
  public var summary: String {
    let first = mainComponents.lazy.compactMap(\.summary).first
    return (first ?? components.lazy.compactMap(\.summary).first)?.text ?? ""
  }

  /// The latest LAST-MODIFIED (RFC 5545 §3.8.7.3), in milliseconds since 1970 UTC; nil where no
  /// component has one that can be read.
  public var lastModified: Int64? {
    components.compactMap { $0.lastModified?.millisecondsSince1970 }.max()
  }
}

extension CalendarObject {
  /// The first line with another UID than the first one; nil in an item.
  package var secondUID: ContentLine? {
    let first = uids.first
    for item in components where item.uid != nil {
      if item.uid != first { return item.component.line(named: "UID") }
      if let other = item.otherUIDs.first { return other.line }
    }
    return nil
  }
}
