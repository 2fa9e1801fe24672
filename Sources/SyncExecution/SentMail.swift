import ICalendar
import SyncModel

/// For which items with guests a server may have sent mail.
struct SentMail {
  private var notified: Set<ItemID> = []
  /// Those of them that were deleted there.
  private var cancelled: Set<ItemID> = []

  mutating func note(_ writes: [Intent]) {
    for write in writes {
      notified.insert(write.uid)
      if case .delete = write.effect {
        cancelled.insert(write.uid)
      } else {
        cancelled.remove(write.uid)
      }
    }
  }

  func count(in report: inout CollectionReport) {
    report.invitations = notified.count
    report.cancellations = cancelled.count
  }
}

extension CollectionSync {
  /// Clears up what a run that was killed left open, before something is done with one item.
  ///
  /// - Returns: The mail of those writes, which is to be told with what is done.
  func clearUpKilledRun() async throws(SyncFailure) -> SentMail {
    var mail = SentMail()
    mail.note(try await recover().told)
    return mail
  }

  /// Of writes that a look has found done, those for which the side may have sent mail. Nobody was
  /// told of them, since the run that sent them was killed, or had no answer, or another one.
  func told(_ done: [Intent], on side: Side) async throws(SyncFailure) -> [Intent] {
    guard storage(side).traits.mayNotify, !options.isDryRun, !done.isEmpty else { return [] }
    let texts = try await recorded { () throws(JournalError) in
      try await journal.contents(done.flatMap(\.effect.subjects))
    }
    return done.filter { intent in
      intent.effect.subjects.contains { digest in
        texts[digest].map { SchedulingAgent.hasGuests($0.bytes) } ?? false
      }
    }
  }
}

extension Intent.Effect {
  /// The contents that it writes, writes over and takes away.
  fileprivate var subjects: [ContentDigest] {
    switch self {
    case .create(_, let digest): [digest]
    case .replace(_, let expecting, let digest): [expecting.digest, digest]
    case .delete(_, let expecting): [expecting.digest]
    }
  }
}
