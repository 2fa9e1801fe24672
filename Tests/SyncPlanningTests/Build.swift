import SyncModel
import SyncPlanning

/// Versions, agreements and items named by letters, as in docs/reconcile.md.
enum Build {
  static let now = Instant(seconds: 1_767_225_600)

  static func version(
    _ letter: Character, uid: String = "dentist", on side: Side = .local,
    modified: Instant? = nil, components: [String] = ["VEVENT"]
  ) -> ItemVersion {
    let digest = ContentDigest(bytes: Array("\(uid)\(letter)".utf8))
    return ItemVersion(
      href: Href("\(side.rawValue)/\(uid).ics"), uid: ItemID(uid),
      version: Version(tag: EntityTag(bytes: digest.bytes), digest: digest), canonical: digest,
      summary: "\(uid) \(letter)", lastModified: nil, modified: modified, components: components)
  }

  static func agreement(_ letter: Character, uid: String = "dentist") -> Agreement {
    Agreement(
      uid: ItemID(uid), local: version(letter, uid: uid, on: .local),
      remote: version(letter, uid: uid, on: .remote))
  }

  /// `-` is nothing there.
  static func item(
    base: Character, local: Character, remote: Character, newer: Side = .local
  ) -> DifferingItem {
    let times: [Side: Instant] = [
      .local: Instant(seconds: newer == .local ? 1_767_220_000 : 1_767_210_000),
      .remote: Instant(seconds: newer == .remote ? 1_767_220_000 : 1_767_210_000),
    ]
    func seen(_ letter: Character, _ side: Side) -> ItemVersion? {
      letter == "-" ? nil : version(letter, on: side, modified: times[side])
    }
    guard base != "-" else {
      return DifferingItem(
        uid: ItemID("dentist"),
        state: .unmet(local: seen(local, .local), remote: seen(remote, .remote)))
    }
    var agreed = agreement(base)
    for side in Side.allCases { agreed[side].modified = times[side] }
    return DifferingItem(
      uid: ItemID("dentist"),
      state: .agreed(
        agreed, local: detectChange(from: agreed.local, to: seen(local, .local)),
        remote: detectChange(from: agreed.remote, to: seen(remote, .remote))))
  }

  /// What a plan does with its one item, in the words of the document.
  static func words(_ plan: Plan) -> String {
    if let conflict = plan.conflicts.first {
      switch conflict.mergeable {
      case .everything: return "merge, else conflict"
      case .touchesOrElse(let winner): return "replace on \(winner.opposite.rawValue)"
      case .touches, .onlySilently: return "conflict"
      }
    }
    switch plan.actions.first {
    case nil: return "nothing"
    case .create(let side, _, _): return "create on \(side.rawValue)"
    case .replace(let side, _, _, _, _): return "replace on \(side.rawValue)"
    case .merge(let merged): return "merge \(merged.texts.keys.sorted())"
    case .delete(let side, _, _, _): return "delete on \(side.rawValue)"
    case .record: return "record"
    case .forget: return "forget"
    }
  }
}
