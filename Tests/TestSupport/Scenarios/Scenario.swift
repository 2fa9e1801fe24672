public import SyncModel
public import SyncPlanning

/// A story of a sync as a table (Fixtures/sync/*.scenario): a row an item, a letter a content, `-`
/// nothing there; three letters a content by title, place and time, and a fourth one its definition
/// of the time zone (`ScenarioText`). What both sides shared before, what each side has now, what
/// each has afterwards. The remote edits are the later ones, unless `later local` says otherwise.
public struct Scenario: Sendable, CustomStringConvertible {
  public struct Row: Sendable {
    public var uid: String
    public var base: String
    public var local: String
    public var remote: String
    public var localAfter: String
    public var remoteAfter: String

    /// What a side has of the item now.
    public func now(on side: Side) -> String { side == .local ? local : remote }
  }

  public let name: String
  public private(set) var policy = ConflictPolicy.merge
  public private(set) var direction = SyncDirection.both
  public private(set) var allowsMassDelete = false
  public private(set) var later = Side.remote
  public private(set) var server = ServerKind.keeps
  public private(set) var rows: [Row] = []

  /// What the server makes of what it is sent.
  public enum ServerKind: String, Sendable {
    case keeps, rewrites
    case replacesZones = "replaces-zones"
    case dropsZones = "drops-zones"
  }

  public var description: String { name }

  public struct Malformed: Error { public let line: String }

  /// Reads one of the project's.
  public init(named name: String) throws {
    try self.init(named: name, text: Project.text("Fixtures/sync/\(name)"))
  }

  public init(named name: String, text: String) throws {
    self.name = name
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

  /// The names of all.
  public static let all: [String] =
    (try? Project.files(in: "Fixtures/sync", endingIn: ".scenario")) ?? []

  /// Both sides as they are expected to be, in the words of the table.
  public var expected: [String] {
    rows.map { "\($0.uid) \($0.localAfter) \($0.remoteAfter)" }
  }

  /// What the two sides hold, in the same words.
  public func outcome(_ local: [ItemData], _ remote: [ItemData]) -> [String] {
    rows.map { row in
      let width = max(row.localAfter.count, row.remoteAfter.count)
      let letters = [local, remote].map { ScenarioText.letters(row.uid, in: $0, width: width) }
      return "\(row.uid) \(letters[0]) \(letters[1])"
    }
  }

  /// Items that are to end unlike on the two sides in a run of both directions wait in a conflict.
  public var expectedConflicts: [String] {
    rows.filter { row in
      guard ScenarioText.sense(of: row.localAfter) != ScenarioText.sense(of: row.remoteAfter) else {
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
