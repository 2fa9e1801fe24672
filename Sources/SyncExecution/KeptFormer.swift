import ICalendar
import SyncModel
import SyncPlanning

/// A server may store an edit and put a value back to what it was: the time of a meeting that
/// somebody else organizes, or that a task is done. Agreed on, the sides would differ for good, and
/// nothing would say so.
extension SyncRun {
  /// A value that a server kept, as the problem that it is.
  struct KeptFormer {
    var problem: ItemProblem
    /// Nothing of the edit is there.
    var isAll: Bool
  }

  /// The texts that a look at replacements needs: what was there before, and what the edit is on
  /// the side that it comes from.
  func formerTexts(
    _ part: [ReadOutcome], _ places: [Href: Place]
  ) async throws(SyncFailure) -> [ContentDigest: ItemData] {
    let digests = part.flatMap { outcome -> [ContentDigest] in
      guard let place = places[outcome.href], case .found(let version, _, _) = outcome.result,
        let replaced = place.write.intent.effect.replaced,
        let source = place.write.intent.source, version.digest != place.stored.version.digest
      else { return [] }
      return [replaced, source.version.digest]
    }
    if digests.isEmpty { return [:] }
    return try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.contents(digests)
    }
  }

  /// Agrees on the item with the values that the side kept, so that the rest of the edit is done
  /// and these alone are pending; they wait, and are told of in each run.
  ///
  /// - Parameters:
  ///   - found: what the side made of the write, and nobody else.
  ///   - agreement: as if the whole edit were there.
  mutating func keepFormer(
    _ found: ItemData, of place: Place, _ texts: [ContentDigest: ItemData],
    _ agreement: inout Agreement, _ stored: inout Stored
  ) {
    guard case .replace(_, let expecting, let sent) = place.write.write,
      let source = place.write.intent.source, let old = texts[expecting.digest],
      let own = texts[source.version.digest]
    else { return }
    let side = place.write.intent.side
    guard let former = sync.sentText(sent, over: old, on: side).former(in: found),
      let base = undoing(sent, former.text, in: own),
      let shared = sync.asSent(base, at: source.href), shared.canonical != source.canonical
    else { return }
    agreement[side.opposite] = shared
    stored.contents.append(StoredContent(digest: shared.version.digest, data: base))
    // To send a meeting day by day would tell everybody of it each time.
    let isTold =
      sync.storage(side).traits.actsOnMeetings && SchedulingAgent.isScheduled(sent.bytes)
    let pause = isTold ? Self.retryNever : Self.retryRefused
    let problem = ItemProblem.kept(former, by: side, isTold: isTold)
      .offered(after: isTold ? 0 : pause, again: place.write)
    stored.pending.append(
      sync.sighting(
        of: source.href, on: side.opposite, .read(source),
        wait: refusal(of: place.write, problem, for: pause)))
    stored.former[stored.closed[place.index].id] = KeptFormer(
      problem: problem, isAll: former.isAll)
  }

  /// Counts a write that is done, and names what the side kept as it was: it is not sent once more
  /// in this run, whoever wants it.
  mutating func tell(_ write: PreparedWrite, without former: KeptFormer?) {
    let uid = write.intent.uid
    if former?.isAll ?? false { unwritten[uid] = nil } else { finish(write) }
    guard let former else { return }
    leftAlone.insert(uid)
    unfinished[uid] = ReportedProblem(item: sync.item(of: write.action), problem: former.problem)
  }

  /// The text of the side that the edit comes from, with what was undone of what was sent.
  private func undoing(_ sent: ItemData, _ former: ItemData, in own: ItemData) -> ItemData? {
    own == sent ? former : sync.carry(from: sent, to: former, onto: own)
  }
}
