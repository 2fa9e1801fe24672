import Foundation
import Synchronization
import TestSupport
import Testing

/// A server that says it has moved an item, and shows it in the other calendar some time later.
@Suite struct LateMoveTests {
  private static let work = ModelServer.homePath + "work/"

  /// What was moved, out of sight until it was looked for so often.
  private final class LateItem: Sendable {
    private struct State {
      var looks: Int
      var item: (name: [UInt8], text: [UInt8])?
    }

    private let state: Mutex<State>

    init(showsAtLook looks: Int) { state = Mutex(State(looks: looks)) }

    func steps(for request: ReceivedRequest, of model: ModelServer) -> [ServerStep] {
      if request.method == "MOVE" {
        let steps = model.steps(for: request)
        hide(in: model)
        return steps
      }
      if request.method == "GET", let item = item(at: request.target) {
        model.put(item.name, item.text, in: LateMoveTests.work)
      }
      return model.steps(for: request)
    }

    private func hide(in model: ModelServer) {
      let moved = model.items(in: LateMoveTests.work).first {
        String(decoding: $0.value, as: UTF8.self).contains("UID:review")
      }
      guard let moved else { return }
      model.remove(moved.key, in: LateMoveTests.work)
      state.withLock { $0.item = (moved.key, moved.value) }
    }

    /// The item, where it is to show at this look.
    private func item(at target: String) -> (name: [UInt8], text: [UInt8])? {
      state.withLock { state in
        guard let item = state.item,
          target == LateMoveTests.work + String(decoding: item.name, as: UTF8.self)
        else { return nil }
        state.looks -= 1
        guard state.looks == 0 else { return nil }
        state.item = nil
        return item
      }
    }
  }

  private func writes(_ model: ModelServer) -> [String] {
    model.requests.map(\.method).filter { ["PUT", "DELETE", "MOVE"].contains($0) }
  }

  /// Sent as a new item as well, it would be there twice.
  @Test(arguments: [(2, false), (1, true)])
  func `is looked for in the same run, and by the next one where that was cut off`(
    look: Int, isCutOff: Bool
  ) async throws {
    let model = ModelServer(ModelSwitches(), surroundings: ModelClock().surroundings)
    for name in ["private", "work"] { model.makeCalendar(name) }
    let late = LateItem(showsAtLook: look)
    let (isCut, hasMoved) = (Switch(), Switch())
    let server = try ScriptedServer { request in
      if isCut.isOn && hasMoved.isOn { return [.answer(500)] }
      if request.method == "MOVE" { hasMoved.turn(true) }
      return late.steps(for: request, of: model)
    }
    let calgw = try CommandLine()
    try calgw.configure(server: server.url)
    try calgw.write("calendars/private/review.ics", event("review", "Review"))
    try calgw.write("calendars/private/gym.ics", event("gym", "Gym"))
    try calgw.write("calendars/work/choir.ics", event("choir", "Choir"))
    #expect(try await calgw("sync").status == 0)
    #expect(try await calgw("move", "review", "p/work").status == 0)
    model.forgetRequests()
    if isCutOff {
      isCut.turn(true)
      #expect(try await calgw("sync").status != 0)
      isCut.turn(false)
    }
    let run = try await calgw("sync")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.output) \(run.errors)")
    let quiet = try await calgw("sync")
    #expect(quiet.status == 0 && quiet.errors.isEmpty, "\(quiet.output) \(quiet.errors)")
    #expect(writes(model) == ["MOVE"])
    let counts = ["private", "work"].map { model.items(in: ModelServer.homePath + "\($0)/").count }
    #expect(counts == [1, 2])
    let files = try FileManager.default.contentsOfDirectory(
      atPath: calgw.home + "/calendars/work")
    #expect(files.filter { $0.hasSuffix(".ics") }.sorted() == ["choir.ics", "review.ics"])
  }
}
