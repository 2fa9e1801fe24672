import SQLiteJournal
import SyncExecution
import SyncModel

/// A run over some collections of a pair may see one half of a move alone: a file that is new here.
/// Sent as a new item, the server would have it twice until a run sees where it was; or it would be
/// refused, where no two items of an account may have one UID (RFC 4791 §5.3.2.1).
extension CollectionRun {
  /// Leaves to a run over the whole pair what was moved here from a collection that this one is not
  /// about, and names it. What is a copy is sent.
  func holdHalfMoved(_ report: inout PairReport) async {
    guard case .account = opened.remote else { return }
    for other in opened.leftOut where !report.arriving.isEmpty {
      let moved = await gone(report.arriving, from: other)
      if !moved.isEmpty { report.hold(moved, from: other.name) }
    }
  }

  /// Those of some items that a collection has on both sides, as far as its journal knows, and
  /// whose files are there no more.
  func gone(_ items: Set<ItemID>, from collection: MatchedCollection) async -> Set<ItemID> {
    guard case .present(let folder) = collection.local, case .present = collection.remote,
      let journal = try? await opened.store.journal(of: collection.name)
    else { return [] }
    var files: [Href: ItemID] = [:]
    var gone: Set<ItemID> = []
    for uid in items.sorted() {
      guard let file = try? await journal.agreement(of: uid)?.local.href else { continue }
      if file.isVacated { gone.insert(uid) } else { files[file] = uid }
    }
    if files.isEmpty { return gone }
    let storage = try? await opened.local.open(folder)
    let absent = try? await storage?.confirmAbsence(of: files.keys.sorted())
    return gone.union((absent ?? []).compactMap { files[$0] })
  }
}

extension PairReport {
  fileprivate mutating func hold(_ moved: Set<ItemID>, from name: String) {
    let problem = ItemProblem.movedHere(from: place(of: name), pair: pair)
    for index in collections.indices {
      let held = collections[index].arriving.filter { $0.uid.map(moved.contains) ?? false }
      collections[index].arriving.removeAll { held.contains($0) }
      collections[index].problems += held.map { ReportedProblem(item: $0, problem: problem) }
    }
  }
}

extension ItemProblem {
  /// - Parameter place: `PAIR/COLLECTION`.
  fileprivate static func movedHere(from place: String, pair: String) -> ItemProblem {
    ItemProblem(
      .refused,
      "it was moved here from \(place), where the server has it still, and this run is not about"
        + " that calendar",
      hint: "Run `calgw sync \(shellWord(visibleText(pair)))`, which moves it on the server.")
  }
}
