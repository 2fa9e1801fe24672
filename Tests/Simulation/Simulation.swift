import SyncExecution
import TestSupport

/// Plays a story and tells what became of it.
public struct Simulation {
  public struct Outcome: Sendable {
    public var violations: [Violation] = []
    /// Names of the catalogue that acted in it, each once.
    public var hits: [String: Int] = [:]
    /// Of all that happened, in order, and of what was left.
    public var hash: UInt64 = 0
    public var steps = 0
    public var runs = 0
    public var lines: [String] = []
  }

  public static func play(_ story: Story, keepsLines: Bool = false) -> Outcome {
    let world = World(story, keepsLines: keepsLines)
    for step in story.steps { world.step(step) }
    world.settleDown()
    world.noteWhatActed()
    return outcome(of: world)
  }

  private static func outcome(of world: World) -> Outcome {
    let picture = Picture(world)
    for (name, data) in picture.local.sorted(by: { $0.key < $1.key }) {
      world.director.trace.add(name)
      world.director.trace.add(data)
    }
    for name in picture.remote.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      world.director.trace.add(name)
      world.director.trace.add(picture.remote[name] ?? [])
    }
    var outcome = Outcome()
    outcome.violations = world.violations
    outcome.hits = world.hits
    outcome.hash = world.director.trace.hash
    outcome.lines = world.director.trace.lines
    if !outcome.lines.isEmpty { outcome.lines += picture.lines }
    outcome.steps = world.executor.steps
    outcome.runs = world.runsSoFar
    return outcome
  }
}
