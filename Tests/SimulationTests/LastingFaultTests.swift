import Simulation
import Testing

/// What does not pass goes on to the end of the run in which it struck, for all that its name
/// speaks of, and no longer.
@Suite struct LastingFaultTests {
  struct Lasting: Sendable, CustomTestStringConvertible {
    let name: String
    var isSticky = false
    /// The call at which it strikes.
    let first: String
    let struck: [String]
    let spared: [String]
    var testDescription: String { name }
  }

  private static let requests = ["PROPFIND", "REPORT", "GET", "PUT", "DELETE"].map { "http.\($0)" }

  static let lasting = [
    Lasting(
      name: "C2.12", first: "files.write",
      struck: [
        "files.create", "files.write", "files.setMode", "files.exchange", "files.renameNoReplace",
        "files.rename", "files.link", "files.unlink",
      ],
      spared: ["files.list", "files.status", "files.read", "files.readContent", "http.GET"]),
    // Sticky it is C3.2.
    Lasting(
      name: "C3.1", isSticky: true, first: "journal.close",
      struck: [
        "begin", "close", "record", "agree", "forget", "keep", "setWaits", "forgetCursor", "prune",
      ].map { "journal.\($0)" },
      spared: ["journal.known", "journal.openIntents", "files.write", "http.PUT"]),
    Lasting(
      name: "C4.26", first: "http.GET", struck: requests,
      spared: ["files.write", "journal.begin"]),
    Lasting(
      name: "C5.5", first: "http.REPORT", struck: requests,
      spared: ["files.write", "journal.begin"]),
  ]

  /// The fault that strikes a call.
  private func fault(_ call: String, _ director: Director) -> String? {
    let verdict = director.reach(String(call.prefix { $0 != "." }), call, isEffect: false)
    if case .strike(let fault) = verdict { return fault.name }
    return nil
  }

  private func event(_ call: String, _ number: Int, _ name: String, isSticky: Bool = false)
    -> Story.Event
  {
    Story.Event(at: Story.Moment(call, number), .fault(name, isSticky: isSticky))
  }

  @Test(arguments: lasting)
  func `it goes on for all its calls, and ends with the run`(lasting: Lasting) {
    let director = Director()
    director.begin([event(lasting.first, 2, lasting.name, isSticky: lasting.isSticky)])
    for call in lasting.struck { #expect(fault(call, director) == nil, "\(call) before it") }
    #expect(fault(lasting.first, director) == lasting.name)
    for call in lasting.struck { #expect(fault(call, director) == lasting.name, "\(call)") }
    for call in lasting.spared { #expect(fault(call, director) == nil, "\(call)") }
    director.end()
    for call in lasting.struck { #expect(fault(call, director) == nil, "\(call) after the run") }
  }

  @Test func `a damaged file is one that can be opened`() {
    let director = Director()
    director.begin([event("files.readContent", 1, "C2.4", isSticky: true)])
    #expect(fault("files.readContent", director) == "C2.4")
    #expect(fault("files.read", director) == nil)
    #expect(fault("files.readContent", director) == "C2.4")
  }

  @Test func `where there is no connection no answer comes, and no other trouble begins`() {
    let director = Director()
    director.begin([
      event("http.GET", 1, "C5.13", isSticky: true), event("http.PUT", 1, "C4.26"),
      event("http.GET", 3, "C5.2"),
    ])
    #expect(fault("http.GET", director) == "C5.13")
    #expect(fault("http.GET", director) == "C5.13")
    #expect(fault("http.PUT", director) == "C4.26")
    #expect(fault("http.GET", director) == "C4.26")
    #expect(fault("http.GET", director) == "C4.26")
  }

  /// Both sides have something for the other one when it strikes.
  private func play(_ moment: String, _ fault: String) throws -> Simulation.Outcome {
    let text = """
      chance 1
      both-save dentist 2
      run
      local-save dentist 3
      remote-save gym 6
      run
        at \(moment) 1 \(fault)
      """
    return Simulation.play(try Story(text: text), keepsLines: true)
  }

  @Test(arguments: [
    ("files.create", "C2.12", "C2.12"), ("journal.begin", "C3.1 sticky", "C3.2"),
    ("http.REPORT", "C4.13", "C4.13"), ("http.REPORT", "C4.26", "C4.26"),
    ("http.PUT", "C4.26", "C4.26"), ("http.PUT", "C5.5", "C5.5"),
  ])
  func `it acts, and no promise is broken`(moment: String, fault: String, name: String) throws {
    let outcome = try play(moment, fault)
    #expect(outcome.hits[name] == 1)
    #expect(outcome.violations == [])
  }

  /// Five redirects are followed, so the sixth answer ends it.
  @Test func `redirects without end are followed no further than the client's limit`() throws {
    let outcome = try play("http.REPORT", "C5.5")
    #expect(outcome.violations == [])
    #expect(outcome.lines.count { $0 == "  C5.5" } >= 6)
    #expect(outcome.lines.contains { $0.contains("lead nowhere") })
  }
}
