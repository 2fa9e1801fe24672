public import SyncModel
import WebDAV

extension CalDAVStorage {
  /// Reads items by one multiget. What it does not give, a GET decides: it may be missing, named
  /// in a way that only GET understands, or have made the whole answer unusable, or impossible.
  /// Large items are left out, and all that come when much is held already.
  public func read(_ batch: [Href]) async throws(StorageError) -> [ReadOutcome] {
    guard !batch.isEmpty else { return [] }
    let addresses = batch.map(address)
    let (sent, end) = withRunMemory { run in (batch.map { run.sent[$0] }, run.tolerance.end) }
    if let end { throw end }
    let given =
      isBetterAskedOneByOne(batch) ? [:] : try await multiget(addresses.compactMap(\.self))
    let course = ReadCourse(limit: fixedTraits.bytesAtOnce, isAlone: batch.count == 1)
    for case let address? in addresses {
      if let look = given[address.pathKey] { take(look, in: course) }
    }
    let seen = await inParallel(Array(zip(batch, addresses))) { (href, address) -> Look? in
      guard let address else {
        return .unusable(
          ItemProblem(
            .brokenRemote, "\(href.text) is not in the calendar \(self.url.shown)",
            hint: "tell the server's operator; the item stays as it is"))
      }
      if let look = given[address.pathKey] ?? self.lookInstead(of: address) { return look }
      return await self.look(at: address, in: course)
    }
    // What was given before the trouble is not given in vain; the rest is asked for again, but of
    // a server that has refused the user, or where the run is to end.
    if let trouble = course.trouble,
      !course.hasAnswers || [.denied, .stopped].contains(trouble.kind)
    {
      throw trouble
    }
    if isRefuted(seen, at: addresses) { return try await read(batch) }
    let looks = await awaitWrites(batch, sent: sent, try await settled(seen, at: addresses))
    var outcomes: [ReadOutcome] = []
    for case (let href, let look?) in zip(batch, looks) {
      switch look {
      case .found(let version, let data, let modified):
        outcomes.append(
          ReadOutcome(href: href, result: .found(version, data, modified: modified)))
      case .absent: outcomes.append(ReadOutcome(href: href, result: .missing))
      case .problem(let problem, _):
        outcomes.append(ReadOutcome(href: href, result: .problem(problem)))
      case .unusable(let problem):
        outcomes.append(ReadOutcome(href: href, result: .problem(problem), isLasting: true))
      case .large, .failed: continue
      }
    }
    if outcomes.isEmpty, Patience.isStopped { throw Self.stopped }
    // Every one missing may mean that the calendar is.
    if !outcomes.isEmpty, outcomes.allSatisfy({ $0.result == .missing }) {
      try await checkCollection()
    }
    return outcomes
  }

  /// Radicale says when an item changed in the answer to a GET, and in no multiget. Who changed it
  /// last is asked of the few items that both sides changed; of many at once nobody asks it.
  private func isBetterAskedOneByOne(_ batch: [Href]) -> Bool {
    batch.count <= Self.few && memory.lacks(.timesInMultiget)
  }

  static let few = 4

  /// Looks at each item by GET: only 404 and 410 of its own address prove that it is absent, or of
  /// one with its name to which it leads, or 403 where that is what the server says of whatever is
  /// missing; and only while the calendar itself is there.
  public func confirmAbsence(of batch: [Href]) async throws(StorageError) -> [Href] {
    let addresses = batch.map(address)
    let seen = await inParallel(addresses) { address -> Look? in
      guard let address else { return nil }
      return await self.get(address)
    }
    let looks = try await settled(seen, at: addresses)
    var absent: [Href] = []
    for case (let href, let look?) in zip(batch, looks) {
      switch look {
      case .absent: absent.append(href)
      case .found:
        let request = "a listing without \(href.text), and GET of it"
        memory.learn(.wholeListings, false, request, "200")
        if !hidesItems { withRunMemory { $0.isRefuted = true } }
      case .problem, .unusable, .large: continue
      case .failed(let error): throw error
      }
    }
    if !absent.isEmpty { try await checkCollection() }
    learnUntold(absent)
    if let href = absent.first, absent.count == batch.count {
      let answer = seen.contains { $0?.isForbidden ?? false } ? "403, as of any other name" : "404"
      memory.learn(.wholeListings, true, "a listing without \(href.text), and GET of it", answer)
    }
    return absent
  }

  /// The items that calendar-multigets give, by the key of their path: one request, or several
  /// where the server refuses so many items at once.
  private func multiget(_ addresses: [WebURL]) async throws(StorageError) -> [[UInt8]: Look] {
    let troubled = withRunMemory { $0.tolerance.troubled }
    var rest = addresses.filter { !troubled.contains($0.pathKey) }[...]
    var looks: [[UInt8]: Look] = [:]
    while !rest.isEmpty {
      let (isWorthwhile, most) = withRunMemory { run in
        (run.hasMultiget && run.tolerance.asksByMultiget, run.mostInMultiget)
      }
      guard isWorthwhile else { break }
      let part = rest.prefix(most)
      guard let given = try await multiget(atOnce: Array(part)) else { continue }
      looks.merge(given) { first, _ in first }
      rest = rest.dropFirst(part.count)
    }
    return looks
  }

  /// One request; nil where it has to be for fewer items.
  private func multiget(
    atOnce addresses: [WebURL]
  ) async throws(StorageError) -> [[UInt8]: Look]? {
    let request = PropertyRequests.multiget(url, hrefs: addresses.map(target))
    // Several of them are under way at once. What does not fit is asked for one by one.
    var limits = limits
    limits.document = min(limits.document, fixedTraits.bytesAtOnce)
    limits.responses = min(limits.responses, 2 * addresses.count + Self.strangersOfAMultiget)
    let answer: MultistatusAnswer
    do throws(DAVError) { answer = try await client.multistatus(request, limits: limits) } catch {
      switch error.kind {
      // One item with a control character makes the whole answer ill-formed.
      case .illFormed, .tooLarge: return [:]
      // One that the server's program dies of, or never ends with, leaves it without an answer.
      case .unreachable where error.isBrokenOff, .unanswered where error.isBrokenOff,
        // One may be answered 503 however often it is asked for; who names a time means it.
        .tryLater(nil):
        try await checkAnswers(after: error)
        withRunMemory { $0.tolerance.brokenMultigets += 1 }
        return [:]
      case .unreachable, .unanswered, .tryLater, .protocolBroken, .denied, .elsewhere, .local,
        .stopped:
        throw StorageError(error)
      }
    }
    switch answer {
    case .refused(let refusal):
      if refusal.wantsFewer { return withRunMemory { $0.wasTooMany(addresses.count) } }
      // A missing item can be a 404 of the whole request; 501 and 405 are about the report itself.
      if [405, 501].contains(refusal.status) {
        withRunMemory { $0.hasMultiget = false }
        memory.learn(.multiget, false, "REPORT calendar-multiget", refusal.reason)
      }
      return [:]
    case .multistatus(let multistatus, let source):
      memory.learn(.multiget, true, "REPORT calendar-multiget", "207")
      let looks = looks(multistatus.responses, from: source)
      noteSharedUIDs(of: addresses, in: looks, "REPORT calendar-multiget")
      return looks
    }
  }

  /// Some servers name items that nobody asked for.
  private static let strangersOfAMultiget = 100

  private func looks(_ responses: [DAVResponse], from source: WebURL) -> [[UInt8]: Look] {
    noteFailures(responses, from: source)
    var looks: [[UInt8]: Look] = [:]
    for response in responses where response.isSuccess {
      guard let named = try? client.resolve(response.href, from: source, of: url) else { continue }
      let address = known(named)
      guard looks[address.pathKey] == nil else { continue }
      let properties = response.properties
      if properties.isTooLarge {
        looks[address.pathKey] = .unusable(tooLarge(address.shown))
      } else if let data = properties.calendarData, !data.trimmed.isEmpty {
        if var problem = ItemProblem.ofTag(in: properties, address.shown) {
          problem.uids = ItemText.uids(data)
          looks[address.pathKey] = .unusable(problem)
          continue
        }
        memory.learn(tag: properties.entityTag, "REPORT calendar-multiget")
        let isTimed = properties.lastModified != nil
        memory.learn(
          .timesInMultiget, isTimed, "REPORT calendar-multiget",
          isTimed ? "a getlastmodified" : "no getlastmodified")
        looks[address.pathKey] = judge(
          data, tag: properties.entityTag, modified: properties.lastModified,
          scheduleTag: properties.scheduleTag, at: address)
      }
    }
    return looks
  }
}
