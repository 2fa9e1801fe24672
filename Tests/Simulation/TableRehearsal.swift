import SyncExecution
import SyncModel
import SyncPlanning
public import TestSupport

/// A scenario (Fixtures/sync) on the production storages: what both sides shared, what each made of
/// it, and a sync that is to end as the table says.
public struct TableRehearsal: Rehearsed {
  private let scenario: Scenario

  public init(_ scenario: Scenario) { self.scenario = scenario }

  /// What became of it.
  public struct Result: Sendable {
    /// In the words of the table.
    fileprivate(set) var rows: [String] = []
    fileprivate(set) var conflicts: [String] = []
    /// Of the last sync but one.
    fileprivate(set) var effects = 0
    /// What the sync after it did, which had nothing to do.
    fileprivate(set) var noises: [String] = []
    fileprivate(set) var violations: [Violation] = []
  }

  /// The sync, and one more.
  public func play() -> Result { play(World(story(1)), stopped: []) }

  public func playStopped(at effect: Int, _ moment: Rehearsal.Moment) -> Result {
    let kill = Story.Event(at: Story.Moment("effect", effect), moment.kill(at: effect))
    return play(World(story(UInt64(effect))), stopped: [kill])
  }

  public func effects(of result: Result) -> Int { result.effects }

  public func complaints(of result: Result) -> [String] {
    var found = result.violations.map(\.description)
    for (row, expected) in zip(result.rows, scenario.expected.map(told)) where row != expected {
      found.append("ends as '\(row)', and not as '\(expected)'")
    }
    if result.conflicts != scenario.expectedConflicts {
      found.append("conflicts: \(result.conflicts.joined(separator: " "))")
    }
    return found + result.noises.map { "in the sync after it: \($0)" }
  }

  // MARK: The world

  private func story(_ chance: UInt64) -> Story {
    var story = Story(chance: chance)
    story.policy = scenario.policy
    story.direction = scenario.direction
    story.traits =
      switch scenario.server {
      case .keeps: []
      case .rewrites: ["C6.9"]
      case .replacesZones: ["C6.50"]
      case .dropsZones: ["C6.51"]
      }
    return story
  }

  /// A server that has definitions of time zones of its own has others than the table's.
  private func told(_ row: String) -> String {
    guard scenario.server == .replacesZones else { return row }
    return row.split(separator: " ").map { ScenarioText.sense(of: String($0)) }
      .joined(separator: " ")
  }

  private func play(_ world: World, stopped: [Story.Event]) -> Result {
    prepare(world)
    var result = Result()
    if !stopped.isEmpty { sync(world, stopped) }
    let report = sync(world)
    result.effects = world.effectsOfLastRun
    let conflicts = report?.conflicts.compactMap { $0.item.uid?.text }
    result.conflicts = conflicts?.sorted() ?? ["the sync never ended"]
    result.rows = scenario.outcome(world.itemsHere, world.itemsThere).map(told)
    let calm = Calm(world)
    let next = sync(world)
    result.noises = calm.noises(of: next, in: world, isSettled: false, mayHold: true)
    if !world.journal.state.intents.isEmpty { result.noises.append("intents stay open") }
    result.violations = world.violations
    return result
  }

  /// Both sides agreed on the base, and then went their ways.
  private func prepare(_ world: World) {
    for row in scenario.rows where row.base != "-" {
      for side in Side.allCases {
        world.put(ScenarioText.event(row.uid, row.base), as: row.uid, on: side)
      }
    }
    sync(world)
    world.executor.advance(60_000)
    for side in [scenario.later.opposite, scenario.later] {
      for row in scenario.rows where row.now(on: side) != row.base {
        let there = world.text(of: row.uid, on: side)
        world.put(
          ScenarioText.edited(there, row.uid, from: row.base, to: row.now(on: side)), as: row.uid,
          on: side)
      }
      world.executor.advance(60_000)
    }
  }

  @discardableResult
  private func sync(_ world: World, _ events: [Story.Event] = []) -> CollectionReport? {
    world.checkIdentity()
    let report = world.run(.sync, events) {
      $0.deletionLimit.isLifted = scenario.allowsMassDelete
    }
    world.checkNothingIsLost("after the sync")
    world.executor.advance(5_000)
    return report
  }
}

extension World {
  /// What a person makes of an item; nil removes it.
  fileprivate func put(_ text: ItemData?, as uid: String, on side: Side) {
    let name = "\(uid).ics"
    guard let text else {
      oracle.give(up: name, holding: self.text(of: uid, on: side)?.bytes, on: side)
      switch side {
      case .local: files.remove(name, in: World.folder)
      case .remote: server.remove(Array(name.utf8), in: World.calendar)
      }
      return
    }
    switch side {
    case .local: files.save(name, text.bytes, in: World.folder)
    case .remote: server.put(Array(name.utf8), text.bytes, in: World.calendar)
    }
    oracle.save(text.bytes, at: name, on: side, label: uid)
  }

  fileprivate func text(of uid: String, on side: Side) -> ItemData? {
    let bytes =
      switch side {
      case .local: files.bytes("\(uid).ics", in: World.folder)
      case .remote: server.data(Array("\(uid).ics".utf8), in: World.calendar)
      }
    return bytes.map { ItemData(bytes: $0) }
  }

  fileprivate var itemsHere: [ItemData] {
    files.contents(of: World.folder).filter { $0.key.isVisibleItem }.sorted { $0.key < $1.key }
      .map { ItemData(bytes: $0.value.data) }
  }

  fileprivate var itemsThere: [ItemData] {
    server.items(in: World.calendar).values.map { ItemData(bytes: $0) }
  }
}
