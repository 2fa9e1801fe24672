import ICalendar
public import SyncModel

/// What a server stored an edit without: values that the edit replaced, and that are there as they
/// were before it.
public struct FormerValues: Sendable, Hashable {
  /// Which, for people, as `time`.
  public var names: [String]
  /// What was sent, with these as they were before the edit.
  public var text: ItemData
  /// Nothing of the edit is there.
  public var isAll: Bool
}

extension SentText {
  /// The former values that a server kept, of those which a person sees and hardly any server
  /// leaves out. Nil where there are none; also where the texts are not each one item.
  ///
  /// Only of the item as a whole: overrides are spelt, and stored, in many ways. What the server
  /// says in other words, cut off as it cut off what was there before, or left out because it was
  /// new, it has not kept.
  public func former(in found: ItemData) -> FormerValues? {
    guard let old else { return nil }
    let trees = [old, sent, found].map { SyntaxTree(bytes: $0.bytes) }
    let context = TimeContext(zones, trees)
    let parts = trees.compactMap { MainPart($0, context) }
    guard parts.count == trees.count else { return nil }
    let slots = ScheduleSlot.allCases.filter { slot in
      slot.isFormer(parts[2].times, before: parts[0].times, edited: parts[1].times)
    }
    let texts = Self.seen.filter { parts[2].keeps($0, of: parts[0], for: parts[1]) }
    if slots.isEmpty, texts.isEmpty { return nil }
    var properties = slots.flatMap(\.names) + texts.map { Array($0.utf8) }
    // A start without its end makes another length.
    if slots.contains(.start) { properties += ScheduleSlot.end.names }
    guard let text = parts[1].text(trees[1], taking: Set(properties), from: parts[0]) else {
      return nil
    }
    var names: [String] = []
    for name in slots.map(\.name) + texts.map(ChangeDescription.label) where !names.contains(name) {
      names.append(name)
    }
    let isAll = SentText(old, over: nil, isRewritten: true, zones: zones)
      .isOfOneSubstance(with: found)
    return FormerValues(names: names, text: text, isAll: isAll)
  }

  /// What people call that which a text says otherwise than was sent; empty where a few words
  /// cannot say it.
  public func unlikeNames(in found: ItemData) -> [String] {
    let all = describeChange(
      from: SyntaxTree(bytes: found.bytes), to: SyntaxTree(bytes: sent.bytes), zones: zones)
    var names: [String] = []
    var length = 0
    for name in all.compactMap(Self.name(of:)) where !names.contains(name) {
      length += name.count
      if length > Self.fewCharacters { return [] }
      names.append(name)
    }
    return names
  }

  /// A program may use names of any length, and any number of them.
  private static let fewCharacters = 100

  private static func name(of difference: PropertyDifference) -> String? {
    if difference.occurrence != nil { return "occurrences" }
    let property = difference.property
    if property.isEmpty { return nil }
    let slot = ScheduleSlot.allCases.first { $0.names.contains(Array(property.utf8)) }
    if let slot { return slot.name }
    return seen.contains(property) ? ChangeDescription.label(of: property) : property
  }

  private static let seen = ["SUMMARY", "LOCATION", "DESCRIPTION", "STATUS"]
}

/// The part of an item that is no override, with what its times mean.
struct MainPart {
  let component: Component
  let times: TimedPart

  init?(_ tree: SyntaxTree, _ context: TimeContext) {
    guard let parts = ItemParts(tree, context), let component = parts.main.flatMap({ parts[$0] })
    else { return nil }
    self.component = component
    times = TimedPart(component, PropertyGroups(of: component), parts.times)
  }

  /// It has the text that an edit took away or wrote over.
  func keeps(_ name: String, of before: MainPart, for edited: MainPart) -> Bool {
    guard let former = before.text(name), text(name) == former else { return false }
    guard let new = edited.text(name) else {
      // What holds anyway servers write out, and some an empty text in each item.
      return !former.isEmpty
        && (name != "STATUS" || !["CONFIRMED", "NEEDS-ACTION"].contains(former.uppercased()))
    }
    return new != former && !new.hasPrefix(former)
  }

  private func text(_ name: String) -> String? {
    component.line(named: name).map { TextValue(escaped: $0.value).text }
  }

  /// A tree with some properties of this part as another one has them; nil where that is no item.
  func text(_ tree: SyntaxTree, taking names: Set<[UInt8]>, from other: MainPart) -> ItemData? {
    var tree = tree
    do throws(EditRefusal) {
      for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        let name = String(decoding: name, as: UTF8.self)
        try tree.replace(
          component.lines(named: name).map(\.id),
          by: other.component.lines(named: name).map { .source($0.source) }, in: component.id)
      }
    } catch {
      return nil
    }
    return ItemData(bytes: tree.bytes)
  }
}

extension ScheduleSlot {
  /// An edit changed it, and it is as before.
  fileprivate func isFormer(
    _ found: TimedPart, before: TimedPart, edited: TimedPart
  ) -> Bool {
    !isSame(edited, before) && isSame(found, before) && !isSame(found, edited)
  }

  fileprivate var name: String {
    switch self {
    case .start, .end: "time"
    case .rule: "rule"
    case .additions, .exclusions: "list of occurrences"
    }
  }
}
