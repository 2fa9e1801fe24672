import CalgwKit
import Foundation
import Testing

/// Two directories, a state directory and a configuration over them.
struct GatewayWorld {
  let folder: TemporaryFolder
  var pair: String

  /// - Parameter pair: the keys of the pair, but for `local`.
  init(_ pair: String = "remote = { local = \"there\" }\n") throws {
    folder = try TemporaryFolder()
    self.pair = pair
  }

  func gateway(_ signals: StopSignals? = nil) throws -> Gateway {
    let text = "state_dir = \"state\"\n[pair.copy]\nlocal = \"here\"\n" + pair
    let configuration = try Configuration.parse(
      text: Array(text.utf8), file: folder.path + "/config.toml", environment: .home)
    return try Gateway(configuration, environment: .home, signals: signals)
  }

  func sync(_ arguments: String..., change: (inout RunOptions) -> Void = { _ in })
    async throws -> PairReport
  {
    let gateway = try gateway()
    var options = RunOptions()
    change(&options)
    let target = try #require(try gateway.targets(arguments).first)
    return await gateway.sync(target, options)
  }

  func status(offline: Bool = false) async throws -> StatusReport {
    let gateway = try gateway()
    return await gateway.status(try #require(try gateway.targets([]).first), offline: offline)
  }

  @discardableResult
  func write(_ name: String, _ uid: String, _ summary: String = "Event") throws -> String {
    try folder.write(name, Self.event(uid, summary))
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: folder.path + "/" + name)
  }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
  }

  static func event(_ uid: String, _ summary: String) -> String {
    [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//", "BEGIN:VEVENT", "UID:\(uid)",
      "DTSTAMP:20260101T000000Z", "DTSTART:20260105T100000Z", "SUMMARY:\(summary)", "END:VEVENT",
      "END:VCALENDAR", "",
    ].joined(separator: "\r\n")
  }
}
