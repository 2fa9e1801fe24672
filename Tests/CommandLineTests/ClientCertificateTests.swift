import Foundation
import Glibc
import TestSupport
import Testing

/// `client_cert`, from the configuration to the server that wants to see it.
@Suite(.serialized, .enabled(if: TestCertificates.canBeMade && ImpatientTLSServer.canRun))
struct ClientCertificateTests {
  private let world: FolderAndCalendar
  private let certificates: TestCertificates

  init() throws {
    world = try FolderAndCalendar()
    world.model.put("a.ics", event("a", "Dentist"), in: FolderAndCalendar.path)
    certificates = try TestCertificates()
  }

  private func configure(_ server: GuardedTLSServer, _ keys: String) throws {
    try world.calgw.configure(
      """
      [account.home]
      url = "https://localhost:\(server.port)/"
      ca_file = "\(certificates.authority)"
      \(keys)

      [pair.p]
      local = "~/calendars"
      remote = "home"
      """)
  }

  private func keys(_ identity: TestCertificates.Identity) -> String {
    "client_cert = \"\(identity.certificate)\"\nclient_key = \"\(identity.key)\""
  }

  @Test(arguments: ["TLSv1_2", "TLSv1_3"])
  func `with one a sync goes both ways`(version: String) async throws {
    let server = try GuardedTLSServer(certificates, version: version, before: world.server)
    try configure(server, keys(certificates.valid))
    try world.write("b.ics", event("b", "Choir"))
    let first = try await world.sync()
    #expect(first.run.output == "p/work: down: 1 new; up: 1 new\n")
    #expect(try world.here() == ["a", "b"])
    #expect(world.there() == ["a", "b"])
    try await world.expectQuiet()
  }

  @Test func `certificate and key may be one file, beside the configuration`() async throws {
    let server = try GuardedTLSServer(certificates, version: "TLSv1_3", before: world.server)
    let identity = certificates.valid
    let parts = try [identity.certificate, identity.key].map {
      try String(contentsOfFile: $0, encoding: .utf8)
    }
    try world.calgw.write("config/calgw/me.pem", parts.joined())
    chmod(world.calgw.home + "/config/calgw/me.pem", 0o600)
    try configure(server, "client_cert = \"me.pem\"")
    let run = try await world.sync().run
    #expect(run.output == "p/work: made the folder work on the local side; down: 1 new\n")
    #expect(run.errors.isEmpty, "\(run.errors)")
  }

  /// TLS 1.2 has no alert of its own for this.
  @Test(
    arguments: [
      ("TLSv1_2", 69, "unreachable", "(it may want a client certificate)"),
      ("TLSv1_3", 77, "denied", "set client_cert and client_key"),
    ] as [(String, Int32, String, String)])
  func `without one the message says what is missing, and nothing is asked`(
    version: String, status: Int32, code: String, words: String
  ) async throws {
    let server = try GuardedTLSServer(certificates, version: version, before: world.server)
    try configure(server, "")
    let run = try await world.calgw("sync", "--json")
    #expect(run.status == status)
    #expect(run.output.contains("\"error\":{\"code\":\"\(code)\""), "\(run.output)")
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(run.errors.contains("where: pair p"), "\(run.errors)")
    let doctor = try await world.calgw("doctor", "home")
    #expect(doctor.status == status)
    #expect(doctor.output.contains(words), "\(doctor.output)")
    #expect(world.server.requests.isEmpty)
  }

  @Test func `one of another authority opens nothing`() async throws {
    let server = try GuardedTLSServer(certificates, version: "TLSv1_3", before: world.server)
    let strangers = try TestCertificates()
    try configure(server, keys(strangers.valid))
    let run = try await world.calgw("sync")
    #expect(run.status == 77)
    #expect(run.errors.contains("wants a client certificate, or another one"), "\(run.errors)")
    #expect(world.server.requests.isEmpty)
  }

  @Test func `one that ran out is told as that, by the server and by its own date`() async throws {
    let server = try GuardedTLSServer(certificates, version: "TLSv1_3", before: world.server)
    try configure(server, keys(certificates.expired))
    let run = try await world.calgw("sync")
    #expect(run.status == 77)
    #expect(run.errors.contains("says that the client certificate has expired"), "\(run.errors)")
    #expect(run.errors.contains("has to be made anew"), "\(run.errors)")
    let doctor = try await world.calgw("doctor", "home")
    #expect(doctor.status == 77)
    let words = "the client certificate \(certificates.expired.certificate) ran out on "
    #expect(doctor.output.contains("warning certificate: " + words), "\(doctor.output)")
    #expect(world.server.requests.isEmpty)
  }

  @Test func `a key of another certificate is 78, before anything is asked`() async throws {
    let server = try GuardedTLSServer(certificates, version: "TLSv1_3", before: world.server)
    let (own, other) = (certificates.valid, certificates.expired)
    try configure(server, "client_cert = \"\(own.certificate)\"\nclient_key = \"\(other.key)\"")
    let words = "client_key (\(other.key)) does not belong to client_cert (\(own.certificate))"
    let run = try await world.calgw("sync")
    #expect(run.status == 78)
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(run.errors.contains("set client_key to the key"), "\(run.errors)")
    #expect(run.errors.contains("config.toml:5:1, key account.home.client_key"), "\(run.errors)")
    let doctor = try await world.calgw("doctor", "home")
    #expect(doctor.status == 78)
    #expect(doctor.output.contains("failed  configuration: " + words), "\(doctor.output)")
    #expect(doctor.output.split(separator: "  failed ").count == 2, "it is told once")
    #expect(world.server.requests.isEmpty)
  }

  @Test func `a file that cannot be used is 78, with its name`() async throws {
    let server = try GuardedTLSServer(certificates, version: "TLSv1_3", before: world.server)
    let files = [
      ("~/none.pem", "none.pem: No such file"),
      // Without client_key the key is looked for here, too.
      (certificates.valid.certificate, "valid.pem: it holds no PEM private key"),
    ]
    for (path, words) in files {
      try configure(server, "client_cert = \"\(path)\"")
      let run = try await world.calgw("sync")
      #expect(run.status == 78)
      #expect(run.errors.contains(words), "\(run.errors)")
      #expect(
        run.errors.contains("config.toml:4:1, key account.home.client_cert"), "\(run.errors)")
    }
    #expect(world.server.requests.isEmpty)
  }
}
