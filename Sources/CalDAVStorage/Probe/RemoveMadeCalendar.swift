import SyncModel
import WebDAV

/// What a probe may remove. Nothing guards the removal of a calendar, a server may name any place
/// as that of the new one, and others may make calendars meanwhile: so the name has to show that it
/// is the probe's, and what is in it that nobody else uses it.
extension CalDAVAccount {
  /// Removes what a server made, or may have made, of a probe's calendar; gives what is left.
  ///
  /// - Parameter places: where it may be, directly in a home, and where nothing was listed before.
  func removeMade(at places: [WebURL], isCertain: Bool) async -> LeftCalendar? {
    var left: [LeftCalendar] = []
    for place in places {
      switch await fate(of: place) {
      case .remove:
        if let kept = await remove(place, isCertain: isCertain) { left.append(kept) }
      case .keep(let reason):
        left.append(
          LeftCalendar(
            address: place.shown, reason: reason, isCertain: isCertain, mayBeOfOthers: true,
            looksLikeAnyOther: looksLikeAnyOther(place)))
      case .nothing: continue
      }
    }
    return left.first
  }

  /// What was seen there has not the name of a probe's; false where nothing was.
  func looksLikeAnyOther(_ place: WebURL) -> Bool {
    let calendar = listed(RemoteCalendar.href(place, home: url.origin))
    return calendar.map { !$0.description.isLeftByProbe } ?? false
  }

  /// The calendar that was made has the name of a probe's, and holds no calendars itself. Nobody
  /// has renamed it yet: some servers give a display name of their own.
  func isOfProbe(_ calendar: CollectionDescription, at address: WebURL) -> Bool {
    (calendar.isLeftByProbe || ProbeName.isCalendar(calendar.name)) && !holdsCalendars(address)
  }

  /// What a server made has another name than a probe's.
  static func unlike(_ made: CollectionDescription, at address: WebURL) -> StorageError {
    StorageError(
      .protocolBroken, "the calendar that the server made at \(address.shown) is not tried",
      why: "the server calls it “\(made.displayName ?? made.name)”, so it may be somebody else's",
      hint: "look at it on the server's own pages, and remove it there if nobody uses it")
  }

  private enum Fate {
    case remove
    case keep(String)
    case nothing
  }

  private func fate(of place: WebURL) async -> Fate {
    if holdsCalendars(place) { return .nothing }
    let isNamed = ProbeName.isCalendar(place.lastName)
    do throws(StorageError) {
      let calendar = try await look(at: place)
      guard isNamed || isOfProbe(calendar.description, at: calendar.url) else {
        return .keep("nothing there shows that calgw made it")
      }
      var prober = Prober(calendar: CalDAVStorage(calendar, account: self), shouldStop: { false })
      guard try await prober.takeLeftovers() else {
        return .keep("it holds what calgw did not put there")
      }
      return .remove
    } catch {
      // Nobody else can have chosen that name.
      if isNamed { return .remove }
      return error.kind == .vanished ? .nothing : .keep("\(error.message): \(error.why)")
    }
  }

  /// It is a home, or a home is in it.
  private func holdsCalendars(_ address: WebURL) -> Bool {
    let homes = (location?.addresses ?? []).compactMap { try? WebURL(absolute: $0) }
    return homes.contains { address.isSameCollection(as: $0) || address.holds($0) }
  }
}
