import ICalendar

/// Says which alarms of two texts are the same ones, though programs give them other UIDs, or none
/// (RFC 9074 §4), note when they were seen, and rewrite what they do not show.
enum AlarmMatch {
  /// Gives for each of `new` the index of its counterpart in `old`.
  ///
  /// - Parameter isStrict: what differs in when it rings, or in what it says, is another alarm,
  ///   unless it has the same UID.
  static func match(_ old: [Sibling], to new: [Sibling], isStrict: Bool = false) -> [Int?] {
    var pairs = AlarmPairs(old, new)
    pairs.join(.inOrder) { [$0.content] }
    pairs.join(.inOrder) { name(of: $0.component).map { [$0] } }
    pairs.join(.inOrder) { LooseMeaning.of(alarm: $0.component) }
    if isStrict { return pairs.ofNew }
    // Who moves one alarm to where another was has not renamed it.
    pairs.join(.whereUnique) { LooseMeaning.of(alarm: $0.component, without: triggerNames) }
    pairs.join(.whereUnique) { moment(of: $0.component) }
    pairs.join(.whereAsMany) { LooseMeaning.of(alarm: $0.component, without: triggerNames) }
    return pairs.ofNew
  }

  /// The alarms right inside of a component.
  static func alarms(of component: Component) -> [Sibling] {
    component.components.filter { $0.isNamed("VALARM") }
      .map { Sibling($0, ComponentIdentity($0)) }
  }

  /// Somebody edited an alarm. No person gives it another identity, nor sees what a program notes
  /// in it; and what gives it a UID, or takes it, often puts a text of its own into it as well.
  static func isEdited(_ old: Component, _ new: Component) -> Bool {
    if LooseMeaning.of(alarm: old) == LooseMeaning.of(alarm: new) { return false }
    guard name(of: old) != name(of: new), shows(old), shows(new) else { return true }
    return LooseMeaning.of(alarm: old, without: textNames)
      != LooseMeaning.of(alarm: new, without: textNames)
  }

  /// ACTION:NONE, which Apple's programs write in order to give no alarm of their own.
  static func doesNothing(_ component: Component) -> Bool {
    component.isNamed("VALARM")
      && component.line(named: "ACTION")?.value.uppercased.elementsEqual("NONE".utf8) ?? false
  }

  /// All that it does is show its text.
  private static func shows(_ alarm: Component) -> Bool {
    alarm.line(named: "ACTION")?.value.uppercased.elementsEqual("DISPLAY".utf8) ?? false
  }

  /// Two components have the same alarms, as far as a person can see.
  static func haveSame(_ old: Component, _ new: Component) -> Bool {
    let (before, after) = (
      alarms(of: old).filter { !doesNothing($0.component) },
      alarms(of: new).filter { !doesNothing($0.component) }
    )
    guard before.count == after.count else { return false }
    let matches = match(before, to: after)
    return after.indices.allSatisfy { index in
      matches[index].map { !isEdited(before[$0].component, after[index].component) } ?? false
    }
  }

  /// Two alarms differ in their UID and nothing else that counts.
  static func differInName(_ old: Component, _ new: Component) -> Bool {
    let (before, after) = (PropertyGroups(of: old), PropertyGroups(of: new))
    guard !before.hasBrackets, !after.hasBrackets,
      MergeDraft.children(of: old) == MergeDraft.children(of: new)
    else { return false }
    return (before.names + after.names).allSatisfy { name in
      identityNames.contains(name)
        || before[name]?.canonical ?? [] == after[name]?.canonical ?? []
    }
  }

  // MARK: What an alarm is known by

  /// A UID, or what Apple and Evolution wrote before there was one.
  static let identityNames = PropertyRule.names("UID", "X-WR-ALARMUID", "X-EVOLUTION-ALARM-UID")
  /// When an alarm rings, and how often.
  static let triggerNames = PropertyRule.names("TRIGGER", "REPEAT", "DURATION")
  private static let textNames = PropertyRule.names("DESCRIPTION")

  /// Nil where it has none.
  static func name(of alarm: Component) -> [UInt8]? {
    identityNames.lazy.compactMap { name in
      alarm.line(named: String(decoding: name, as: UTF8.self))?.value
    }.first { !$0.isEmpty }
  }

  /// When it rings and what it does then; at arriving and at leaving are two.
  private static func moment(of alarm: Component) -> [[UInt8]]? {
    let all = LooseMeaning.of(alarm: alarm, only: momentNames)
    return alarm.line(named: "TRIGGER") == nil ? nil : all
  }

  private static let momentNames = PropertyRule.names("ACTION", "TRIGGER", "X-APPLE-PROXIMITY")
}

/// Alarms of two texts, joined step by step.
private struct AlarmPairs {
  private let old: [Sibling]
  private let new: [Sibling]
  private var left: [Int]
  /// For each of the new ones.
  private(set) var ofNew: [Int?]

  /// Which ones of one key are joined.
  enum Condition {
    case inOrder
    /// Where there is one of it in each text.
    case whereUnique
    /// In order, where there are as many of it in each text.
    case whereAsMany
  }

  init(_ old: [Sibling], _ new: [Sibling]) {
    self.old = old
    self.new = new
    left = Array(old.indices)
    ofNew = Array(repeating: nil, count: new.count)
  }

  /// Joins what is left and has one key; what has none waits.
  mutating func join(_ condition: Condition, by key: (Sibling) -> [[UInt8]]?) {
    let open = new.indices.filter { ofNew[$0] == nil }
    if left.isEmpty || open.isEmpty { return }
    var places: [[[UInt8]]: (old: [Int], new: [Int])] = [:]
    var order: [[[UInt8]]] = []
    for index in left {
      guard let key = key(old[index]) else { continue }
      if places[key] == nil { order.append(key) }
      places[key, default: ([], [])].old.append(index)
    }
    for index in open {
      if let key = key(new[index]) { places[key]?.new.append(index) }
    }
    var taken: Set<Int> = []
    for key in order {
      guard let (old, new) = places[key] else { continue }
      switch condition {
      case .inOrder: break
      case .whereUnique: if old.count != 1 || new.count != 1 { continue }
      case .whereAsMany: if old.count != new.count { continue }
      }
      for (former, present) in zip(old, new) {
        ofNew[present] = former
        taken.insert(former)
      }
    }
    left.removeAll(where: taken.contains)
  }
}
