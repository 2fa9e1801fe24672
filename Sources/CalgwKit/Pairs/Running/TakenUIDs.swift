import SQLiteJournal
import SyncExecution
import SyncModel

/// A server that takes no second item of a UID refuses a new one because of one in another
/// calendar, whether it says so or not. Which mend works depends on what another collection of the
/// pair has of it: of what was moved, to remove the new file is to delete the item.
extension CollectionRun {
  /// Has the problems of such items say who has the UID, and what to do.
  func nameHolders(_ report: inout PairReport) async {
    for index in report.collections.indices {
      let own = report.collections[index]
      for (place, told) in own.problems.enumerated() {
        guard let uid = told.item.uid,
          told.problem.cause == .uidIsTaken || told.problem.cause == .uidMayBeTaken
        else { continue }
        var hint: String?
        if let source = report.source(of: uid, besides: own.name) {
          hint = told.problem.mend(ofMovedFrom: report.place(of: source))
        } else if let other = await opened.store.collection(sharing: uid, besides: own.name) {
          hint = told.problem.mend(ofCopyIn: report.place(of: other))
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
}
