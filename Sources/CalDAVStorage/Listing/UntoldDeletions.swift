public import SyncModel

/// Servers whose lists of changes leave deletions out (Bedework). Beside other changes such a
/// deletion shows at a comparison of all tags alone, and that comes once a day.
extension CalDAVStorage {
  /// One deletion that is named shows that the server names them.
  func learnDeletions(from members: Members) {
    guard let href = members.gone.first else { return }
    memory.learn(.deletionsInChanges, true, "REPORT sync-collection", "\(href.text) is gone")
  }

  /// After a comparison of all tags: items that were known and are absent, and a list of changes
  /// since the token did not have them. From then on all tags are compared after each change.
  ///
  /// Of a server that once named a deletion, two runs have to see it: there such an item may have
  /// been told of before, and have waited for something else, or have gone between the list and the
  /// comparison, and then the next list names it.
  func learnUntold(_ absent: [Href]) {
    guard let told = withRunMemory({ $0.toldGone }) else { return }
    learn(untold: absent.filter { !told.contains($0) })
  }

  /// The same of items of which the run knows that they were there: another one of the UID of each
  /// is new, and a list of changes had that one alone.
  public func noteUntold(_ gone: [Href]) async {
    if withRunMemory(\.listsDeltas) { learn(untold: gone) }
  }

  private func learn(untold gone: [Href]) {
    guard let href = gone.first else { return }
    let request = "REPORT sync-collection"
    let answer = "nothing of \(href.text), which is gone"
    if memory.knows(.deletionsInChanges) {
      memory.doubt(.deletionsInChanges, of: gone.map(\.text), request, answer)
    } else {
      memory.learn(.deletionsInChanges, false, request, answer)
    }
  }
}
