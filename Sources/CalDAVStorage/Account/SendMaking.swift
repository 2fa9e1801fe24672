import SyncModel
import WebDAV

extension CalDAVAccount {
  /// What a request to make a calendar gave.
  enum MakingAnswer {
    /// With the other address that the answer names, if it does.
    case made(at: WebURL?)
    case refused(DAVRefusal)
  }

  /// Asks for a calendar. A 207 counts by its inner statuses. Where the server asks to wait, that
  /// is about calendars to be made (Nextcloud limits how many): those that are there go on.
  func send(making request: DAVRequest) async throws(StorageError) -> MakingAnswer {
    do throws(DAVError) {
      let (answer, sink) = try await client.send(request) {
        BytesSink(limit: 64 << 10, dropsExcess: true)
      }
      let status = InnerStatus.of(answer, body: sink.bytes)
      if (200...299).contains(status) {
        guard !answer.isHTML || answer.status == 201 else {
          throw DAVClient.noDAV(answer, "\(request.method) \(answer.place)")
        }
        return .made(at: answer.placeOfCalendar)
      }
      return .refused(DAVRefusal.ofProperties(answer, body: sink.bytes))
    } catch {
      var trouble = StorageError(error)
      if case .tryLater(let wait) = error.kind {
        memory.pauseMaking(for: wait ?? Patience.firstPause)
        trouble.message = "the calendar is not made yet: \(error.message)"
      }
      throw trouble
    }
  }

  /// Throws where what the server said of another calendar in this run holds for this one, too.
  func checkFormer(
    before proposal: CollectionProposal, leaving trace: inout MakingTrace
  ) async throws(StorageError) {
    try await checkPause(before: proposal)
    guard let barren = memory.barrenHome else { return }
    trace.isRefused = true
    throw barren.answers.error(proposal.failure(at: barren.home), wayOut: proposal.wayOut)
  }

  /// In milliseconds: what a run waits at most before it makes another calendar.
  private static let longestPause: Int64 = 60_000

  /// Waits for the time for which the server has asked before another calendar is made; throws
  /// where that is too long.
  func checkPause(before proposal: CollectionProposal) async throws(StorageError) {
    guard let left = memory.makingPause else { return }
    if left <= Self.longestPause, Patience.leaves(left, at: surroundings.now()) {
      return await Patience.rest(left, by: surroundings.pause)
    }
    throw StorageError(
      .tryLater(left), "the calendar “\(proposal.name)” is not made yet",
      why: "the server asked to wait when another one was to be made", hint: Patience.hint(left))
  }
}

extension DAVAnswer {
  /// Another address that the answer says the new calendar has (RFC 9110 §10.2.2). It may be that
  /// of anything.
  var placeOfCalendar: WebURL? {
    guard status == 201,
      let location = head.values(of: "Location").first?.trimmed, !location.isEmpty,
      let place = try? url.resolve(href: location), place.origin == url.origin,
      place.asCollection.pathKey != url.asCollection.pathKey
    else { return nil }
    return place.asCollection
  }
}
