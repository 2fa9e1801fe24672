import SyncModel
import WebDAV

/// A request with its address taken apart.
struct ModelCall {
  let request: HTTPRequest
  let url: WebURL
  let now: Int64

  /// The path in one spelling.
  var path: String { String(decoding: url.pathKey, as: UTF8.self) }

  /// The path as that of a collection, whether it ends with a slash or not.
  var collectionPath: String { path.hasSuffix("/") ? path : path + "/" }

  /// The calendar and the name of the item that the path names.
  var item: (calendar: String, name: [UInt8]) {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    return (String(path[...end]), url.lastSegment)
  }

  func header(_ name: String) -> [UInt8]? {
    request.headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  var body: XMLTree? { try? XMLTree.parse(request.body) }
}

extension ModelServer {
  func answer(_ request: HTTPRequest, _ state: inout State) -> ModelAnswer {
    guard let url = try? WebURL(absolute: request.url) else { return ModelAnswer(400) }
    state.answers += 1
    if let refused = authenticate(request, state.switches) { return refused }
    let call = ModelCall(request: request, url: url, now: surroundings.now().milliseconds)
    switch request.method {
    case "PROPFIND": return propfind(call, &state)
    case "REPORT": return report(call, &state)
    case "GET": return get(call, &state)
    case "PUT": return put(call, &state)
    case "DELETE": return delete(call, &state)
    case "MOVE": return move(call, &state)
    case "PROPPATCH": return proppatch(call, &state)
    case "MKCALENDAR": return makeCalendar(call, &state, isAllowed: state.switches.hasMakeCalendar)
    case "MKCOL": return makeCalendar(call, &state, isAllowed: state.switches.hasMakeCollection)
    case "OPTIONS": return options(state.switches)
    default: return ModelAnswer(405)
    }
  }

  /// One that schedules gives Schedule-Tags (RFC 6638 §3.2.10).
  private func options(_ switches: ModelSwitches) -> ModelAnswer {
    let schedules = switches.givesScheduleTags ? ", calendar-auto-schedule" : ""
    return ModelAnswer(200, headers: [HTTPHeader("DAV", "1, 3, calendar-access" + schedules)])
  }

  private func authenticate(_ request: HTTPRequest, _ switches: ModelSwitches) -> ModelAnswer? {
    let scheme = request.credentials?.scheme
    let isRight =
      request.credentials.map {
        $0.username.elementsEqual("alice".utf8) && $0.password.elementsEqual("secret".utf8)
      } ?? false
    switch switches.authentication {
    case .none: return nil
    case .basic:
      if isRight, scheme == .basic { return nil }
      return ModelAnswer(401, headers: [HTTPHeader("WWW-Authenticate", "basic realm=\"a, b\"")])
    case .digest:
      if isRight, scheme == .digest { return nil }
      return ModelAnswer(
        401,
        headers: [HTTPHeader("WWW-Authenticate", "Digest realm=\"x\", nonce=\"1\", qop=\"auth\"")])
    case .silentBasic: return isRight && scheme == .basic ? nil : ModelAnswer(401)
    case .bearer:
      // The token is that of RFC 6750 section 2.1.
      let token = request.credentials?.password ?? []
      if scheme == .bearer, token.elementsEqual("mF_9.B5f-4.1JqM".utf8) { return nil }
      return ModelAnswer(
        401, headers: [HTTPHeader("WWW-Authenticate", "Bearer error=\"invalid_token\"")])
    case .never:
      return ModelAnswer(401, headers: [HTTPHeader("WWW-Authenticate", "Basic realm=\"x\"")])
    }
  }

  // MARK: Spelling

  /// An href as this server spells it in this answer.
  func spell(_ path: String, _ name: [UInt8]? = nil, _ state: State) -> [UInt8] {
    let folder = name == nil ? path : state.switches.itemsAreListedAt ?? path
    let plain = Array(folder.utf8) + (name.map(PercentCoding.segment) ?? [])
    switch state.switches.hrefForm {
    case .plain: return plain
    case .absolute: return Array(Self.origin.utf8) + plain
    case .reencoded: return Self.reencoded(path, name)
    case .alternating:
      return state.answers.isMultiple(of: 2) ? plain : Self.reencoded(path, name)
    }
  }

  /// Every letter `e` encoded, in lower case: the same octets in another spelling.
  private static func reencoded(_ path: String, _ name: [UInt8]?) -> [UInt8] {
    let segment = (name.map(PercentCoding.segment) ?? []).flatMap { byte in
      byte == UInt8(ascii: "e") ? Array("%65".utf8) : [byte]
    }
    return Array(path.utf8) + segment
  }

  /// Nil where the server gives none, or the item needs none.
  func scheduleTag(_ item: ModelWorld.Item, _ switches: ModelSwitches) -> [UInt8]? {
    guard switches.givesScheduleTags, ModelText.hasAttendees(item.data) else { return nil }
    return Array("\"s\(item.revision)\"".utf8)
  }

  private static func hash(_ bytes: [UInt8]) -> String {
    sha256(bytes).bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// An item's tag as this server gives it.
  func tag(_ item: ModelWorld.Item, _ switches: ModelSwitches) -> [UInt8] {
    var opaque = switches.tagIsSecond ? "\(item.modified / 1000)" : "r\(item.revision)"
    if switches.tagIsCounter { opaque = "c\(item.writes)" }
    if switches.tagIsHash {
      let isOfText = !switches.tagIsSecond && !switches.tagIsCounter
      opaque = Self.hash(isOfText ? item.data : Array(opaque.utf8))
    }
    if switches.tagChangesOnRead { opaque += "-\(item.reads)" }
    switch switches.tagForm {
    case .quoted: return Array("\"\(opaque)\"".utf8)
    case .unquoted: return Array(opaque.utf8)
    case .weak: return Array("W/\"\(opaque)\"".utf8)
    case .gzip: return Array("\"\(opaque)-gzip\"".utf8)
    case .brotli: return Array("\"\(opaque)-br\"".utf8)
    }
  }
}
