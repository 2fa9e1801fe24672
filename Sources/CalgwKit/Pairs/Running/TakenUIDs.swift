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
        var hint: String?
        if let source = report.source(of: uid, besides: own.name) {
          let holder = report.place(of: source)
          hint =
            hasFiles
            ? told.problem.mend(ofMovedFrom: holder)
            : told.problem.mend(onServersOfMovedFrom: holder)
        } else if let other = await opened.store.collection(sharing: uid, besides: own.name) {
          let holder = report.place(of: other)
          hint =
            hasFiles
            ? told.problem.mend(ofCopyIn: holder) : told.problem.mend(onServersOfCopyIn: holder)
        }
        if let hint { report.collections[index].problems[place].problem.hint = hint }
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
  /// - Parameter place: `PAIR/COLLECTION`.
  fileprivate func mend(ofMovedFrom place: String) -> String {
    let mend =
      "Move its file back to \(place), where the server has it still, or move the item in the"
      + " server's own pages"
    return cause == .uidIsTaken
      ? "\(mend)." : "\(mend): it may take no second one of a UID. If that is not why: \(hint)"
  }

  /// - Parameter place: `PAIR/COLLECTION`.
  fileprivate func mend(ofCopyIn place: String) -> String {
    cause == .uidIsTaken
      ? "Remove one of the two files, or give one a new UID: \(place) has it as well."
      : "Remove this file, or give it a UID of its own: \(place) has it as well, and the server may"
        + " take no second one. If that is not why: \(hint)"
  }

  /// Where neither side has files: both are servers, or one gives a subscription.
  ///
  /// - Parameter place: `PAIR/COLLECTION`.
  fileprivate func mend(onServersOfMovedFrom place: String) -> String {
    let mend =
      "Move it back to \(place) where it was moved, or out of that in the own pages of the server"
      + " that refuses it, which has it there still"
    return cause == .uidIsTaken
      ? "\(mend)." : "\(mend): it may take no second one of a UID. If that is not why: \(hint)"
  }

  /// - Parameter place: `PAIR/COLLECTION`.
  fileprivate func mend(onServersOfCopyIn place: String) -> String {
    let mend =
      "Delete one of the two where they come from, or give one a new UID there: \(place) has it as"
      + " well"
    return cause == .uidIsTaken
      ? "\(mend)."
      : "\(mend), and the server may take no second one. If that is not why: \(hint)"
  }
}
