package import SyncModel
import WebDAV

/// What became of moving an item to another calendar.
package enum MoveOutcome: Sendable, Hashable {
  /// It is in the other calendar, under the name that it was to have or one of the server's own.
  case moved
  /// Nothing was done: it is to be sent there and deleted here instead.
  case refused
  /// The same, for now: by a lock, or since the server failed at it.
  case failed
  /// The whole account is in trouble, or nobody knows.
  case unclear(StorageError)
}

extension CalDAVStorage {
  /// Moves items to another calendar of the account (RFC 4918 §9.9): at no time there are two of
  /// one UID, or none, and nobody is told that a meeting is off.
  ///
  /// Nothing guards it by an entity tag: what somebody has changed there meanwhile goes along, and
  /// the next look at the other calendar shows it.
  package func move(
    _ items: [(uid: ItemID, href: Href)], to other: CalDAVStorage
  ) async -> [MoveOutcome] {
    if traits.isReadOnly || other.traits.isReadOnly || url.origin != other.url.origin {
      return items.map { _ in .refused }
    }
    let course = Course()
    let outcomes = await inParallel(items) { item -> MoveOutcome in
      if Patience.isStopped { course.trouble = Self.stopped }
      if let trouble = course.trouble { return .unclear(trouble) }
      guard self.withRunMemory(\.moves) else { return .refused }
      let outcome = await self.move(item.uid, at: item.href, to: other)
      if case .unclear(let trouble) = outcome { course.trouble = trouble }
      return outcome
    }
    return course.trouble == nil ? await checkMoves(items, outcomes, to: other) : outcomes
  }

  /// Nothing is known of the server that it does not move items.
  package var mayMove: Bool { withRunMemory(\.moves) && !traits.isReadOnly }

  /// The outcomes once it was seen that what is said to be moved has left this calendar: some
  /// servers, and what stands before them, say so and do nothing. Told so in each run, it would
  /// never get there.
  private func checkMoves(
    _ items: [(uid: ItemID, href: Href)], _ outcomes: [MoveOutcome], to other: CalDAVStorage
  ) async -> [MoveOutcome] {
    let believed = zip(items, outcomes).filter { $0.1 == .moved }.map(\.0)
    guard !believed.isEmpty, !Patience.isStopped else { return outcomes }
    let kept = await stillThere(believed, besides: other)
    if let item = believed.first(where: { !kept.contains($0.href) }) {
      memory.learn(
        .moves, true, "MOVE \(item.href.text)", "a success, and gone from there")
    }
    return zip(items, outcomes).map { kept.contains($0.href) ? .refused : $1 }
  }

  /// Those that are where they were, and not where they were to go. A server may need some seconds
  /// to show it; where one did not in time, the next ones are not waited for.
  private func stillThere(
    _ items: [(uid: ItemID, href: Href)], besides other: CalDAVStorage
  ) async -> Set<Href> {
    var suspects = items
    // Where that look fails, a look at each tells.
    if let listed = await listed(items.compactMap { address($0.href) }) {
      let shown = Set(listed.filter { $0.problem == nil }.map(\.href))
      suspects = items.filter { shown.contains($0.href) }
    }
    if suspects.isEmpty { return [] }
    let pauses = withRunMemory(\.awaitsDeletions) ? Self.latePauses : []
    let gone = await awaitDeletions(suspects.map(\.href), pausing: pauses)
    let late = suspects.filter { !gone.contains($0.href) }
    let kept = await inParallel(late) { item -> Href? in
      guard let old = self.address(item.href),
        let new = other.address(other.freshHref(for: item.uid)),
        case .absent = await other.get(new), case .found = await self.get(old)
      else { return nil }
      return item.href
    }.compactMap(\.self)
    guard !kept.isEmpty, !Patience.isStopped else { return [] }
    withRunMemory { $0.awaitsDeletions = false }
    return Set(kept)
  }

  private func freshHref(for uid: ItemID) -> Href { freshHref(for: uid, attempt: 0) }

  private func move(
    _ uid: ItemID, at item: Href, to other: CalDAVStorage
  ) async -> MoveOutcome {
    guard let address = address(item), let target = other.address(other.freshHref(for: uid))
    else { return .refused }
    var request = DAVRequest(
      "MOVE", address,
      headers: [HTTPHeader("Destination", target.text), HTTPHeader("Overwrite", "F")])
    request.endsAtStop = true
    do throws(DAVError) {
      let (answer, sink) = try await client.send(request) {
        BytesSink(limit: Self.longestErrorBody, dropsExcess: true)
      }
      let status = InnerStatus.of(answer, body: sink.bytes)
      switch status {
      case 200, 201, 203...299:
        // What says nothing proves nothing, and a login page answers everything with 200.
        if InnerStatus.isSilent(answer, body: sink.bytes) || answer.isHTML && status == 200 {
          let trouble = StorageError(DAVRefusal(answer, body: sink.bytes), doing: Self.doing)
          return await outcome(ofSilence: item, at: address, trouble)
        }
        return .moved
      case 405, 501:
        withRunMemory { $0.moves = false }
        memory.learn(.moves, false, "MOVE \(item.text)", "\(status)")
        return .refused
      // Over a connection that broke, behind a gateway, or after an answer that asks to wait, it
      // may have gone out twice: then this is the answer to the second one.
      case 404, 410, 412:
        return await hasLeft(address, uid, for: other) ? .moved : .refused
      case 423: return .failed
      case 400...499: return .refused
      default:
        let trouble = StorageError(DAVRefusal(answer, body: sink.bytes), doing: Self.doing)
        return await outcome(at: address, wasAnswered: !Self.mayComeLate(status), trouble)
      }
    } catch {
      if error.mayHaveActed {
        return await outcome(at: address, wasAnswered: false, StorageError(error))
      }
      // Some say 401 where they mean 403, and an address may lead nowhere.
      let isOfThis =
        [.protocolBroken, .elsewhere].contains(error.kind)
        || error.kind == .denied && client.isLetInElsewhere
      return isOfThis ? .refused : .unclear(StorageError(error))
    }
  }

  private static let doing = "moving an item"

  /// A success that says nothing may be one, and a server may need some seconds to show it.
  private func outcome(
    ofSilence item: Href, at address: WebURL, _ trouble: StorageError
  ) async -> MoveOutcome {
    let pauses = withRunMemory(\.awaitsDeletions) ? Self.latePauses : []
    if await awaitDeletions([item], pausing: pauses).contains(item) { return .moved }
    guard case .found = await get(address), !Patience.isStopped else { return .unclear(trouble) }
    withRunMemory { $0.awaitsDeletions = false }
    return .refused
  }

  /// An item is there no more, and in the calendar that it was to go to.
  private func hasLeft(_ address: WebURL, _ uid: ItemID, for other: CalDAVStorage) async -> Bool {
    guard case .absent = await get(address) else { return false }
    let places = await other.places(ofMoved: [(uid, other.freshHref(for: uid))])
    return !places.isEmpty
  }

  /// Where some servers put what is moved, whatever name it was to have.
  func address(naming uid: ItemID) -> WebURL {
    url.appending(segment: uid.bytes + Array(".ics".utf8))
  }

  /// It was only promised (202, RFC 9110 §15.3.3), or what stands before the server has not waited
  /// for its end (503, 504).
  private static func mayComeLate(_ status: Int) -> Bool { [202, 503, 504].contains(status) }

  /// What the answer does not tell, the place tells where the item was. While it is there, a move
  /// without an answer of the server's own may still come.
  private func outcome(
    at address: WebURL, wasAnswered: Bool, _ trouble: StorageError
  ) async -> MoveOutcome {
    switch await get(address) {
    case .absent: .moved
    case .found where wasAnswered: .failed
    case .found, .problem, .unusable, .large, .failed: .unclear(trouble)
    }
  }
}
