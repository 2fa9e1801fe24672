import SyncExecution

/// What the report of a settled conflict says of the item.
extension CollectionReport {
  /// What is refused before the sides are looked at has no more than the item's UID.
  mutating func nameRefusals(_ item: ReportedItem) {
    let nameless = ReportedItem(uid: item.uid, file: nil, href: nil, summary: "")
    for index in problems.indices where problems[index].item == nameless {
      problems[index].item = item
    }
  }

  /// Of one file the look at the sides and what was to be written over it may each tell the same
  /// trouble: the first names the cause.
  mutating func tellOnce() {
    var told: [ReportedProblem] = []
    for next in problems {
      let isTold = told.contains { former in
        next.item.file != nil && former.item.file == next.item.file
          && former.item.uid == next.item.uid && former.problem.code == next.problem.code
      }
      if !isTold { told.append(next) }
    }
    problems = told
  }
}
