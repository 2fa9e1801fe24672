import SyncModel
import Synchronization
import WebDAV

/// What another client of the same account does and sees, past all faults and guards.
extension ModelServer {
  /// Makes a calendar below the home set and gives its path.
  @discardableResult
  public func makeCalendar(
    _ name: String, displayName: String? = nil, color: String? = nil, components: [String]? = nil
  ) -> String {
    let path = Self.homePath + name + "/"
    let now = surroundings.now().milliseconds
    state.withLock {
      $0.world.addCalendar(
        path, name: displayName.map { Array($0.utf8) }, color: color.map { Array($0.utf8) },
        components: components, now: now)
    }
    return path
  }

  /// Gives a calendar a display name of any bytes, also of those that no XML can carry.
  public func name(_ path: String, _ displayName: String) {
    state.withLock { $0.world.calendars[path]?.displayName = Array(displayName.utf8) }
  }

  public func removeCalendar(_ path: String) {
    state.withLock { $0.world.calendars[path] = nil }
  }

  /// Puts an item, whatever is there; `name` is not percent-encoded. What the server keeps of no
  /// client it does not keep of this one either.
  public func put(_ name: [UInt8], _ data: [UInt8], in path: String) {
    let now = surroundings.now().milliseconds
    state.withLock { state in
      let kept = ModelText.kept(data, state.switches)
      state.world.store(kept, at: path, name, now: now)
    }
  }

  public func put(_ name: String, _ text: String, in path: String) {
    put(Array(name.utf8), Array(text.utf8), in: path)
  }

  public func remove(_ name: [UInt8], in path: String) {
    let now = surroundings.now().milliseconds
    state.withLock { $0.world.remove(at: path, name, now: now) }
  }

  /// Forgets for good what was deleted in a calendar.
  public func emptyBin(of path: String) {
    state.withLock { state in
      state.world.calendars[path]?.deletedNames = []
      state.world.calendars[path]?.deletedUIDs = []
    }
  }

  public func setDisplayName(_ name: String, of path: String) {
    state.withLock { $0.world.calendars[path]?.displayName = Array(name.utf8) }
  }

  /// Gives a calendar another address, as a rename or the end of a share does.
  public func moveCalendar(_ path: String, to other: String) {
    state.withLock { state in
      guard let calendar = state.world.calendars.removeValue(forKey: path) else { return }
      state.world.calendars[other] = calendar
    }
  }

  /// Every item of a calendar by its name, in no order.
  public func items(in path: String) -> [[UInt8]: [UInt8]] {
    state.withLock { ($0.world.calendars[path]?.items ?? [:]).mapValues(\.data) }
  }

  /// What the server would make of a text that it is given.
  public func rewritten(_ data: [UInt8]) -> [UInt8] {
    ModelText.rewritten(data, state.withLock { $0.switches })
  }

  /// The texts that a server which splits overrides off makes of one.
  public func parts(of data: [UInt8]) -> [[UInt8]] { ModelText.split(data) }

  public var switches: ModelSwitches { state.withLock { $0.switches } }

  /// The entity tag that an item has now, as the server gives it.
  public func tag(of name: [UInt8], in path: String) -> [UInt8]? {
    state.withLock { state in
      state.world.calendars[path]?.items[name].map { tag($0, state.switches) }
    }
  }

  /// Each name whose last change a sync token within these bytes has told of, with the item's tag
  /// now; nil where it is gone. Nil: there is no such token, or it is another calendar's.
  public func told(by cursor: [UInt8], in path: String) -> [(name: [UInt8], tag: [UInt8]?)]? {
    state.withLock { state in
      guard let calendar = state.world.calendars[path],
        let mark = Self.mark(within: cursor, of: calendar)
      else { return nil }
      return calendar.changes.values.filter { $0.revision <= mark }
        .sorted { $0.revision < $1.revision }
        .map { change in
          (change.name, calendar.items[change.name].map { tag($0, state.switches) })
        }
    }
  }

  private static func mark(within bytes: [UInt8], of calendar: ModelWorld.Calendar) -> Int? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let start = text.firstRange(of: "/ns/sync/\(calendar.id)/")?.upperBound else {
      return nil
    }
    return Int(text[start...].prefix(while: \.isNumber))
  }

  /// Gives an item a new tag without another content.
  public func touch(_ name: [UInt8], in path: String) {
    if let data = data(name, in: path) { put(name, data, in: path) }
  }

  public func data(_ name: [UInt8], in path: String) -> [UInt8]? {
    state.withLock { $0.world.calendars[path]?.items[name]?.data }
  }

  /// Whether something in this calendar has this name, or had it since it was made.
  public func everHad(_ name: [UInt8], in path: String) -> Bool {
    state.withLock { $0.world.calendars[path]?.changes[name] != nil }
  }

  /// The token of what a calendar holds now.
  public func currentToken(in path: String) -> [UInt8]? {
    state.withLock { state in
      state.world.calendars[path].map { calendar in
        token(calendar, at: visibleRevision(calendar, state), state.switches)
      }
    }
  }

  /// Whether this was ever the text of an item, in whatever calendar.
  public func everHeld(_ data: [UInt8]) -> Bool { state.withLock { $0.world.texts.contains(data) } }

  /// When the server changed an item last, in milliseconds since 1970.
  public func modified(_ name: [UInt8], in path: String) -> Int64? {
    state.withLock { $0.world.calendars[path]?.items[name]?.modified }
  }

  /// Sorted by bytes.
  public func names(in path: String) -> [[UInt8]] {
    state.withLock { $0.world.calendars[path]?.sortedNames ?? [] }
  }

  /// The paths of all calendars, sorted.
  public var calendarPaths: [String] { state.withLock { $0.world.sortedPaths } }

  /// The name that an href's path gives, decoded.
  public static func name(ofPath path: [UInt8]) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    guard let last = path.lastIndex(where: { $0 != slash }) else { return [] }
    let first = path[..<last].lastIndex(of: slash).map { $0 + 1 } ?? 0
    return PercentCoding.decoded(Array(path[first...last]))
  }
}
