import Synchronization
import TestSupport
import Testing

/// A pair of two servers on which a new display name moves a calendar to another address, as on
/// Zimbra.
@Suite struct MovedBetweenServersTests {
  private static let work = ModelServer.homePath + "work/"
  private static let office = ModelServer.homePath + "Office/"
  private static let uids = ["a", "b", "c", "d"]

  private let pair: TwoServers
  private var models: [ModelServer] { pair.models }
  private var calgw: CommandLine { pair.calgw }
  private let outage = Outage()

  /// The local side does what it is asked, and says nothing, from a new name on; or says nothing
  /// of one place.
  private final class Outage: Sendable {
    let comesWithName = Mutex(false)
    let place = Mutex<String?>(nil)
    let isNow = Mutex(false)

    func steps(_ steps: [ServerStep], for request: ReceivedRequest) -> [ServerStep] {
      isNow.withLock { isNow in
        if request.method == "PROPPATCH", comesWithName.withLock({ $0 }) { isNow = true }
        let isAtPlace = place.withLock { $0.map(request.target.hasPrefix) ?? false }
        return isNow || isAtPlace ? [.close] : steps
      }
    }
  }

  /// Both have the calendar Work, in step.
  init() async throws {
    let models = (0..<2).map { _ in
      var switches = ModelSwitches()
      switches.renamesMove = true
      let model = ModelServer(switches, surroundings: ModelClock().surroundings)
      model.makeCalendar("work", displayName: "Work")
      for uid in Self.uids { model.put("\(uid).ics", event(uid, "The same"), in: Self.work) }
      return model
    }
    let outage = outage
    pair = try TwoServers(models) { side, request, steps in
      side == 0 ? outage.steps(steps(), for: request) : steps()
    }
    #expect(try await calgw("sync").status == 0)
  }

  /// Another client gives the calendar of a side a name, and thereby an address.
  private func rename(_ side: Int, _ path: String = Self.work, to name: String) {
    models[side].moveCalendar(path, to: ModelServer.homePath + name + "/")
    models[side].setDisplayName(name, of: ModelServer.homePath + name + "/")
  }

  /// What a run sent to both, but for questions.
  private func writes(of run: () async throws -> Void) async rethrows -> [String] {
    let before = pair.servers.map { $0.requests.count }
    try await run()
    return zip(pair.servers, before).flatMap { server, count in
      server.requests.dropFirst(count).map(\.method)
    }.filter { !["PROPFIND", "REPORT", "GET", "OPTIONS"].contains($0) }
  }

  private func expectInStep(_ path: String = Self.office) async throws {
    #expect(models.map(\.calendarPaths) == [[path], [path]])
    let sent = try await writes {
      let run = try await calgw("sync")
      #expect(run.output == "p/work: nothing to do\n", "\(run.errors)")
      #expect(run.status == 0)
    }
    #expect(sent.isEmpty)
    models[0].remove(Array("a.ics".utf8), in: path)
    models[1].remove(Array("b.ics".utf8), in: path)
    let run = try await calgw("sync")
    #expect(run.output == "p/work: down: 1 deleted; up: 1 deleted\n", "\(run.errors)")
    #expect(pair.items(path)[0] == ["c.ics", "d.ics"])
    #expect(pair.items(path)[1] == ["c.ics", "d.ics"])
  }

  @Test(arguments: [0, 1], ["collections = [\"*\"]", "calendar = \"Work\""])
  func `one that another client renames is followed on either side, and sends nothing again`(
    side: Int, selection: String
  ) async throws {
    try pair.configure(selection)
    #expect(try await calgw("sync").status == 0)
    rename(side, to: "Office")
    let sent = try await writes {
      let run = try await calgw("sync")
      #expect(run.status == 0, "\(run.output)\(run.errors)")
      #expect(run.output.hasPrefix("p/work: displayname "), "\(run.output)")
    }
    // The other one gets the name, and moves.
    #expect(sent == ["PROPPATCH"])
    try await expectInStep()
  }

  @Test func `one that a run renames, and cannot say where it is, is found by the next`()
    async throws
  {
    outage.comesWithName.withLock { $0 = true }
    rename(1, to: "Office")
    let cutOff = try await calgw("sync")
    #expect(cutOff.errors.contains("could not be given the displayname"), "\(cutOff.errors)")
    #expect(models[0].calendarPaths == [Self.office])
    // It holds little of what it did.
    for uid in ["a", "b", "c"] { models[0].remove(Array("\(uid).ics".utf8), in: Self.office) }
    outage.comesWithName.withLock { $0 = false }
    outage.isNow.withLock { $0 = false }
    let run = try await calgw("sync", "--allow-mass-delete")
    #expect(run.output == "p/work: up: 3 deleted\n", "\(run.errors)")
    #expect(models.map(\.calendarPaths) == [[Self.office], [Self.office]])
    #expect(pair.items(Self.office)[1] == ["d.ics"])
  }

  /// A copy of the calendar, which holds all that it held.
  private func copy(_ side: Int, to name: String) {
    models[side].makeCalendar(name, displayName: name)
    for uid in Self.uids {
      models[side].put("\(uid).ics", event(uid, "The same"), in: ModelServer.homePath + name + "/")
    }
  }

  @Test(arguments: [0, 1])
  func `where two may be it, neither goes to the other server`(side: Int) async throws {
    models[side].removeCalendar(Self.work)
    for name in ["one", "two"] { copy(side, to: name) }
    let sent = try await writes {
      let run = try await calgw("sync")
      #expect(run.status == 1)
      let name = side == 0 ? "local" : "remote"
      #expect(
        run.errors.contains(
          "one on the \(name) side holds most of what work had, which is gone there: it may"
            + " be work under another address, and is left alone"), "\(run.errors)")
      #expect(run.errors.contains("two on the \(name) side holds"), "\(run.errors)")
      #expect(
        run.errors.contains(
          "do:    bring it back there, or say whether it is one or two, as is told"))
    }
    #expect(sent.isEmpty)
    #expect(models[1 - side].calendarPaths == [Self.work])
  }

  @Test(arguments: [0, 1])
  func `a person can say which of two it is`(side: Int) async throws {
    models[side].removeCalendar(Self.work)
    for name in ["one", "two"] { copy(side, to: name) }
    let told = try await calgw("sync").errors
    let mapping = side == 0 ? "{ one = \"\(Self.work)\" }" : "{ work = \"/calendars/alice/one/\" }"
    #expect(told.contains("write \(mapping) into the pair's `collections`"), "\(told)")
    try pair.configure("collections = [\"*\", \"!two\", \(mapping)]")
    let sent = try await writes {
      let run = try await calgw("sync")
      #expect(run.status == 0, "\(run.output)\(run.errors)")
    }
    #expect(!sent.contains("PUT") && !sent.contains("MKCALENDAR"), "\(sent)")
    #expect(models[1 - side].calendarPaths.count == 1)
  }

  @Test(arguments: [0, 1])
  func `one whose address a new calendar has by now is followed, and the new one is another`(
    side: Int
  ) async throws {
    #expect(try await calgw("sync").status == 0)
    rename(side, to: "Office")
    models[side].makeCalendar("work", displayName: "Work")
    models[side].put("new.ics", event("new", "In the new one"), in: Self.work)
    let sent = try await writes {
      let run = try await calgw("sync")
      #expect(run.status == 0, "\(run.output)\(run.errors)")
      #expect(run.output.contains("p/work: "), "\(run.output)")
      #expect(run.output.contains("p/work-2: "), "\(run.output)")
      #expect(!(run.output + run.errors).contains("another place"), "\(run.errors)")
    }
    #expect(sent.sorted() == ["MKCALENDAR", "PROPPATCH", "PUT"])
    #expect(models[side].calendarPaths.sorted() == [Self.office, Self.work])
    for (side, model) in models.enumerated() {
      #expect(pair.items(Self.office)[side] == Self.uids.map { "\($0).ics" })
      let others = model.calendarPaths.filter { $0 != Self.office }
      #expect(others.map { model.items(in: $0).count } == [1])
    }
    models[side].remove(Array("a.ics".utf8), in: Self.office)
    let after = try await writes {
      let run = try await calgw("sync")
      #expect(run.status == 0, "\(run.errors)")
    }
    #expect(after == ["DELETE"])
  }

  @Test func `one that could not be looked into is followed by a later run`() async throws {
    #expect(try await calgw("sync").status == 0)
    rename(0, to: "Office")
    models[0].makeCalendar("work", displayName: "Work")
    outage.place.withLock { $0 = Self.office }
    let sent = try await writes {
      let cutOff = try await calgw("sync")
      #expect(cutOff.status == 69, "\(cutOff.output)\(cutOff.errors)")
    }
    #expect(sent.isEmpty)
    outage.place.withLock { $0 = nil }
    let run = try await calgw("sync")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    for (side, model) in models.enumerated() {
      #expect(pair.items(Self.office)[side] == Self.uids.map { "\($0).ics" })
      #expect(model.calendarPaths.sorted() == [Self.office, Self.work])
    }
  }

  /// The copy was there before, and left out.
  @Test func `one that a person empties is not taken for a copy of it`() async throws {
    try pair.configure("collections = [\"work\"]")
    copy(1, to: "backup")
    #expect(try await calgw("sync").status == 0)
    for uid in Self.uids { models[1].remove(Array("\(uid).ics".utf8), in: Self.work) }
    let run = try await calgw("sync", "--allow-mass-delete")
    #expect(run.output == "p/work: down: 4 deleted\n", "\(run.errors)")
    #expect(models[0].items(in: Self.work).isEmpty)
    #expect(models[1].items(in: ModelServer.homePath + "backup/").count == 4)
  }

  @Test func `a calendar that gets no counterpart since the other side is read-only is named`()
    async throws
  {
    models[0].makeCalendar("mine", displayName: "Mine")
    models[0].makeCalendar("empty", displayName: "Empty")
    models[0].put("x.ics", event("x", "For nobody"), in: ModelServer.homePath + "mine/")
    try pair.configure("collections = [\"*\"]\nread_only = true")
    let sent = try await writes {
      let run = try await calgw("sync")
      #expect(run.status == 1)
      #expect(
        run.errors.contains("the calendar has no counterpart on the remote side, which is"),
        "\(run.errors)")
      #expect(!run.errors.contains("empty"), "\(run.errors)")
    }
    #expect(sent.isEmpty)
  }
}
