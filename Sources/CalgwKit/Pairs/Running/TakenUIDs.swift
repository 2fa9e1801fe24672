import SQLiteJournal
import SyncExecution
import SyncModel

/// A server that takes no second item of a UID refuses a new one because of one in another
/// calendar, whether it says so or not. Which mend works depends on what another collection of the
/// pair has of it: of what was moved, to remove the new file is to delete the item.
extension CollectionRun {
  /// Has the problems of such items say who has the UID, and what to do.
  func nameHolders(_ report: inout PairReport) async {
    let pair = opened.target.pair
    let hasFiles = [pair.local, pair.remote].contains { side in
      if case .directory = side { true } else { false }
    }
    for index in report.collections.indices {
      let own = report.collections[index]
      for (place, told) in own.problems.enumerated() {
        guard let uid = told.item.uid,
          told.problem.cause == .uidIsTaken || told.problem.cause == .uidMayBeTaken
        else { continue }
        let holder: (name: String, isLeft: Bool)
        if let source = report.source(of: uid, besides: own.name) {
          holder = (source, true)
        } else if let other = await opened.store.collection(sharing: uid, besides: own.name) {
          holder = (other, false)
        } else {
          continue
        }
        report.collections[index].problems[place].problem.hint = told.problem.mend(
          heldBy: report.place(of: holder.name), isLeft: holder.isLeft, hasFiles: hasFiles)
      }
    }
  }
}

extension PairReport {
  /// The collection that an item was moved out of and that has it on the server still.
  fileprivate func source(of uid: ItemID, besides name: String) -> String? {
    collections.first { other in
      other.name != name && (other.leaving + other.edited).contains { $0.uid == uid }
    }?.name
  }
}

extension ItemProblem {
  /// What to do where another collection has an item of the UID.
  ///
  /// - Parameters:
  ///   - place: that collection, `PAIR/COLLECTION`.
  ///   - isLeft: this very item was moved out of it; else it has one as well.
  ///   - hasFiles: a side does; else both are servers, or one gives a subscription.
  fileprivate func mend(heldBy place: String, isLeft: Bool, hasFiles: Bool) -> String {
    let isKnown = cause == .uidIsTaken
    let mend =
      switch (isLeft, hasFiles) {
      case (true, true):
        "Move its file back to \(place), where the server has it still, or move the item in the"
          + " server's own pages"
      case (true, false):
        "Move it back to \(place) where it was moved, or out of that in the own pages of the server"
          + " that refuses it, which has it there still"
      case (false, true) where isKnown:
        "Remove one of the two files, or give one a new UID: \(place) has it as well"
      case (false, true):
        "Remove this file, or give it a UID of its own: \(place) has it as well"
      case (false, false):
        "Delete one of the two where they come from, or give one a new UID there: \(place) has it"
          + " as well"
      }
    if isKnown { return "\(mend)." }
    let guess =
      isLeft
      ? ": it may take no second one of a UID" : ", and the server may take no second one"
    return "\(mend)\(guess). If that is not why: \(hint)"
  }
}
