import SyncModel
import WebDAV

/// Tries one thing after the other, in raw requests: what the storage would do to make up for a
/// server is not what is asked here.
struct Prober: Sendable {
  let calendar: CalDAVStorage
  /// Looked at before each request: then the rest is left out.
  let shouldStop: @Sendable () -> Bool

  /// The head of an answer with what its body begins with.
  private struct Reply {
    let answer: DAVAnswer
    let body: [UInt8]

    /// A login page or a captive portal answers everything with 200.
    var isDone: Bool {
      (200...299).contains(answer.status) && !(answer.isHTML && answer.status == 200)
    }

    var refusal: DAVRefusal { DAVRefusal(answer, body: body) }

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
  func run(_ probe: inout CalendarProbe) async throws(StorageError) {
    let before = try await listing(since: nil).next
    let uid = "calgw-doctor-\(calendar.surroundings.newUUID())"
    let href = calendar.freshHref(for: ItemID(uid), attempt: 0)
    guard let address = calendar.address(href) else { return }
    let first = Self.event(uid, "calgw doctor")
    let second = Self.event(uid, "calgw doctor, another version")
    let creation = try await put(first, address, .unlessThere)
    guard creation.isDone else { throw Self.trouble(creation) }
    let tags = creation.answer.head.values(of: "ETag")
    let tag = tags.count == 1 ? EntityTag(received: tags[0]) : nil
    probe.tagOfWrite = tag.map { $0.isStrong ? .strong : .weak } ?? .none
    probe.keepsBytes = try await stored(first, at: address)
    probe.listsWrites = try await listed(address, since: before)

    probe.guardsCreation = try await put(second, address, .unlessThere).trialOfGuard
    probe.guardsReplacement = try await put(second, address, Self.staleTag).trialOfGuard
    let deletion = DAVRequest("DELETE", address, headers: Self.staleTag.headers)
    probe.guardsDeletion = try await send(deletion).trialOfGuard
  }

  /// Why the event cannot be stored.
  private static func trouble(_ reply: Reply) -> StorageError {
    let answer = reply.answer
    if answer.isHTML, answer.status == 200 {
      return StorageError(DAVClient.noDAV(answer, "PUT \(answer.url.text)"))
    }
    let what = "storing the probe's event"
    let refusal = reply.refusal
    let limits = ["quota-not-exceeded", "sufficient-disk-space"]
    // A full disk of the server's is no less one (RFC 4918 §11.5, RFC 4331 §6).
    if answer.status == 507 || refusal.words.preconditions.contains(where: { limits.contains($0) })
    {
      return StorageError(
        .io, "\(what) at \(refusal.url.text) failed", why: refusal.reason,
        hint: "make room on the server")
    }
    var trouble = StorageError(refusal, doing: what)
    if (400...499).contains(answer.status), answer.status != 403 {
      trouble.hint = "see the server's own log for the reason"
    }
    return trouble
  }

  private func stored(
    _ text: [UInt8], at address: WebURL
  ) async throws(StorageError) -> CalendarProbe.Trial {
    let reply = try await send(DAVRequest("GET", address))
    guard reply.isDone else { return .untried(reply.refusal.reason) }
    return reply.body == text ? .holds : .fails
  }

  /// Whether a listing shows the event, and nothing else.
  private func listed(
    _ address: WebURL, since cursor: Cursor
  ) async throws(StorageError) -> CalendarProbe.Trial {
    do throws(StorageError) {
      let present = try await listing(since: cursor).present
      return present.map { calendar.address($0.href)?.pathKey } == [address.pathKey]
        ? .holds : .fails
    } catch {
      guard error.kind == .protocolBroken else { throw error }
      return .untried(error.why.isEmpty ? error.message : error.why)
    }
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
