import SyncModel

/// What a run tells beside what it did.
enum RunNotices {
  /// A person should know of items with guests.
  ///
  /// - Parameters:
  ///   - cancellations: Those of them that were deleted. What its organizer deletes is cancelled,
  ///     what a guest deletes is declined (RFC 6638 §3.2.1.2, §3.2.2.2).
  ///   - setting: Under `server` a guest's deletions asked for that. Under `never` a server tells
  ///     of deletions alone, of meetings of which it is the agent.
  static func invitations(
    _ count: Int, cancellations: Int, under setting: PairConfiguration.Invitations?
  ) -> String {
    func items(_ count: Int) -> String { "\(count) item\(count == 1 ? "" : "s")" }
    // Which of them are the user's own only the server knows.
    func cancelled(_ count: Int) -> String {
      count == 1
        ? "1 item, where you organize it" : "up to \(count) items, where you organize them"
    }
    var mails: [String] = []
    if count > cancellations {
      mails.append("invitations or updates for \(items(count - cancellations))")
    }
    if cancellations > 0 {
      mails.append(
        setting == .server
          ? "cancellations or refusals of \(items(cancellations))"
          : "cancellations of \(cancelled(cancellations))")
    }
    let mend =
      setting == .never
      ? "what was made there, or before invitations = \"never\", is the server's own to tell of"
      : "invitations = \"never\" keeps it from that"
    return "the server may have sent \(mails.joined(separator: " and ")) (\(mend))"
  }

  /// Both sides changed an item, and the clocks are minutes apart.
  ///
  /// - Parameter ahead: how far the server's is ahead, in milliseconds.
  static func clock(ahead: Int64) -> String {
    // A date is cut to seconds.
    let minutes = (ahead.magnitude + 30_000) / 60_000
    return "this machine's clock is \(minutes) minutes \(ahead > 0 ? "behind" : "ahead of") the"
      + " server's, which is taken into account where both sides changed an item; set it"
      + " (timedatectl set-ntp true), or tell the server's operator"
  }

  /// The run ended at a server that refuses its credentials by now.
  static func shutOut(_ count: Int) -> String {
    "\(count) more collection\(count == 1 ? " was" : "s were") not looked at, since the server lets"
      + " nobody in any more"
  }
}

extension PairReport {
  /// Says of which items a server has not all that the file says.
  mutating func noteLostMethods() {
    for collection in collections where !collection.withoutMethod.isEmpty {
      let names = collection.withoutMethod.values.map { item in
        visibleText(item.file?.text ?? item.uid?.text ?? item.summary, limit: 100)
      }
      let items = names.count == 1 ? "an item" : "\(names.count) items"
      notices.append(
        "\(pair)/\(collection.name): METHOD was left out of \(items) on the way to a server, as"
          + " \(names.min() ?? ""): it belongs into messages, and no calendar may keep it (RFC 4791"
          + " §4.1); take that line out of the file (`calgw check` names each)")
    }
  }

  /// Ends a run at a server that lets nobody in any more; throws where no collection tells that.
  mutating func end(_ error: StorageError, _ place: String, left: Int) throws(RunFailure) {
    guard collections.contains(where: { $0.failure != nil }) else {
      throw RunFailure(error, place: place)
    }
    notices.append(RunNotices.shutOut(left))
  }
}
