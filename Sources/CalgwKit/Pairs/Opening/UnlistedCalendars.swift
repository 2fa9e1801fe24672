import CalDAVStorage
import Logging
import SQLiteJournal
import SyncModel

/// Calendars that their server does not list, and that answer at their addresses: some servers list
/// a new one only seconds or minutes after they have made it. To forget such a one and sync would
/// have all of it twice.
extension PairMatching {
  /// Asks for each that is about to be told as gone from its server, by one request; true where one
  /// is there.
  ///
  /// What may be elsewhere by now is looked for first: a server may answer at a former address of a
  /// calendar, too.
  mutating func findUnlisted(
    among collections: [MatchedCollection]
  ) async throws(OpeningError) -> Bool {
    for collection in collections {
      for side in Side.allCases {
        let counterpart = side == .local ? collection.local : collection.remote
        // Where not all is shown, none is told as gone.
        guard case .gone(let href) = counterpart, case .account(let connection) = opened(side),
          seesAll(of: side),
          let record = records.first(where: { $0.identity.name == collection.name })
        else { continue }
        let account = connection.account
        let place = record.place(on: side)
        do throws(StorageError) {
          guard let found = try await account.unlistedCalendar(at: href, known: place) else {
            continue
          }
          logger.info("\(href.text) on the \(side.rawValue) side is not listed, and is there")
          unlisted[side, default: []].append(found)
        } catch {
          guard error.isOfOneCalendar else { throw .storage(side, error) }
          listing.unanswered[side, default: [:]][collection.name] = error
        }
      }
    }
    return !unlisted.isEmpty
  }
}

extension CollectionOpener {
  /// The server shows a calendar in no listing, and does not say that nothing is at its address.
  ///
  /// Some do not say so of what is gone either, but refuse the question for ever. That may pass all
  /// the same, and a calendar that is forgotten over it and made anew is there twice: so a person
  /// is to look first.
  func mayBeThere(
    _ collection: MatchedCollection, _ href: Href, _ side: Side, _ trouble: StorageError
  ) async -> StorageError {
    var told = trouble
    told.message =
      "whether the \(side.rawValue) collection \(href.text), which is not listed, is there cannot"
      + " be said: \(trouble.message)"
    if trouble.isRefusal {
      let mend = await mendOfGone(collection, side)
      told.hint =
        "sync again later, since this may pass; only if the server's own pages do not show the"
        + " calendar either: \(mend)"
    }
    return told
  }
}

extension StorageError {
  /// Other calendars may answer well all the same.
  fileprivate var isOfOneCalendar: Bool {
    switch kind {
    case .unreachable, .tryLater, .protocolBroken, .denied, .vanished, .cannotCreate: true
    case .io, .stopped: false
    }
  }
}
