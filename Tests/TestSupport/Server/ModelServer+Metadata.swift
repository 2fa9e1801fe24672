import SyncModel
import Synchronization
import WebDAV

extension ModelServer {
  /// Sets the properties of a calendar (RFC 4918 §9.2), an outcome each.
  func proppatch(_ call: ModelCall, _ state: inout State) -> ModelAnswer {
    let path = call.collectionPath
    guard state.world.calendars[path] != nil else { return ModelAnswer(404) }
    var failed: [XMLName] = []
    for property in call.body?.first(.dav("remove"))?.first(.dav("prop"))?.children ?? [] {
      if !remove(property.name, from: path, &state) { failed.append(property.name) }
    }
    for property in call.body?.first(.dav("set"))?.first(.dav("prop"))?.children ?? [] {
      let name = property.name
      if state.switches.refusedProperties.contains(name.local) {
        failed.append(name)
        continue
      }
      switch name {
      case .dav("displayname"):
        state.world.calendars[path]?.displayName =
          state.switches.ownDisplayName.map { Array($0.utf8) } ?? property.text
      case XMLName(.apple, "calendar-color"):
        state.world.calendars[path]?.color =
          state.switches.hasNoAlpha ? Array(property.text.prefix(7)) : property.text
      case .caldav("calendar-description"): state.world.calendars[path]?.about = property.text
      case XMLName(.apple, "calendar-order"):
        state.world.calendars[path]?.order =
          state.switches.ownOrder.map { Array($0.utf8) } ?? property.text
      default: failed.append(name)
      }
      if name == .dav("displayname"), state.switches.renamesMove, failed.isEmpty {
        let moved = Self.homePath + String(decoding: property.text, as: UTF8.self) + "/"
        state.world.calendars[moved] = state.world.calendars.removeValue(forKey: path)
      }
    }
    let href = Array(path.utf8)
    let refused = failed
    return .multistatus { writer in
      writer.element(.dav("response")) { response in
        response.element(.dav("href"), text: href)
        response.element(.dav("propstat")) { propstat in
          propstat.element(.dav("prop")) { prop in
            for name in refused { prop.empty(name) }
          }
          let status = refused.isEmpty ? "HTTP/1.1 200 OK" : "HTTP/1.1 403 Forbidden"
          propstat.element(.dav("status"), text: Array(status.utf8))
        }
      }
    }
  }

  /// Why no calendar is made with some properties; nil where it is. Those that are not refused fail
  /// with the others (RFC 4918 §11.4).
  func refusal(
    ofProperties asked: [XMLName], at path: String, _ state: State
  ) -> ModelAnswer? {
    let refused = asked.filter {
      state.switches.propertiesRefusedInMaking.contains($0.local)
    }
    if refused.isEmpty { return nil }
    guard state.switches.namesPropertiesInMaking else { return ModelAnswer(403) }
    let parts = [
      (asked.filter { !refused.contains($0) }, "HTTP/1.1 424 Failed Dependency"),
      (refused, "HTTP/1.1 403 Forbidden"),
    ]
    return .multistatus { writer in
      writer.element(.dav("response")) { response in
        response.element(.dav("href"), text: Array(path.utf8))
        for (names, status) in parts {
          response.element(.dav("propstat")) { propstat in
            propstat.element(.dav("prop")) { prop in
              for name in names { prop.empty(name) }
            }
            propstat.element(.dav("status"), text: Array(status.utf8))
          }
        }
      }
    }
  }

  /// Gives false where the property stays.
  private func remove(_ name: XMLName, from path: String, _ state: inout State) -> Bool {
    if state.switches.refusedProperties.contains(name.local) { return false }
    switch name {
    case .dav("displayname"): state.world.calendars[path]?.displayName = nil
    case XMLName(.apple, "calendar-color"): state.world.calendars[path]?.color = nil
    case .caldav("calendar-description"): state.world.calendars[path]?.about = nil
    case XMLName(.apple, "calendar-order"): state.world.calendars[path]?.order = nil
    default: return false
    }
    return true
  }

  /// What another client sees.
  public func metadata(of path: String) -> [String: String] {
    let calendar = state.withLock { $0.world.calendars[path] }
    var values: [String: String] = [:]
    func add(_ key: String, _ value: [UInt8]?) {
      if let value { values[key] = String(decoding: value, as: UTF8.self) }
    }
    add("displayname", calendar?.displayName)
    add("color", calendar?.color)
    add("description", calendar?.about)
    add("order", calendar?.order)
    return values
  }
}
