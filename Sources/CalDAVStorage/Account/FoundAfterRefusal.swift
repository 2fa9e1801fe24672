import SyncModel
import WebDAV

extension CalDAVAccount {
  /// What came of a request to make a calendar.
  enum Made {
    /// With the other address that the answer names, if it does.
    case made(at: WebURL?)
    /// By something that is listed or not: perhaps by a calendar that is called as was proposed.
    case nameTaken(byNamesake: Bool)
    /// Nothing shows at the address.
    case refused(MakingRefusal)

    /// Something has the address, whatever shows there.
    var saysTaken: Bool {
      switch self {
      case .made: false
      case .nameTaken: true
      case .refused(let answers): answers.mayMeanTaken && !answers.isUnclear
      }
    }

    /// It is there by now, or nobody can say that it is not.
    var mayBeMade: Bool {
      switch self {
      case .made: true
      case .nameTaken: false
      case .refused(let answers): answers.isUnclear
      }
    }
  }

  /// What is there after all: 405, 409, 403 and an error of the server can all mean that the name
  /// is taken, or something else; and a server that failed may have made the calendar before, also
  /// at an address of its own, which the listing alone shows. Nil where nothing is there.
  func found(
    at address: WebURL, after refusal: DAVRefusal, to proposal: CalendarProposal,
    beside before: Set<Href>
  ) async throws(StorageError) -> Made? {
    if refusal.refusesAddress { return .nameTaken(byNamesake: false) }
    guard refusal.asksForLook else { return nil }
    do throws(StorageError) {
      if let (_, properties) = try await discovery.inspect(address) {
        let isNamesake = proposal.isIn(properties)
        return isNamesake && refusal.isServerError
          ? Made.made(at: nil) : .nameTaken(byNamesake: isNamesake)
      }
    } catch {
      guard error.isAboutOneAddress else { throw error }
    }
    guard refusal.isServerError else { return nil }
    let now = try await listCalendars()
    if let made = onlyNew(proposal, in: now, beside: before) {
      return Made.made(at: try resolve(made.href))
    }
    // It may be where nobody can look, and another request would make a second one.
    return now.unseen.isEmpty
      ? nil : Made.refused(MakingRefusal(makeCalendar: refusal, makeCollection: refusal))
  }
}

extension DAVRefusal {
  /// Something may be at the address, as far as the status says; one of properties does not.
  var asksForLook: Bool {
    properties.isEmpty && [400, 403, 405, 409, 412].contains(status) || isServerError
  }

  /// The address is not to the server's liking (RFC 4791 §5.3.1.1).
  var refusesAddress: Bool {
    words.preconditions.contains("calendar-collection-location-ok")
  }
}

extension CalendarProposal {
  /// What an address says of itself is what was proposed.
  fileprivate func isIn(_ properties: DAVProperties) -> Bool {
    let isCalendar = properties.resourceType?.contains(.calendar) ?? false
    return isCalendar && names(properties.displayName.flatMap(KeptText.line))
  }
}
