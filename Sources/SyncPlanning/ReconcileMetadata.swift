public import SyncModel

/// What each side showed of a value when they last agreed. The two may differ for ever, as where a
/// server keeps a form of its own.
public struct MetadataBase: Sendable, Hashable {
  public var local: String?
  public var remote: String?

  public init(local: String?, remote: String?) {
    self.local = local
    self.remote = remote
  }

  /// What a side showed; nil: it had none.
  public subscript(side: Side) -> String? {
    get { side == .local ? local : remote }
    set {
      switch side {
      case .local: local = newValue
      case .remote: remote = newValue
      }
    }
  }
}

/// What a run may do about values, and how it settles those that both sides changed.
public struct MetadataRules: Sendable, Hashable {
  public var policy: ConflictPolicy
  public var direction = SyncDirection.both
  /// As `ReconcileRules.settlesOneWay`.
  public var settlesOneWay = false
  /// Sides that no value may be written to.
  public var readOnly: Set<Side> = []

  public init(policy: ConflictPolicy) { self.policy = policy }

  /// The side whose value holds where both changed it; nil where a person is to decide.
  fileprivate var winner: Side? {
    if direction != .both, !settlesOneWay { return nil }
    return switch policy {
    case .local: .local
    case .remote, .merge, .newest: .remote
    case .ask: nil
    }
  }
}

/// What is done about one value of a collection.
public enum MetadataDecision: Sendable, Hashable {
  /// Both sides may stay as they are, and that is the new base.
  case settled
  /// The other side's value goes to this one; where it is read-only, it is kept beside it. A
  /// conflict is one that both sides changed.
  case set(on: Side, isConflict: Bool)
  /// Both changed it and a person is to decide.
  case undecided
}

/// Decides about one value by what changed since the base; nil: the two never met.
///
/// Where both sides changed it the policy says who wins. `merge` and `newest` let the remote side
/// win, as with texts whose times are not known: nobody says when a name was changed. But what was
/// changed beside a read-only side is undone under no policy because that one changed, too. A push
/// or pull settles nothing, as with items.
public func reconcileMetadata(
  _ key: MetadataKey, base: MetadataBase?, local: String?, remote: String?, rules: MetadataRules
) -> MetadataDecision {
  if isSame(key, local, remote) { return .settled }
  if base == nil, key == .color, isOpaque(local, of: remote) || isOpaque(remote, of: local) {
    // Nobody changed it: a server, or a program, keeps no alpha.
    return .settled
  }
  // What is removed on one side stays on the other: a folder that was restored without its names
  // is no wish to have none.
  let localChanged = isSet(local) && !isSame(key, local, base?.local)
  let remoteChanged = isSet(remote) && !isSame(key, remote, base?.remote)
  switch (localChanged, remoteChanged) {
  case (false, false): return .settled
  case (true, false): return .set(on: .remote, isConflict: false)
  case (false, true): return .set(on: .local, isConflict: false)
  case (true, true):
    if base != nil, let target = Side.allCases.first(where: rules.readOnly.contains) {
      return .set(on: target, isConflict: true)
    }
    guard let winner = rules.winner, rules.direction.writes(to: winner.opposite) else {
      return .undecided
    }
    return .set(on: winner.opposite, isConflict: true)
  }
}

/// One colour is the other without its alpha.
private func isOpaque(_ one: String?, of other: String?) -> Bool {
  guard let one, let other, let color = normalColor(one) else { return false }
  return color == opaqueColor(other)
}

private func isSet(_ value: String?) -> Bool { !(value ?? "").isEmpty }

/// A name as a server shows it: line ends, with the blanks around them, are one blank.
private func line(of name: String) -> String {
  let lines = name.utf8.split { (0x0A...0x0D).contains($0) }
  if lines.count < 2 { return name }
  let blanks: Set<UInt8> = [0x09, 0x20]
  let words = lines.map { line in
    Array(line.drop { blanks.contains($0) }.reversed().drop { blanks.contains($0) }.reversed())
  }
  let one = words.filter { !$0.isEmpty }.joined(separator: [0x20])
  return String(decoding: Array(one), as: UTF8.self)
}

/// Compares two values as they are meant; an empty one is none.
public func isSame(_ key: MetadataKey, _ one: String?, _ other: String?) -> Bool {
  func meaning(_ value: String?) -> String? {
    guard let value, !value.isEmpty else { return nil }
    return switch key {
    case .color: normalColor(value) ?? value
    case .displayname: line(of: value)
    case .description, .order: value
    }
  }
  // Bytes: Swift takes texts that differ in normalisation alone for equal.
  return meaning(one).map { Array($0.utf8) } == meaning(other).map { Array($0.utf8) }
}
