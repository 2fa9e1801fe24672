import SyncModel
import WebDAV

extension CalDAVAccount {
  /// In milliseconds, one after the other: some servers show a calendar some time after they have
  /// made it (Infomaniak: 8 to 20 s).
  private static let pauses: [Int64] = [1_000, 2_000, 4_000, 8_000, 8_000]

  /// The calendar that was just made, as it is on the server.
  ///
  /// - Parameters:
  ///   - places: where it may be, the likeliest first.
  ///   - before: the calendars that were there before it.
  func findMade(
    _ proposal: CalendarProposal, at places: [WebURL], before: Set<Href>
  ) async throws(StorageError) -> CollectionDescription {
    let places = places.filter { !before.contains(RemoteCalendar.href($0, home: url.origin)) }
    for pause in Self.pauses {
      guard !Task.isCancelled, Patience.leaves(pause, at: surroundings.now()) else { break }
      do throws(StorageError) {
        return try await look(at: places, for: proposal, before: before)
      } catch {
        // Nothing else goes by itself.
        guard error.kind == .vanished else { throw error }
      }
      await surroundings.pause(pause)
    }
    return try await look(at: places, for: proposal, before: before, isLast: true)
  }

  /// What somebody else made of a proposal while this run was about to; nil where no calendar came
  /// that is called so, or more than one did.
  func madeMeanwhile(
    _ proposal: CollectionProposal, in listing: CalendarListing, beside seen: Set<Href>,
    leaving trace: inout MakingTrace
  ) -> CollectionDescription? {
    let wanted = CalendarProposal(proposal)
    let theirs = listing.calendars.filter {
      !seen.contains($0.href) && wanted.names($0.displayName)
    }
    guard theirs.count == 1 else { return nil }
    trace.isTheirs = true
    give(theirs[0].href)
    return theirs[0]
  }

  /// Reads what is there now. Yahoo puts a calendar elsewhere, and Zimbra moves it: where no answer
  /// said so, it is the one that was not there before. OX answers at the address that was asked
  /// for, too, and lists the calendar by another one alone: so the listing, by which later runs
  /// know it, is asked first.
  private func look(
    at places: [WebURL], for proposal: CalendarProposal, before: Set<Href>, isLast: Bool = false
  ) async throws(StorageError) -> CollectionDescription {
    let new = try await listCollections().filter { !before.contains($0.href) }
    for place in places {
      let href = RemoteCalendar.href(place, home: url.origin)
      if let listed = new.first(where: { $0.href == href }) { return listed }
    }
    let named = new.filter { proposal.names($0.displayName) }
    if named.count == 1 { return named[0] }
    var trouble = StorageError(
      .vanished, "the new calendar is not listed", hint: "look for it with another program")
    for place in places {
      do throws(StorageError) {
        let calendar = try await look(at: place)
        keep([calendar])
        return calendar.description
      } catch {
        guard error.isAboutOneAddress else { throw error }
        trouble = error
      }
    }
    if let found = named.first { return found }
    // Others may make calendars, too, while this one is waited for.
    guard isLast || trouble.kind != .vanished, new.count == 1 else { throw trouble }
    return new[0]
  }
}

extension CalendarProposal {
  /// The name is the proposed one, in whatever form the server has it.
  func names(_ shown: String?) -> Bool {
    let name = String(decoding: displayName ?? [], as: UTF8.self)
    return MetadataKey.displayname.isForm(shown ?? "", of: name)
  }
}
