public import SyncModel
import WebDAV

/// What a server did with a calendar that was made to find that out.
public struct CalendarProbe: Sendable, Hashable {
  /// What names a version in the answer to a write (RFC 9110 §8.8.3).
  public enum TagOfWrite: String, Sendable, CaseIterable {
    case strong, weak, none
  }

  /// The calendar's address, as a person may need it to remove it.
  public var address: String
  public var tagOfWrite = TagOfWrite.none
  /// What was stored is what was sent, byte for byte.
  public var keepsBytes = false
  /// A second creation at one address is refused (`If-None-Match: *`).
  public var guardsCreation = false
  /// A replacement of an older version is refused (`If-Match`).
  public var guardsReplacement = false
  /// A deletion of an older version is refused (`If-Match`).
  public var guardsDeletion = false
  /// A listing right after a write shows it, and nothing else.
  public var listsWrites = false
  /// Why the calendar could not be removed again; nil: it is gone.
  public var leftBecause: String?

  init(address: String) { self.address = address }
}

extension CalDAVAccount {
  /// Makes a calendar, tries in it what calgw relies on, and removes it, whatever happened.
  ///
  /// - Throws: what kept the calendar from being made (`cannotCreate`), or the server from
  ///   answering.
  public func probe() async throws(StorageError) -> CalendarProbe {
    let name = "calgw-doctor-" + surroundings.newUUID().prefix(8)
    let made = try await makeCalendar(named: name)
    let calendar = try await openCalendar(made)
    var probe = CalendarProbe(address: calendar.url.text)
    var trouble: StorageError?
    do throws(StorageError) {
      try await Prober(calendar: calendar).run(&probe)
    } catch {
      trouble = error
    }
    probe.leftBecause = await remove(calendar)
    if trouble == nil { learn(from: probe) }
    if var trouble {
      if let reason = probe.leftBecause {
        trouble.hint += "; the probe's calendar \(probe.address) is left (\(reason)): remove it"
      }
      throw trouble
    }
    return probe
  }

  /// A server that lets the account make none has shown nothing of itself, and is not at fault.
  private func makeCalendar(
    named name: String
  ) async throws(StorageError) -> CollectionDescription {
    do throws(StorageError) {
      return try await createCollection(
        CollectionProposal(name: name, displayName: name, components: ["VEVENT"]))
    } catch {
      guard error.kind == .denied, !client.wasRefused else { throw error }
      throw StorageError(.cannotCreate, error.message, why: error.why, hint: error.hint)
    }
  }

  /// What guards are worth shows nowhere else but in a probe.
  private func learn(from probe: CalendarProbe) {
    func note(_ capability: ServerProfile.Capability, _ isKept: Bool, _ request: String) {
      memory.learn(capability, isKept, request, isKept ? "refused" : "done")
    }
    note(.ifNoneMatch, probe.guardsCreation, "a probe's PUT with If-None-Match: * over an item")
    note(.ifMatch, probe.guardsReplacement, "a probe's PUT with another If-Match")
    note(.ifMatchOnDelete, probe.guardsDeletion, "a probe's DELETE with another If-Match")
  }

  /// Gives why it could not be removed.
  private func remove(_ calendar: CalDAVStorage) async -> String? {
    // Nextcloud would keep it in its trash bin, and its address taken; others do not know this.
    let header = HTTPHeader("X-NC-CalDAV-No-Trashbin", "1")
    let request = DAVRequest("DELETE", calendar.url, headers: [header])
    do throws(DAVError) {
      let (answer, sink) = try await client.send(request) {
        BytesSink(limit: 64 << 10, dropsExcess: true)
      }
      if (200...299).contains(answer.status) || answer.status == 404 { return nil }
      return DAVRefusal(answer, body: sink.bytes).reason
    } catch {
      return error.message
    }
  }
}

/// Tries one thing after the other, in raw requests: what the storage would do to make up for a
/// server is not what is asked here.
private struct Prober {
  let calendar: CalDAVStorage

  /// A tag that no version has.
  private static let staleTag = Guard.ifMatch(Array("\"calgw-doctor-stale\"".utf8))

  func run(_ probe: inout CalendarProbe) async throws(StorageError) {
    let before = try await cursor(since: nil).next
    let uid = "calgw-doctor-\(calendar.surroundings.newUUID())"
    let href = calendar.freshHref(for: ItemID(uid), attempt: 0)
    guard let address = calendar.address(href) else { return }
    let first = Self.event(uid, "calgw doctor")
    let second = Self.event(uid, "calgw doctor, another version")
    let answer = try await put(first, address, .unlessThere)
    guard (200...299).contains(answer.status) else {
      throw StorageError(
        .denied, "the probe's event cannot be stored at \(address.text)",
        why: "the server answered \(answer.status)",
        hint: "see the server's own log for the reason")
    }
    let tags = answer.head.values(of: "ETag")
    let tag = tags.count == 1 ? EntityTag(received: tags[0]) : nil
    probe.tagOfWrite = tag.map { $0.isStrong ? .strong : .weak } ?? .none
    probe.keepsBytes = try await stored(at: address) == first
    let page = try await cursor(since: before)
    probe.listsWrites =
      page.present.map { calendar.address($0.href)?.pathKey } == [address.pathKey]

    probe.guardsCreation = isRefused(try await put(second, address, .unlessThere))
    probe.guardsReplacement = isRefused(try await put(second, address, Self.staleTag))
    let deletion = DAVRequest("DELETE", address, headers: Self.staleTag.headers)
    probe.guardsDeletion = isRefused(try await send(deletion).0)
  }

  private func isRefused(_ answer: DAVAnswer) -> Bool { [409, 412].contains(answer.status) }

  private func put(
    _ text: [UInt8], _ address: WebURL, _ condition: Guard
  ) async throws(StorageError) -> DAVAnswer {
    let type = HTTPHeader("Content-Type", "text/calendar; charset=utf-8")
    return try await send(
      DAVRequest("PUT", address, headers: [type] + condition.headers, body: text)
    ).0
  }

  private func stored(at address: WebURL) async throws(StorageError) -> [UInt8] {
    try await send(DAVRequest("GET", address)).1
  }

  private func send(_ request: DAVRequest) async throws(StorageError) -> (DAVAnswer, [UInt8]) {
    do throws(DAVError) {
      let (answer, sink) = try await calendar.client.send(request) {
        BytesSink(limit: 64 << 10, dropsExcess: true)
      }
      return (answer, sink.bytes)
    } catch {
      throw StorageError(error)
    }
  }

  /// The last page of a listing, with what all pages named.
  private func cursor(since cursor: Cursor?) async throws(StorageError) -> ChangePage {
    /// Pages that a calendar of one event may have.
    let mostPages = 10
    var page = try await calendar.listChanges(since: cursor)
    var present = page.present
    for _ in 0..<mostPages where !page.isLast {
      page = try await calendar.listChanges(since: page.next)
      present += page.present
    }
    page.present = present
    return page
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
