import Foundation
import TestSupport

/// A pair `p` of a folder and a server with the calendars `private` and `work`.
struct TwoCalendars {
  let calgw: CommandLine
  let model: ModelServer
  let server: ScriptedServer

  /// - Parameters:
  ///   - keys: more keys of the pair.
  ///   - change: how the server differs from the plainest.
  ///   - answer: what is done; the model acts where it is asked for its steps.
  init(
    keys: String = "", _ change: (inout ModelSwitches) -> Void = { _ in },
    answer: @escaping @Sendable (ReceivedRequest, () -> [ServerStep]) -> [ServerStep] = { $1() }
  ) throws {
    var switches = ModelSwitches()
    change(&switches)
    let model = ModelServer(switches, surroundings: ModelClock().surroundings)
    for name in ["private", "work"] { model.makeCalendar(name) }
    self.model = model
    server = try ScriptedServer { request in answer(request) { model.steps(for: request) } }
    calgw = try CommandLine()
    try configure(keys)
  }

  /// - Parameter keys: more keys of the pair.
  func configure(_ keys: String) throws { try calgw.configure(server: server.url, pair: keys) }

  /// Moves a file into the folder of the other calendar, which is made if it is not there.
  func move(_ uid: String, from: String, to: String) throws {
    let folders = calgw.home + "/calendars"
    try FileManager.default.createDirectory(
      atPath: "\(folders)/\(to)", withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: "\(folders)/\(from)/\(uid).ics", toPath: "\(folders)/\(to)/\(uid).ics")
  }

  /// How many items the server has in these calendars.
  func counts(_ names: String...) -> [Int] {
    names.map { model.items(in: ModelServer.homePath + "\($0)/").count }
  }
}
