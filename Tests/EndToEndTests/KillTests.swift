import TestSupport
import Testing

/// kill -9 at random moments: the next run goes on as if nothing had been.
@Suite(.serialized) struct KillTests {
  @Test func `killed twenty times between edits, it loses and doubles nothing`() async throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = SeededRandom(seed: seed)
    let pair = try await Pair.make(.radicale)
    var expected: [String: String] = [:]
    for number in 0..<20 {
      try pair.write("e\(number).ics", Event.make("e\(number)", "First"))
      expected["e\(number)"] = "First"
    }
    for round in 0..<20 {
      for number in 0..<8 {
        let (here, there) = ("here-\(round)-\(number)", "there-\(round)-\(number)")
        try pair.write("\(here).ics", Event.make(here, "New here"))
        try await pair.server.otherClient.put(
          pair.path + "\(there).ics", Array(Event.make(there, "New there").utf8))
        (expected[here], expected[there]) = ("New here", "New there")
      }
      let edited = "e\(random.below(20))"
      let name = try #require(
        try pair.localTexts().keys.contains(edited) ? "\(edited).ics" : nil)
      try pair.write(name, Event.make(edited, "Edited in round \(round)"))
      expected[edited] = "Edited in round \(round)"
      let run = try await pair.calgw(
        "sync", killedAfter: Int32(5 + random.below(round.isMultiple(of: 2) ? 120 : 500)))
      #expect([0, 137].contains(run.status), "seed \(seed): \(run.errors)")
    }
    let last = try await pair.calgw("sync", "--json")
    #expect(last.status == 0, "seed \(seed): \(last.output) \(last.errors)")
    #expect(Pair.summaries(try pair.localTexts()) == expected, "seed \(seed)")
    #expect(Pair.summaries(try await pair.remoteTexts()) == expected, "seed \(seed)")
    #expect(pair.sandbox.items(in: pair.folder).count == expected.count, "seed \(seed)")
    let hidden = pair.sandbox.names(in: pair.folder).filter { $0.hasPrefix(".") }
    #expect(hidden == [], "seed \(seed)")
    let quiet = try #require(try await pair.calgw("sync", "--json").objects().first)
    #expect(quiet["requests"] as? Int == 1, "seed \(seed)")
    await pair.server.stop()
  }
}
