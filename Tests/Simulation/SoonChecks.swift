import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport

extension World {
  /// With a server that hides nothing, both sides are the same after two runs: what nobody knows of
  /// until all is compared anew, once a day, was overlooked.
  func checkSoon() {
    guard showsWhatWasDone else { return }
    executor.advance(5_000)
    _ = quietRun()
    executor.advance(5_000)
    guard let report = quietRun(), showsWhatWasDone else { return }
    checkSides(report)
    checkLastSaves(report)
  }
}

extension CleanRun {
  /// Arrives: what one side alone edited, or has new, is on the other after one run that nobody
  /// disturbed, or is named.
  func checkArrivals(_ report: CollectionReport, _ now: CleanRun, _ world: World) {
    guard world.showsWhatWasDone, world.story.direction == .both, broken.isEmpty,
      !report.problems.contains(where: { $0.item.uid == nil || $0.problem.code == .massDelete })
    else { return }
    let named = Set((report.problems.map(\.item) + report.conflicts.map(\.item)).map(\.uid))
    for name in Set(local.keys).union(remote.keys).sorted() {
      let uid = ItemID(name)
      if named.contains(uid) || open.contains(uid) || world.isUnnoticed(name) { continue }
      let (here, there) = (local[name] ?? [:], remote[name] ?? [:])
      guard here.count < 2, there.count < 2 else { continue }
      let (hereNow, thereNow) = (now.text(of: name, on: .local), now.text(of: name, on: .remote))
      let isCarried =
        switch origin(of: uid, here.values.first, there.values.first) {
        case .local: thereNow == here.values.first.map(ItemText.wire)
        case .remote: hereNow.map(ItemText.wire) == there.values.first.map(ItemText.wire)
        case nil: true
        }
      if !isCarried { world.violate("Arrives", "\(name) did not come to the other side") }
    }
  }

  private func text(of uid: String, on side: Side) -> [UInt8]? {
    (side == .local ? local : remote)[uid]?.values.first
  }

  /// The side that alone edited an item, or alone has it, and nobody had it before; nil for all
  /// else.
  private func origin(of uid: ItemID, _ here: [UInt8]?, _ there: [UInt8]?) -> Side? {
    guard let agreement = agreements[uid] else {
      return here == nil ? .remote : there == nil ? .local : nil
    }
    guard let here, let there, let baseHere = texts[agreement.local.version.digest]?.bytes,
      let baseThere = texts[agreement.remote.version.digest]?.bytes,
      // Else each side has what the other lacks, and only what changed is carried over.
      ItemText.wire(baseHere) == ItemText.wire(baseThere)
    else { return nil }
    switch (here == baseHere, there == baseThere) {
    case (false, true): return isPlainEdit(here, since: agreement.local) ? .local : nil
    case (true, false): return isPlainEdit(there, since: agreement.remote) ? .remote : nil
    default: return nil
    }
  }

  /// A touch alone of a meeting goes nowhere.
  private func isPlainEdit(_ bytes: [UInt8], since agreed: ItemVersion) -> Bool {
    isEdited(bytes, since: agreed) && !isTouched(bytes, since: agreed)
  }
}
