import SyncModel
import WebDAV

extension CalDAVAccount {
  /// The home sets for a new calendar, one at least, in the order in which they are tried: those
  /// that are no calendars themselves, since none may be made within one (RFC 4791 §4.2). The
  /// server's order is kept, since others may be those of groups; but those that cannot be listed
  /// come last: one that is not there takes none.
  func homes(
    for proposal: CollectionProposal, beside calendars: Set<Href>,
    leaving trace: inout MakingTrace
  ) throws(StorageError) -> [WebURL] {
    guard case .homeSets(let texts) = location else {
      trace.isRefused = true
      throw StorageError(
        .cannotCreate, "no calendar can be made at \(url.shown)",
        why: "the URL is itself a calendar",
        hint: "set the account's url to the calendar home to have more than one")
    }
    let failed = found?.failedHomes ?? []
    let inOrder = texts.filter { !failed.contains($0) } + texts.filter(failed.contains)
    let homes = inOrder.compactMap { try? WebURL(absolute: $0) }
    let plain = homes.filter {
      !calendars.contains(RemoteCalendar.href($0.asCollection, home: url.origin))
    }
    if !plain.isEmpty {
      // Where an earlier run has asked for it, it may be by now.
      let asked = plain.filter { lastName(of: trace.asked, in: $0) != nil }
      return asked + plain.filter { !asked.contains($0) }
    }
    trace.isRefused = true
    throw StorageError(
      .cannotCreate, proposal.failure(at: homes.first ?? url),
      why: "the calendar home is itself a calendar there, and no calendar can be made within one",
      hint: proposal.wayOut)
  }
}
