import SyncModel
import WebDAV

/// What a direct look at an item's address found.
enum Look: Sendable {
  case found(Version, ItemData, modified: Instant?)
  case absent
  /// It was not given this time; the status tells where the server said so by it.
  case problem(ItemProblem, status: Int? = nil)
  /// What is there cannot be taken, and stays so until it changes.
  case unusable(ItemProblem)
  /// It is larger than what was to be read of it now.
  case large
  /// The whole side is in trouble.
  case failed(StorageError)

  /// Bytes of the item, if it is there.
  var size: Int { if case .found(_, let data, _) = self { data.bytes.count } else { 0 } }
}

extension CalDAVStorage {
  /// Reads one item by GET; trouble of any kind is that of the whole side.
  func get(_ address: WebURL) async -> Look {
    do throws(DAVError) { return try await look(at: address) } catch {
      return .failed(StorageError(error))
    }
  }

  /// Reads one item by GET.
  ///
  /// - Parameters:
  ///   - limit: the bytes that may be read now, where that is less than an item may have.
  ///   - isSecond: The first answer was not whole, although its length was told.
  func look(
    at address: WebURL, limit: Int = .max, isSecond: Bool = false
  ) async throws(DAVError) -> Look {
    let name = address.shown
    let most = min(limit, limits.item)
    let answer: DAVAnswer
    let body: [UInt8]
    do throws(DAVError) {
      let (head, sink) = try await client.send(DAVRequest("GET", address)) {
        BytesSink(limit: most)
      }
      (answer, body) = (head, sink.bytes)
    } catch {
      guard error.kind == .tooLarge else { throw error }
      return most < limits.item ? .large : .unusable(tooLarge(name))
    }
    switch answer.status {
    case 404, 410: return absence(of: address, by: answer)
    case 200 where !answer.isHTML: break
    default:
      return .problem(
        .answered(answer.status, for: name, isHTML: answer.isHTML), status: answer.status)
    }
    guard ItemText.isWhole(body) else {
      // With its length told, the transport has seen all of it; else the way may have cut it. Of a
      // body that came compressed nothing tells whether it was whole.
      let isTold =
        answer.head.values(of: "Content-Encoding").isEmpty
        && ["Content-Length", "Transfer-Encoding"].contains { !answer.head.values(of: $0).isEmpty }
      // Some servers give nothing, or a part, now and then.
      if isTold, !isSecond {
        await Patience.rest(Self.beforeSecondLook, by: surroundings.pause)
        return try await look(at: address, limit: limit, isSecond: true)
      }
      // Nothing at all is no text of the item's: Google gives that now and then.
      let isText = isTold && !body.isEmpty
      var problem = ItemProblem(
        .incomplete, "what the server gives for \(name) does not end with END:VCALENDAR",
        hint: isText ? ItemProblem.correctOnServer : ItemProblem.laterOrCorrect)
      problem.uids = ItemText.uids(body)
      return isText ? .unusable(problem) : .problem(problem)
    }
    let tags = answer.head.values(of: "ETag")
    let type = answer.head.values(of: "Content-Type").first ?? []
    return judge(
      TextEncoding(contentType: type).decode(body) ?? body,
      tag: tags.count == 1 ? tags[0] : nil,
      modified: answer.head.values(of: "Last-Modified").first,
      scheduleTag: answer.head.values(of: "Schedule-Tag").first, at: address)
  }

  /// Nothing is at the item's address, or at one to which the calendar has moved with it. That a
  /// sign-in page is not there, say, proves nothing of an item.
  private func absence(of address: WebURL, by answer: DAVAnswer) -> Look {
    answer.url.lastSegment == address.lastSegment
      ? .absent : .problem(.ledAstray(address.shown, to: answer))
  }

  /// In milliseconds.
  private static let beforeSecondLook: Int64 = 1_000

  /// Turns bytes as received into what the engine works with.
  func judge(
    _ bytes: [UInt8], tag: [UInt8]?, modified: [UInt8]?, scheduleTag: [UInt8]?, at address: WebURL
  ) -> Look {
    let name = address.shown
    var unusable: ItemProblem?
    if EntityTag.isUnsendable(tag) { unusable = .unsendableTag(of: name) }
    if ItemText.hasForbiddenControl(bytes) {
      unusable = ItemProblem(
        .brokenRemote, "\(name) holds a control character, which no calendar may",
        hint: "correct the item on the server, in its own pages for example")
    }
    if var unusable {
      unusable.uids = ItemText.uids(bytes)
      return .unusable(unusable)
    }
    let data = ItemText.normalised(bytes)
    guard !data.isEmpty else {
      return .problem(
        ItemProblem(
          .brokenRemote, "the server gives nothing for \(name)",
          hint: ItemProblem.correctOnServer))
    }
    let time = modified.flatMap(HTTPDate.milliseconds).map(Instant.init(milliseconds:))
    let content = digest(data)
    let version = Version(tag: EntityTag(received: tag), digest: content)
    compareWithSent(version, href(address))
    if version.tag != nil { noteTagged("read of \(href(address).text)") }
    noteStray(data, at: href(address))
    if ItemText.hasOrganizer(data) {
      memory.note(scheduleTag: scheduleTag, of: content, "read of \(href(address).text)")
    }
    let item = ItemData(bytes: data)
    noteEssence(of: version, item, href(address))
    return .found(version, item, modified: time)
  }

  /// What a server made of what it was sent shows at the first look that does not show what was
  /// there before.
  private func compareWithSent(_ version: Version, _ href: Href) {
    let sent = withRunMemory { run -> SentItem? in
      guard let sent = run.sent[href], !sent.isStillToCome(version) else { return nil }
      run.sent[href] = nil
      return sent
    }
    guard let sent else { return }
    if sent.changed(to: version) { noteWriteUnderTag() }
    if sent.replaced == nil {
      memory.learn(.keepsNames, true, "PUT \(href.text)", "it is read back there")
    }
    guard sent.isAnswered else { return }
    let isKept = sent.content == version.digest
    // An edit of what was read there is mostly in the server's own form by then, and shows nothing
    // where it is stored as it was sent.
    if isKept, sent.replaced != nil { return }
    memory.learn(
      .keepsBytes, isKept, "PUT \(href.text)",
      isKept ? "it is read back as it was sent" : "it is read back otherwise")
  }

  func tooLarge(_ name: String) -> ItemProblem {
    ItemProblem(
      .tooLarge, "\(name) is larger than \(limits.item) bytes",
      hint: "remove large attachments from the item")
  }
}
