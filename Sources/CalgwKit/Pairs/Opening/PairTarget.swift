import SQLiteJournal
import SyncModel
import SyncPlanning

/// A pair that a command works on, and which of its collections.
public struct PairTarget: Sendable {
  public var pair: PairConfiguration
  /// Nil: all of them.
  public var collections: Set<String>?
  /// Where all of them are meant, those that are named besides: they have to be there.
  var alsoNamed: Set<String> = []
  /// In their place the one that a version of the log belongs to.
  var origin: CollectionIdentity?
  /// The value that this collection is to have again, where one is to come back.
  var restoring: RestoredValue?
  /// What the run does; nil: what the pair does.
  var direction: SyncDirection?

  public init(pair: PairConfiguration, collections: Set<String>? = nil) {
    self.pair = pair
    self.collections = collections
  }

  /// Adds another collection; nil: all of them.
  fileprivate mutating func add(_ collection: String?) {
    if collections == nil {
      if let collection { alsoNamed.insert(collection) }
    } else if let collection {
      collections?.insert(collection)
    } else {
      alsoNamed = collections ?? []
      collections = nil
    }
  }

  /// The same for a run in a direction.
  func going(_ direction: SyncDirection) -> PairTarget {
    var target = self
    target.direction = direction
    return target
  }

  /// Whether a run writes to a side.
  func writes(to side: Side) -> Bool {
    if side == .remote, pair.isReadOnly { return false }
    return (direction ?? pair.direction).writes(to: side)
  }
}

extension Configuration {
  /// The pairs that `PAIR[/COLLECTION]` arguments name, in the order of the arguments; without an
  /// argument all of them. A name that is none of them is status 64.
  public func targets(_ arguments: [String]) throws(RunFailure) -> [PairTarget] {
    guard !arguments.isEmpty else {
      guard !pairs.isEmpty else {
        throw RunFailure(
          .configuration, code: "no-pairs", message: "the configuration has no pair",
          place: file ?? "", hint: "add a table [pair.NAME] with local and remote")
      }
      return pairs.map { PairTarget(pair: $0) }
    }
    var targets: [PairTarget] = []
    for argument in arguments {
      let parts = argument.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts.first ?? "")
      let collection = parts.count == 2 && !parts[1].isEmpty ? String(parts[1]) : nil
      guard let pair = pairs.first(where: { $0.name == name }) else {
        throw .usage(
          "there is no pair \"\(name)\"",
          hint: suggestion(for: name, among: pairs.map(\.name), what: "pairs"))
      }
      if let index = targets.firstIndex(where: { $0.pair.name == name }) {
        targets[index].add(collection)
      } else {
        targets.append(PairTarget(pair: pair, collections: collection.map { [$0] }))
      }
    }
    return targets
  }
}
