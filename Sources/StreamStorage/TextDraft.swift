import ICalendar
import SyncModel

/// What a batch makes of a text, and what became of each write.
struct TextDraft {
  var edit: StreamEdit
  var writes: [Write] = []

  struct Write {
    let href: Href
    let uid: [UInt8]
    /// What became of it; nil where that hangs on the text.
    let settled: WriteOutcome?
    /// In bytes: by how much it makes the text longer.
    var growth = 0

    /// What became of it with the text.
    func outcome(_ result: WriteOutcome.Result, isUnguarded: Bool = false) -> WriteOutcome {
      WriteOutcome(href: href, result: result, isUnguarded: isUnguarded)
    }
  }

  /// Something is to be written.
  var hasChanges: Bool { writes.contains { $0.settled == nil } }

  /// With what became of those that hang on the text.
  func outcomes(_ outcome: (Write) -> WriteOutcome) -> [WriteOutcome] {
    writes.map { $0.settled ?? outcome($0) }
  }
}

extension StreamStorage {
  /// Drafts the writes of a group, but for those that are refused.
  func draft(
    of group: [GuardedWrite], for stream: CalendarStream, refusing refused: [Href: ItemProblem]
  ) -> TextDraft {
    var draft = TextDraft(edit: StreamEdit(stream, isKnownZone: options.isKnownZone))
    for write in group {
      switch write {
      case .create(let href, let data):
        let uid = CalendarObject(SyntaxTree(bytes: data.bytes)).uids.first ?? []
        let isTaken = item(uid, in: stream) != nil || draft.writes.contains { $0.uid == uid }
        if let problem = problem(of: uid, in: stream) ?? (isTaken ? nil : refused[href]) {
          draft.writes.append(.init(href: href, uid: uid, settled: mendable(problem, href)))
        } else if isTaken {
          draft.writes.append(.init(href: href, uid: uid, settled: changed(href)))
        } else {
          put(data, as: uid, at: href, into: &draft)
        }
      case .replace(let href, let expecting, let data):
        let uid = href.key
        if item(uid, in: stream)?.0.digest != expecting.digest {
          draft.writes.append(.init(href: href, uid: uid, settled: changed(href)))
        } else if let problem = clash(of: uid, in: stream) ?? refused[href] {
          draft.writes.append(.init(href: href, uid: uid, settled: mendable(problem, href)))
        } else {
          put(data, as: uid, at: href, into: &draft)
        }
      case .delete(let href, let expecting):
        remove(href, expecting: expecting, from: stream, in: &draft)
      }
    }
    return draft
  }

  /// The refusal of what is mended in the text: the item that it keeps out is the same then, and is
  /// not to wait for a day.
  private func mendable(_ problem: ItemProblem, _ href: Href) -> WriteOutcome {
    WriteOutcome(href: href, result: .refused(problem), isTransient: true)
  }

  private func changed(_ href: Href) -> WriteOutcome {
    WriteOutcome(href: href, result: .changedMeanwhile)
  }

  private func remove(
    _ href: Href, expecting: Version, from stream: CalendarStream, in draft: inout TextDraft
  ) {
    let uid = href.key
    let before = draft.edit.size
    let settled: WriteOutcome?
    switch item(uid, in: stream)?.0.digest {
    case nil where stream.isComplete: settled = WriteOutcome(href: href, result: .removed)
    case expecting.digest where clash(of: uid, in: stream) == nil:
      draft.edit.remove(uid)
      settled = nil
    default: settled = changed(href)
    }
    draft.writes.append(
      .init(href: href, uid: uid, settled: settled, growth: draft.edit.size - before))
  }

  private func put(
    _ data: ItemData, as uid: [UInt8], at href: Href, into draft: inout TextDraft
  ) {
    let before = draft.edit.size
    var settled: WriteOutcome?
    do throws(StreamEdit.Refusal) { try draft.edit.put(data.bytes, as: uid) } catch {
      settled = WriteOutcome(href: href, result: .refused(problem(error)))
    }
    draft.writes.append(
      .init(href: href, uid: uid, settled: settled, growth: draft.edit.size - before))
  }

  private func problem(_ refusal: StreamEdit.Refusal) -> ItemProblem {
    switch refusal {
    case .notAnItem:
      return ItemProblem(
        .incomplete, "the text is not that of one item with one UID",
        hint: "Look at the item on the other side.")
    case .zoneDiffers(let name):
      let zone = String(decoding: name, as: UTF8.self)
      return ItemProblem(
        .unsupported, "\(source.name) has another time zone of the name \(zone)",
        hint: "One text has one zone of a name: rename the zone in the item.")
    case .zonesClash(let clash):
      return ItemProblem(.unsupported, clash.message, hint: ZoneClash.advice)
    case .zoneTooLarge(let name):
      let zone = String(decoding: name, as: UTF8.self)
      return ItemProblem(
        .tooLarge, "its time zone \(zone) has more than \(CalendarStream.zoneLimit >> 10) KiB",
        hint: "Put a shorter definition of that time zone into the item.")
    }
  }
}
