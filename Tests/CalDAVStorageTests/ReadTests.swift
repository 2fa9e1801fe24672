import CalDAVStorage
import SyncModel
import TestSupport
import Testing

@Suite struct ReadTests {
  @Test func `a batch is one multiget`() async throws {
    let model = ModelAccount()
    let hrefs = (0..<50).map { ModelAccount.href("i\($0).ics") }
    for number in 0..<50 { model.put("i\(number).ics", event("i\(number)")) }
    let storage = try await model.storage()
    model.server.forgetRequests()
    let read = try await storage.read(hrefs)
    #expect(model.server.requests.map(\.method) == ["REPORT"])
    for (number, outcome) in read.enumerated() {
      guard case .found(let version, let data, let modified) = outcome.result else {
        Issue.record("\(outcome.href.text) gave \(outcome.result)")
        continue
      }
      #expect(data == event("i\(number)"))
      #expect(version.digest == sha256(data.bytes))
      #expect(version.tag?.isStrong == true)
      #expect(modified == Instant(seconds: model.clock.now.milliseconds / 1000))
    }
  }

  @Test(arguments: [
    "hash#.ics", "query?.ics", "per%cent.ics", "caf\u{E9}.ics", "a b.ics", "at@.ics",
  ])
  func `odd names that a multiget does not find are found by GET`(name: String) async throws {
    let model = ModelAccount { $0.multigetMissesOddNames = true }
    model.put(name, event("odd"))
    let storage = try await model.storage()
    let listed = try await storage.listChanges(since: nil)
    let read = try await storage.read(listed.present.map(\.href))
    guard case .found(_, let data, _) = try #require(read.first).result else {
      Issue.record("it gave \(read)")
      return
    }
    #expect(data == event("odd"))
  }

  @Test func `an item listed and not there is missing`() async throws {
    let model = ModelAccount { $0.listsPhantom = true }
    model.put("a.ics", event("a"))
    let storage = try await model.storage()
    let read = try await storage.read([
      ModelAccount.href("phantom.ics"), ModelAccount.href("a.ics"),
    ])
    #expect(read[0].result == .missing)
    #expect(
      try await storage.confirmAbsence(of: [
        ModelAccount.href("phantom.ics"), ModelAccount.href("a.ics"),
      ]) == [ModelAccount.href("phantom.ics")])
  }

  @Test func `one item with a control character spoils no other`() async throws {
    let model = ModelAccount()
    model.put("a.ics", event("a"))
    model.put("bad.ics", event("bad", "Bell \u{07}"))
    model.put("c.ics", event("c"))
    let storage = try await model.storage()
    let read = try await storage.read(["a.ics", "bad.ics", "c.ics"].map(ModelAccount.href))
    guard case .found = read[0].result, case .problem(let problem) = read[1].result,
      case .found = read[2].result
    else {
      Issue.record("it gave \(read)")
      return
    }
    #expect(problem.code == .brokenRemote)
    #expect(problem.message.contains("bad.ics"))
    #expect(!problem.message.contains("Bell"))
  }

  /// PITFALLS E3 18: nothing could guard a write over it.
  @Test func `what has an entity tag that no request can carry is neither taken nor written over`()
    async throws
  {
    let model = ModelAccount()
    model.put("a.ics", event("a"))
    let a = ModelAccount.href("a.ics")
    let text = String(decoding: event("a").bytes, as: UTF8.self)
    let storage = try await model.storage()
    let response =
      "<D:response><D:href>\(a.text)</D:href><D:propstat><D:prop><D:getetag>\"1&#10;1\""
      + "</D:getetag><C:calendar-data>\(text)</C:calendar-data></D:prop>"
      + "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
    model.server.plan(
      .answer(
        207, headers: [["Content-Type", "application/xml"]],
        body: "<D:multistatus xmlns:D='DAV:' xmlns:C='urn:ietf:params:xml:ns:caldav'>"
          + "\(response)</D:multistatus>"), for: "REPORT")
    let read = try await storage.read([a])
    guard case .problem(let problem) = read[0].result else {
      Issue.record("it gave \(read)")
      return
    }
    #expect(problem.code == .brokenRemote && read[0].isLasting)

    model.server.plan(
      .answer(
        200, headers: [["Content-Type", "text/calendar"], ["ETag", "\"1\t1\""]], body: text),
      for: "GET")
    let expected = Version(tag: nil, digest: sha256(event("a").bytes))
    let written = await storage.carryOut([
      .replace(a, expecting: expected, with: event("a", "Doctor"))
    ])
    #expect(written.map(\.result) == [.changedMeanwhile])
    #expect(model.server.count("PUT") == 0)
  }

  @Test func `an item beyond the limit is too large by either way`() async throws {
    let model = ModelAccount()
    model.put("big.ics", event("big", String(repeating: "long ", count: 1000)))
    model.put("a.ics", event("a"))
    var options = model.remembered
    options.itemLimit = 2000
    let account = try model.account(options: options)
    let calendar = try #require(try await account.listCollections().first)
    let storage = try await account.open(calendar)
    for hasMultiget in [true, false] {
      model.server.change { $0.hasMultiget = hasMultiget }
      let read = try await storage.read(["big.ics", "a.ics"].map(ModelAccount.href))
      guard case .problem(let problem) = read[0].result, case .found = read[1].result else {
        Issue.record("it gave \(read)")
        return
      }
      #expect(problem.code == .tooLarge)
    }
  }

  @Test func `large items that no one answer may hold together are read one by one`() async throws {
    let model = ModelAccount()
    let notes = String(repeating: "x", count: 5 << 20)
    for name in ["a", "b"] {
      model.put("\(name).ics", event(name, notes))
    }
    let storage = try await model.storage()
    let hrefs = ["a.ics", "b.ics"].map(ModelAccount.href)
    #expect(try await storage.read(hrefs).isEmpty)
    let read = try await storage.readAll(hrefs)
    #expect(read.map(\.href) == hrefs)
    for outcome in read {
      guard case .found(_, let data, _) = outcome.result else {
        Issue.record("\(outcome.href.text) was not read")
        continue
      }
      #expect(data.bytes.count > 5 << 20)
    }
  }

  @Test func `a body cut short without notice is no item`() async throws {
    let model = ModelAccount { $0.hasMultiget = false }
    model.put("a.ics", event("a"))
    let storage = try await model.storage()
    model.server.plan(.cutUnnoticed(120), for: "GET")
    let read = try await storage.read([ModelAccount.href("a.ics")])
    guard case .problem(let problem) = read[0].result else {
      Issue.record("it gave \(read)")
      return
    }
    #expect(problem.code == .incomplete && problem.uids == [ItemID("a")])
  }

  /// What came compressed may have been cut by the way, whatever its length was said to be.
  @Test(arguments: [true, false])
  func `half an item is the server's own where nothing packed it`(isPacked: Bool) async throws {
    let model = ModelAccount { $0.hasMultiget = false }
    model.put("a.ics", event("a"))
    let storage = try await model.storage()
    let half = String(decoding: event("a").bytes.prefix(120), as: UTF8.self)
    let headers = [["Content-Length", "120"]] + (isPacked ? [["Content-Encoding", "gzip"]] : [])
    model.server.interfere { request in
      request.method == "GET" ? .answer(200, headers: headers, body: half) : nil
    }
    let read = try await storage.read([ModelAccount.href("a.ics")])
    #expect(read.map(\.isLasting) == [!isPacked])
  }

  /// Google gives nothing now and then: the next sync asks again, and the mend says so.
  @Test func `no text at all is asked for again by the next sync`() async throws {
    let model = ModelAccount { $0.hasMultiget = false }
    model.put("a.ics", event("a"))
    let storage = try await model.storage()
    model.server.plan(
      .answer(200, headers: [["Content-Length", "0"]]), for: "GET", times: 2)
    let read = try await storage.read([ModelAccount.href("a.ics")])
    guard case .problem(let problem) = read[0].result else {
      Issue.record("it gave \(read)")
      return
    }
    #expect(problem.code == .incomplete && !read[0].isLasting)
    #expect(problem.hint.hasPrefix("run the sync again later"))
  }

  @Test func `one cut within its last line end is whole, and reads as whole`() async throws {
    let model = ModelAccount { $0.hasMultiget = false }
    model.put("a.ics", event("a"))
    let storage = try await model.storage()
    model.server.plan(.cutUnnoticed(event("a").bytes.count - 1), for: "GET")
    let read = try await storage.read([ModelAccount.href("a.ics")])
    guard case .found(let version, let data, _) = read[0].result else {
      Issue.record("it gave \(read)")
      return
    }
    #expect(data == event("a"))
    #expect(version.digest == sha256(event("a").bytes))
  }

  @Test func `a web page is no item`() async throws {
    let model = ModelAccount { $0.hasMultiget = false }
    model.put("a.ics", event("a"))
    let storage = try await model.storage()
    model.server.plan(.webPage, for: "GET")
    let read = try await storage.read([ModelAccount.href("a.ics")])
    guard case .problem = read[0].result else {
      Issue.record("it gave \(read)")
      return
    }
  }

  @Test func `what is not readable is not absent`() async throws {
    let model = ModelAccount()
    let storage = try await model.storage()
    for status in [403, 500, 301] {
      model.server.plan(.answer(status), for: "GET")
      let absent = try? await storage.confirmAbsence(of: [ModelAccount.href("a.ics")])
      #expect(absent ?? [] == [])
    }
  }

  /// A sign-in page that is not there, in the place of an item.
  @Test(arguments: [404, 410])
  func `nothing at an address of another name proves no absence`(status: Int) async throws {
    let (href, path) = (ModelAccount.href("a.ics"), ModelAccount.work + "a.ics")
    for place in ["/login", "/login/?next=\(path)", "/", ModelAccount.work] {
      let model = ModelAccount { $0.hasMultiget = false }
      let storage = try await model.storage()
      model.server.interfere { request in
        guard request.method == "GET" else { return nil }
        return request.path == path
          ? .answer(302, headers: [["Location", place]]) : .answer(status)
      }
      #expect(try await storage.confirmAbsence(of: [href]) == [])
      guard case .problem(let problem) = try await storage.read([href])[0].result else {
        Issue.record("\(place) was taken for the item's address")
        continue
      }
      #expect(problem.code == .brokenRemote && problem.message.contains("\(status)"))
      let shown = ModelServer.origin + String(place.split(separator: "?")[0])
      #expect(problem.message.contains(path) && problem.message.contains(" to \(shown)"))
    }
  }

  @Test(arguments: [404, 410])
  func `it does where the calendar has another address by now`(status: Int) async throws {
    let model = ModelAccount { $0.hasMultiget = false }
    let storage = try await model.storage()
    let (path, place) = (ModelAccount.work + "a b.ics", "/moved/a%20b.ics")
    let href = Href(spelling: Array(path.replacing(" ", with: "%20").utf8), key: Array(path.utf8))
    model.server.interfere { request in
      guard request.method == "GET" else { return nil }
      return request.path == place
        ? .answer(status) : .answer(301, headers: [["Location", place]])
    }
    #expect(try await storage.confirmAbsence(of: [href]) == [href])
    #expect(try await storage.read([href])[0].result == .missing)
  }

  @Test func `where 403 is said of whatever is missing, one listing tells who is, for all of them`()
    async throws
  {
    let model = ModelAccount { switches in
      switches.missingStatus = 403
      switches.hasMultiget = false
    }
    for name in ["b", "c"] { model.put("\(name).ics", event(name)) }
    let storage = try await model.storage()
    model.server.interfere { $0.line.hasSuffix("work/c.ics") ? .answer(403) : nil }
    model.server.forgetRequests()
    let hrefs = ["a.ics", "b.ics", "c.ics", "d.ics"].map(ModelAccount.href)
    #expect(try await storage.confirmAbsence(of: hrefs) == [hrefs[0], hrefs[3]])
    // A name that nothing has is among those asked for, this once.
    #expect(model.server.count("GET") == 5)
    #expect(model.server.count("PROPFIND") == 2)
    let read = try await storage.read(hrefs)
    #expect(read[0].result == .missing && read[3].result == .missing)
    guard case .found = read[1].result, case .problem(let problem) = read[2].result else {
      Issue.record("it gave \(read)")
      return
    }
    #expect(problem.code == .brokenRemote && problem.message.contains("403"))
    #expect(model.server.count("GET") == 9)
    #expect(model.server.count("PROPFIND") == 3)
  }

  /// An empty calendar has no item that would show that it may be read.
  @Test(arguments: [true, false])
  func `where 403 is said of whatever is missing, an empty calendar has to be readable by its word`(
    isTold: Bool
  ) async throws {
    let model = ModelAccount { switches in
      switches.missingStatus = 403
      switches.hasMultiget = false
    }
    let storage = try await model.storage()
    if !isTold {
      model.server.interfere { request in
        request.method == "PROPFIND" && request.headers["depth"] == "0" ? .answer(403) : nil
      }
    }
    let href = ModelAccount.href("a.ics")
    #expect(try await storage.confirmAbsence(of: [href]) == (isTold ? [href] : []))
    let read = try await storage.read([href])[0].result
    if isTold {
      #expect(read == .missing)
      return
    }
    guard case .problem(let problem) = read else {
      Issue.record("it gave \(read)")
      return
    }
    #expect(problem.message.contains("403") && problem.message.contains("no listing has"))
    #expect(problem.hint.contains("make another item"))
    // What the hint says helps.
    model.put("b.ics", event("b"))
    #expect(try await storage.confirmAbsence(of: [href]) == [href])
  }

  /// Which of the two the server forbids: the calendar alone, or its listing as well.
  @Test(arguments: [["0"], ["0", "1"]])
  func `a calendar that may not be looked at is there while it is listed`(
    forbidden: [String]
  ) async throws {
    let model = ModelAccount()
    let storage = try await model.storage()
    model.server.interfere { request in
      let depth = request.headers["depth"] ?? ""
      return request.method == "PROPFIND" && forbidden.contains(depth) ? .answer(403) : nil
    }
    let href = ModelAccount.href("a.ics")
    if forbidden == ["0"] {
      #expect(try await storage.confirmAbsence(of: [href]) == [href])
    } else {
      let error = try await #require(throws: StorageError.self) {
        _ = try await storage.confirmAbsence(of: [href])
      }
      #expect(error.kind == .denied && error.why.contains("403"), "\(error)")
    }
  }

  @Test func `nothing is absent in a calendar that is gone`() async throws {
    let model = ModelAccount()
    model.put("a.ics", event("a"))
    let storage = try await model.storage()
    model.server.removeCalendar(ModelAccount.work)
    for read in [false, true] {
      let error = try await #require(throws: StorageError.self) {
        if read {
          _ = try await storage.read([ModelAccount.href("a.ics")])
        } else {
          _ = try await storage.confirmAbsence(of: [ModelAccount.href("a.ics")])
        }
      }
      #expect(error.kind == .vanished)
    }
  }

  @Test(arguments: ["\u{FEFF}", "\r\n", " \n"])
  func `what stands before the first line is not the item's`(prefix: String) async throws {
    let model = ModelAccount()
    let text = Array(prefix.utf8) + event("a").bytes
    model.put("a.ics", ItemData(bytes: text))
    let storage = try await model.storage()
    for hasMultiget in [true, false] {
      model.server.change { $0.hasMultiget = hasMultiget }
      let read = try await storage.read([ModelAccount.href("a.ics")])
      guard case .found(_, let data, _) = read[0].result else {
        Issue.record("it gave \(read)")
        return
      }
      #expect(data == event("a"))
    }
  }
}
