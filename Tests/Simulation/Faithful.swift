import SyncExecution
import SyncModel
import TestSupport

/// What a run that nobody disturbed wrote where there was nothing to merge.
extension CleanRun {
  /// The same where some looks were refused: what is written is written as ever.
  func checkWritten(_ errand: Errand, _ report: CollectionReport, in world: World) {
    guard errand.uid == nil, report.failure == nil, world.showsWhatWasDone else { return }
    checkFaithful(report, CleanRun(world), world)
  }

  /// BogusTag: what is the same in every byte stays so, whatever its tag says.
  /// ByteFaithful: what one side alone changed arrives on the other byte for byte.
  func checkFaithful(_ report: CollectionReport, _ now: CleanRun, _ world: World) {
    guard !world.server.switches.changesTexts, !world.server.switches.movesUIDs else { return }
    let named = Set((report.problems.map(\.item) + report.conflicts.map(\.item)).map(\.uid))
    for uid in agreements.keys.sorted()
    where !open.contains(uid) && !named.contains(uid) && !world.isUnnoticed(uid.text) {
      guard let agreement = agreements[uid],
        let baseHere = texts[agreement.local.version.digest]?.bytes,
        let baseThere = texts[agreement.remote.version.digest]?.bytes,
        let (here, there) = pair(uid), let (hereNow, thereNow) = now.pair(uid)
      else { continue }
      // Else each side has what the other lacks, and only what changed is carried over.
      let isOneText = ItemText.wire(baseHere) == ItemText.wire(baseThere)
      switch (here == baseHere, there == baseThere) {
      case (true, true):
        if hereNow != here || thereNow != there {
          world.violate("BogusTag", "\(uid.text) was written, and nobody had changed it")
        }
      case (true, false) where isOneText:
        if hereNow != here, ItemText.wire(hereNow) != ItemText.wire(there) {
          world.violate("ByteFaithful", "\(uid.text) is not in the folder as it is on the server")
        }
      case (false, true) where isOneText:
        if thereNow != there, thereNow != ItemText.wire(here) {
          world.violate("ByteFaithful", "\(uid.text) is not on the server as it is in the folder")
        }
      default: break
      }
    }
  }

  /// The item's texts on both sides, where each has one.
  private func pair(_ uid: ItemID) -> (here: [UInt8], there: [UInt8])? {
    guard let here = local[uid.text], let there = remote[uid.text], here.count == 1,
      there.count == 1, let one = here.values.first, let other = there.values.first
    else { return nil }
    return (one, other)
  }
}

extension World {
  /// TokenOrder: what the server's token says has been told is in the journal, even after a kill.
  func checkToken() {
    guard story.traits.allSatisfy({ !$0.hasPrefix("C6.") || $0 == "C6.29" || $0 == "C6.25" }),
      let cursor = journal.state.cursors[.remote],
      let told = server.told(by: cursor.bytes, in: World.calendar)
    else { return }
    let known = journal.state.known(.remote)
    for (name, tag) in told {
      let mine = known.filter { ModelServer.name(ofPath: $0.href.spelling) == name }
      guard !isRight(mine, tag) else { continue }
      let text = String(decoding: name, as: UTF8.self)
      violate("TokenOrder", "the token is newer than what the journal has of '\(text)'")
    }
  }

  private func isRight(_ known: [KnownResource], _ tag: [UInt8]?) -> Bool {
    guard let tag else { return known.allSatisfy(\.isGone) }
    // Without a tag it is read again.
    return known.contains { $0.tag == nil || $0.tag?.bytes == tag }
  }
}
