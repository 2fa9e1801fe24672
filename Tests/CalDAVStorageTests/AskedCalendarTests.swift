import CalDAVStorage
import SyncModel
import Synchronization
import TestSupport
import Testing

/// A calendar of which nobody knows whether a server made it, and the run after that.
@Suite struct AskedCalendarTests {
  private static let asked = ModelServer.homePath + "reisen/"
  private let proposal = CollectionProposal(name: "reisen", displayName: "Reisen")
  private let model = ModelAccount()

  /// What came of an attempt to make the calendar.
  private struct Attempt {
    var made: CollectionDescription?
    var error: StorageError?
    var trace: MakingTrace
  }

  private func attempt(
    _ account: CalDAVAccount, _ proposal: CollectionProposal, after asked: AskedCalendar? = nil,
    isOverdue: Bool = false
  ) async -> Attempt {
    var trace = MakingTrace()
    trace.asked = asked
    trace.isOverdue = isOverdue
    do throws(StorageError) {
      let made = try await account.createCollection(proposal, leaving: &trace)
      return Attempt(made: made, trace: trace)
    } catch {
      return Attempt(error: error, trace: trace)
    }
  }

  /// Neither the home nor the address shows the calendar.
  private func hide() {
    model.server.change { $0.unlistedCalendars = [Self.asked] }
    model.server.interfere {
      $0.method == "PROPFIND" && $0.path == Self.asked ? .answer(404) : nil
    }
  }

  /// The run in which the server makes the calendar, without an answer of use, and hides it.
  private func askInVain(_ fault: ModelFault = .actThenAnswer(504)) async throws -> AskedCalendar {
    hide()
    model.server.plan(fault, for: "MKCALENDAR")
    let first = await attempt(try model.account(options: model.remembered), proposal)
    #expect(first.made == nil)
    #expect(model.server.calendarPaths.sorted() == [Self.asked, ModelAccount.work])
    model.server.forgetRequests()
    return try #require(first.trace.asked)
  }

  private var placesAsked: Set<String> {
    Set(model.server.requests.filter { $0.method.hasPrefix("MK") }.map(\.path))
  }

  @Test(
    arguments: [
      .actThenAnswer(500), .actThenAnswer(502), .actThenAnswer(503), .actThenAnswer(504),
      .lostAfter,
    ] as [ModelFault])
  func `one that may be made is kept in mind, and no other name is asked for`(
    fault: ModelFault
  ) async throws {
    let asked = try await askInVain(fault)
    #expect(asked.href == Href(Self.asked))
    #expect(asked.before == [Href(ModelAccount.work)])
  }

  /// What has the address by the second request may be what the first one made.
  @Test(arguments: [405, 409])
  func `an address that is taken after an error is not replaced by another`(
    status: Int
  ) async throws {
    model.server.plan(.answer(504), for: "MKCALENDAR")
    model.server.plan(.answer(status), for: "MKCOL")
    let first = await attempt(try model.account(options: model.remembered), proposal)
    #expect(first.error?.kind == .unreachable && first.error?.why == "the server answered 504")
    #expect(first.trace.asked?.href == Href(Self.asked))
    #expect(placesAsked == [Self.asked])
  }

  @Test func `one for which nobody is let in is not kept in mind`() async throws {
    model.server.plan(.answer(401), for: "MKCALENDAR")
    let first = await attempt(try model.account(options: model.remembered), proposal)
    #expect(first.error?.kind == .denied, "\(String(describing: first.error))")
    #expect(first.trace.asked == nil)
  }

  @Test func `it is written down before the server is asked`() async throws {
    let requests = Mutex<[Int]>([])
    let server = model.server
    var trace = MakingTrace()
    trace.note = { asked in
      #expect(asked.href == Href(Self.asked))
      requests.withLock { $0.append(server.count("MKCALENDAR")) }
    }
    let account = try model.account(options: model.remembered)
    _ = try await account.createCollection(proposal, leaving: &trace)
    #expect(requests.withLock { $0 } == [0])
  }

  @Test func `the next run takes what is at the address, and asks for nothing`() async throws {
    let asked = try await askInVain()
    model.server.interfere(nil)
    let next = await attempt(try model.account(options: model.remembered), proposal, after: asked)
    #expect(next.made?.href == Href(Self.asked), "\(String(describing: next.error))")
    #expect(placesAsked == [])
  }

  @Test func `the next run takes what is listed by the name that was asked for`() async throws {
    let asked = try await askInVain()
    model.server.removeCalendar(Self.asked)
    model.server.makeCalendar("17", displayName: "Reisen")
    let next = await attempt(try model.account(options: model.remembered), proposal, after: asked)
    #expect(next.made?.name == "17")
    #expect(placesAsked == [])
  }

  /// RFC 4791 §5.3.1.1: MKCALENDAR where something is fails, here with 405.
  @Test func `one that shows once the server says that the address is taken is used`()
    async throws
  {
    let asked = try await askInVain()
    let account = try model.account(later: { server in
      server.interfere(nil)
      server.change { $0.unlistedCalendars = [] }
    })
    let next = await attempt(account, proposal, after: asked)
    #expect(next.made?.href == Href(Self.asked), "\(String(describing: next.error))")
    #expect(placesAsked == [Self.asked])
    #expect(model.server.calendarPaths.count == 2)
  }

  @Test func `as long as it does not show, no second one is made`() async throws {
    let asked = try await askInVain()
    let next = await attempt(try model.account(options: model.remembered), proposal, after: asked)
    #expect(next.error?.kind == .tryLater(nil))
    #expect(next.error?.message == "the calendar “reisen” is not made a second time")
    #expect(next.trace.asked == asked)
    #expect(placesAsked == [Self.asked])
    #expect(model.server.calendarPaths.count == 2)
  }

  // MARK: Asked for long ago

  /// As Nextcloud fails over what is in its trash bin.
  private static let failing = AskedCalendar(href: Href(asked), before: [Href(ModelAccount.work)])

  private func fail(_ status: Int, at path: String? = nil) {
    model.server.interfere {
      $0.method.hasPrefix("MK") && $0.path == path ?? $0.path ? .answer(status) : nil
    }
  }

  @Test(arguments: [true, false])
  func `an address at which a server still fails long after is replaced by another`(
    isOverdue: Bool
  ) async throws {
    fail(500, at: Self.asked)
    let next = await attempt(
      try model.account(options: model.remembered), proposal, after: Self.failing,
      isOverdue: isOverdue)
    #expect((next.made?.displayName == "Reisen") == isOverdue)
    #expect((next.error?.kind == .protocolBroken) == !isOverdue)
    #expect(placesAsked.count == (isOverdue ? 2 : 1))
    #expect(model.server.calendarPaths.count == (isOverdue ? 2 : 1))
  }

  @Test func `that is tried once, and the other address stands from then on`() async throws {
    fail(500)
    let next = await attempt(
      try model.account(options: model.remembered), proposal, after: Self.failing, isOverdue: true)
    #expect(next.error?.kind == .protocolBroken && placesAsked.count == 2)
    #expect(next.error?.hint.contains("trash bin") == true, "\(String(describing: next.error))")
    let other = try #require(next.trace.asked)
    #expect(other.href != Href(Self.asked))
    for isOverdue in [false, true] {
      model.server.forgetRequests()
      _ = await attempt(
        try model.account(options: model.remembered), proposal, after: other, isOverdue: isOverdue)
      #expect(placesAsked == [other.href.text])
    }
  }

  @Test(arguments: [502, 503, 504, 507])
  func `a server that cannot be reached, is busy or full says nothing of the address`(
    status: Int
  ) async throws {
    fail(status, at: Self.asked)
    let next = await attempt(
      try model.account(options: model.remembered), proposal, after: Self.failing, isOverdue: true)
    #expect(next.error != nil && placesAsked == [Self.asked])
  }

  @Test func `one that shows after all that time is used`() async throws {
    let asked = try await askInVain(.actThenAnswer(500))
    model.server.interfere(nil)
    let next = await attempt(
      try model.account(options: model.remembered), proposal, after: asked, isOverdue: true)
    #expect(next.made?.href == Href(Self.asked), "\(String(describing: next.error))")
    #expect(placesAsked == [])
  }

  @Test func `one that is asked for once more is waited for anew`() async throws {
    let notes = Mutex<[Href]>([])
    fail(504)
    var trace = MakingTrace()
    trace.asked = Self.failing
    trace.isOverdue = true
    trace.note = { asked in notes.withLock { $0.append(asked.href) } }
    let account = try model.account(options: model.remembered)
    _ = try? await account.createCollection(proposal, leaving: &trace)
    #expect(notes.withLock { $0 } == [Href(Self.asked)])
  }

  // MARK: Asked for again

  /// An apostrophe stands in no address: its calendar has a random one.
  @Test(arguments: ["reisen", "bob's"])
  func `one that was not made is asked for at the same address`(name: String) async throws {
    let proposal = CollectionProposal(name: name)
    model.server.plan(.answer(504), for: "MKCALENDAR")
    model.server.plan(.answer(504), for: "MKCOL")
    let first = await attempt(try model.account(options: model.remembered), proposal)
    #expect(first.error?.kind == .unreachable)
    let asked = try #require(first.trace.asked)
    let next = await attempt(
      try model.account(options: model.remembered), proposal, after: asked)
    #expect(next.made?.href == asked.href, "\(String(describing: next.error))")
    #expect(model.server.calendarPaths.count == 2)
  }

  /// Another program chose the same plain name meanwhile.
  @Test(arguments: [true, false])
  func `what is somebody else's at the address is taken only where it is empty`(
    isEmpty: Bool
  ) async throws {
    let asked = AskedCalendar(href: Href(Self.asked), before: [Href(ModelAccount.work)])
    model.server.makeCalendar("reisen", displayName: "Theirs")
    model.server.change { $0.unlistedCalendars = [Self.asked] }
    if !isEmpty { model.server.put(Array("t.ics".utf8), event("t").bytes, in: Self.asked) }
    let next = await attempt(try model.account(options: model.remembered), proposal, after: asked)
    let made = try #require(next.made, "\(String(describing: next.error))")
    #expect((made.href == Href(Self.asked)) == isEmpty)
    #expect(model.server.calendarPaths.count == (isEmpty ? 2 : 3))
  }

  /// Another client has made it a moment ago, and the home does not list it yet.
  @Test(arguments: ["Reisen", "Theirs"])
  func `an unlisted calendar of that name and address is used`(name: String) async throws {
    model.server.makeCalendar("reisen", displayName: name)
    model.server.put(Array("t.ics".utf8), event("t").bytes, in: Self.asked)
    model.server.change { $0.unlistedCalendars = [Self.asked] }
    let first = await attempt(try model.account(options: model.remembered), proposal)
    let made = try #require(first.made, "\(String(describing: first.error))")
    #expect((made.href == Href(Self.asked)) == (name == "Reisen"))
    #expect(first.trace.isTheirs == (name == "Reisen"))
    #expect(model.server.calendarPaths.count == (name == "Reisen" ? 2 : 3))
  }

  @Test(arguments: [403, 501])
  func `what was refused is not made`(status: Int) async throws {
    for method in ["MKCALENDAR", "MKCOL"] {
      model.server.plan(.answer(status), for: method, times: 99)
    }
    let first = await attempt(try model.account(options: model.remembered), proposal)
    #expect(first.error != nil && first.trace.asked == nil)
  }
}
