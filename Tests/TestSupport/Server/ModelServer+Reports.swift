import WebDAV

extension ModelServer {
  func report(_ call: ModelCall, _ state: inout State) -> ModelAnswer {
    guard state.world.calendars[call.collectionPath] != nil else { return ModelAnswer(404) }
    guard let body = call.body else { return ModelAnswer(400) }
    switch body.name {
    case .dav("sync-collection"):
      guard state.switches.hasSyncCollection else {
        state.acted(.noSyncCollection)
        return .refusal(403, .dav("supported-report"))
      }
      return syncCollection(call, body, &state)
    case .caldav("calendar-multiget"):
      guard state.switches.hasMultiget else {
        state.acted(.noMultiget)
        return .refusal(403, .dav("supported-report"))
      }
      return multiget(call, body, &state)
    case .caldav("calendar-query"):
      guard let years = state.switches.queryYears else {
        return .refusal(403, .dav("supported-report"))
      }
      return query(call, body, years, state)
    default: return .refusal(403, .dav("supported-report"))
    }
  }

  // MARK: sync-collection (RFC 6578)

  private func syncCollection(
    _ call: ModelCall, _ body: XMLTree, _ state: inout State
  ) -> ModelAnswer {
    let path = call.collectionPath
    guard let calendar = state.world.calendars[path] else { return ModelAnswer(404) }
    let sent = body.first(.dav("sync-token"))?.text.trimmed ?? []
    var since = 0
    var listsAll = sent.isEmpty
    if !sent.isEmpty {
      if let known = known(sent, calendar, call.now, state.switches) {
        since = known
      } else if state.switches.invalidTokenListsAll {
        listsAll = true
        state.acted(.listingForToken)
      } else {
        state.acted(.tokenRefused)
        return .refusal(state.switches.invalidTokenStatus, .dav("valid-sync-token"))
      }
    }
    let newest = visibleRevision(calendar, state)
    var changes = calendar.changes.values
      .filter { change in
        let mark = state.switches.tokenIsSecond ? Int(change.time / 1000) : change.revision
        return mark > since && change.revision <= newest
      }
      .sorted { $0.revision < $1.revision }
    leaveOutDeletions(of: &changes, since: since, listsAll: listsAll, &state)
    var reached = newest
    let isTruncated = state.switches.pageSize.map { changes.count > $0 } ?? false
    if let size = state.switches.pageSize, isTruncated {
      reached = changes[state.switches.skipsBetweenPages ? size : size - 1].revision
      changes = Array(changes.prefix(size))
    }
    if newest < calendar.revision { state.acted(.lateListing) }
    note(changes, of: calendar, listsAll: listsAll, isTruncated: isTruncated, &state)
    let snapshot = state
    return .multistatus { writer in
      for change in changes {
        let href = spell(path, change.name, snapshot)
        if change.isDeletion {
          writeGone(href, snapshot.switches, to: &writer)
        } else {
          let values = itemValues(calendar.items[change.name], snapshot.switches)
          for _ in 0..<(snapshot.switches.duplicatesHrefs ? 2 : 1) {
            writer.response(href, asked: [.dav("getetag")], values)
          }
        }
      }
      if listsAll {
        for href in odd(path, snapshot) {
          writer.response(href, asked: [.dav("getetag")], itemValues(nil, snapshot.switches))
        }
      }
      writeOwn(path, isTruncated: isTruncated, snapshot, to: &writer)
      let given =
        snapshot.switches.repeatsToken && isTruncated
        ? sent : token(calendar, at: reached, snapshot.switches)
      writer.element(.dav("sync-token"), text: given)
    }
  }

  private func writeGone(
    _ href: [UInt8], _ switches: ModelSwitches, to writer: inout XMLWriter
  ) {
    writer.response(href + Array(switches.endOfGone.utf8), status: switches.goneStatus)
  }

  /// What a report of changes says of the calendar itself.
  private func writeOwn(
    _ path: String, isTruncated: Bool, _ state: State, to writer: inout XMLWriter
  ) {
    let tellsOfMore = isTruncated && state.switches.tellsOfPages
    let status = tellsOfMore ? 507 : state.switches.deniesItself ? 404 : nil
    if let status { writer.response(spell(path, nil, state), status: status) }
  }

  private func leaveOutDeletions(
    of changes: inout [ModelWorld.Change], since: Int, listsAll: Bool, _ state: inout State
  ) {
    if state.switches.comparesStates, !state.switches.tokenIsSecond {
      leaveOutLives(of: &changes, since: since, &state)
    }
    let isUntold = state.switches.forgetsDeletions && changes.contains(where: \.isDeletion)
    if isUntold, !listsAll { state.acted(.deletionUntold) }
    if isUntold || listsAll { changes.removeAll(where: \.isDeletion) }
    if listsAll { cut(&changes, &state) }
  }

  private func cut(_ changes: inout [ModelWorld.Change], _ state: inout State) {
    guard let most = state.switches.mostInWholeReport, changes.count > most else { return }
    changes = Array(changes.prefix(most))
    state.acted(.page)
  }

  private func leaveOutLives(
    of changes: inout [ModelWorld.Change], since: Int, _ state: inout State
  ) {
    let count = changes.count
    changes.removeAll { $0.isDeletion && !$0.wasThere(at: since) }
    if changes.count < count { state.acted(.lifeUntold) }
  }

  /// Notes what is odd about the changes that a report names.
  private func note(
    _ changes: [ModelWorld.Change], of calendar: ModelWorld.Calendar, listsAll: Bool,
    isTruncated: Bool, _ state: inout State
  ) {
    if listsAll { state.noteOddAddresses() }
    if isTruncated { state.acted(state.switches.repeatsToken ? .sameToken : .page) }
    if state.switches.tokenIsSecond { state.acted(.tokenOfSecond) }
    for change in changes {
      if change.isDeletion {
        state.noteAddress(change.name)
      } else {
        state.noteListed(change.name, calendar.items[change.name])
      }
    }
  }

  /// The revision of a token; nil for one of another calendar, or one too old.
  private func known(
    _ token: [UInt8], _ calendar: ModelWorld.Calendar, _ now: Int64, _ switches: ModelSwitches
  ) -> Int? {
    if switches.tokenIsNumber {
      let number = Int(String(decoding: token, as: UTF8.self).filter(\.isNumber))
      return number.map { switches.tellsSecondAgain ? $0 - 1 : $0 }
    }
    let parts = String(decoding: token, as: UTF8.self).split(separator: "/")
    guard parts.count > 1, let count = parts.last?.drop(while: { $0 == "r" }),
      var revision = Int(count),
      switches.tokenIsCount || parts[parts.count - 2] == "\(calendar.id)"
    else { return nil }
    if switches.tokenIsCount { revision += calendar.firstRevision }
    if let lifetime = switches.tokenLifetime, !switches.tokenIsSecond,
      calendar.revision - revision > lifetime
    {
      return nil
    }
    let isForgotten = calendar.changes.values.contains { change in
      change.revision > revision && switches.tokenAge.map { now - change.time > $0 } ?? false
    }
    return isForgotten ? nil : revision
  }

  // MARK: calendar-query (RFC 4791 §7.8)

  /// The items that begin within so many years of now, whatever is asked for.
  private func query(
    _ call: ModelCall, _ body: XMLTree, _ years: Int, _ state: State
  ) -> ModelAnswer {
    let path = call.collectionPath
    guard let calendar = state.world.calendars[path] else { return ModelAnswer(404) }
    let asked = body.first(.dav("prop"))?.children.map(\.name) ?? []
    let today = Self.day(call.now)
    let shown = calendar.sortedNames.filter { name in
      let start = calendar.items[name].flatMap { ModelText.startDay($0.data) } ?? today
      // A year is 10,000 in days that are written as 20260105.
      return abs(start - today) <= years * 10_000
    }
    return .multistatus { writer in
      for name in shown {
        let values = itemValues(calendar.items[name], state.switches)
        writer.response(spell(path, name, state), asked: asked, values)
      }
    }
  }

  // MARK: calendar-multiget (RFC 4791 §7.9)

  private func multiget(
    _ call: ModelCall, _ body: XMLTree, _ state: inout State
  ) -> ModelAnswer {
    let path = call.collectionPath
    let asked = body.first(.dav("prop"))?.children.map(\.name) ?? []
    let hrefs = body.children.filter { $0.name == .dav("href") }.map(\.text.trimmed)
    if hrefs.count > state.switches.mostInMultiget {
      return ModelAnswer(state.switches.multigetRefusal)
    }
    var found: [([UInt8], [UInt8]?)] = []
    for href in hrefs {
      let name = (try? call.url.resolve(href: href))?.lastSegment
      let isOdd = name?.contains { "#?".utf8.contains($0) } ?? true
      let isThere = name.map { shown($0, in: path, call.now, state) != nil } ?? false
      let isGiven = isThere && !(isOdd && state.switches.multigetMissesOddNames)
      if !isGiven, state.switches.missingInMultiget == .wholeRequest {
        state.acted(.multigetFailed)
        return ModelAnswer(404)
      }
      if !isGiven, state.switches.missingInMultiget == .omitted {
        state.acted(.leftOutOfMultiget)
      }
      if isGiven, let name {
        state.world.calendars[path]?.items[name]?.reads += 1
        noteLook(at: name, in: path, call.now, &state)
      }
      found.append((href, isGiven ? name : nil))
    }
    if state.switches.addsUnsolicited, let other = state.world.calendars[path]?.sortedNames.first {
      if !found.contains(where: { $0.1 == other }) { state.acted(.unsolicited) }
      found.append(([], other))
    }
    let snapshot = state
    return .multistatus { writer in
      for (href, name) in found {
        guard let name, let item = shown(name, in: path, call.now, snapshot) else {
          if snapshot.switches.missingInMultiget == .entry { writer.response(href, status: 404) }
          continue
        }
        var values = itemValues(item, snapshot.switches)
        if let tag = scheduleTag(item, snapshot.switches) {
          values[.caldav("schedule-tag")] = { $0.text(tag) }
        }
        // A parser at the other end makes LF of CR LF, as with most servers. What XML cannot carry
        // is given as it is, as by most servers, too.
        let text = item.data.filter { $0 != 13 }
        values[.caldav("calendar-data")] = { $0.escaped(text) }
        writer.response(spell(path, name, snapshot), asked: asked, values)
      }
    }
  }
}
