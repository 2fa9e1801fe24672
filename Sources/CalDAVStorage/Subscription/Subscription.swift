public import SyncModel
public import WebDAV

/// A calendar that a URL gives whole, for reading alone: one GET, which costs nothing to speak of
/// where nothing changed.
///
/// The path of such a URL is often a secret, so messages show the server and no more.
public final class Subscription: StreamSource {
  /// The server, and that there is a path.
  public let name: String
  public let isReadOnly = true
  private let url: WebURL
  private let client: DAVClient
  private let digest: DigestFunction

  /// In bytes. The largest feeds of public holidays and timetables are some MiB.
  public static let sizeLimit = 32 << 20
  /// What lines and items are known by takes more memory than short ones themselves.
  private static let (mostLines, mostItems) = (500_000, 50_000)

  /// - Parameter url: https, or http to this machine.
  /// - Throws: `protocolBroken` if the URL is none that can be used.
  public init(
    url: String, transport: any HTTPTransport, surroundings: Surroundings,
    digest: @escaping DigestFunction, userAgent: String? = nil
  ) throws(StorageError) {
    do throws(HrefError) { self.url = try WebURL(absolute: url) } catch {
      throw StorageError(
        .protocolBroken, "the URL of the subscription cannot be used", why: error.reason,
        hint: "write it as https://host/path")
    }
    var access = DAVAccess { surroundings.now().milliseconds }
    access.userAgent = userAgent
    access.patience = Patience(surroundings)
    access.signsIn = false
    access.secrets.add(address: self.url.target)
    client = DAVClient(transport: transport, access: access, trusting: self.url.origin)
    self.digest = digest
    name = "the calendar at \(withoutPaths(url))"
  }

  public func fetch(unless known: StreamState?) async throws(StorageError) -> FetchedStream {
    let validators = known.flatMap { FeedState($0) }
    var (answer, body) = try await get(validators?.headers ?? [], isFirst: known == nil)
    if answer.status == 304, let validators, !validators.isMeant(by: answer.head) {
      (answer, body) = try await get([], isFirst: known == nil)
    }
    if answer.status == 304, let validators { return .unchanged(validators.state) }
    var (text, state) = try read(answer, body)
    // For servers that send no validators, or new ones each time.
    if validators?.digest == state.digest { return .unchanged(state.state) }
    if answer.isCompressed, state.mayHaveSeveral || validators?.mayHaveSeveral ?? false {
      // libcurl does not tell that a compressed text has no end, and one that is cut off between
      // two calendars looks whole.
      let (answer, body) = try await get([], isFirst: known == nil, isCompressed: false)
      (text, state) = try read(answer, body)
      if validators?.digest == state.digest { return .unchanged(state.state) }
    }
    return .text(
      ItemData(bytes: text), Version(tag: nil, digest: ContentDigest(bytes: state.digest)),
      state.state)
  }

  /// The text of an answer that has one.
  private func read(
    _ answer: DAVAnswer, _ body: [UInt8]
  ) throws(StorageError) -> (text: [UInt8], state: FeedState) {
    // Programs in PHP say HTML of whatever they give out, unless they are told otherwise.
    guard !answer.isHTML || ItemText.isCalendar(body) else {
      throw StorageError(
        .protocolBroken, "\(name) is a web page", why: "it answered 200 with HTML",
        hint: "look for the address that ends in .ics, or begins with webcal:")
    }
    try refusePacked(body)
    let (lines, items) = ItemText.extent(body)
    guard lines <= Self.mostLines, items <= Self.mostItems else {
      let most = items > Self.mostItems ? "\(Self.mostItems) items" : "\(Self.mostLines) lines"
      throw StorageError(
        .protocolBroken, "\(name) has more than \(most)",
        hint: "look for a smaller calendar, or split this one")
    }
    let text = ItemText.normalised(try decode(body, answer.head))
    let hasSeveral = ItemText.hasSeveralCalendars(text)
    return (text, FeedState(answer.head, digest: digest(text), hasSeveral: hasSeveral))
  }

  /// How files begin that hold a calendar packed, with the names of the formats (RFC 1952 section
  /// 2.3.1; PKWARE's APPNOTE, 4.3.7).
  private static let packings: [(name: String, start: [UInt8])] = [
    ("gzip", [0x1F, 0x8B]), ("zip", Array("PK\u{3}\u{4}".utf8)),
  ]

  private func refusePacked(_ body: [UInt8]) throws(StorageError) {
    guard let packing = Self.packings.first(where: { body.starts(with: $0.start) }) else { return }
    throw StorageError(
      .protocolBroken, "\(name) is a packed file (\(packing.name))",
      why: "its server gives it out as it is, without saying that it is packed",
      hint: "look for the address of the calendar itself, which mostly ends in .ics")
  }

  private func decode(
    _ body: [UInt8], _ head: HTTPResponseHead
  ) throws(StorageError) -> [UInt8] {
    let encoding = TextEncoding(contentType: head.values(of: "Content-Type").first ?? [])
    if let text = encoding.decode(body) { return text }
    let words = ServerWords.safe(Array((encoding.name ?? "").utf8), hiding: client.secrets)
    throw StorageError(
      .protocolBroken, "\(name) is in an encoding that calgw does not know",
      why: "the server says that it is \(words)",
      hint: "ask whoever gives it out for UTF-8; nothing is deleted meanwhile")
  }

  /// The answer with status 200, or with 304 where there are conditions; anything else is an error.
  ///
  /// - Parameters:
  ///   - isFirst: nobody knows that there ever was a calendar.
  ///   - isCompressed: the answer may come compressed.
  private func get(
    _ conditions: [HTTPHeader], isFirst: Bool, isCompressed: Bool = true
  ) async throws(StorageError) -> (DAVAnswer, [UInt8]) {
    let headers = [HTTPHeader("Accept", "text/calendar")] + conditions
    let refusal: DAVRefusal
    var request = DAVRequest("GET", url, headers: headers)
    // Some hosts have their files compressed and know no other form of them.
    request.acceptsCompression = isCompressed
    // Whoever is subscribed to a feed reads it where its host says that it is.
    request.mayMeetStrangers = true
    do throws(DAVError) {
      let (answer, sink) = try await client.send(request) {
        BytesSink(limit: Self.sizeLimit)
      }
      if answer.status == 200 || answer.status == 304 && !conditions.isEmpty {
        return (answer, sink.bytes)
      }
      refusal = DAVRefusal(answer, body: sink.bytes)
    } catch {
      throw StorageError(ofFeed: error)
    }
    if isFirst, [404, 410].contains(refusal.status) {
      throw StorageError(
        .vanished, "there is no calendar at \(withoutPaths(url.text))", why: refusal.reason,
        hint: "check the URL; if it is right, get its new address from whoever gives it out"
      ).concealed
    }
    throw refusal.error(reading: name).concealed
  }

  public func replace(_ expected: Version?, with text: ItemData) async -> WriteOutcome {
    let problem = ItemProblem(
      .readOnly, "\(name) cannot be written to", hint: "Undo the change on the other side.")
    return WriteOutcome(href: Href(name), result: .refused(problem))
  }

  public func displaced() async throws(StorageError) -> [DisplacedFile] { [] }

  public func discard(_ files: [DisplacedFile]) async throws(StorageError) {}
}

extension DAVAnswer {
  /// Its body came in a coding other than its own (RFC 9110 §8.4).
  fileprivate var isCompressed: Bool {
    head.values(of: "Content-Encoding").contains { value in
      let coding = String(decoding: value.trimmed, as: UTF8.self).lowercased()
      return !["", "identity"].contains(coding)
    }
  }
}

extension DAVRefusal {
  /// The words of a subscription: it has no account.
  fileprivate func error(reading name: String) -> StorageError {
    switch status {
    case 304:
      StorageError(
        .protocolBroken, "\(name) says that nothing changed, although it was not asked",
        hint: "try again later")
    case 404, 410:
      StorageError(
        .vanished, "\(name) is gone", why: reason,
        hint: "get its new address from whoever gives it out")
    case 401, 403:
      StorageError(
        .denied, "\(name) is not given to everybody", why: reason,
        hint:
          "use the private address that the provider gives out for it; what only a sign-in opens"
          + " cannot be subscribed to")
    case 500...599:
      StorageError(
        StorageError.Kind(ofFailure: status), "\(name) could not be read", why: reason,
        hint: "try again later")
    default:
      StorageError(
        .protocolBroken, "\(name) could not be read", why: reason, hint: "check the URL")
    }
  }
}
