import TestSupport

/// The pair `p` of two servers in memory: the local side is an account, too, and has no folder.
struct TwoServers {
  static let everything = "collections = [\"*\"]"

  /// The local side's and the remote one's.
  let models: [ModelServer]
  let servers: [ScriptedServer]
  let calgw: CommandLine

  var here: ModelServer { models[0] }
  var there: ModelServer { models[1] }

  /// - Parameters:
  ///   - keys: of the pair.
  ///   - answer: what becomes of a request to the side of that number; the model carries it out
  ///     when it is asked for its steps.
  init(
    _ models: [ModelServer], pair keys: String = Self.everything,
    answer: @escaping @Sendable (_ side: Int, ReceivedRequest, () -> [ServerStep]) -> [ServerStep] =
      { $2() }
  ) throws {
    self.models = models
    servers = try models.enumerated().map { side, model in
      try ScriptedServer { request in answer(side, request) { model.steps(for: request) } }
    }
    calgw = try CommandLine()
    try configure(keys)
  }

  /// Two of the plainest servers, with nothing on them.
  static func plain() -> [ModelServer] {
    (0..<2).map { _ in ModelServer(surroundings: ModelClock().surroundings) }
  }

  /// - Parameter keys: of the pair.
  func configure(_ keys: String = Self.everything) throws {
    try calgw.configure(here: servers[0].url, there: servers[1].url, pair: keys)
  }

  /// The names of the items that each has in a calendar, sorted.
  func items(_ path: String) -> [[String]] {
    models.map { model in
      model.items(in: path).keys.map { String(decoding: $0, as: UTF8.self) }.sorted()
    }
  }
}
