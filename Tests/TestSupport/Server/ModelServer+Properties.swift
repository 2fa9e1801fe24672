import SyncModel
import WebDAV

extension ModelServer {
  typealias Values = [XMLName: (inout XMLWriter) -> Void]

  func propfind(_ call: ModelCall, _ state: inout State) -> ModelAnswer {
    let asked = call.body?.first(.dav("prop"))?.children.map(\.name) ?? []
    let isDeep = call.header("Depth").map { $0.elementsEqual("1".utf8) } ?? false
    let path = call.collectionPath
    let home = state.switches.homeIsPrincipal ? Self.principalPath : Self.homePath
    if state.world.calendars[path] != nil {
      noteProperties(of: path, asked, &state)
      return calendarListing(path, asked, isDeep: isDeep, call, &state)
    }
    if let place = state.world.aliases[path], state.world.calendars[place] != nil {
      return calendarListing(place, as: path, asked, isDeep: isDeep, call, &state)
    }
    guard ["/", Self.principalPath, Self.homePath].contains(path) else {
      guard state.switches.missingCollectionIn207 else { return ModelAnswer(404) }
      let href = Array((Self.origin + call.path).utf8)
      return .multistatus { $0.response(href, status: 404) }
    }
    let values = structure(path, state.switches)
    let children =
      isDeep && (path == home || path == Self.homePath)
      ? state.world.sortedPaths.filter {
        $0.hasPrefix(Self.homePath) && !state.switches.unlistedCalendars.contains($0)
      } : []
    for child in children { noteProperties(of: child, asked, &state) }
    defer {
      if state.switches.makesResourceIDsWhenAsked, asked.contains(.dav("resource-id")) {
        for child in children { state.world.calendars[child]?.hasResourceID = true }
      }
    }
    return .multistatus { writer in
      writer.response(spell(path, nil, state), asked: asked, values)
      for child in children {
        writer.response(spell(child, nil, state), asked: asked, calendarValues(child, state))
      }
      guard isDeep, path == home else { return }
      let inbox = spell(path + "inbox/", nil, state)
      writer.response(
        inbox, asked: asked,
        [
          .dav("resourcetype"): { type in
            type.empty(.dav("collection"))
            type.empty(.caldav("schedule-inbox"))
          }
        ])
    }
  }

  private func structure(_ path: String, _ switches: ModelSwitches) -> Values {
    var values: Values = [
      .dav("resourcetype"): { type in
        type.empty(.dav("collection"))
        if path == Self.principalPath { type.empty(.dav("principal")) }
      }
    ]
    guard switches.hasPrincipals else { return values }
    values[.dav("current-user-principal")] = { property in
      property.element(.dav("href"), text: Array(Self.principalPath.utf8))
    }
    if path == Self.principalPath {
      let home = switches.homeIsPrincipal ? Self.principalPath : Self.homePath
      values[.caldav("calendar-home-set")] = { property in
        for home in [home, switches.lostHome].compactMap(\.self) {
          property.element(.dav("href"), text: Array(home.utf8))
        }
      }
    }
    return values
  }

  private func calendarValues(_ path: String, _ state: State) -> Values {
    guard let calendar = state.world.calendars[path] else { return [:] }
    let switches = state.switches
    var values: Values = [
      .dav("resourcetype"): { type in
        type.empty(.dav("collection"))
        type.empty(.caldav("calendar"))
      },
      .dav("current-user-privilege-set"): { set in
        for name in switches.advertisesReadOnly ? ["read"] : ["read", "write"] {
          set.element(.dav("privilege")) { $0.empty(.dav(name)) }
        }
      },
    ]
    func text(_ name: XMLName, _ value: [UInt8]?) {
      if let value { values[name] = { $0.text(value) } }
    }
    // As it is, also where no XML can carry it, like a careless server.
    if let name = calendar.displayName { values[.dav("displayname")] = { $0.escaped(name) } }
    text(XMLName(.apple, "calendar-color"), calendar.color)
    text(.caldav("calendar-description"), calendar.about)
    text(XMLName(.apple, "calendar-order"), calendar.order)
    text(.caldav("max-resource-size"), switches.maxResourceSize.map { Array("\($0)".utf8) })
    if switches.givesResourceIDs || switches.makesResourceIDsWhenAsked {
      values[.dav("resource-id")] = {
        $0.element(.dav("href"), text: Array("urn:model:\(calendar.id)".utf8))
      }
    }
    text(
      .dav("creationdate"),
      switches.givesCreationDates
        ? Array(Self.isoDate(Self.made(calendar, switches)).utf8) : nil)
    if switches.hasCalendarTag, switches.calendarTagIsSecond {
      let second = Self.second(of: calendar, at: visibleRevision(calendar, state))
      text(XMLName(.calendarServer, "getctag"), Array("\(second)".utf8))
    } else if switches.hasCalendarTag {
      let newest =
        switches.calendarTagIsPrompt ? calendar.revision : visibleRevision(calendar, state)
      let number = switches.calendarTagIsConstant ? 0 : newest
      let moved = calendar.hasResourceID ? "-named" : ""
      text(XMLName(.calendarServer, "getctag"), Array("\(calendar.id)-\(number)\(moved)".utf8))
    }
    if switches.hasSyncCollection, switches.showsSyncToken {
      text(.dav("sync-token"), token(calendar, at: visibleRevision(calendar, state), switches))
    }
    if let kinds = calendar.components {
      values[.caldav("supported-calendar-component-set")] = { set in
        for kind in kinds { set.empty(.caldav("comp"), attributes: [("name", kind)]) }
      }
    }
    if switches.advertisesReports { values[.dav("supported-report-set")] = reports(switches) }
    return values
  }

  /// Notes what is odd about the properties of a calendar that are asked for.
  private func noteProperties(of path: String, _ asked: [XMLName], _ state: inout State) {
    guard let calendar = state.world.calendars[path] else { return }
    let switches = state.switches
    if switches.advertisesReadOnly, asked.contains(.dav("current-user-privilege-set")) {
      state.acted(.readOnlyTold)
    }
    if switches.advertisesReports, asked.contains(.dav("supported-report-set")) {
      if !switches.hasSyncCollection { state.acted(.noSyncCollection) }
      if !switches.hasMultiget { state.acted(.noMultiget) }
    }
    if asked.contains(XMLName(.calendarServer, "getctag")), switches.calendarTagIsConstant {
      if let told = calendar.toldRevision, told < calendar.revision {
        state.acted(.sameCalendarTag)
      }
      state.world.calendars[path]?.toldRevision = calendar.revision
    }
    guard asked.contains(.dav("sync-token")) else { return }
    if !switches.hasSyncCollection {
      state.acted(.noSyncCollection)
    } else if switches.tokenIsSecond {
      state.acted(.tokenOfSecond)
    }
    if switches.lag > 0, visibleRevision(calendar, state) < calendar.revision {
      state.acted(.lateListing)
    }
  }

  private func reports(_ switches: ModelSwitches) -> (inout XMLWriter) -> Void {
    var names: [XMLName] = [.caldav("calendar-query")]
    if switches.hasMultiget { names.append(.caldav("calendar-multiget")) }
    if switches.hasSyncCollection { names.append(.dav("sync-collection")) }
    return { set in
      for name in names {
        set.element(.dav("supported-report")) { report in
          report.element(.dav("report")) { $0.empty(name) }
        }
      }
    }
  }

  // MARK: A calendar and its items

  /// - Parameter alias: the path by which the calendar names itself, where that is another.
  private func calendarListing(
    _ path: String, as alias: String? = nil, _ asked: [XMLName], isDeep: Bool, _ call: ModelCall,
    _ state: inout State
  ) -> ModelAnswer {
    let own = calendarValues(path, state)
    let names = isDeep ? visibleNames(path, call.now, state) : []
    for name in names {
      state.world.calendars[path]?.items[name]?.reads += 1
      state.noteListed(name, state.world.calendars[path]?.items[name])
    }
    if isDeep {
      state.noteOddAddresses()
      if state.switches.lag > 0, names != state.world.calendars[path]?.sortedNames {
        state.acted(.lateListing)
      }
    }
    let snapshot = state
    return .multistatus { writer in
      writer.response(spell(alias ?? path, nil, snapshot), asked: asked, own)
      for name in names {
        let calendar = snapshot.world.calendars[path]
        let item = calendar?.items[name] ?? calendar?.changes[name]?.removed
        let values = itemValues(item, snapshot.switches)
        for _ in 0..<(snapshot.switches.duplicatesHrefs ? 2 : 1) {
          writer.response(spell(path, name, snapshot), asked: asked, values)
        }
      }
      guard isDeep else { return }
      odd(path, snapshot).forEach {
        writer.response($0, asked: asked, itemValues(nil, snapshot.switches))
      }
    }
  }

  /// Hrefs that are no items of this calendar.
  func odd(_ path: String, _ state: State) -> [[UInt8]] {
    var hrefs: [[UInt8]] = []
    if state.switches.listsStrangers {
      hrefs.append(Array("/calendars/bob/private/x.ics".utf8))
      hrefs.append(Array("https://elsewhere.example/calendars/alice/work/y.ics".utf8))
    }
    if state.switches.listsPhantom { hrefs.append(spell(path, Array("phantom.ics".utf8), state)) }
    return hrefs
  }

  func itemValues(_ item: ModelWorld.Item?, _ switches: ModelSwitches) -> Values {
    var given = item.map { tag($0, switches) } ?? Array("\"r0\"".utf8)
    if switches.listsTagsUnquoted { given.removeAll { $0 == UInt8(ascii: "\"") } }
    var values: Values = [
      .dav("resourcetype"): { _ in },
      .dav("getcontenttype"): { $0.text(Array(switches.contentType.utf8)) },
    ]
    if switches.listsTags { values[.dav("getetag")] = { [given] in $0.text(given) } }
    if !switches.hidesTimes, let date = item.map({ ModelServer.httpDate($0.modified) }) {
      values[.dav("getlastmodified")] = { $0.text(Array(date.utf8)) }
    }
    return values
  }

  // MARK: Lag

  /// The names that a listing shows now: new items and deletions show later.
  func visibleNames(_ path: String, _ now: Int64, _ state: State) -> [[UInt8]] {
    guard let calendar = state.world.calendars[path] else { return [] }
    let lag = state.switches.lag
    guard lag > 0 else { return calendar.sortedNames }
    let late = calendar.changes.values.filter { (0..<lag).contains(now - $0.time) }
    let hidden = Set(late.filter { !$0.isDeletion }.map(\.name))
    let ghosts = late.filter(\.isDeletion).map(\.name)
    return (calendar.sortedNames.filter { !hidden.contains($0) } + ghosts)
      .sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The last change that reports know of.
  func visibleRevision(_ calendar: ModelWorld.Calendar, _ state: State) -> Int {
    let now = surroundings.now().milliseconds
    let lag = state.switches.lag
    // A change of a clock that was set back since shows.
    let late = calendar.changes.values.filter { (0..<lag).contains(now - $0.time) }
    return late.map(\.revision).min().map { $0 - 1 } ?? calendar.revision
  }

  /// What the server says of when a calendar was made.
  private static func made(_ calendar: ModelWorld.Calendar, _ switches: ModelSwitches) -> Int64 {
    let changes = switches.creationDateIsLastChange ? calendar.changes.values.map(\.time) : []
    return changes.max() ?? calendar.made
  }

  /// The second of the last change.
  private static func second(of calendar: ModelWorld.Calendar, at revision: Int) -> Int {
    let times = calendar.changes.values.filter { $0.revision <= revision }.map(\.time)
    return Int((times.max() ?? 0) / 1000)
  }

  func token(
    _ calendar: ModelWorld.Calendar, at revision: Int, _ switches: ModelSwitches
  ) -> [UInt8] {
    var mark = revision
    if switches.tokenIsSecond { mark = Self.second(of: calendar, at: revision) }
    if switches.tokenIsNumber {
      return Array((switches.tokenIsSecond ? "\(mark)" : "data:,\(mark)").utf8)
    }
    let place = switches.tokenIsCount ? "" : "\(calendar.id)/r"
    if switches.tokenIsCount { mark -= calendar.firstRevision }
    return Array("http://model.example/ns/sync/\(place)\(mark)".utf8)
  }
}
