import ICalendar
import SyncModel

/// The four texts of a merge on their way to being one-sided.
///
/// What both sides changed is settled first: the outcome is written into both texts, and into both
/// bases as well, so that it is no change any more. What is left was changed by one side alone, and
/// `carryChange` brings it to the other.
struct MergeDraft {
  let parts: BothSides<BaseAndText<ItemParts>>
  /// The side that holds where one has to.
  private(set) var newer: Side
  /// Parts that one of the bases does not have.
  let isNew: Set<PartKey>
  /// Who made an override, where the other side has but changed the series (`FollowedSeries`).
  private let makers: [PartKey: Side]
  private(set) var lost: [LostChange] = []
  /// Something is to stay as each side has it, since it means the same.
  private(set) var leavesSidesUnlike = false
  private var baseEdits = BothSides<[TreeEdit]>([], [])
  private var textEdits = BothSides<[TreeEdit]>([], [])

  init(
    _ parts: BothSides<BaseAndText<ItemParts>>, isNew: Set<PartKey>, makers: [PartKey: Side],
    newer: Side
  ) {
    self.parts = parts
    self.isNew = isNew
    self.makers = makers
    self.newer = newer
  }

  /// A component of one side, in its base and in its text.
  struct Versions {
    let base: Component
    let text: Component
    let baseGroups: PropertyGroups
    let groups: PropertyGroups

    init(base: Component, text: Component) {
      self.base = base
      self.text = text
      baseGroups = PropertyGroups(of: base)
      groups = PropertyGroups(of: text)
    }

    func form(_ name: [UInt8]) -> [UInt8] { groups[name]?.canonical ?? [] }
    func baseForm(_ name: [UInt8]) -> [UInt8] { baseGroups[name]?.canonical ?? [] }
    func changed(_ name: [UInt8]) -> Bool { form(name) != baseForm(name) }
    func lines(_ name: [UInt8]) -> [ContentLine] { groups[name]?.lines ?? [] }
    func baseLines(_ name: [UInt8]) -> [ContentLine] { baseGroups[name]?.lines ?? [] }
    func sources(_ name: [UInt8]) -> [SyntaxTree.NewLine] { lines(name).map { .source($0.source) } }
  }

  /// A part that all four texts have; nil where one does not.
  func versions(of key: PartKey) -> BothSides<Versions>? {
    guard let localBase = parts.local.base[key], let local = parts.local.text[key],
      let remoteBase = parts.remote.base[key], let remote = parts.remote.text[key]
    else { return nil }
    return BothSides(
      Versions(base: localBase, text: local), Versions(base: remoteBase, text: remote))
  }

  // MARK: What is settled

  /// Lines of one name are as they shall be on both sides: they are no change any more.
  mutating func settleAsIs(_ name: [UInt8], _ versions: BothSides<Versions>) {
    for side in Side.allCases {
      let old = versions[side]
      baseEdits[side].append(
        .lines(old.baseLines(name).map(\.id), by: old.sources(name), in: old.base.id))
    }
  }

  /// Lines of one name stay as each side has them, though they are not the same.
  mutating func leaveAsIs(_ name: [UInt8], _ versions: BothSides<Versions>) {
    settleAsIs(name, versions)
    leavesSidesUnlike = true
  }

  /// Sub-components that both sides added stay as each side has them: they mean the same.
  mutating func leaveAsIs(_ twins: BothSides<Component>, in bases: BothSides<Component>) {
    for side in Side.allCases {
      baseEdits[side].append(.insert(twins[side], in: bases[side].id, after: nil))
    }
    leavesSidesUnlike = true
  }

  /// Lines of one name become these on a side each.
  mutating func settle(
    _ name: [UInt8], _ versions: BothSides<Versions>, as lines: BothSides<[SyntaxTree.NewLine]>
  ) {
    for side in Side.allCases {
      let old = versions[side]
      if old.sources(name) != lines[side] {
        textEdits[side].append(
          .lines(old.lines(name).map(\.id), by: lines[side], in: old.text.id))
      }
      baseEdits[side].append(
        .lines(old.baseLines(name).map(\.id), by: lines[side], in: old.base.id))
    }
  }

  /// The lines of one side become those of both.
  mutating func settle(_ name: [UInt8], _ versions: BothSides<Versions>, to winner: Side) {
    let lines = versions[winner].sources(name)
    settle(name, versions, as: BothSides(lines, lines))
  }

  /// Settles a part. In an override that one side alone made, what it says holds, and what the
  /// other side made of the series is not lost by that.
  mutating func settling(
    _ key: PartKey, _ work: (inout MergeDraft) throws(MergeObstacle) -> Void
  ) throws(MergeObstacle) {
    guard let maker = makers[key] else { return try work(&self) }
    let (usual, told) = (newer, lost)
    newer = maker
    try work(&self)
    (newer, lost) = (usual, told)
  }

  /// Notes each once, by a time if any of its kind was.
  mutating func note(_ loss: LostChange) {
    let index = lost.firstIndex { known in
      known.name == loss.name && known.winner == loss.winner && known.occurrence == loss.occurrence
    }
    guard let index else { return lost.append(loss) }
    if loss.isByTime { lost[index].isByTime = true }
  }

  mutating func editBase(of side: Side, _ edit: TreeEdit) { baseEdits[side].append(edit) }
  mutating func editText(of side: Side, _ edit: TreeEdit) { textEdits[side].append(edit) }

  /// The bases and texts of both sides, with all that was settled.
  func applied(
    to bases: BothSides<SyntaxTree>, _ texts: BothSides<SyntaxTree>
  ) throws(EditRefusal) -> BothSides<BaseAndText<SyntaxTree>> {
    var results: [BaseAndText<SyntaxTree>] = []
    for side in Side.allCases {
      var base = bases[side]
      var text = texts[side]
      for edit in baseEdits[side] { try base.apply(edit) }
      for edit in textEdits[side] { try text.apply(edit) }
      results.append(
        BaseAndText(base: SyntaxTree(bytes: base.bytes), text: SyntaxTree(bytes: text.bytes)))
    }
    return BothSides(results[0], results[1])
  }
}

/// One change of a tree.
enum TreeEdit {
  case lines([ContentLine.ID], by: [SyntaxTree.NewLine], in: Component.ID)
  case remove(Component.ID)
  /// Adds a component of any tree after a sibling or at the end.
  case insert(Component, in: Component.ID, after: Component.ID?)
}

extension SyntaxTree {
  mutating func apply(_ edit: TreeEdit) throws(EditRefusal) {
    switch edit {
    case .lines(let old, let new, let component):
      if !old.isEmpty || !new.isEmpty { try replace(old, by: new, in: component) }
    case .remove(let component):
      try remove(component)
    case .insert(let component, let parent, let sibling):
      try insert(component, in: parent, after: sibling)
    }
  }
}
