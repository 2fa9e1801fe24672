import Foundation
import Synchronization
import TestSupport
import Testing

/// A server that a proxy speaks TLS for: where nobody tells it so (X-Forwarded-Proto), it names
/// what it has by `http:`, its own host, and no port.
@Suite(.serialized, .enabled(if: TestCertificates.canBeMade && ImpatientTLSServer.canRun))
struct TLSProxyTests {
  /// Whether the server knows of TLS, and names things by their paths alone.
  private final class Knowledge: Sendable {
    private let holds: Mutex<Bool>
    init(_ holds: Bool) { self.holds = Mutex(holds) }
    var isThere: Bool { holds.withLock { $0 } }
    func lose() { holds.withLock { $0 = false } }
  }

  /// An answer of the model with all its hrefs as such a server has them.
  private static func namedByHTTP(_ step: ServerStep) -> ServerStep {
    guard case .send(let bytes) = step else { return step }
    let data = Data(bytes)
    guard let gap = data.range(of: Data("\r\n\r\n".utf8)), gap.upperBound < data.endIndex else {
      return step
    }
    let body = String(decoding: data[gap.upperBound...], as: UTF8.self)
      .replacing("<D:href>/", with: "<D:href>http://localhost/")
    let head = String(decoding: data[..<gap.lowerBound], as: UTF8.self).split(separator: "\r\n")
      .filter { !$0.hasPrefix("Content-Length:") }.joined(separator: "\r\n")
    return .send("\(head)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
  }

  /// Gives each of the program's runs a way through the proxy.
  private func makeWorld(_ knowledge: Knowledge) throws -> (FolderAndCalendar, GuardedTLSServer) {
    var switches = ModelSwitches()
    switches.authentication = .basic
    let world = try FolderAndCalendar(switches: switches) { _, steps in
      knowledge.isThere ? steps : steps.map(Self.namedByHTTP)
    }
    return (world, try world.makeTLSServer(TestCertificates()))
  }

  @Test(arguments: [false, true])
  func `calendars and items that it names by http: are its own, and asked for over https`(
    knowsAtFirst: Bool
  ) async throws {
    let knowledge = Knowledge(knowsAtFirst)
    let (world, proxy) = try makeWorld(knowledge)
    world.model.put("a.ics", event("a", "Dentist"), in: FolderAndCalendar.path)
    try world.write("b.ics", event("b", "Choir"))
    let first = try await world.sync()
    #expect(first.run.output == "p/work: down: 1 new; up: 1 new\n")
    #expect(first.run.errors.isEmpty, "\(first.run.errors)")
    knowledge.lose()
    try await world.expectQuiet()

    world.model.put("a.ics", event("a", "Dentist at nine"), in: FolderAndCalendar.path)
    world.model.put("c.ics", event("c", "Concert"), in: FolderAndCalendar.path)
    try world.write("b.ics", event("b", "Choir at ten"))
    let second = try await world.sync()
    #expect(second.run.errors.isEmpty, "\(second.run.errors)")
    #expect(try world.here() == ["a", "b", "c"])
    #expect(world.there() == ["a", "b", "c"])
    #expect(world.text("a.ics")?.contains("Dentist at nine") == true)
    #expect(try world.folders() == ["work"])
    try await world.expectQuiet()

    try world.remove("c.ics")
    #expect(try await world.sync().methods.contains("DELETE"))
    #expect(world.there() == ["a", "b"])
    let doctor = try await world.calgw("doctor", "home")
    #expect(doctor.output.contains("1 calendar at https://localhost:\(proxy.port)/"))
    #expect(!doctor.output.contains("http:"), "\(doctor.output)")
  }
}
