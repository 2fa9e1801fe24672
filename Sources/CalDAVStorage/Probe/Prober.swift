import SyncModel
import WebDAV

/// Tries one thing after the other, in raw requests: what the storage would do to make up for a
/// server is not what is asked here.
struct Prober: Sendable {
  let calendar: CalDAVStorage
  /// Looked at before each request: then the rest is left out.
  let shouldStop: @Sendable () -> Bool
  /// What is to be removed with the calendar.
  private(set) var events: [WebURL] = []
  /// The calendar was seen to hold nothing but events of probes.
  private(set) var holdsOwnAlone = false

  init(calendar: CalDAVStorage, shouldStop: @escaping @Sendable () -> Bool) {
    self.calendar = calendar
    self.shouldStop = shouldStop
  }

  /// The head of an answer with what its body begins with.
  private struct Reply {
    let answer: DAVAnswer
    let body: [UInt8]

    /// A login page or a captive portal answers everything with 200.
    var isDone: Bool {
      (200...299).contains(answer.status) && !(answer.isHTML && answer.status == 200)
    }

    var refusal: DAVRefusal { DAVRefusal(answer, body: body) }

    /// Nothing is there, or not yet.
    var isMissing: Bool { [404, 410].contains(answer.status) }

    /// What it shows of the guard that was to fail: only a success shows that it is ignored, and
    /// only a failed precondition that it is kept to.
    var trialOfGuard: CalendarProbe.Trial {
      if isDone { return .fails }
      return [409, 412].contains(answer.status) ? .holds : .untried(refusal.reason)
    }
  }

  /// A tag that no version has.
  private static let staleTag = Guard.ifMatch(Array("\"calgw-doctor-stale\"".utf8))

  /// - Throws: where the event cannot be stored, or the server does not answer; `stopped` where it
  ///   was to stop. What was tried before is in `probe` then, too.
  mutating func run(_ probe: inout CalendarProbe) async throws(StorageError) {
    let before = try await listing(since: nil)
    guard holdsOwnAlone || before.present.isEmpty else { throw strangers }
    holdsOwnAlone = true
    let uid = ProbeName.mark + calendar.surroundings.newUUID()
    let href = calendar.freshHref(for: ItemID(uid), attempt: 0)
    guard let asked = calendar.address(href) else { return }
    events.append(asked)
    let first = Self.event(uid, "calgw doctor")
    let second = Self.event(uid, "calgw doctor once more")
    let creation = try await put(first, asked, .unlessThere)
    guard creation.isDone else { throw Self.trouble(creation) }
    let (address, new, reply) = try await look(for: creation, asked, since: before, &probe)
    let tags = creation.answer.head.values(of: "ETag")
    let tag = tags.count == 1 ? EntityTag(received: tags[0]) : nil
    probe.tagOfWrite = tag.map { $0.isStrong ? .strong : .weak } ?? .none
    probe.keepsBytes =
      reply.isDone
      ? (reply.body == first ? .holds : .fails) : .untried(reply.refusal.reason)
    probe.listsWrites = new.trial(of: address, in: calendar)
    if reply.isDone { learnName(asked, address) }

    probe.guardsCreation = try await put(second, address, .unlessThere).trialOfGuard
    probe.guardsReplacement = try await put(second, address, Self.staleTag).trialOfGuard
    let deletion = DAVRequest(
      "DELETE", address, headers: Self.staleTag.headers + [CalDAVAccount.withoutBin])
    probe.guardsDeletion = try await send(deletion).trialOfGuard
    probe.tagsOfItsOwn = try await trialOfTags(address, tag, second)
  }

  /// Whether a tag belongs to one text alone: some servers count the writes of an item, and begin
  /// anew with one that is made anew (SOGo).
  private mutating func trialOfTags(
    _ address: WebURL, _ first: EntityTag?, _ text: [UInt8]
  ) async throws(StorageError) -> CalendarProbe.Trial {
    guard let first, first.isStrong else { return .untried("the first event had no strong tag") }
    let deletion = try await send(
      DAVRequest("DELETE", address, headers: [CalDAVAccount.withoutBin]))
    guard deletion.isDone || deletion.isMissing else { return .untried(deletion.refusal.reason) }
    let creation = try await put(text, address, .unlessThere)
    if let place = calendar.elsewhere(address, creation.answer) { events.append(place) }
    let tags = creation.answer.head.values(of: "ETag")
    guard creation.isDone, tags.count == 1, let tag = EntityTag(received: tags[0]), tag.isStrong
    else {
      return .untried(
        creation.isDone ? "the second event had no strong tag" : creation.refusal.reason)
    }
    return tag == first ? .fails : .holds
  }

  private func learnName(_ asked: WebURL, _ found: WebURL) {
    calendar.memory.learn(
      .keepsNames, found.pathKey == asked.pathKey, "a probe's PUT \(calendar.href(asked).text)",
      "it is at \(calendar.href(found).text)")
  }

  /// So many events a calendar of probes may hold: each may have left one.
  private static let mostLeftovers = 10

  /// Takes the events of earlier probes for what is to be removed; false where the calendar holds
  /// anything else, or nobody can tell.
  mutating func takeLeftovers() async throws(StorageError) -> Bool {
    let present = try await listing(since: nil).present
    guard present.count <= Self.mostLeftovers else { return false }
    try checkStop()
    for item in try await calendar.read(present.map(\.href)) {
      switch item.result {
      case .missing: continue
      case .problem: return false
      case .found(_, let data, _):
        guard Self.isOurs(data.bytes), let address = calendar.address(item.href) else {
          return false
        }
        events.append(address)
      }
    }
    holdsOwnAlone = true
    return true
  }

  /// A calendar that was made a moment ago is empty.
  private var strangers: StorageError {
    StorageError(
      .protocolBroken, "the calendar \(calendar.url.shown) is not tried",
      why: "the server says that it made it, and it holds what calgw did not put there",
      hint: "tell the server's operator")
  }

  /// It has the UID of a probe's event.
  private static func isOurs(_ text: [UInt8]) -> Bool {
    let lines = text.split { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
    return lines.contains { $0.starts(with: "UID:\(ProbeName.mark)".utf8) }
  }

  /// Why the event cannot be stored.
  private static func trouble(_ reply: Reply) -> StorageError {
    let answer = reply.answer
    if answer.isHTML, answer.status == 200 {
      return StorageError(DAVClient.noDAV(answer, "PUT \(answer.place)"))
    }
    let what = "storing the probe's event"
    let refusal = reply.refusal
    // A full disk of the server's is no less one.
    if refusal.isOutOfRoom {
      return StorageError(
        .io, "\(what) at \(answer.place) failed", why: refusal.reason,
        hint: "make room on the server")
    }
    var trouble = StorageError(refusal, doing: what)
    if (400...499).contains(answer.status), answer.status != 403 {
      trouble.hint = "see the server's own log for the reason"
    }
    return trouble
  }

  /// Between the looks at what was written, in milliseconds: 15 seconds in all. Servers that show
  /// it late do so within some seconds.
  private static let pauses: [Int64] = [1_000, 2_000, 4_000, 8_000]
  /// In milliseconds: so late at most a pause notices that it is to end.
  private static let longestPart: Int64 = 200

  /// Looks for the event that was made, in a listing and at its address, and again as long as one
  /// of them says that there is none: a server that shows late what it took has its say.
  private mutating func look(
    for creation: Reply, _ asked: WebURL, since before: ChangePage, _ probe: inout CalendarProbe
  ) async throws(StorageError) -> (address: WebURL, listed: Shown, reply: Reply) {
    var listed = try await shown(since: before)
    var address = notedPlace(of: creation, asked, listed)
    var reply = try await send(DAVRequest("GET", address))
    var waited: Int64 = 0
    for pause in Self.pauses where listed.isNone || reply.isMissing {
      try await rest(pause)
      waited += pause
      if listed.isNone {
        listed = try await shown(since: before)
        address = notedPlace(of: creation, asked, listed)
        probe.waitForListing = CalendarProbe.Wait(milliseconds: waited, isVain: listed.isNone)
      }
      if reply.isMissing {
        reply = try await send(DAVRequest("GET", address))
        probe.waitForText = CalendarProbe.Wait(milliseconds: waited, isVain: reply.isMissing)
      }
    }
    return (address, listed, reply)
  }

  /// Where a server has put the event, which is to be removed there as well.
  private mutating func notedPlace(
    of creation: Reply, _ asked: WebURL, _ new: Shown
  ) -> WebURL {
    let address = place(of: creation, asked, new)
    if events.last?.pathKey != address.pathKey { events.append(address) }
    return address
  }

  private func rest(_ milliseconds: Int64) async throws(StorageError) {
    var left = milliseconds
    while left > 0 {
      try checkStop()
      let part = min(left, Self.longestPart)
      await calendar.surroundings.pause(part)
      left -= part
    }
  }

  /// What a listing shows that was not there before.
  private enum Shown {
    case items([Href])
    case nothing(reason: String)

    /// It was answered, and names nothing new.
    var isNone: Bool { if case .items(let hrefs) = self { hrefs.isEmpty } else { false } }

    /// Whether it is the event, and nothing else.
    func trial(of address: WebURL, in calendar: CalDAVStorage) -> CalendarProbe.Trial {
      switch self {
      case .items(let hrefs):
        hrefs.map { calendar.address($0)?.pathKey } == [address.pathKey] ? .holds : .fails
      case .nothing(let reason): .untried(reason)
      }
    }
  }

  private func shown(since before: ChangePage) async throws(StorageError) -> Shown {
    let known = Set(before.present.map(\.href))
    do throws(StorageError) {
      let present = try await listing(since: before.next).present.map(\.href)
      return .items(present.filter { !known.contains($0) })
    } catch {
      guard error.kind == .protocolBroken else { throw error }
      return .nothing(reason: error.why.isEmpty ? error.message : error.why)
    }
  }

  /// Where a server has put the event: some choose the name themselves, and say so or not.
  private func place(of creation: Reply, _ asked: WebURL, _ new: Shown) -> WebURL {
    if let place = calendar.elsewhere(asked, creation.answer) { return place }
    guard case .items(let hrefs) = new, hrefs.count == 1 else { return asked }
    return calendar.address(hrefs[0]) ?? asked
  }

  private func put(
    _ text: [UInt8], _ address: WebURL, _ condition: Guard
  ) async throws(StorageError) -> Reply {
    let type = HTTPHeader("Content-Type", "text/calendar; charset=utf-8")
    return try await send(
      DAVRequest("PUT", address, headers: [type] + condition.headers, body: text))
  }

  private func send(_ request: DAVRequest) async throws(StorageError) -> Reply {
    try checkStop()
    do throws(DAVError) {
      let (answer, sink) = try await calendar.client.send(request) {
        BytesSink(limit: 64 << 10, dropsExcess: true)
      }
      return Reply(answer: answer, body: sink.bytes)
    } catch {
      throw StorageError(error)
    }
  }

  /// The last page of a listing, with what all pages named.
  private func listing(since cursor: Cursor?) async throws(StorageError) -> ChangePage {
    /// Pages that a calendar of one event may have.
    let mostPages = 10
    try checkStop()
    var page = try await calendar.listChanges(since: cursor)
    var present = page.present
    for _ in 0..<mostPages where !page.isLast {
      try checkStop()
      page = try await calendar.listChanges(since: page.next)
      present += page.present
    }
    page.present = present
    return page
  }

  private func checkStop() throws(StorageError) {
    if shouldStop() { throw StorageError(.stopped, "the probe was told to stop") }
  }

  private static func event(_ uid: String, _ title: String) -> [UInt8] {
    Array(
      [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//calgw//doctor//EN", "BEGIN:VEVENT",
        "UID:\(uid)", "DTSTAMP:20260101T000000Z", "DTSTART:20260101T000000Z",
        "DTEND:20260101T010000Z", "TRANSP:TRANSPARENT", "SUMMARY:\(title)", "END:VEVENT",
        "END:VCALENDAR", "",
      ].joined(separator: "\r\n").utf8)
  }
}
