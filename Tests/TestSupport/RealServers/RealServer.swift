/// A real CalDAV server on loopback with data of its own, for as long as this object lives.
///
/// Started by `Scripts/servers run`, which installs the servers from PyPI once. It ends, and its
/// data are removed, with `stop()`, with the last reference, or with the test process.
public final class RealServer: Sendable {
  /// The servers that every test run talks to; each behaves unlike the other.
  public enum Kind: String, CaseIterable, Sendable {
    case radicale, xandikos
  }

  /// Why a server is not there, or not filled; the script's own words are on standard error.
  public enum Failure: Error {
    case notStarted(Kind, exitStatus: Int32)
    case notFilled(calendar: String, exitStatus: Int32)
    case noProcess(String)
  }

  /// The one user of the server. Xandikos asks for no login, and takes one.
  public static let username = "alice"
  public static let password = "secret"

  public let kind: Kind
  public let port: UInt16
  /// A folder of the server's own in the system's temporary directory: `data`, `log`.
  public let folder: String
  private let process: ScriptProcess

  private init(kind: Kind, port: UInt16, folder: String, process: ScriptProcess) {
    self.kind = kind
    self.port = port
    self.folder = folder
    self.process = process
  }

  /// Starts a server on a free port and waits until it answers.
  public static func start(_ kind: Kind) async throws -> RealServer {
    let result: Result<RealServer, any Error> = await onOwnThread {
      Result {
        let process = try ScriptProcess([
          Checkout.script("servers"), "run", kind.rawValue, "--port", "0",
        ])
        guard let url = process.readLine(), let folder = process.readLine(),
          let port = url.split(separator: ":").last.flatMap({ UInt16($0.dropLast()) })
        else { throw Failure.notStarted(kind, exitStatus: process.finish()) }
        return RealServer(kind: kind, port: port, folder: folder, process: process)
      }
    }
    return try result.get()
  }

  /// Where discovery may begin.
  public var url: String { "http://127.0.0.1:\(port)/" }

  /// The path that the calendars are in, with a slash at its end.
  public var homePath: String {
    switch kind {
    case .radicale: "/\(Self.username)/"
    case .xandikos: "/\(Self.username)/calendars/"
    }
  }

  /// The path of a calendar, with a slash at its end.
  public func path(of calendar: String) -> String { homePath + calendar + "/" }

  /// The whole URL of a calendar.
  public func url(of calendar: String) -> String { url + path(of: calendar).dropFirst() }

  /// Another client of the same user, to change things behind calgw's back.
  public var otherClient: OtherClient {
    OtherClient(port: port, username: Self.username, password: Self.password)
  }

  /// Adds a calendar of generated items of all kinds through the server's files.
  ///
  /// Their names are generated-000000.ics and so on. Returns when the server has listed them once;
  /// Radicale takes about 3 ms an item for that.
  public func fill(_ calendar: String, items: Int) async throws {
    try await fill(calendar, with: ["--items", "\(items)"])
  }

  /// Adds a calendar that holds the .ics files of a folder, likewise.
  public func fill(_ calendar: String, fromFolder folder: String) async throws {
    try await fill(calendar, with: ["--from", folder])
  }

  /// Ends the server and removes its data.
  public func stop() async {
    let process = process
    _ = await onOwnThread { process.finish() }
  }

  private func fill(_ calendar: String, with content: [String]) async throws {
    let arguments =
      [Checkout.script("servers"), "fill", kind.rawValue, calendar] + content + ["--dir", folder]
    let result: Result<Int32, any Error> = await onOwnThread {
      Result { try ScriptProcess(arguments).finish() }
    }
    let status = try result.get()
    guard status == 0 else { throw Failure.notFilled(calendar: calendar, exitStatus: status) }
  }
}
