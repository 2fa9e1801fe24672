import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport

/// Scenarios on storages in memory, whose batches are small.
extension Scenario {
  /// A world in which both sides agreed on the base and then went their ways.
  func makeWorld(seed: UInt64 = 1) throws -> World {
    let world =
      switch server {
      case .keeps: World(seed: seed)
      case .rewrites: World(seed: seed, rewrite: ScenarioText.rewritten)
      case .replacesZones: World(seed: seed) { ScenarioText.defined($0, by: "S") }
      case .dropsZones: World(seed: seed) { ScenarioText.defined($0, by: "-") }
      }
    for row in rows {
      for side in Side.allCases { world.set(row.uid, row.base, on: side) }
    }
    _ = try world.sync()
    world.executor.advance(60_000)
    for side in [later.opposite, later] {
      for row in rows where row.now(on: side) != row.base {
        world.edit(row.uid, from: row.base, to: row.now(on: side), on: side)
      }
      world.executor.advance(60_000)
    }
    return world
  }

  func outcome(in world: World) -> [String] {
    outcome(Array(world.local.items.values), Array(world.remote.items.values))
  }

  func sync(_ world: World) throws -> [String] {
    let report = try world.sync {
      $0.policy = policy
      $0.direction = direction
      $0.deletionLimit.isLifted = allowsMassDelete
    }
    return report.conflicts.compactMap { $0.item.uid?.text }
  }
}
