import Synchronization
import TestSupport
import Testing

/// Between two servers a calendar whose id is a UUID is named as people know it.
@Suite struct NamedByTitleTests {
  private static let id = "0b5c4f5a-11f0-4a3e-9f0a-52d0b8a5c001"

  private let pair: TwoServers
  private var calgw: CommandLine { pair.calgw }
  private let takes: Taking

  private final class Taking: Sendable {
    let calendars = Mutex(false)

    /// What the server does not take; nil: the model may carry it out.
    func refusal(of request: ReceivedRequest) -> [ServerStep]? {
      if request.method.hasPrefix("MK"), !calendars.withLock({ $0 }) { return [.answer(403)] }
      return request.method == "PUT" ? [.answer(400)] : nil
    }
  }

  init() throws {
    let models = TwoServers.plain()
    let (here, there) = (models[0], models[1])
    here.makeCalendar(Self.id, displayName: "Familie & Co")
    here.put("a.ics", event("a", "Dentist"), in: ModelServer.homePath + Self.id + "/")
    there.makeCalendar("other", displayName: "Other")
    let takes = Taking()
    self.takes = takes
    pair = try TwoServers(models, pair: "direction = \"push\"") { side, request, steps in
      (side == 1 ? takes.refusal(of: request) : nil) ?? steps()
    }
  }

  @Test func `what waits and what fails have its title, and no command for a file`() async throws {
    let title = "\(Self.id) (\"Familie & Co\")"
    for _ in 0..<2 {
      let unmade = try await calgw("sync")
      #expect(
        unmade.errors.contains("the calendar “Familie & Co” (\(Self.id)) cannot be made"),
        "\(unmade.errors)")
      #expect(unmade.errors.contains("pair p, collection \(title)"), "\(unmade.errors)")
    }
    takes.calendars.withLock { $0 = true }
    let refused = try await calgw("sync")
    #expect(refused.status == 1, "\(refused.errors)")
    #expect(refused.output.contains("p/\(title): made the calendar"), "\(refused.output)")
    #expect(refused.errors.contains("  where: p/\(title)\n"), "\(refused.errors)")
    #expect(!refused.errors.contains("calgw check"), "\(refused.errors)")
    let status = try await calgw("status")
    #expect(status.output.hasPrefix("p/\(title)\n"), "\(status.output)")
  }
}
