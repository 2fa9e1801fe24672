import ICalendar
public import SyncModel

extension StreamStorage {
  /// Another program that writes the text each time calgw is about to, so often in turn, is left
  /// alone until the next run.
  private static let attempts = 4

  /// Makes all changes of the batch in one new text, which then takes the old one's place.
  public func carryOut(_ batch: [GuardedWrite]) async -> [WriteOutcome] {
    var outcomes: [WriteOutcome] = []
    var rest = batch[...]
    // An item that comes twice is written twice, in the order asked.
    while !rest.isEmpty {
      var group: [GuardedWrite] = []
      var seen: Set<Href> = []
      while let next = rest.first, seen.insert(next.href).inserted {
        group.append(next)
        rest = rest.dropFirst()
      }
      outcomes += await carryOut(group: group)
    }
    return outcomes
  }

  private func carryOut(group: [GuardedWrite]) async -> [WriteOutcome] {
    guard !traits.isReadOnly else {
      return group.map { WriteOutcome(href: $0.href, result: .refused(readOnly)) }
    }
    for _ in 0..<Self.attempts {
      do throws(StorageError) {
        let held: Held
        if let current { held = current } else { held = try await fetch() }
        let (draft, made) = fittingDraft(of: group, for: held.stream)
        guard draft.hasChanges else { return draft.outcomes { $0.outcome(.changedMeanwhile) } }
        let written = await source.replace(held.version, with: ItemData(bytes: made.bytes))
        if case .changedMeanwhile = written.result {
          current = nil
          continue
        }
        return settle(draft, written, held, made)
      } catch {
        current = nil
        return group.map { WriteOutcome(href: $0.href, result: .failed(error)) }
      }
    }
    return group.map { WriteOutcome(href: $0.href, result: .changedMeanwhile) }
  }

  private func settle(
    _ draft: TextDraft, _ written: WriteOutcome, _ old: Held, _ new: CalendarStream
  ) -> [WriteOutcome] {
    var stream = old.stream
    switch written.result {
    case .stored(_, let version, _):
      if let replacedVersion = old.version { replaced.insert(replacedVersion.digest) }
      stream = new
      current = Held(stream: stream, version: version, state: nil)
    case .removed, .changedMeanwhile, .refused, .unknown, .failed: current = nil
    }
    return draft.outcomes { write in
      let result: WriteOutcome.Result
      if case .stored = written.result {
        result =
          item(write.uid, in: stream).map { .stored(Href(write.uid), $0.0, modified: nil) }
          ?? (old.stream.text(of: write.uid) == nil ? .changedMeanwhile : .removed)
      } else {
        result = written.result
      }
      return write.outcome(result, isUnguarded: written.isUnguarded)
    }
  }

  private var readOnly: ItemProblem {
    ItemProblem(
      .readOnly, "\(source.name) cannot be written to", hint: "Undo the change on the other side.")
  }
}
