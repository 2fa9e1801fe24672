import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport

/// A story of a sync as a table (Fixtures/sync/*.scenario): a row an item, a letter a content, `-`
/// nothing there. What both sides shared before, what each side has now, what each has afterwards.
struct Scenario: Sendable, CustomStringConvertible {
  struct Row: Sendable {
    var uid: String
    var base: Character
    var local: Character
    var remote: Character
    var localAfter: Character
    var remoteAfter: Character
  }

  var name: String
  var policy = ConflictPolicy.merge
  var direction = SyncDirection.both
  var allowsMassDelete = false
  var rows: [Row] = []

  var description: String { name }

  struct Malformed: Error { let line: String }

  init(named name: String) throws {
    self.name = name
    let text = try Project.text("Fixtures/sync/\(name)")
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ").map(String.init)
      switch words[0] {
      case "policy": policy = try ConflictPolicy(rawValue: words[1]).orThrow(line)
      case "direction": direction = try SyncDirection(rawValue: words[1]).orThrow(line)
      case "allow-mass-delete": allowsMassDelete = true
      case "item": continue
      default:
        guard words.count == 6, words.dropFirst().allSatisfy({ $0.count == 1 }) else {
          throw Malformed(line: String(line))
        }
        let letters = words.dropFirst().compactMap(\.first)
        rows.append(
          Row(
            uid: words[0], base: letters[0], local: letters[1], remote: letters[2],
            localAfter: letters[3], remoteAfter: letters[4]))
      }
    }
  }

  static let all: [String] =
    (try? Project.files(in: "Fixtures/sync", endingIn: ".scenario")) ?? []

  /// A world in which both sides agreed on the base and then went their ways.
  func makeWorld(seed: UInt64 = 1) throws -> World {
    let world = World(seed: seed)
    for row in rows {
      for side in Side.allCases { world.set(row.uid, row.base, on: side) }
    }
    _ = try world.sync()
    world.executor.advance(60_000)
    for row in rows {
      if row.local != row.base { world.set(row.uid, row.local, on: .local) }
    }
    world.executor.advance(60_000)
    for row in rows {
      if row.remote != row.base { world.set(row.uid, row.remote, on: .remote) }
    }
    world.executor.advance(60_000)
    return world
  }

  /// Both sides as they are expected to be, in the words of the table.
  var expected: [String] {
    rows.map { "\($0.uid) \($0.localAfter) \($0.remoteAfter)" }
  }

  func outcome(in world: World) -> [String] {
    rows.map {
      "\($0.uid) \(world.letter($0.uid, on: .local)) \(world.letter($0.uid, on: .remote))"
    }
  }

  func sync(_ world: World) throws -> [String] {
    let report = try world.sync {
      $0.policy = policy
      $0.direction = direction
      $0.deletionLimit.isLifted = allowsMassDelete
    }
    return report.conflicts.compactMap { $0.item.uid?.text }
  }

  /// Items that are to end unlike on the two sides in a run of both directions wait in a conflict.
  var expectedConflicts: [String] {
    rows.filter { row in
      guard row.localAfter != row.remoteAfter else { return false }
      let isEachChanged = row.local != row.base && row.remote != row.base
      return isEachChanged && row.local != "-" && row.remote != "-"
    }.map(\.uid).sorted()
  }
}

extension Optional {
  fileprivate func orThrow(_ line: Substring) throws -> Wrapped {
    guard let self else { throw Scenario.Malformed(line: String(line)) }
    return self
  }
}
