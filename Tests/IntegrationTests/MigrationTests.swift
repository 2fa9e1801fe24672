import Glibc
import Synchronization
import TestSupport
import Testing

/// The real program between two servers: `local = { remote = "…" }`.
@Suite(.serialized, .timeLimit(.minutes(20))) struct MigrationTests {
  /// A server with calendars, another one, and the pair of the two.
  private struct World {
    let old: RealServer
    let new: RealServer
    let calgw: Migration

    init(from source: RealServer.Kind, isPush: Bool = false) async throws {
      old = try await RealServer.start(source)
      new = try await RealServer.start(source == .radicale ? .xandikos : .radicale)
      let (local, remote) = isPush ? (old, new) : (new, old)
      calgw = try Migration(local: local.url, remote: remote.url)
    }

    /// Both sides have these items once, and a further sync has nothing to do.
    func expectSame(_ expected: [SampleItem], _ comment: String = "") async throws {
      let wanted = expected.map(\.telling).sorted { $0.lexicographicallyPrecedes($1) }
      for server in [old, new] {
        let found = try await server.contents(of: "work")
        #expect(found == wanted, "\(server.kind) \(comment)")
      }
      // Xandikos begins with a calendar of that name.
      try await calgw.expectQuiet(["calendar": 0, "work": expected.count])
    }

    func stop() async {
      await old.stop()
      await new.stop()
    }
  }

  @Test(arguments: RealServer.Kind.allCases, [true, false])
  func `calendars come with names and items, and then there is nothing to do`(
    source: RealServer.Kind, isPush: Bool
  ) async throws {
    let world = try await World(from: source, isPush: isPush)
    try await world.old.makeCalendar("work", called: "Our work")
    try await world.old.makeCalendar("tasks", called: "To be done")
    let dentist = SampleItem.event("dentist", "Dentist")
    let choir = SampleItem.series("choir", "Choir")
    let taxes = SampleItem.task("taxes", "Taxes")
    for item in [dentist, choir] { try await world.old.put(item, in: "work") }
    try await world.old.put(taxes, in: "tasks")

    let run = try await world.calgw.sync()
    #expect(run.status == 0, "\(run.errors)")
    let work = try await world.new.contents(of: "work")
    #expect(work.count == 2)
    #expect(Set(work) == [dentist.telling, choir.telling])
    let tasks = try await world.new.contents(of: "tasks")
    #expect(tasks == [taxes.telling])
    #expect(try await world.new.displayName(of: "work").contains(">Our work<"))
    #expect(try await world.new.displayName(of: "tasks").contains(">To be done<"))
    try await world.calgw.expectQuiet(["calendar": 0, "tasks": 1, "work": 2])
    await world.stop()
  }

  @Test(arguments: RealServer.Kind.allCases)
  func `a calendar whose address is percent-encoded is the same in the next run`(
    source: RealServer.Kind
  ) async throws {
    let world = try await World(from: source, isPush: true)
    try await world.old.makeCalendar("our%20work", called: "Our work")
    try await world.old.put(SampleItem.event("dentist", "Dentist"), in: "our%20work")
    let run = try await world.calgw.sync()
    #expect(run.status == 0, "\(run.errors)")
    for _ in 0..<2 { try await world.calgw.expectQuiet(["calendar": 0, "our work": 1]) }
    await world.stop()
  }

  @Test(arguments: RealServer.Kind.allCases)
  func `an edit and a deletion on each side reach the other`(source: RealServer.Kind)
    async throws
  {
    let world = try await World(from: source)
    try await world.old.makeCalendar("work")
    for number in 0..<8 {
      try await world.old.put(.event("e\(number)", "Event \(number)"), in: "work")
    }
    #expect(try await world.calgw.sync().status == 0)

    let (old, new) = (world.old, world.new)
    try await old.put(.event("e0", "Edited on the old one"), in: "work")
    let edited = SampleItem.event("e1", "Edited on the new one")
    try await new.otherClient.put(
      try await new.path(of: "e1", in: "work"), Array(edited.text.utf8))
    try await old.otherClient.delete(try await old.path(of: "e2", in: "work"))
    try await new.otherClient.delete(try await new.path(of: "e3", in: "work"))
    // Each side changes another thing of the same item.
    try await old.put(.event("e4", "Titled on the old one"), in: "work")
    let placed = SampleItem.event("e4", "Event 4", ["LOCATION:Placed on the new one"])
    try await new.otherClient.put(
      try await new.path(of: "e4", in: "work"), Array(placed.text.utf8))

    let run = try await world.calgw.sync("--json")
    #expect(run.status == 0, "\(run.errors)")
    let work = try #require(try run.collections().first { $0["name"] as? String == "work" })
    for direction in ["pulled", "pushed"] {
      let counts = try #require(work[direction] as? [String: Int])
      #expect(counts == ["created": 0, "updated": 1, "deleted": 1], "\(direction)")
    }
    #expect(work["merged"] as? Int == 1)
    try await world.expectSame([
      .event("e0", "Edited on the old one"), edited,
      .event("e4", "Titled on the old one", ["LOCATION:Placed on the new one"]),
      .event("e5", "Event 5"), .event("e6", "Event 6"), .event("e7", "Event 7"),
    ])
    await world.stop()
  }

  @Test(arguments: RealServer.Kind.allCases)
  func `killed again and again, a move loses and doubles nothing`(source: RealServer.Kind)
    async throws
  {
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = SeededRandom(seed: seed)
    let world = try await World(from: source)
    try await world.old.makeCalendar("work")
    var expected: [SampleItem] = []
    for round in 0..<10 {
      for number in 0..<8 {
        let item = SampleItem.event("e\(round)-\(number)", "Event \(number) of round \(round)")
        try await world.old.put(item, in: "work")
        expected.append(item)
      }
      let run = try await world.calgw.sync(killedAfter: Int32(5 + random.below(300)))
      #expect([0, 137].contains(run.status), "seed \(seed): \(run.errors)")
    }
    let last = try await world.calgw.sync()
    #expect(last.status == 0, "seed \(seed): \(last.errors)")
    try await world.expectSame(expected, "seed \(seed)")
    await world.stop()
  }

  /// What befalls a move when the target has carried out a write and not answered it yet.
  enum Mishap: Int32, CaseIterable, Sendable {
    /// The program is killed. The numbers are its exit statuses.
    case killed = 137
    /// Connections break, this one and all others.
    case broken = 69
    /// The server asks to wait until tomorrow, which is beyond the run's deadline.
    case busy = 75
  }

  @Test(arguments: Mishap.allCases)
  func `a move that ends amid its writes goes on from there`(mishap: Mishap) async throws {
    let old = try await RealServer.start(.radicale)
    try await old.makeCalendar("work")
    for number in 10..<24 {
      try await old.put(.event("e\(number)", "Event \(number)"), in: "work")
    }
    let target = Target(mishap)
    let server = try ScriptedServer { target.answer($0) }
    let calgw = try Migration(local: server.url, remote: old.url)
    let running = try calgw.start()
    if mishap == .killed {
      await target.waitForMishap()
      running.process.send(SIGKILL)
    }
    let run = await running.end()
    #expect(run.status == mishap.rawValue, "\(run.errors)")
    #expect((1..<14).contains(target.uids.count), "it was amid its writes")

    target.heal()
    let next = try await calgw.sync()
    #expect(next.status == 0, "\(next.errors)")
    #expect(target.uids == (10..<24).map { "e\($0)" })
    #expect(try await old.items(of: "work").count == 14)
    try await calgw.expectQuiet(["work": 14])
    server.stop()
    await old.stop()
  }

  /// A server that meets with a mishap at one of its writes.
  private final class Target: Sendable {
    /// The number of that write, from 1.
    static let fatal = 5

    private struct State {
      var writes = 0
      var isHealed = false
    }

    private let mishap: Mishap
    private let model = ModelServer(surroundings: ModelClock().surroundings)
    private let state = Mutex(State())
    private let happened = AsyncStream.makeStream(of: Void.self)

    init(_ mishap: Mishap) { self.mishap = mishap }

    func heal() { state.withLock { $0.isHealed = true } }

    func waitForMishap() async {
      for await _ in happened.stream { return }
    }

    /// With doubles, sorted.
    var uids: [String] {
      model.items(in: "/calendars/alice/work/").values.flatMap { data in
        SampleItem.telling(String(decoding: data, as: UTF8.self))
      }.filter { $0.hasPrefix("UID:") }.map { String($0.dropFirst(4)) }.sorted()
    }

    func answer(_ request: ReceivedRequest) -> [ServerStep] {
      let isWrite = request.method == "PUT"
      let (writes, isHealed) = state.withLock { state in
        if isWrite { state.writes += 1 }
        return (state.writes, state.isHealed)
      }
      if isHealed || writes < Self.fatal { return model.steps(for: request) }
      // This one is carried out, and nobody hears of it.
      if isWrite, writes == Self.fatal { _ = model.steps(for: request) }
      switch mishap {
      case .killed:
        happened.continuation.yield()
        return [.silence]
      case .broken: return [.reset]
      case .busy: return [.answer(503, headers: ["Retry-After": "86400"])]
      }
    }
  }
}
