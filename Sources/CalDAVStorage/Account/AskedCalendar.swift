package import SyncModel
import WebDAV

/// A calendar that a server was asked to make, written down before the request: the answer may be
/// lost or an error although the server makes it, and show only after this run has looked.
package struct AskedCalendar: Sendable, Hashable {
  /// The address that was asked for.
  package let href: Href
  /// What was listed before.
  package let before: Set<Href>

  package init(href: Href, before: Set<Href>) {
    self.href = href
    self.before = before
  }
}

extension MakingTrace {
  /// Writes down what is about to be asked for. Where an earlier run asked for the same, that
  /// stands: it is the older one whose fate is not known. But one that is overdue is waited for
  /// anew where it is asked for once more.
  mutating func ask(for href: Href, beside before: Set<Href>) async {
    if asked?.href == href, !isOverdue { return }
    let asking = AskedCalendar(href: href, before: before)
    asked = asking
    await note(asking)
  }
}

extension CalDAVAccount {
  /// The name in the address for which an earlier run asked; nil where that is in another home.
  func lastName(of asked: AskedCalendar?, in home: WebURL) -> String? {
    guard let asked, let place = try? resolve(asked.href), home.isParent(of: place) else {
      return nil
    }
    return place.lastName
  }

  /// What came of what an earlier run asked for; nil where nothing of it shows.
  ///
  /// - Parameter seen: what this run listed at first: whatever of it is ours, the pair has it.
  func madeEarlier(
    _ asked: AskedCalendar, of proposal: CollectionProposal, in listing: CalendarListing,
    beside seen: Set<Href>
  ) async throws(StorageError) -> CollectionDescription? {
    let wanted = CalendarProposal(proposal)
    let before = seen.union(asked.before)
    if let named = onlyNew(wanted, in: listing, beside: before) { return named }
    do throws(StorageError) {
      let place = try resolve(asked.href)
      let there: CollectionDescription
      if let listed = listing.calendars.first(where: { $0.href == asked.href }) {
        there = listed
      } else {
        let calendar = try await look(at: place)
        keep([calendar])
        there = calendar.description
        // What is listed by another address was there before, or is somebody else's.
        if listing.calendars.contains(where: { $0.href == there.href }) { return nil }
      }
      let isFree = place.lastName != proposal.name
      guard !before.contains(there.href), try await isOurs(there, wanted, isFree: isFree) else {
        return nil
      }
      return there
    } catch {
      // To ask for the same address once more makes no second one.
      guard error.isAboutOneAddress else { throw error }
      return nil
    }
  }

  /// What is at the address that an earlier run asked for, where the server says that something is
  /// (RFC 4791 §5.3.1.1, `resource-must-be-null`); nil where that is nothing of ours. Another name
  /// would make a second calendar as long as nothing shows.
  func madeLate(
    _ proposal: CollectionProposal, at address: WebURL, beside before: Set<Href>
  ) async throws(StorageError) -> CollectionDescription? {
    let wanted = CalendarProposal(proposal)
    if let (_, properties) = try? await discovery.inspect(address),
      !(properties.resourceType?.contains(.calendar) ?? false)
    {
      return nil
    }
    do throws(StorageError) {
      let made = try await findMade(wanted, at: [address], before: before)
      let isFree = address.lastName != proposal.name
      guard try await isOurs(made, wanted, isFree: isFree) else { return nil }
      give(made.href)
      return made
    } catch {
      guard error.isAboutOneAddress else { throw error }
      throw StorageError(
        .tryLater(nil), "the calendar “\(proposal.name)” is not made a second time",
        why: "an earlier run asked for it at \(address.shown), where the server says by now that"
          + " something is, and shows nothing",
        hint: "sync again later: it is used once it shows, and asked for under another address"
          + " after ten minutes")
    }
  }

  /// What somebody else has made under the name and the address that were asked for, and no listing
  /// shows yet (Infomaniak: for 8 to 20 s); nil where that is something else. Another address would
  /// make a second calendar of the name.
  func unlisted(
    _ proposal: CollectionProposal, at address: WebURL, beside before: Set<Href>
  ) async throws(StorageError) -> CollectionDescription? {
    let wanted = CalendarProposal(proposal)
    guard wanted.displayName?.isEmpty == false else { return nil }
    do throws(StorageError) {
      let calendar = try await look(at: address)
      guard !before.contains(calendar.href), wanted.names(calendar.description.displayName) else {
        return nil
      }
      keep([calendar])
      give(calendar.href)
      return calendar.description
    } catch {
      guard error.isAboutOneAddress else { throw error }
      return nil
    }
  }

  /// Whether a calendar that nobody uses yet is at an address where none was listed, and where the
  /// server has just refused to make one for a property, which it must not make then (RFC 4791
  /// §5.3.1). It may lack the name, which was to be set in the same request; one that has another
  /// is somebody's.
  func isMadeAllTheSame(
    _ wanted: CalendarProposal, at address: WebURL, beside before: Set<Href>
  ) async throws(StorageError) -> Bool {
    do throws(StorageError) {
      let calendar = try await look(at: address)
      let name = calendar.description.displayName ?? ""
      guard !before.contains(calendar.href),
        name.isEmpty || name == calendar.description.name || wanted.names(name)
      else { return false }
      return try await isEmpty(calendar.description)
    } catch {
      guard error.isAboutOneAddress else { throw error }
      return false
    }
  }

  /// It bears the name that was asked for, or nobody uses it yet.
  ///
  /// - Parameter isFree: it is at an address that nobody else can have chosen.
  private func isOurs(
    _ calendar: CollectionDescription, _ wanted: CalendarProposal, isFree: Bool
  ) async throws(StorageError) -> Bool {
    if isFree || wanted.names(calendar.displayName) { return true }
    return try await isEmpty(calendar)
  }

  private func isEmpty(
    _ calendar: CollectionDescription
  ) async throws(StorageError) -> Bool {
    let storage = try await openCalendar(calendar)
    var cursor: Cursor?
    while true {
      let page = try await storage.listChanges(since: cursor)
      if !page.present.isEmpty { return false }
      if page.isLast { return true }
      cursor = page.next
    }
  }
}
