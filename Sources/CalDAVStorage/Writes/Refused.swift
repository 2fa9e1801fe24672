import SyncModel
import WebDAV

/// A write that the server answered with an error.
struct Refused: Sendable {
  let status: Int
  let words: ServerWords
  /// Where a redirect led, in a message: the answer is about what is there. Nil without one.
  var detour: String?

  /// Something else may be there than was expected, so it is worth a look; the other refusals are
  /// about what was sent.
  var wantsLook: Bool {
    [404, 405, 409, 410, 412].contains(status) && !isUIDConflict && problemCode == nil
  }

  /// RFC 4791 §5.3.2.1, RFC 6638 §3.2.4.1, and the same in any other namespace; or 409 with plain
  /// words for it (SOGo).
  var isUIDConflict: Bool {
    words.preconditions.contains { $0 == "no-uid-conflict" || $0 == Self.schedulingConflict }
      || status == 409 && words.preconditions.isEmpty && Self.sayUIDIsTaken(words.text)
  }

  /// What iCloud and others say where there is another item of the UID, and of many other things:
  /// nothing but the status, or no more than that the UID is there. What lies in a trash bin is no
  /// such item.
  private var mayBeUIDConflict: Bool {
    [400, 403, 409, 412].contains(status) && words.preconditions.isEmpty
      && (words.text.isEmpty || Self.sayUIDIsTaken(words.text) && !says("deleted"))
  }

  private static func sayUIDIsTaken(_ text: String) -> Bool {
    let words = text.lowercased().split { !$0.isLetter }
    return words.contains("uid")
      && words.contains { ["already", "exists", "duplicate", "unique"].contains($0) }
  }

  /// Such an answer says nothing of the item, and passes: what was sent took too long to arrive, or
  /// came too early (RFC 9110 §15.5.9, RFC 8470 §5.2), there is a lock (RFC 4918 §11.3), a network
  /// wants somebody to sign in first (303), a disk or an account is full, or somebody has invited
  /// too many people today (Google, in plain words).
  func passes(at address: WebURL) -> Bool {
    [303, 408, 423, 425].contains(status) || answer(at: address).isOutOfRoom
      || words.text.lowercased().contains("usage limits exceeded")
  }

  /// A lock, or a server that is not ready yet (RFC 4918 §11.3, RFC 8470 §5.2).
  var isOfTheMoment: Bool { [423, 425].contains(status) }

  private func answer(at address: WebURL) -> DAVRefusal {
    DAVRefusal(status: status, url: address, words: words)
  }

  /// Something is in the way: the address or the UID of a new item is taken, or another version is
  /// there than was expected. That may be what the same write did, delivered before.
  var mayMeanItself: Bool { status == 412 || isUIDConflict }

  private static let schedulingConflict = "unique-scheduling-object-resource"

  /// What the named precondition or the status alone means; nil where it may mean several things.
  var problemCode: ItemProblem.Code? {
    for name in words.preconditions {
      switch name {
      case "need-privileges": return .readOnly
      case "max-resource-size": return .tooLarge
      case "supported-calendar-component", "supported-calendar-data": return .unsupported
      case "valid-calendar-data", "valid-calendar-object-resource", "quota-not-exceeded",
        "sufficient-disk-space":
        return .refused
      default: if Self.mends[name] != nil { return .refused }
      }
    }
    switch status {
    case 413: return .tooLarge
    case 415: return .unsupported
    case 404, 405, 409, 410, 412: return nil
    default: return .refused
    }
  }

  func problem(of write: GuardedWrite, at address: WebURL) -> ItemProblem {
    let refusal = answer(at: address)
    let reason = refusal.reason + (detour.map { " where a redirect led, at \($0)" } ?? "")
    if isUIDConflict {
      let place = words.place.isEmpty ? "" : ", at \(words.place)"
      guard case .create = write else {
        return ItemProblem(
          .refused, "the server says that this UID is another item's\(place)",
          hint: "remove one of the two, or give one a new UID; \(reason)")
      }
      return ItemProblem(
        .refused, "the server has another item of this UID\(place)",
        hint: "if another program has just stored it there, the next sync merges both; else remove"
          + " one of the two, or give one a new UID; \(reason)",
        cause: .uidIsTaken)
    }
    let code = problemCode ?? .refused
    let hint =
      switch code {
      case .readOnly: "ask the calendar's owner for the right to write"
      case .tooLarge: "remove large attachments from the item"
      // By itself it may mean the text or the kind (sabre says it of both).
      case .unsupported where words.preconditions.isEmpty:
        "correct the item; or keep items of this kind in a calendar that takes them"
      case .unsupported: "keep items of this kind in a calendar that takes them"
      default: refusal.isOutOfRoom ? "make room on the server" : hint(write)
      }
    let isNew = if case .create = write { true } else { false }
    let cause: ItemProblem.Cause? = isNew && mayBeUIDConflict ? .uidMayBeTaken : nil
    return ItemProblem(
      code, "the server refuses \(CalDAVStorage.method(write)) \(address.shown)",
      hint: "\(hint); \(reason)", cause: refusal.isOutOfRoom ? .outOfRoom : cause)
  }

  /// What helps where nothing is wrong with the item by itself: limits of a calendar (RFC 4791
  /// §5.3.2.1), and what may be stored of a meeting (RFC 6638 §3.2.4).
  private static let mends = [
    "min-date-time": "the calendar takes nothing so early: correct the date, or leave it here",
    "max-date-time":
      "the calendar takes nothing so late: correct the date, give the series an end, or leave it"
      + " here",
    "max-instances":
      "the calendar takes no series of so many occurrences: give it an earlier end, or leave it"
      + " here",
    "max-attendees-per-instance":
      "the calendar takes no item with so many attendees: invite fewer, or leave it here",
    "same-organizer-in-all-components":
      "its changed occurrences name another organizer than the series: give all of them one",
    "allowed-organizer-scheduling-object-change":
      "the server lets an organizer change other things of a meeting alone: take the change back,"
      + " or make it in the server's own pages",
    "allowed-attendee-scheduling-object-change":
      "an attendee may change the own answer to a meeting and little more: take the change back,"
      + " or ask its organizer for it; if it is the answer (PARTSTAT), give it in the server's own"
      + " pages",
  ]

  private func hint(_ write: GuardedWrite) -> String {
    if let mend = words.preconditions.lazy.compactMap({ Self.mends[$0] }).first { return mend }
    switch status {
    case 408, 425: return "it was not ready for it; run the sync again later"
    case 412 where problemCode == nil:
      guard case .create = write else {
        return "it does not take the entity tag that it gives; tell its operator"
      }
      return "it says that something has this address, and nothing is there: run the sync again;"
        + " if it stays, correct the item, or leave it here"
    case 303:
      return "it leads elsewhere, as a network where somebody has to sign in does: open a page in a"
        + " browser, then run the sync again"
    case 423: return "another program has locked it; run the sync again later"
    case 400 where says("deleted calendar object with uid already exists"):
      // It may not be stored again before the bin is emptied (Nextcloud).
      return
        "it lies in the calendar's trash bin there: bring it back from there, or empty the bin,"
        + " in the server's own pages"
    case 400 where says("uid already exists"):
      return
        "an item of its UID is there already, under another name or in the calendar's trash bin:"
        + " look for it in the server's own pages"
    case _ where isOfTwo(write):
      return "it holds two components with one UID and without a RECURRENCE-ID: remove one of them,"
        + " or give it a UID of its own"
    case 409 where write.data != nil:
      // RFC 9110 §15.5.10; with which, the server does not say.
      return "it says that this does not go with what it has, as where the date is out of its range"
        + " or the UID another item's: look for that in the server's own pages; or correct the"
        + " item, or leave it here; \(Self.odd)"
    case _ where [400, 403, 404, 422].contains(status) && mayMissEnd(of: write):
      return "it may be that it has no end (DTEND), which some servers (iCloud) want: give it one;"
        + " or correct the item, or leave it here; \(Self.odd)"
    default:
      let failure =
        status >= 500 ? "the server failed with it, and its own log says why; if it stays, " : ""
      let isForbidden = [401, 403].contains(status)
      guard case .delete = write else {
        // With no word of what it means, either is as likely.
        let what = isOfRight(write) ? "change this item" : "write such items"
        let plea =
          isOfRight(write) || isForbidden && words.preconditions.isEmpty
          ? "ask the calendar's owner whether you may \(what); or " : ""
        return "\(failure)\(plea)correct the item, or leave it here; \(Self.odd)"
      }
      let plea =
        isForbidden
        ? "ask for the right to delete it" : "see whether the server's own pages delete it"
      return "\(failure)\(plea), or bring it back here with `calgw resolve UID --take remote`"
    }
  }

  private static let odd = "`calgw check` says what is odd in its file"

  private func says(_ text: String) -> Bool { words.text.lowercased().contains(text) }

  /// The item is there twice in one text, which RFC 4791 §4.1 does not allow.
  private func isOfTwo(_ write: GuardedWrite) -> Bool {
    [400, 409, 415, 422].contains(status)
      && write.data.map { ItemText.mainComponents($0.bytes) > 1 } ?? false
  }

  /// Another version of an item that the server itself has is refused without a word of the text:
  /// it may be that this one item is only read.
  private func isOfRight(_ write: GuardedWrite) -> Bool {
    guard case .replace = write else { return false }
    return [403, 404].contains(status) && words.preconditions.isEmpty
  }

  /// Nothing that the server says is about anything else.
  private func mayMissEnd(of write: GuardedWrite) -> Bool {
    guard !isOfRight(write), let data = write.data, ItemText.lacksEnd(data.bytes) else {
      return false
    }
    return words.preconditions.allSatisfy { $0.hasPrefix("valid-calendar-") }
  }
}
