public import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport

extension Story {
  /// What calgw is called for.
  public enum Command: Sendable, Hashable, CustomStringConvertible {
    case sync
    /// Brings one of an item's versions in the history back, the oldest being 0; the number goes
    /// round. Nothing is done where the history has none of it.
    case restore(String, Int)
    /// Settles the conflict of an item, or the first one that waits where this item is in none.
    /// Nothing is done where no conflict waits.
    case resolve(String, ConflictChoice)

    public var description: String {
      switch self {
      case .sync: "run"
      case .restore(let uid, let number): "restore \(uid) \(number)"
      case .resolve(let uid, let choice): "resolve \(uid) \(choice.rawValue)"
      }
    }

    /// Reads what `description` gives.
    init?(words: ArraySlice<Substring>) {
      let words = words.map(String.init)
      switch words.first {
      case "run" where words.count == 1: self = .sync
      case "restore" where words.count == 3:
        guard let number = Int(words[2]), number >= 0 else { return nil }
        self = .restore(words[1], number)
      case "resolve" where words.count == 3:
        guard let choice = ConflictChoice(rawValue: words[2]) else { return nil }
        self = .resolve(words[1], choice)
      default: return nil
      }
    }

    /// The item that a person named.
    var uid: String? {
      switch self {
      case .sync: nil
      case .restore(let uid, _), .resolve(let uid, _): uid
      }
    }
  }
}

/// A command with what the world has for it: what the program finds out before it calls the engine.
enum Errand: Sendable {
  case sync
  case restore(ItemID, ItemData)
  case resolve(ItemID, ConflictChoice)

  /// The item that a person had something done to.
  var uid: ItemID? {
    switch self {
    case .sync: nil
    case .restore(let uid, _), .resolve(let uid, _): uid
    }
  }

  /// Without an intent: it is like an edit in the folder.
  ///
  /// - Parameter old: what is in the file; nil where there is none.
  func mayWrite(_ uid: String, over old: [UInt8]?) -> Bool {
    switch self {
    case .sync: false
    case .restore(let own, _): own.text == uid
    case .resolve(_, .both): ItemText.isMade(uid)
    // A broken file is no version that a plan could replace.
    case .resolve(let own, .remote): own.text == uid && old.map { !ItemText.isWhole($0) } ?? false
    case .resolve: false
    }
  }

  func run(_ engine: CollectionSync) async -> CollectionReport {
    switch self {
    case .sync: await engine.run()
    case .restore(let uid, let text): await engine.restore(text, as: uid)
    case .resolve(let uid, let choice): await engine.resolve(uid, taking: choice)
    }
  }
}

extension World {
  /// Nil: there is nothing to do.
  func errand(for command: Story.Command) -> Errand? {
    switch command {
    case .sync: return .sync
    case .restore(let name, let number):
      let uid = ItemID(ItemText.realUID(name))
      let texts = keptTexts(of: uid)
      guard !texts.isEmpty else { return nil }
      note("C8.28")
      return .restore(uid, texts[number % texts.count])
    case .resolve(let name, let choice):
      let uid = ItemID(ItemText.realUID(name))
      guard let chosen = waiting.contains(uid) ? uid : waiting.first else { return nil }
      note("C8.29")
      return .resolve(chosen, choice)
    }
  }

  /// What the history has of an item, each version once, the oldest first.
  private func keptTexts(of uid: ItemID) -> [ItemData] {
    let state = journal.state
    var seen: Set<ContentDigest> = []
    return state.history.compactMap { recorded in
      guard recorded.entry.uid == uid, let digest = recorded.entry.before,
        seen.insert(digest).inserted
      else { return nil }
      return state.contents[digest]
    }
  }
}

extension CleanRun {
  /// What a person had done to one item is done to it, and to no other.
  func check(
    _ errand: Errand, _ uid: ItemID, _ report: CollectionReport, _ now: CleanRun, in world: World
  ) {
    checkOthersLeftAlone(uid, now, world)
    guard report.problems.isEmpty, report.conflicts.isEmpty,
      !world.isUnnoticed(uid.text)
    else { return }
    let (here, there) = (now.local[uid.text] ?? [:], now.remote[uid.text] ?? [:])
    if case .restore(_, let text) = errand, world.story.direction != .pull,
      !(here.values.first.map { world.isSame($0, text.bytes, but: false) } ?? false)
    {
      world.violate("Restore", "\(uid.text) is not in the folder as it was in the history")
    }
    guard here.count < 2, there.count < 2, world.story.direction == .both else { return }
    // What somebody did there in that moment counts as the server's own, and stays there.
    if world.oracle.takenForRewriting.contains(uid.text) { return }
    let isUnclear = world.hasUnclearAlarms(uid.text)
    switch (here.values.first, there.values.first) {
    case (nil, nil): break
    case (let one?, let other?)
    where world.isSame(one, other, but: isUnclear)
      || world.lacksSplitOverrides(one, other, but: isUnclear):
      break
    // A listing that another one's answer took the place of is made up for by the next run.
    case _ where world.story.strikes("C4.19"): break
    default: world.violate("Restore", "\(uid.text) differs after a person's word")
    }
  }

  private func checkOthersLeftAlone(_ uid: ItemID, _ now: CleanRun, _ world: World) {
    // What an earlier run left open is looked into.
    let spared = Set(open.map(\.text)).union([uid.text])
    for (then, later) in [(local, now.local), (remote, now.remote)] {
      for other in then.keys.sorted() where !spared.contains(other) && later[other] != then[other] {
        world.violate("Restore", "\(other) was touched, and a person named \(uid.text)")
      }
    }
  }
}
