import CalDAVStorage
import SyncModel
import TestSupport
import Testing

@Suite struct WriteTests {
  private let href = ModelAccount.href("a.ics")

  // MARK: Guards

  @Test func `every write carries its guard, its type and its length`() async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    let new = storage.freshHref(for: ItemID("../x"), attempt: 0)
    _ = await storage.carryOut([.create(new, event("new"))])
    _ = await storage.carryOut([.replace(href, expecting: version, with: event("a", "Doctor"))])
    let now = try await storage.read([href])
    guard case .found(let current, _, _) = now[0].result else { return }
    _ = await storage.carryOut([.delete(href, expecting: current)])
    let writes = model.server.requests.filter { ["PUT", "DELETE"].contains($0.method) }
    #expect(writes.map(\.method) == ["PUT", "PUT", "DELETE"])
    #expect(writes[0].headers["if-none-match"] == "*")
    #expect(writes[0].headers["content-type"] == "text/calendar; charset=utf-8")
    #expect(writes[0].bodyBytes == event("new").bytes.count)
    #expect(
      writes[1].headers["if-match"] == version.tag.map { String(decoding: $0.bytes, as: UTF8.self) }
    )
    #expect(writes[2].headers["if-match"] != nil)
    let name = new.text.dropFirst(ModelAccount.work.count)
    let isPlain = name.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0))
    }
    #expect(isPlain && name.hasSuffix(".ics"))
  }

  @Test(arguments: [true, false])
  func `a deletion declines nothing unless somebody asked for it`(sendsReplies: Bool) async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    if sendsReplies { storage.deleteWithReplies() }
    let outcome = await storage.carryOut([.delete(href, expecting: version)]).first
    #expect(outcome?.result == .removed)
    let deletion = try #require(model.server.requests.last { $0.method == "DELETE" })
    #expect(deletion.headers["schedule-reply"] == (sendsReplies ? nil : "F"))
  }

  @Test func `an unquoted tag is quoted for the guard alone`() async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem { $0.tagForm = .unquoted }
    #expect(version.tag?.bytes.first != UInt8(ascii: "\""))
    _ = await storage.carryOut([.replace(href, expecting: version, with: event("a", "Doctor"))])
    let put = try #require(model.server.requests.first { $0.method == "PUT" })
    #expect(put.headers["if-match"]?.hasPrefix("\"r") == true)
  }

  @Test func `a strong tag of the listing guards where reading gives it weak`() async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem {
      $0.weakensTagsOfTexts = true
    }
    let outcomes = await storage.carryOut([
      .replace(href, expecting: version, with: event("a", "Doctor"))
    ])
    #expect(!outcomes[0].isUnguarded)
    #expect(model.server.requests.last?.headers["if-match"]?.hasPrefix("\"r") == true)
  }

  @Test func `without a strong tag it is read first, and the write says so`() async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem { $0.tagForm = .weak }
    let outcomes = await storage.carryOut([
      .replace(href, expecting: version, with: event("a", "Doctor"))
    ])
    #expect(outcomes[0].isUnguarded)
    // The listing might give a strong one.
    #expect(model.server.requests.map(\.method) == ["GET", "REPORT", "PUT"])
    #expect(model.server.requests[2].headers["if-match"] == nil)
    model.put("a.ics", event("a", "Theirs"))
    let second = await storage.carryOut([
      .replace(href, expecting: version, with: event("a", "Ours"))
    ])
    #expect(second[0].result == .changedMeanwhile)
    #expect(model.content("a.ics") == event("a", "Theirs").bytes)
  }

  @Test func `a tag that changed without the content costs one more try`() async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    model.server.touch(Array("a.ics".utf8), in: ModelAccount.work)
    let outcomes = await storage.carryOut([
      .replace(href, expecting: version, with: event("a", "Doctor"))
    ])
    guard case .stored = outcomes[0].result else {
      Issue.record("it gave \(outcomes[0].result)")
      return
    }
    #expect(model.server.requests.map(\.method) == ["PUT", "GET", "PUT"])
    #expect(model.content("a.ics") == event("a", "Doctor").bytes)
  }

  @Test func `tags that change at every read end in an outcome`() async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem {
      $0.tagChangesOnRead = true
    }
    _ = await storage.carryOut([.replace(href, expecting: version, with: event("a", "Doctor"))])
    #expect(model.server.requests.count <= 4)
  }

  @Test func `a change is seen before a DELETE whose guard is ignored`() async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem {
      $0.ignoresIfMatchOnDelete = true
    }
    model.put("a.ics", event("a", "Theirs"))
    let outcomes = await storage.carryOut([.delete(href, expecting: version)])
    #expect(outcomes[0].result == .changedMeanwhile)
    #expect(model.content("a.ics") != nil)
  }

  // MARK: Success

  @Test(
    arguments: [
      (ModelSwitches.PutTag.strong, true), (.none, nil), (.weak, false),
    ] as [(ModelSwitches.PutTag, Bool?)])
  func `the tag of the answer is kept, a weak one as weak`(
    tag: ModelSwitches.PutTag, isStrong: Bool?
  ) async throws {
    let (_, storage, _) = try await ModelAccount.withOneItem { $0.putTag = tag }
    let outcomes = await storage.carryOut([.create(ModelAccount.href("n.ics"), event("n"))])
    guard case .stored(let stored, let version, _) = outcomes[0].result else {
      Issue.record("it gave \(outcomes[0].result)")
      return
    }
    #expect(stored == ModelAccount.href("n.ics"))
    #expect(version.tag?.isStrong == isStrong)
    #expect(version.digest == sha256(event("n").bytes))
  }

  @Test func `an item that the server stores elsewhere is known where it is`() async throws {
    let (model, storage, _) = try await ModelAccount.withOneItem { $0.choosesNames = true }
    let outcomes = await storage.carryOut([.create(ModelAccount.href("n.ics"), event("n"))])
    guard case .stored(let stored, _, _) = outcomes[0].result else {
      Issue.record("it gave \(outcomes[0].result)")
      return
    }
    #expect(stored != ModelAccount.href("n.ics"))
    #expect(
      model.server.data(ModelServer.name(ofPath: stored.spelling), in: ModelAccount.work) != nil)
  }

  @Test(arguments: [
    "//alice/calendars/alice/work/x.ics", "https://elsewhere.example/x.ics", "/other/x.ics",
  ])
  func `a Location that is not in the calendar is not believed`(location: String) async throws {
    let (model, storage, _) = try await ModelAccount.withOneItem()
    model.server.plan(.answer(201, headers: [["Location", location]]), for: "PUT")
    let new = ModelAccount.href("n.ics")
    let outcomes = await storage.carryOut([.create(new, event("n"))])
    guard case .stored(let stored, _, _) = outcomes[0].result else {
      Issue.record("it gave \(outcomes[0].result)")
      return
    }
    #expect(stored.spelling == new.spelling)
    #expect(model.server.requests.count == 1)
  }

  /// RFC 4791 §4.1: what is stored has none.
  @Test(arguments: [
    "METHOD:REQUEST\r\n", "method:PUBLISH\r\n", "METHOD;X-A=b:REQ\r\n UEST\r\n",
  ])
  func `METHOD stays at home`(line: String) async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    let stored = event("a", "Doctor")
    let text = String(decoding: stored.bytes, as: UTF8.self)
    let message = text.replacing("BEGIN:VEVENT", with: line + "BEGIN:VEVENT", maxReplacements: 1)
    #expect(message != text)
    let write = GuardedWrite.replace(
      href, expecting: version, with: ItemData(bytes: Array(message.utf8)))
    let outcome = await storage.carryOut([write]).first
    guard case .stored = outcome?.result else {
      Issue.record("it was not stored")
      return
    }
    #expect(outcome?.lostMethod == true)
    #expect(model.content("a.ics") == stored.bytes)
  }

  @Test func `what an event says of a METHOD goes along`() async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    let text = String(decoding: event("a", "Doctor").bytes, as: UTF8.self)
      .replacing("END:VEVENT", with: "DESCRIPTION:A\r\n METHOD:B\r\nMETHOD:C\r\nEND:VEVENT")
    let data = ItemData(bytes: Array(text.utf8))
    let outcome = await storage.carryOut([.replace(href, expecting: version, with: data)]).first
    #expect(outcome?.lostMethod == false)
    #expect(model.content("a.ics") == data.bytes)
  }

  @Test func `an item that is written over and not there for a moment is waited for`() async throws
  {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    model.clock.advance(milliseconds: 60_000)
    model.server.change {
      $0.writeLag = 2_000
      $0.lateWritesShowNothing = true
    }
    let edit = event("a", "Doctor")
    _ = await storage.carryOut([.replace(href, expecting: version, with: edit)])
    guard case .found(let now, _, _) = try await storage.read([href])[0].result else {
      Issue.record("it is not found")
      return
    }
    #expect(now.digest == sha256(edit.bytes))
  }

  @Test func `an item that is written over, and deleted by others then, is missing`() async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    _ = await storage.carryOut([.replace(href, expecting: version, with: event("a", "Doctor"))])
    model.remove("a.ics")
    #expect(try await storage.read([href]).map(\.result) == [.missing])
  }

  /// Empty, cut off, or of nothing.
  @Test(arguments: ["", "<multistatus xmlns=\"DAV:\"><resp", "<multistatus xmlns=\"DAV:\"/>"])
  func `a 207 that says nothing does not delete`(body: String) async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    model.server.plan(
      .answer(207, headers: [["Content-Type", "application/xml"]], body: body), for: "DELETE")
    let outcome = await storage.carryOut([.delete(href, expecting: version)])[0]
    guard case .unknown = outcome.result else {
      Issue.record("it is \(outcome.result)")
      return
    }
    #expect(model.content("a.ics") != nil)
    model.remove("a.ics")
    model.server.plan(.answer(207, body: body), for: "DELETE")
    let again = await storage.carryOut([.delete(href, expecting: version)])[0]
    #expect(again.result == .removed)
  }

  @Test func `a 207 is what is inside it`() async throws {
    let (model, storage, _) = try await ModelAccount.withOneItem()
    let inner = """
      <D:multistatus xmlns:D="DAV:"><D:response><D:href>/x</D:href>
      <D:status>HTTP/1.1 413 Too Large</D:status></D:response></D:multistatus>
      """
    model.server.plan(.answer(207, body: inner), for: "PUT")
    let outcomes = await storage.carryOut([.create(ModelAccount.href("n.ics"), event("n"))])
    #expect(outcomes[0].refusal == .tooLarge)
  }
}
