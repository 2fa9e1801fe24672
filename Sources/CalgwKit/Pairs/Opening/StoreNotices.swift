import SQLiteJournal

extension StoreNotice {
  var isOfDamage: Bool {
    switch self {
    case .damaged: true
    case .created, .upgraded, .onNetwork: false
    }
  }

  /// What a person should know of it; nil where it is nothing to worry about.
  var text: String? {
    switch self {
    case .created: nil
    case .damaged(let reason, let path?):
      "the journal was damaged (\(reason)); it is kept as \(path) and this is a first sync"
    case .damaged(let reason, nil): "the journal is damaged (\(reason)); the next run begins anew"
    case .upgraded(_, let backup): "the journal was upgraded; as it was it is kept as \(backup)"
    case .onNetwork:
      "the journal is on a network file system: slower, and locks may not hold between machines"
    }
  }
}
