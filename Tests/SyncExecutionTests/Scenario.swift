import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport

/// A story of a sync as a table (Fixtures/sync/*.scenario): a row an item, a letter a content, `-`
/// nothing there; three letters a content by title, place and time, and a fourth one its definition
/// of the time zone (`World.definitions`). What both sides shared before, what each side has now,
/// what each has afterwards. The remote edits are the later ones, unless
/// `later local` says otherwise.
struct Scenario: Sendable, CustomStringConvertible {
  struct Row: Sendable {
    var uid: String
    var base: String
    var local: String
    var remote: String
    var localAfter: String
    var remoteAfter: String
  }

  var name: String
  var policy = ConflictPolicy.merge
  var direction = SyncDirection.both
  var allowsMassDelete = false
  var later = Side.remote
  var server = ServerKind.keeps
  var rows: [Row] = []

  /// What the server makes of what it is sent.
  enum ServerKind: String {
    case keeps, rewrites
    case replacesZones = "replaces-zones"
    case dropsZones = "drops-zones"
  }

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
      case "later": later = try Side(rawValue: words[1]).orThrow(line)
      case "server": server = try ServerKind(rawValue: words[1]).orThrow(line)
      case "item": continue
      default:
        guard words.count == 6, words.dropFirst().allSatisfy({ [1, 3, 4].contains($0.count) })
        else {
          throw Malformed(line: String(line))
        }
        rows.append(
          Row(
            uid: words[0], base: words[1], local: words[2], remote: words[3],
            localAfter: words[4], remoteAfter: words[5]))
      }
    }
  }

  static let all: [String] =
    (try? Project.files(in: "Fixtures/sync", endingIn: ".scenario")) ?? []

  /// A world in which both sides agreed on the base and then went their ways.
  func makeWorld(seed: UInt64 = 1) throws -> World {
    let world =
      switch server {
      case .keeps: World(seed: seed)
      case .rewrites: World(seed: seed, rewrite: World.rewritten)
      case .replacesZones: World(seed: seed) { World.defined($0, by: "S") }
      case .dropsZones: World(seed: seed) { World.defined($0, by: "-") }
      }
    for row in rows {
      for side in Side.allCases { world.set(row.uid, row.base, on: side) }
    }
    _ = try world.sync()
    world.executor.advance(60_000)
    for side in [later.opposite, later] {
      for row in rows {
        let now = side == .local ? row.local : row.remote
        if now != row.base { world.edit(row.uid, from: row.base, to: now, on: side) }
      }
      world.executor.advance(60_000)
    }
    return world
  }

  /// Both sides as they are expected to be, in the words of the table.
  var expected: [String] {
    rows.map { "\($0.uid) \($0.localAfter) \($0.remoteAfter)" }
  }

  func outcome(in world: World) -> [String] {
    rows.map {
      let width = max($0.localAfter.count, $0.remoteAfter.count)
      let local = world.letters($0.uid, on: .local, width: width)
      return "\($0.uid) \(local) \(world.letters($0.uid, on: .remote, width: width))"
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
      guard World.sense(of: row.localAfter) != World.sense(of: row.remoteAfter) else {
        return false
      }
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
