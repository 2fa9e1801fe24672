import Foundation
import Synchronization
import TestSupport
import Testing

/// A server takes the password for some time, and no more: many lock an account that goes on
/// showing it.
@Suite struct ShutOutTests {
  private static let names = (1...6).map { "c\($0)" }

  @Test(arguments: ["PUT", "REPORT"])
  func `a password that is refused in the middle of a run is not shown for each calendar`(
    method: String
  ) async throws {
    // Of the method's requests, how many are let in; nil: all.
    let left = Mutex<Int?>(nil)
    let refused = Mutex(0)
    let world = try FolderAndCalendar { request, steps in
      let isOut = left.withLock { left in
        guard let count = left else { return false }
        if request.method == method, count > 0 { left = count - 1 }
        return left == 0
      }
      guard isOut else { return steps }
      refused.withLock { $0 += 1 }
      return [.answer(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""])]
    }
    try world.calgw.write("secret", "sesame\n")
    let login = "username = \"alice\"\npassword = { file = \"~/secret\" }\n"
    try world.calgw.configure(
      server: world.server.url, account: login + "max_connections = 1",
      pair: "collections = [\"c*\"]")
    for name in Self.names { world.model.makeCalendar(name, displayName: name) }
    for name in Self.names {
      world.model.put("\(name).ics", event(name, "Choir"), in: ModelServer.homePath + name + "/")
    }
    #expect(try await world.calgw("sync").status == 0)
    for name in Self.names {
      let path = ModelServer.homePath + name + "/"
      world.model.put("\(name)-new.ics", event("\(name)-new", "Gym"), in: path)
      try world.calgw.write("calendars/\(name)/mine.ics", event("\(name)-mine", "Dentist"))
    }
    left.withLock { $0 = 2 }
    let run = try await world.calgw("sync")
    #expect(run.status == 77, "\(run)")
    #expect(refused.withLock { $0 } <= 4, "\(refused.withLock { $0 })")
    #expect(run.errors.split(separator: "\n").filter { $0.contains("error:") }.count == 1, "\(run)")
    #expect(run.errors.contains("not looked at, since the server lets nobody in"), "\(run)")
    left.withLock { $0 = nil }
    #expect(try await world.calgw("sync").status == 0)
    for name in Self.names {
      #expect(world.there(ModelServer.homePath + name + "/").count == 3)
    }
  }

  /// Some servers say 401 where they mean 403.
  @Test func `a calendar that is forbidden by itself holds up no other`() async throws {
    let forbidden = ModelServer.homePath + "c3/"
    let isForbidden = Mutex(false)
    let world = try FolderAndCalendar { request, steps in
      guard isForbidden.withLock({ $0 }), request.target.hasPrefix(forbidden) else { return steps }
      return [.answer(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""])]
    }
    try world.calgw.write("secret", "sesame\n")
    let login = "username = \"alice\"\npassword = { file = \"~/secret\" }\n"
    try world.calgw.configure(
      server: world.server.url, account: login, pair: "collections = [\"c*\"]")
    for name in Self.names { world.model.makeCalendar(name, displayName: name) }
    #expect(try await world.calgw("sync").status == 0)
    isForbidden.withLock { $0 = true }
    for run in 1...2 {
      for name in Self.names {
        let path = ModelServer.homePath + name + "/"
        world.model.put("\(run).ics", event("\(name)-\(run)", "Gym"), in: path)
      }
      #expect(try await world.calgw("sync").status == 77)
      for name in Self.names {
        let folder = world.calgw.home + "/calendars/" + name
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
          .filter { $0.hasSuffix(".ics") }
        #expect(files.count == (name == "c3" ? 0 : run), "\(name) \(files)")
      }
    }
  }

  @Test func `of several homes one that is closed holds up no other, in later runs too`()
    async throws
  {
    let principal = principalText(homes: [ModelServer.homePath, "/calendars/bob/"])
    let world = try FolderAndCalendar { request, steps in
      if request.target == "/" {
        return [.answer(207, headers: ["Content-Type": "application/xml"], body: principal)]
      }
      guard request.target.hasPrefix("/calendars/bob/") else { return steps }
      return [.answer(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""])]
    }
    try world.calgw.write("secret", "sesame\n")
    let login = "username = \"alice\"\npassword = { file = \"~/secret\" }\n"
    try world.calgw.configure(server: world.server.url, account: login)
    for number in 1...3 {
      world.model.put("\(number).ics", event("\(number)", "Gym"), in: FolderAndCalendar.path)
      let run = try await world.calgw("sync")
      #expect(run.status == 0, "\(run)")
      #expect(try world.here().count == number)
    }
  }
}
