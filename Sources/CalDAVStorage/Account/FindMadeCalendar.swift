import SyncModel
import WebDAV

extension CalDAVAccount {
  /// In milliseconds, one after the other: some servers show a calendar some time after they have
  /// made it (Infomaniak: 8 to 20 s).
  private static let pauses: [Int64] = [1_000, 2_000, 4_000, 8_000, 8_000]

  /// Where what was just made may be, the likeliest first.
  ///
  /// - Parameters:
  ///   - named: an address that the answer names. It counts where it is directly in the home and
  ///     nothing was listed there before: any other is one of something else.
  ///   - asked: the address that was asked for.
  func places(
    naming named: WebURL?, or asked: WebURL, in home: WebURL, beside before: Set<Href>
  ) -> [WebURL] {
    guard let named, home.isParent(of: named),
      !before.contains(RemoteCalendar.href(named, home: url.origin))
    else { return [asked] }
    return [named, asked]
  }

  /// The calendar that was just made, as it is on the server.
  ///
  /// - Parameters:
  ///   - places: where it may be, the likeliest first; the last one is what was asked for.
  ///   - before: the calendars that were there before it.
  func findMade(
    _ proposal: CalendarProposal, at places: [WebURL], before: Set<Href>
  ) async throws(StorageError) -> CollectionDescription {
    for pause in Self.pauses {
      guard !Task.isCancelled, Patience.leaves(pause, at: surroundings.now()) else { break }
      do throws(StorageError) {
        let sight = try await look(at: places, for: proposal, before: before)
        if case .shown(let made) = sight { return made }
      } catch {
        // Nothing else goes by itself.
        guard error.kind == .vanished else { throw error }
      }
      await surroundings.pause(pause)
    }
    switch try await look(at: places, for: proposal, before: before) {
    case .shown(let made): return made
    case .notYet(let trouble): throw trouble
    }
  }

  /// What somebody else made of a proposal while this run was about to; nil where no calendar came
  /// that is called so, or more than one did.
  func madeMeanwhile(
    _ proposal: CollectionProposal, in listing: CalendarListing, beside seen: Set<Href>,
    leaving trace: inout MakingTrace
  ) -> CollectionDescription? {
    guard let theirs = onlyNew(CalendarProposal(proposal), in: listing, beside: seen) else {
      return nil
    }
    trace.isTheirs = true
    give(theirs.href)
    return theirs
  }

  /// The calendar that came since and is called as was proposed; nil where none is, or several are.
  func onlyNew(
    _ proposal: CalendarProposal, in listing: CalendarListing, beside seen: Set<Href>
  ) -> CollectionDescription? {
    let new = listing.calendars.filter {
      !seen.contains($0.href) && proposal.names($0.displayName)
    }
    return new.count == 1 ? new[0] : nil
  }

  /// What a look for a new calendar shows.
  private enum Sight {
    case shown(CollectionDescription)
    /// Nothing that is certainly it.
    case notYet(StorageError)
  }

  /// Reads what is there now. Yahoo puts a calendar elsewhere, and Zimbra moves it: where no answer
  /// said so, it is the new one that has the name, or the end of the address, that was asked for.
  /// Any other may be somebody else's, made meanwhile. OX answers at the address that was asked
  /// for, too, and lists the calendar by another one alone: so the listing, by which later runs
  /// know it, is asked first.
  private func look(
    at places: [WebURL], for proposal: CalendarProposal, before: Set<Href>
  ) async throws(StorageError) -> Sight {
    let new = try await listCollections().filter { !before.contains($0.href) }
    for place in places {
      let href = RemoteCalendar.href(place, home: url.origin)
      if let listed = new.first(where: { $0.href == href }) { return .shown(listed) }
    }
    let named = new.filter { proposal.names($0.displayName) }
    if named.count == 1 { return .shown(named[0]) }
    let ending = new.filter { $0.name == places.last?.lastName }
    if named.isEmpty, ending.count == 1 { return .shown(ending[0]) }
    var trouble = StorageError(
      .vanished, "the new calendar is not listed", hint: "look for it with another program")
    for place in places {
      do throws(StorageError) {
        let calendar = try await look(at: place)
        // What was there before may answer at any address.
        guard !before.contains(calendar.href) else { continue }
        keep([calendar])
        return .shown(calendar.description)
      } catch {
        guard error.isAboutOneAddress else { throw error }
        trouble = error
      }
    }
    if let found = named.first { return .shown(found) }
    if let other = new.first { trouble.add(proposal.doubt(about: other)) }
    return .notYet(trouble)
  }
}

extension StorageError {
  fileprivate mutating func add(_ doubt: (why: String, hint: String)) {
    why = [why, doubt.why].filter { !$0.isEmpty }.joined(separator: "; ")
    hint = doubt.hint
  }
}

extension CalendarProposal {
  /// The name is the proposed one, in whatever form the server has it.
  func names(_ shown: String?) -> Bool {
    let name = String(decoding: displayName ?? [], as: UTF8.self)
    return MetadataKey.displayname.isForm(shown ?? "", of: name)
  }

  /// What to say of a new calendar that may be this one.
  fileprivate func doubt(about other: CollectionDescription) -> (why: String, hint: String) {
    let name = String(decoding: displayName ?? [], as: UTF8.self)
    return (
      "“\(other.displayName ?? other.name)” is new there, and may be somebody else's",
      "if that is the one, call it “\(name)” there, and sync again; else look for the new one with"
        + " another program"
    )
  }
}
