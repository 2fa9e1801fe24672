import TestSupport
import Testing

/// A calendar of a pair of two servers that neither of them lists any more.
@Suite struct UnlistedOnBothTests {
  private static let path = FolderAndCalendar.path

  private let pair: TwoServers
  private var models: [ModelServer] { pair.models }
  private var calgw: CommandLine { pair.calgw }

  /// One item in step, and another calendar on both; then neither home lists the first.
  init() async throws {
    let models = TwoServers.plain()
    for name in ["work", "other"] { models[0].makeCalendar(name, displayName: name) }
    models[0].put("a.ics", event("a", "Dentist"), in: Self.path)
    pair = try TwoServers(models)
    let first = try await calgw("sync")
    #expect(first.status == 0, "\(first.errors)")
    for model in models { model.change { $0.unlistedCalendars = [Self.path] } }
  }

  /// What the servers, the first one first, say from now on at the calendar's address; nil: all is
  /// well there.
  private func answer(_ statuses: [Int?]) {
    for (model, status) in zip(models, statuses) {
      guard let status else { continue }
      model.interfere { $0.path == Self.path ? .answer(status) : nil }
    }
  }

  @Test func `one that answers at both addresses is synced as ever`() async throws {
    models[1].put("b.ics", event("b", "Choir"), in: Self.path)
    let run = try await calgw("sync")
    #expect(run.output.contains("p/work: down: 1 new"), "\(run.output)")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(models.map { $0.items(in: Self.path).count } == [2, 2])
  }

  @Test(arguments: [[404, 404], [404, 410], [403, 404]])
  func `one that is at neither address is told as gone from both, until it is forgotten`(
    statuses: [Int]
  ) async throws {
    answer(statuses)
    for _ in 0..<2 {
      let run = try await calgw("sync")
      #expect(run.status == 1, "\(run.output) \(run.errors)")
      #expect(run.errors.contains("[collection-gone]"), "\(run.errors)")
      let both = "the local collection \(Self.path) and the remote collection \(Self.path) are gone"
      #expect(run.errors.contains(both), "\(run.errors)")
      #expect(run.errors.contains("run `calgw forget p/work`"), "\(run.errors)")
      #expect(run.output.contains("p/other: nothing to do"), "\(run.output)")
    }
    #expect(try await calgw("forget", "p/work").status == 0)
    let run = try await calgw("sync")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
  }

  @Test func `one that a single server still has is told as gone from the other`() async throws {
    answer([nil, 404])
    let run = try await calgw("sync")
    #expect(run.status == 1, "\(run.errors)")
    #expect(
      run.errors.contains("the remote collection \(Self.path) is gone; its counterpart is left"),
      "\(run.errors)")
    #expect(models[0].items(in: Self.path).count == 1)
  }

  @Test(arguments: [[404, 500], [500, 404]])
  func `while a server fails at the address nobody is told to forget it`(
    statuses: [Int]
  ) async throws {
    answer(statuses)
    let run = try await calgw("sync")
    #expect(run.status == 76, "\(run.errors)")
    let side = statuses[0] == 500 ? "local" : "remote"
    #expect(
      run.errors.contains("whether the \(side) collection \(Self.path), which is not listed"),
      "\(run.errors)")
    #expect(!run.errors.contains("calgw forget"), "\(run.errors)")
    #expect(run.output.contains("p/other: nothing to do"), "\(run.output)")
  }
}
