import SyncModel
import WebDAV

/// The requests of a discovery.
extension Discovery {
  /// Reads what a resource says of itself (PROPFIND, Depth 0): its own address and properties. Nil
  /// if it is missing inside a multistatus, as xandikos has it.
  func inspect(_ address: WebURL) async throws(StorageError) -> (WebURL, DAVProperties)? {
    try described(by: try await describe(address).answer)
  }

  /// As `inspect`, of a calendar; nil where there is none.
  func inspectCalendar(_ address: WebURL) async throws(StorageError) -> RemoteCalendar? {
    let description = try await describe(address)
    guard let (place, properties) = try described(by: description.answer),
      properties.resourceType?.contains(.calendar) ?? false
    else { return nil }
    try checkOwner(of: place)
    var calendar = RemoteCalendar(
      url: place.asCollection, properties: properties, home: url.origin,
      at: description.askedAt)
    calendar.lacksTexts = description.lacksTexts
    return calendar
  }

  private func describe(_ address: WebURL) async throws(StorageError) -> Description {
    do throws(DAVError) { return try await describe(address, depth: 0) } catch {
      throw StorageError(error)
    }
  }

  /// The answer of `inspect`, not looked into yet. A server need not know a collection by its
  /// address without the slash at the end (RFC 4918 §5.2): where nothing is there, the one with it
  /// is asked for before anything is guessed.
  mutating func answer(about address: WebURL) async throws(StorageError) -> MultistatusAnswer {
    let answer = try await firstAnswer(about: address)
    guard let collection = answer.placeToAskAsCollection, client.accepts(collection.origin) else {
      return answer
    }
    let other = try await firstAnswer(about: collection)
    return other.isOfNothing ? answer : other
  }

  private mutating func firstAnswer(
    about address: WebURL
  ) async throws(StorageError) -> MultistatusAnswer {
    do throws(DAVError) { return try await describe(address, depth: 0).answer } catch {
      let trouble = StorageError(error)
      // Who answers as WebDAV is the server that was looked for, however it spells that; and where
      // the server itself leads is meant more than an address that was guessed.
      let isLedTo = error.place.map { !$0.isSameCollection(as: address) } ?? false
      if error.isUnreadable || error.isEndless || isLedTo { noteLead(trouble) }
      throw trouble
    }
  }

  func described(
    by answer: MultistatusAnswer
  ) throws(StorageError) -> (WebURL, DAVProperties)? {
    let doing = "looking for calendars"
    let (multistatus, place) = try multistatus(answer, doing: doing)
    guard let own = multistatus.responses.first else { return nil }
    if let status = own.status, !own.isSuccess {
      if own.isGone { return nil }
      throw StorageError(status: status, of: place, doing: doing)
    }
    // The server's own spelling is the one that its listings will have.
    let spelled = try? place.resolve(href: own.href)
    let address = spelled.map { $0.origin == place.origin ? $0 : place } ?? place
    return (address, own.properties)
  }

  /// The calendars directly in a home set (PROPFIND, Depth 1), and the home itself where it is one
  /// (DavMail). Everything else there is left out: inboxes, proxies, files beside the calendars.
  func listing(of home: WebURL) async throws(StorageError) -> HomeListing {
    let description: Description
    do throws(DAVError) { description = try await describe(home, depth: 1) } catch {
      throw StorageError(error)
    }
    return try await listing(by: description)
  }

  /// The same, of what the home set has answered.
  func listing(by description: Description) async throws(StorageError) -> HomeListing {
    let doing = "listing calendars"
    let (multistatus, place) = try multistatus(description.answer, doing: doing)
    try checkOwner(of: place)
    guard let first = multistatus.responses.first else {
      throw StorageError(
        .protocolBroken, "the listing of \(place.shown) names nothing, not even itself",
        hint: "check the URL")
    }
    if multistatus.responses.count == 1, let status = first.status, !first.isSuccess {
      guard first.isGone else { throw StorageError(status: status, of: place, doing: doing) }
      throw StorageError(
        .vanished, "the calendar home \(place.shown) is not there",
        why: "the server answered \(status) for it", hint: "run `calgw discover`")
    }
    var listing = HomeListing()
    let isCalendar = multistatus.responses.contains { response in
      let address = try? place.resolve(href: response.href)
      return response.isCalendar && address?.isSameCollection(as: place) ?? false
    }
    for response in multistatus.responses {
      add(
        response, at: place, (description.askedAt, multistatus.date), amongItems: isCalendar,
        to: &listing)
    }
    if description.lacksTexts { try await addTexts(to: &listing.calendars) }
    return listing
  }

  /// - Parameters:
  ///   - times: when this was asked for, and the server's clock.
  ///   - amongItems: the home is itself a calendar, whose items stand beside calendars.
  private func add(
    _ response: DAVResponse, at place: WebURL, _ times: (asked: Instant, date: Int64?),
    amongItems: Bool, to listing: inout HomeListing
  ) {
    guard let named = try? place.resolve(href: response.href) else {
      if response.isCalendar { listing.unseen.append(.unusable(response.href, at: place)) }
      return
    }
    let address = ownAddress(of: named, in: place)
    let isNear = address.origin == place.origin
    if let unseen = UnseenPlace(address, of: response) {
      // An item at which the server fails hides no calendar.
      if amongItems, address.isOfItem { return }
      if isNear || client.trusts(address.origin) { listing.unseen.append(unseen) }
      return
    }
    guard response.isCalendar else { return }
    let calendar = RemoteCalendar(
      url: address.asCollection, properties: response.properties, home: url.origin,
      at: times.asked, date: times.date)
    guard isNear || admits(address, namedBy: place) else {
      guard Self.isSafe(address) else {
        listing.unseen.append(.overheard(address))
        return
      }
      if hosts.refuse(address) { return }
      Self.note(address, in: &listing.foreign)
      listing.elsewhere.append(
        ForeignCalendar(calendar: calendar.description, host: address.trustedName))
      return
    }
    listing.calendars.append(calendar)
  }

  /// A provider that spreads its accounts over many hosts (iCloud) may name what a home on one of
  /// them holds by the host that everybody's URL has, which only leads there: it is where its home
  /// is.
  private func ownAddress(of named: WebURL, in home: WebURL) -> WebURL {
    guard named.origin == url.origin, client.trusts(home.origin) else { return named }
    let here = named.moved(to: home)
    return home.isParent(of: here) ? here : named
  }

  /// Whether a calendar on another server than its home is one of the account's: where the server
  /// is one of those that `TrustedHosts` has.
  private func admits(_ address: WebURL, namedBy place: WebURL) -> Bool {
    if client.trusts(address.origin) { return true }
    guard client.trusts(place.origin), hosts.allow(address, namedBy: url) else { return false }
    client.trust(address.origin)
    return true
  }

  func ask(_ request: DAVRequest) async throws(DAVError) -> MultistatusAnswer {
    // Who answers is looked at before anything is believed (`checkOwner`).
    var request = request
    request.mayMeetStrangers = true
    request.waiting = waiting
    return try await client.multistatus(request)
  }

  private func multistatus(
    _ answer: MultistatusAnswer, doing what: String
  ) throws(StorageError) -> (Multistatus, WebURL) {
    switch answer {
    case .multistatus(let multistatus, let place): return (multistatus, place)
    case .refused(let refusal): throw StorageError(refusal, doing: what)
    }
  }
}

extension WebURL {
  /// It ends as those of items do; DavMail's are called after mails.
  fileprivate var isOfItem: Bool {
    let name = String(decoding: path, as: UTF8.self).lowercased()
    return [".ics", ".eml"].contains { name.hasSuffix($0) }
  }
}

extension DAVResponse {
  fileprivate var isCalendar: Bool {
    isSuccess && (properties.resourceType?.contains(.calendar) ?? false)
  }
}

extension MultistatusAnswer {
  /// Something in the server failed: another time it may answer.
  var isServerError: Bool {
    switch self {
    // A web server without WebDAV answers 501.
    case .refused(let refusal): refusal.isServerError && refusal.status != 501
    case .multistatus(let multistatus, _):
      (500...599).contains(multistatus.responses.first?.status ?? 0)
    }
  }
}

extension MultistatusAnswer {
  /// Nothing is at the address, or nothing that WebDAV knows.
  fileprivate var isOfNothing: Bool {
    let status: Int? =
      switch self {
      case .refused(let refusal): refusal.status
      case .multistatus(let multistatus, _): multistatus.responses.first?.status
      }
    return status == 404 || status == 405
  }

  /// Where there may be a collection although nothing is at the address that answered. What is
  /// well-known is an address by itself, and most servers have none.
  fileprivate var placeToAskAsCollection: WebURL? {
    let place: WebURL =
      switch self {
      case .refused(let refusal): refusal.url
      case .multistatus(_, let place): place
      }
    guard isOfNothing, place.path.last != UInt8(ascii: "/"),
      !place.path.starts(with: "/.well-known/".utf8)
    else { return nil }
    return place.asCollection
  }
}

extension DAVError {
  /// A multistatus came that cannot be read.
  fileprivate var isUnreadable: Bool { kind == .illFormed || kind == .tooLarge }
}
