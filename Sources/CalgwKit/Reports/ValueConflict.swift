public import SyncModel

/// A name, a colour or the like of a collection that both sides changed, and of which a person is
/// to say which one holds.
public struct ValueConflict: Sendable, Hashable {
  public var key: MetadataKey
  /// Nil where that side has none.
  public var local: String?
  public var remote: String?
  /// Whose value may go to the other side, in the order of the sides; never empty.
  public var choices: [Side]
  /// The sides never agreed on it: nobody can say which of them changed it.
  public var isUnmet: Bool

  package init(
    key: MetadataKey, local: String? = nil, remote: String? = nil, choices: [Side],
    isUnmet: Bool = false
  ) {
    self.key = key
    self.local = local
    self.remote = remote
    self.choices = choices
    self.isUnmet = isUnmet
  }

  /// The machine-readable form.
  var json: JSONValue {
    .object(
      ("key", .string(key.rawValue)), ("local", .optional(local)), ("remote", .optional(remote)))
  }

  /// What to do about those of a collection. No run takes a name of its own: a policy for one run
  /// settles them. A pair of the command line has no name by which a run would be about this
  /// collection alone, and a policy for all of them would settle what nobody looked at.
  public static func mend(_ conflicts: [ValueConflict], pair: String, collection: String) -> String
  {
    let byHand = "write the same value on both sides"
    if pair.hasPrefix("adhoc-") { return byHand }
    let common = Side.allCases.filter { side in conflicts.allSatisfy { $0.choices.contains(side) } }
    let choices = common.isEmpty ? conflicts.first?.choices ?? [] : common
    let target = "\(pair)/\(collection)"
    let commands = choices.map { side in
      "`\(shellCommand("sync", options: ["--conflict", side.rawValue], argument: target))`"
    }
    return "run \(commands.joined(separator: " or ")), which settles the conflicts of its items"
      + " likewise; or \(byHand)"
  }
}
