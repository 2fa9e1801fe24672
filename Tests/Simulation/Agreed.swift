import SyncModel
import SyncPlanning
import TestSupport

extension World {
  /// IntentThenFact: what calgw takes for the version that a side has was there once. (After half a
  /// merge the agreement is what both shared by then, which need be on no side: it has no tag.)
  func checkAgreementsWereThere(since before: [ItemID: Agreement]) {
    let state = journal.state
    for (uid, agreement) in state.agreements.sorted(by: { $0.key < $1.key })
    where before[uid] != agreement {
      for side in Side.allCases where before[uid]?[side] != agreement[side] {
        guard agreement[side].version.tag != nil,
          let text = state.contents[agreement[side].version.digest]?.bytes
        else { continue }
        if !wasThere(text, on: side) {
          violate(
            "IntentThenFact", "'\(uid.text)' is agreed on as what the \(side) side never had")
        }
      }
    }
  }

  /// In one of the two forms of line ends that a server may give.
  private func wasThere(_ text: [UInt8], on side: Side) -> Bool {
    switch side {
    case .local:
      // Nobody sees into a folder that another one has taken the place of, or none.
      return disk.known.contains(text) || story.changesFolder
    case .remote:
      // A server may give a tag for what it was sent, as if it had kept just that; and another
      // request's answer is believed.
      let wire = ItemText.wire(text)
      let isTagged = [.strong, .wrong].contains(server.switches.putTag)
      let stored = isTagged ? server.rewritten(wire) : wire
      // An answer that was cut off in its last line break is whole.
      let rest = Array(ItemText.trimmed(wire))
      let whole = story.strikes("C4.16") ? [rest + [13, 10], rest.filter { $0 != 13 } + [10]] : []
      return server.switches.splitsOverrides || story.strikes("C4.19")
        || ([text, wire, text.filter { $0 != 13 }, stored] + whole).contains {
          server.everHeld($0)
        }
    }
  }
}

extension Story {
  /// Somebody takes the folder away, or puts another one in its place.
  fileprivate var changesFolder: Bool {
    let kinds: Set<Act.Kind> = [.folderUnmount, .folderMount, .folderDelete, .folderReplace]
    return acts.contains { kinds.contains($0.kind) }
  }
}
