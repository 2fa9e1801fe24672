import CalDAVStorage
import SQLiteJournal
import SyncModel

/// What runs have learnt of an account's server, with the answers that showed it.
extension AccountWay {
  /// Reads the journals of the pairs that use the account; asks the server nothing.
  mutating func tellProfile(_ gateway: Gateway) async {
    var known = ServerProfile()
    for pair in gateway.configuration.pairs where pair.accounts.contains(account.name) {
      guard let learned = await profile(in: pair, gateway) else { continue }
      known.merge(learned)
    }
    for capability in ServerProfile.Capability.allCases {
      guard let finding = known[capability] else { continue }
      let words = capability.words
      let evidence =
        "\(finding.request): \(finding.answer), \(timestamp(finding.time).prefix(10))"
      guard !finding.holds else {
        tell(.ok, .server, "\(words.holds) (\(evidence))")
        continue
      }
      let text = "\(words.lacks) (\(evidence))"
      if let loss = words.loss {
        tell(.warning, .server, text, hint: "\(loss); tell the server's operator")
      } else {
        tell(.ok, .server, text)
      }
    }
  }

  /// Nil where no run has been yet; what is wrong with the journal is told with the pair.
  private func profile(in pair: PairConfiguration, _ gateway: Gateway) async -> ServerProfile? {
    guard
      let store = try? gateway.opener.openStore(pair, .look, notice: { _ in }),
      let memory = try? await AccountMemory(of: account, in: store)
    else { return nil }
    return memory.learned?.profile
  }
}

extension ServerProfile.Capability {
  /// What it is to have it and to lack it, and what is lost without it; nil: nothing.
  fileprivate var words: (holds: String, lacks: String, loss: String?) {
    let overwritten = "calgw looks just before, but a change in that very moment is overwritten"
    return switch self {
    case .syncCollection:
      ("lists what changed since a token", "lists no changes: tags are compared instead", nil)
    case .deletionsInChanges:
      (
        "a list of changes says what was deleted",
        "a list of changes leaves out what was deleted: all tags are compared after each change",
        nil
      )
    case .multiget:
      ("gives many items in one answer", "gives items one by one", nil)
    case .entityTags:
      (
        "items have entity tags", "items have no entity tags, and nothing guards a write",
        overwritten + ": the server, or a proxy on the way to it, has to give each item an ETag"
      )
    case .strongTags:
      ("entity tags are strong", "entity tags are weak, and guard no write", overwritten)
    case .quotedTags:
      (
        "entity tags stand in quotes",
        "entity tags stand without quotes: calgw sends them back in quotes, or as they were given"
          + " where that is refused", nil
      )
    case .ownTags:
      (
        "each version has an entity tag of its own",
        "several items or versions have one entity tag: calgw reads what is there before each"
          + " write", nil
      )
    case .calendarTag:
      ("a calendar has a tag of its content (CTag)", "calendars have no tag of their content", nil)
    case .movesCalendarTag:
      (
        "a calendar's tag (CTag) moves with each write",
        "a calendar's tag (CTag) stays the same in spite of writes: the tags of all items are"
          + " compared in each run where no changes are listed", nil
      )
    case .componentSets:
      (
        "calendars say which kinds of items they take",
        "calendars do not say which kinds of items they take", nil
      )
    case .sizeLimit:
      ("items may be of some size only", "no limit to the size of items shows any more", nil)
    case .tagAfterPut:
      (
        "the answer to a write names the new version",
        "the answer to a write names no version: each is read back", nil
      )
    case .timesInMultiget:
      (
        "many items at once come with the times of their changes",
        "many items at once come without the times of their changes: those that both sides changed"
          + " are asked for one by one", nil
      )
    case .promptWrites:
      (
        "what is written shows at once",
        "what is written shows some time later: calgw looks again before it writes again", nil
      )
    case .keepsBytes:
      (
        "items are stored as they are sent",
        "items are stored otherwise than they are sent: calgw keeps both versions apart", nil
      )
    case .keepsNames:
      ("items keep the names that they are given", "the server gives items names of its own", nil)
    case .ifMatch:
      (
        "a change of an older version is refused (If-Match)",
        "a change of an older version is taken (If-Match)", overwritten
      )
    case .ifMatchOnDelete:
      (
        "a deletion of an older version is refused (If-Match)",
        "a deletion of an older version is taken (If-Match)", overwritten
      )
    case .ifNoneMatch:
      (
        "a second creation at one address is refused (If-None-Match)",
        "a second creation at one address is taken (If-None-Match)", overwritten
      )
    case .scheduleTag:
      ("meetings have a Schedule-Tag", "meetings have no Schedule-Tag", nil)
    case .moves:
      (
        "items can be moved to another calendar (MOVE)",
        "no item can be moved to another calendar (MOVE): it is sent there, and deleted here", nil
      )
    case .uniqueUIDs:
      ("a second item of one UID is refused", "a second item of one UID is taken", nil)
    case .wholeListings:
      (
        "listings name every item that is there",
        "listings leave out items that are there: calgw looks before it takes one for deleted", nil
      )
    case .digestLogin:
      (
        "the password is asked for by Digest: calgw begins with it",
        "the password is asked for by Basic", nil
      )
    case .http2:
      (
        "HTTP/2 works",
        "HTTP/2 failed with an error of its own: calgw speaks HTTP/1.1, and tries it again after a"
          + " week", nil
      )
    case .unthrottled:
      // The answer that comes with it says which: 429 or 503, or what others of ours led to.
      (
        "many requests at once are answered",
        "the server asks clients to wait, or does not take many requests at once: calgw begins with"
          + " one", nil
      )
    case .parallel:
      (
        "several requests at once are answered",
        "several requests at once are not answered: calgw makes one at a time", nil
      )
    case .makeCalendar:
      // It is known only of servers that made a calendar, one way or the other.
      ("calendars can be made (MKCALENDAR)", "calendars can be made (MKCOL, no MKCALENDAR)", nil)
    }
  }
}
