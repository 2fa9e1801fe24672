import SyncExecution
import SyncModel

extension StatusReport {
  /// Says what stays on the server although its file was moved into the folder of another
  /// collection: there it waits, as for a server that refused it.
  mutating func noteStaying() {
    let waiting = Dictionary(
      grouping: items.filter {
        $0.local == .created && ($0.problem != nil || $0.conflict != nil)
      },
      by: \.item.uid)
    let staying = items.filter { own in
      own.item.uid != nil && own.local == .deleted && own.remote == .unchanged
        && waiting[own.item.uid, default: []].contains { $0.collection != own.collection }
    }
    for (collection, items) in Dictionary(grouping: staying, by: \.collection).sorted(by: {
      $0.key < $1.key
    }) {
      notices += notesOfStaying(items.map(\.item), in: "\(pair)/\(collection)", isForeseen: false)
    }
  }
}
