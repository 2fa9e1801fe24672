import WebDAV

extension ModelServer {
  func get(_ call: ModelCall, _ state: inout State) -> ModelAnswer {
    let (path, name) = call.item
    state.world.calendars[path]?.items[name]?.reads += 1
    noteLook(at: name, in: path, call.now, &state)
    guard let item = shown(name, in: path, call.now, state) else {
      return ModelAnswer(state.switches.missingStatus)
    }
    let scheduleTag = scheduleTag(item, state.switches)
    let tag = tag(item, state.switches)
    var headers = [
      HTTPHeader("Content-Type", "text/calendar; charset=utf-8"),
      HTTPHeader("Last-Modified", Self.httpDate(item.modified)),
    ]
    if state.switches.readsTags {
      let given = state.switches.weakensTagsOfTexts ? Array("W/".utf8) + tag : tag
      headers.append(HTTPHeader("ETag", given))
    }
    if let scheduleTag { headers.append(HTTPHeader("Schedule-Tag", scheduleTag)) }
    return ModelAnswer(200, headers: headers, body: item.data)
  }

  /// The item as a look shows it now: what was written shows later.
  func shown(
    _ name: [UInt8], in path: String, _ now: Int64, _ state: State
  ) -> ModelWorld.Item? {
    guard state.switches.itemsAreListedAt == nil,
      let item = state.world.calendars[path]?.items[name]
    else { return nil }
    guard isLate(item, now, state) else { return item }
    return state.switches.lateWritesShowNothing ? nil : item.former.first
  }

  private func isLate(_ item: ModelWorld.Item, _ now: Int64, _ state: State) -> Bool {
    (0..<state.switches.writeLag).contains(now - item.modified)
  }

  /// Notes what is odd about what a look at an item shows.
  func noteLook(at name: [UInt8], in path: String, _ now: Int64, _ state: inout State) {
    guard let item = state.world.calendars[path]?.items[name] else { return }
    if isLate(item, now, state) { state.acted(.lateWrite) }
    if state.switches.listsTags { state.noteTag(of: item) } else { state.acted(.tagLeftOut) }
    state.noteAddress(name)
  }

  func put(_ call: ModelCall, _ state: inout State) -> ModelAnswer {
    let (path, name) = call.item
    guard let calendar = state.world.calendars[path] else { return ModelAnswer(409) }
    let there = calendar.items[name]
    if let refused = refusal(of: call, there, calendar, &state) { return refused }
    let data = call.request.body
    if let refused = contentAnswer(data, calendar, path, name, &state) { return refused }
    let text = ModelText.rewritten(data, state.switches, &state.acts)
    let kept = there == nil ? underOwnUID(text, &state) : text
    let storedName =
      there == nil && state.switches.choosesNames
      ? Array("own-\(state.world.revision + 1).ics".utf8) : name
    if storedName != name { state.acted(.ownAddress) }
    if state.switches.passesOverEqualTexts, there?.data == kept {
      return stored(path, name, isNew: false, isMoved: false, &state)
    }
    if state.switches.movesUIDs {
      takeAway(ModelText.uid(data), for: path, storedName, call, &state)
    }
    let parts = state.switches.splitsOverrides ? ModelText.split(kept) : [kept]
    if parts.count > 1 { state.acted(.split) }
    for (index, part) in parts.enumerated().dropFirst() {
      var name = Array("override-\(index)-".utf8) + storedName
      // Another item has that address by now.
      while let there = calendar.items[name], ModelText.uid(there.data) != ModelText.uid(data) {
        name = Array("next-".utf8) + name
      }
      state.world.store(part, at: path, name, now: call.now)
    }
    state.world.store(parts.first ?? kept, at: path, storedName, now: call.now)
    return stored(path, storedName, isNew: there == nil, isMoved: storedName != name, &state)
  }

  /// One that it has made itself stays.
  private func underOwnUID(_ data: [UInt8], _ state: inout State) -> [UInt8] {
    let uid = ModelText.uid(data)
    guard state.switches.makesUIDs, !uid.starts(with: "srv-".utf8) else { return data }
    state.acted(.ownUID)
    return ModelText.renamed(data, to: Array("srv-\(state.world.revision + 1)-".utf8) + uid)
  }

  /// What is refused whatever the text is.
  private func refusal(
    of call: ModelCall, _ there: ModelWorld.Item?, _ calendar: ModelWorld.Calendar,
    _ state: inout State
  ) -> ModelAnswer? {
    if state.switches.refusesWrites {
      state.acted(.writeRefused)
      return .refusal(403, .dav("need-privileges"))
    }
    if there == nil, state.switches.trashBlocksNames,
      calendar.deletedNames.contains(call.item.name)
    {
      state.acted(.nameStaysTaken)
      return ModelAnswer(400)
    }
    if let refused = guardAnswer(call, there, state.switches, isDelete: false) { return refused }
    noteIgnoredGuard(of: call, there, isDelete: false, &state)
    if there != nil, state.switches.isImmutable {
      state.acted(.replacementRefused)
      return ModelAnswer(403)
    }
    return nil
  }

  /// Removes every other item of a UID, in all calendars.
  private func takeAway(
    _ uid: [UInt8], for path: String, _ name: [UInt8], _ call: ModelCall, _ state: inout State
  ) {
    for other in state.world.sortedPaths {
      let calendar = state.world.calendars[other]
      for old in calendar?.sortedNames ?? [] where calendar?.items[old]?.uid == uid {
        if other == path, old == name { continue }
        state.acted(.uidMoved)
        state.world.remove(at: other, old, now: call.now)
      }
    }
  }

  private func stored(
    _ path: String, _ name: [UInt8], isNew: Bool, isMoved: Bool, _ state: inout State
  ) -> ModelAnswer {
    guard let item = state.world.calendars[path]?.items[name] else { return ModelAnswer(500) }
    let href = spell(path, name, state)
    if state.switches.answersPutWith207 {
      state.acted(.multistatusAfterPut)
      return .multistatus { $0.response(href, status: 201) }
    }
    var answer = ModelAnswer(isNew ? 201 : 204)
    let strong = tag(item, state.switches)
    switch state.switches.putTag {
    case .none: state.acted(.noTagAfterPut)
    case .strong:
      state.noteTag(of: item)
      answer.headers.append(HTTPHeader("ETag", strong))
    case .weak: answer.headers.append(HTTPHeader("ETag", Array("W/".utf8) + strong))
    case .wrong:
      state.acted(.wrongTagAfterPut)
      answer.headers.append(HTTPHeader("ETag", "\"wrong-\(item.revision)\""))
    }
    if isMoved, state.switches.tellsNames {
      answer.headers.append(HTTPHeader("Location", href))
    }
    return answer
  }

  func delete(_ call: ModelCall, _ state: inout State) -> ModelAnswer {
    if state.world.calendars.removeValue(forKey: call.collectionPath) != nil {
      return ModelAnswer(204)
    }
    let (path, name) = call.item
    guard let there = state.world.calendars[path]?.items[name] else { return ModelAnswer(404) }
    if state.switches.refusesWrites {
      state.acted(.writeRefused)
      return .refusal(403, .dav("need-privileges"))
    }
    if let refused = guardAnswer(call, there, state.switches, isDelete: true) { return refused }
    noteIgnoredGuard(of: call, there, isDelete: true, &state)
    if state.switches.deletesEqualUIDs { takeAway(there.uid, for: path, name, call, &state) }
    state.world.remove(at: path, name, now: call.now)
    return ModelAnswer(204)
  }

  /// RFC 9110 §13.1: 412 where a guard does not hold.
  private func guardAnswer(
    _ call: ModelCall, _ there: ModelWorld.Item?, _ switches: ModelSwitches, isDelete: Bool
  ) -> ModelAnswer? {
    if call.header("If-None-Match") != nil, there != nil, !switches.ignoresIfNoneMatch {
      return ModelAnswer(412)
    }
    if let wanted = call.header("If-Schedule-Tag-Match"), let there, switches.givesScheduleTags,
      wanted != scheduleTag(there, switches)
    {
      return ModelAnswer(412)
    }
    guard let wanted = call.header("If-Match"), !switches.ignoresIfMatch,
      !(isDelete && switches.ignoresIfMatchOnDelete)
    else { return nil }
    guard let there else { return ModelAnswer(412) }
    let current = tag(there, switches)
    let isGivenSo = current.first == UInt8(ascii: "\"") || switches.comparesTagsAsGiven
    let quoted = isGivenSo ? current : [34] + current + [34]
    // A weak tag matches nothing (RFC 9110 §8.8.3.2).
    return switches.tagForm != .weak && wanted == quoted ? nil : ModelAnswer(412)
  }

  /// A guard that did not hold was not kept to.
  private func noteIgnoredGuard(
    of call: ModelCall, _ there: ModelWorld.Item?, isDelete: Bool, _ state: inout State
  ) {
    let switches = state.switches
    guard switches.ignoresIfNoneMatch || switches.ignoresIfMatch || switches.ignoresIfMatchOnDelete
    else { return }
    var strict = switches
    strict.ignoresIfNoneMatch = false
    strict.ignoresIfMatch = false
    strict.ignoresIfMatchOnDelete = false
    guard guardAnswer(call, there, strict, isDelete: isDelete) != nil else { return }
    if call.header("If-None-Match") != nil { return state.acted(.ifNoneMatchIgnored) }
    if switches.ignoresIfMatch { state.acted(.ifMatchIgnored) }
    if isDelete, switches.ignoresIfMatchOnDelete { state.acted(.deleteGuardIgnored) }
  }

  /// What servers refuse about the data itself.
  private func contentAnswer(
    _ data: [UInt8], _ calendar: ModelWorld.Calendar, _ path: String, _ name: [UInt8],
    _ state: inout State
  ) -> ModelAnswer? {
    let switches = state.switches
    func refuse(_ element: String) -> ModelAnswer {
      switches.namesPreconditions ? .refusal(403, .caldav(element)) : ModelAnswer(412)
    }
    if let most = switches.maxResourceSize, data.count > most { return refuse("max-resource-size") }
    guard ModelText.isCalendar(data) else { return refuse("valid-calendar-data") }
    if switches.enforcesComponents, let kinds = calendar.components,
      !ModelText.components(data).allSatisfy({ kinds.contains($0.uppercased()) })
    {
      state.acted(.componentRefused)
      return refuse("supported-calendar-component")
    }
    let uid = ModelText.uid(data)
    if switches.trashBlocksUIDs, calendar.items[name] == nil, calendar.deletedUIDs.contains(uid) {
      state.acted(.uidStaysTaken)
      return .refusal(
        400, "Deleted calendar object with uid already exists in this calendar collection.")
    }
    guard let status = switches.uidConflictStatus else { return nil }
    let paths = switches.uidsSpanCalendars ? state.world.sortedPaths : [path]
    let isTaken = paths.contains { other in
      state.world.calendars[other]?.items.contains {
        $0.value.uid == uid && !(other == path && $0.key == name)
      } ?? false
    }
    guard isTaken else { return nil }
    state.acted(.uidRefused)
    return .refusal(status, switches.uidConflictElement.map(XMLName.caldav))
  }

  func makeCalendar(
    _ call: ModelCall, _ state: inout State, isAllowed: Bool
  ) -> ModelAnswer {
    guard isAllowed else { return ModelAnswer(405) }
    guard call.path.hasPrefix(Self.homePath) else { return ModelAnswer(403) }
    var path = call.collectionPath
    guard state.world.calendars[path] == nil else { return ModelAnswer(405) }
    let prop = call.body?.first(.dav("set"))?.first(.dav("prop"))
    let asked = prop?.first(.caldav("supported-calendar-component-set"))?.children.compactMap {
      $0.attributes.first.map { String(decoding: $0.value, as: UTF8.self) }
    }
    if let most = state.switches.mostKinds, let asked, asked.count > most {
      return .refusal(403, .caldav("supported-calendar-component"))
    }
    let failure = refusal(ofProperties: prop?.children.map(\.name) ?? [], at: path, state)
    if let failure, !state.switches.makesWhatItRefuses { return failure }
    let kinds = (state.switches.ignoresKinds ? nil : asked) ?? state.switches.usualKinds
    if state.switches.choosesCalendarNames || state.switches.listsCalendarsElsewhere {
      path = Self.homePath + "\(state.world.revision)/"
    }
    if state.switches.listsCalendarsElsewhere { state.world.aliases[call.collectionPath] = path }
    let own = state.switches.newCalendar
    state.world.addCalendar(
      path,
      name: own == nil ? prop?.first(.dav("displayname"))?.text : own?.name.map { Array($0.utf8) },
      color: own == nil
        ? prop?.first(XMLName(.apple, "calendar-color"))?.text : own?.color.map { Array($0.utf8) },
      components: kinds, now: call.now)
    if let failure { return failure }
    guard state.switches.locatesCalendars else { return ModelAnswer(201) }
    return ModelAnswer(201, headers: [HTTPHeader("Location", path)])
  }
}
