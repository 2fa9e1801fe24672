import Foundation
import TestSupport
import Testing

/// A folder and the calendar `work` of a server that are kept the same, and what their owners do.
struct FolderAndCalendar {
  /// A run, and what the server was asked in it.
  struct Sync {
    var run: CommandLine.Run
    var requests: [ReceivedRequest]

    var methods: [String] { requests.map(\.method) }
    var writes: [ReceivedRequest] { requests.filter { ["PUT", "DELETE"].contains($0.method) } }
  }

  /// The calendar's.
  static let path = ModelServer.homePath + "work/"

  let calgw: CommandLine
  let model: ModelServer
  let server: ScriptedServer

  /// - Parameters:
  ///   - switches: how the server differs from the plainest.
  ///   - answer: what becomes of the model's steps.
  init(
    displayName: String? = nil, color: String? = nil, switches: ModelSwitches = ModelSwitches(),
    answer: @escaping @Sendable (ReceivedRequest, [ServerStep]) -> [ServerStep] = { $1 }
  ) throws {
    let model = ModelServer(switches, surroundings: ModelClock().surroundings)
    model.makeCalendar("work", displayName: displayName, color: color)
    self.model = model
    server = try ScriptedServer { request in
      let steps = answer(request, model.steps(for: request))
      // The other client reads to the end of its connection.
      return request.header("Connection") == "close" ? steps + [.close] : steps
    }
    calgw = try CommandLine()
    try configure()
  }

  /// - Parameter keys: more keys of the pair.
  func configure(_ keys: String = "") throws {
    try calgw.configure(server: server.url, pair: keys)
  }

  /// Speaks TLS for the server, and is the account's from then on, which signs in with a password.
  ///
  /// - Parameter identity: what it shows of itself; nil: the valid one.
  func makeTLSServer(
    _ certificates: TestCertificates, showing identity: TestCertificates.Identity? = nil
  ) throws -> GuardedTLSServer {
    let front = try GuardedTLSServer(
      certificates, version: "TLSv1_3", asksForCertificate: false, showing: identity,
      before: server)
    // The files of the certificates go with their object.
    let authority = try String(contentsOfFile: certificates.authority, encoding: .utf8)
    try calgw.write("config/calgw/authority.pem", authority)
    try calgw.write("secret", "secret")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: calgw.home + "/secret")
    try calgw.configure(
      server: "https://localhost:\(front.port)/",
      account: """
        ca_file = "authority.pem"
        username = "alice"
        password = { file = "~/secret" }
        """)
    return front
  }

  /// Runs a sync that is to leave nothing to attend to.
  func sync(_ arguments: String...) async throws -> Sync {
    try await sync(arguments, status: 0)
  }

  /// Runs a sync that ends with a status.
  func sync(_ arguments: [String] = [], status: Int32) async throws -> Sync {
    let before = server.requests.count
    let run = try await calgw.run(["sync"] + arguments)
    #expect(run.status == status, "\(run.output) \(run.errors)")
    return Sync(run: run, requests: Array(server.requests.dropFirst(before)))
  }

  /// Runs a sync that finds nothing to do: one request, and not a word on standard error.
  func expectQuiet(at place: SourceLocation = #_sourceLocation) async throws {
    let sync = try await sync()
    #expect(sync.run.output == "p/work: nothing to do\n", sourceLocation: place)
    #expect(sync.run.errors.isEmpty, "\(sync.run.errors)", sourceLocation: place)
    #expect(sync.methods == ["PROPFIND"], sourceLocation: place)
  }

  // MARK: The folder

  func write(_ name: String, _ text: String) throws {
    try calgw.write("calendars/work/\(name)", text)
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: "\(calgw.home)/calendars/work/\(name)")
  }

  /// What a file of the folder holds; nil where there is none.
  func text(_ name: String) -> String? {
    try? String(contentsOfFile: "\(calgw.home)/calendars/work/\(name)", encoding: .utf8)
  }

  /// The names of the items' files, sorted, without `.ics`.
  func here() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: calgw.home + "/calendars/work")
      .filter { $0.hasSuffix(".ics") }.map { String($0.dropLast(4)) }.sorted()
  }

  /// The folders, sorted.
  func folders() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: calgw.home + "/calendars").sorted()
  }

  // MARK: The server

  /// The UIDs of a calendar's items, sorted.
  func there(_ path: String = Self.path) -> [String] {
    model.items(in: path).values.map { data -> String in
      let lines = String(decoding: data, as: UTF8.self).split(separator: "\r\n")
      return String(lines.first { $0.hasPrefix("UID:") }?.dropFirst(4) ?? "")
    }.sorted()
  }

  /// What another program sets of the calendar; `property` is one of DAV, of `a`, Apple's, or of
  /// `c`, CalDAV's.
  func set(_ property: String, _ value: String) async throws {
    let body =
      "<propertyupdate xmlns='DAV:' xmlns:a='http://apple.com/ns/ical/'"
      + " xmlns:c='urn:ietf:params:xml:ns:caldav'><set><prop>"
      + "<\(property)>\(value)</\(property)></prop></set></propertyupdate>"
    let client = OtherClient(port: server.port, username: "alice", password: "secret")
    let answer = try await client.send("PROPPATCH", Self.path, body: Array(body.utf8))
    #expect(answer.status == 207)
  }
}
