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
        let draft = draft(group, of: held.stream)
        guard draft.hasChanges else { return draft.outcomes }
        let text = ItemData(bytes: draft.edit.bytes)
        let stream = CalendarStream(text.bytes)
        if let excess = stream.excess { return draft.outcomes(.refused(tooLarge(excess))) }
        let written = await source.replace(held.version, with: text)
        if case .changedMeanwhile = written.result {
          current = nil
          continue
        }
        return settle(draft, written, held, stream)
      } catch {
        current = nil
        return group.map { WriteOutcome(href: $0.href, result: .failed(error)) }
      }
    }
    return group.map { WriteOutcome(href: $0.href, result: .changedMeanwhile) }
  }

  /// What a batch makes of a text, and what became of each write; nil where that hangs on the text.
  private struct Draft {
    var edit: StreamEdit
    var writes: [(href: Href, settled: WriteOutcome.Result?, uid: [UInt8])] = []

    var hasChanges: Bool { writes.contains { $0.settled == nil } }
    var outcomes: [WriteOutcome] { outcomes(.changedMeanwhile) }

    /// With what became of those that hang on the text.
    func outcomes(_ result: WriteOutcome.Result) -> [WriteOutcome] {
      writes.map { WriteOutcome($0.href, $0.settled ?? result) }
    }
  }

  private func draft(_ group: [GuardedWrite], of stream: CalendarStream) -> Draft {
    var draft = Draft(edit: StreamEdit(stream, isKnownZone: options.isKnownZone))
    for write in group {
      switch write {
      case .create(let href, let data):
        let uid = CalendarObject(SyntaxTree(bytes: data.bytes)).uids.first ?? []
        let isTaken = item(uid, in: stream) != nil || draft.writes.contains { $0.uid == uid }
        let settled: WriteOutcome.Result?
        if let problem = clash(of: uid, in: stream) {
          settled = .refused(problem)
        } else {
          settled = isTaken ? .changedMeanwhile : put(data, as: uid, into: &draft.edit)
        }
        draft.writes.append((href, settled, uid))
      case .replace(let href, let expecting, let data):
        let uid = href.spelling
        let isThere = item(uid, in: stream)?.0.digest == expecting.digest
        let settled = isThere ? put(data, as: uid, into: &draft.edit) : .changedMeanwhile
        draft.writes.append((href, settled, uid))
      case .delete(let href, let expecting):
        let uid = href.spelling
        switch item(uid, in: stream)?.0.digest {
        case nil where stream.nameless.isEmpty: draft.writes.append((href, .removed, uid))
        case expecting.digest:
          draft.edit.remove(uid)
          draft.writes.append((href, nil, uid))
        default: draft.writes.append((href, .changedMeanwhile, uid))
        }
      }
    }
    return draft
  }

  /// Gives the refusal, or nil where the item is in the edit.
  private func put(_ data: ItemData, as uid: [UInt8], into edit: inout StreamEdit)
    -> WriteOutcome.Result?
  {
    do throws(StreamEdit.Refusal) {
      try edit.put(data.bytes, as: uid)
      return nil
    } catch {
      switch error {
      case .notAnItem:
        return .refused(
          ItemProblem(
            .incomplete, "the text is not that of one item with one UID",
            hint: "Look at the item on the other side."))
      case .zoneDiffers(let name):
        let zone = String(decoding: name, as: UTF8.self)
        return .refused(
          ItemProblem(
            .unsupported, "\(source.name) has another time zone of the name \(zone)",
            hint: "One text has one zone of a name: rename the zone in the item."))
      case .zoneTooLarge(let name):
        let zone = String(decoding: name, as: UTF8.self)
        return .refused(
          ItemProblem(
            .tooLarge, "its time zone \(zone) has more than \(CalendarStream.zoneLimit >> 10) KiB",
            hint: "Put a shorter definition of that time zone into the item."))
      }
    }
  }

  private func settle(
    _ draft: Draft, _ written: WriteOutcome, _ old: Held, _ new: CalendarStream
  ) -> [WriteOutcome] {
    var stream = old.stream
    switch written.result {
    case .stored(_, let version, _):
      if let replacedVersion = old.version { replaced.insert(replacedVersion.digest) }
      stream = new
      current = Held(stream: stream, version: version, state: nil)
    case .removed, .changedMeanwhile, .refused, .unknown, .failed: current = nil
    }
    return draft.writes.map { write in
      let result: WriteOutcome.Result
      if let settled = write.settled {
        result = settled
      } else if case .stored = written.result {
        result =
          item(write.uid, in: stream).map { .stored(Href(write.uid), $0.0, modified: nil) }
          ?? (old.stream.text(of: write.uid) == nil ? .changedMeanwhile : .removed)
      } else {
        result = written.result
      }
      return WriteOutcome(write.href, result, isUnguarded: written.isUnguarded)
    }
  }

  private func tooLarge(_ excess: CalendarStream.Excess) -> ItemProblem {
    ItemProblem(
      .tooLarge, "with it, \(source.name) would be too large to be read: \(excess.words)",
      hint: "Take out what is not needed any more, or sync some of it with another file.")
  }

  private var readOnly: ItemProblem {
    ItemProblem(
      .readOnly, "\(source.name) cannot be written to", hint: "Undo the change on the other side.")
  }
}

extension WriteOutcome {
  /// A clash is mended in the text, and the item that it kept out is the same then: it is not to
  /// wait for a day.
  fileprivate init(_ href: Href, _ result: Result, isUnguarded: Bool = false) {
    self.init(href: href, result: result, isUnguarded: isUnguarded)
    if case .refused(let problem) = result { isTransient = problem.code == .duplicateUID }
  }
}
