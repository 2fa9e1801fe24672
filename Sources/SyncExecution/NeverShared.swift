import SyncModel
import SyncPlanning

extension CollectionSync {
  /// These, with the broken files of items that both sides never agreed on and that were in
  /// conflict before: the log has their versions from there, whatever is left in the file.
  func withNeverShared(
    _ broken: [Side: BrokenFiles], _ differing: Differing
  ) async throws(SyncFailure) -> [Side: BrokenFiles] {
    guard var files = broken[.local], !local.traits.keepsAddresses else { return broken }
    let shared = Set(differing.agreements.map(\.uid))
    var here: Set<ItemID> = []
    var waiting: Set<ItemID> = []
    for seen in differing.observations {
      guard case .read(let item) = seen.state else { continue }
      if seen.side == .local {
        here.insert(item.uid)
      } else if seen.wait == .conflict {
        waiting.insert(item.uid)
      }
    }
    for uid in waiting.subtracting(shared).subtracting(here).subtracting(files.uids).sorted() {
      guard let file = try await obstructedFile(of: uid, differing), files.uidsAt[file] == nil
      else { continue }
      files.uids.insert(uid)
      files.uidsAt[file] = [uid]
    }
    var broken = broken
    broken[.local] = files
    return broken
  }
}

extension CollectionSync.BrokenFiles {
  /// The one file in which nothing but this item can be made out; nil where there is none, or
  /// another file has it, too.
  func file(of uid: ItemID) -> Href? {
    let files = uidsAt.filter { $0.value.contains(uid) }
    guard files.count == 1, let file = files.first, file.value.count == 1 else { return nil }
    return file.key
  }
}

extension MatchedItems {
  /// Says whose a broken local file is, where the remote side has the item, too, and both sides
  /// never agreed on it.
  mutating func nameNeverShared(in broken: CollectionSync.BrokenFiles?) {
    let nameless = problems.indices.filter {
      problems[$0].uid == nil && problems[$0].side == .local
    }
    guard let broken, !nameless.isEmpty else { return }
    let byUID = Dictionary(
      items.map { ($0.uid, $0) }, uniquingKeysWith: { first, _ in first })
    for index in nameless {
      let file = problems[index].href
      guard let uid = broken.uidsAt[file]?.first, broken.file(of: uid) == file,
        let item = byUID[uid], case .unmet(nil, let there?) = item.state
      else { continue }
      problems[index].uid = uid
      problems[index].summary = there.summary
      problems[index].neverShared = there
      problems[index].problem.offerRemote()
    }
  }
}

extension ItemProblem {
  /// Of a file whose item the remote side has, too, and of which both sides share nothing.
  fileprivate mutating func offerRemote() {
    message += "; the remote side has it, too"
    // It would come back from there.
    hint = hint.replacing(" Taking it away \(Self.deletesThere).", with: "")
    if isUnread || code == .notAFile { return }
    if !hint.hasSuffix(".") { hint += "." }
    hint += " `calgw resolve UID --take remote` takes what is there."
  }
}
