import ICalendar
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// Every case of Fixtures/merge.
@Suite struct MergeCaseTests {
  private func text(_ bytes: [UInt8]?) -> String {
    bytes.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
  }

  private func words(for obstacle: MergeObstacle) -> String {
    if case .occurrence(let words) = obstacle { "occurrence \(words)" } else { "\(obstacle)" }
  }

  @Test func `there are cases`() { #expect(MergeCase.all.count >= 80) }

  @Test(arguments: MergeCase.all)
  func `comes out as it is written down`(name: String) throws {
    let one = try MergeCase(named: name)
    for newer in one.newer {
      switch try one.merge(newer: newer) {
      case .conflict(let obstacle):
        #expect(one.conflict == words(for: obstacle), "newer: \(newer)")
      case .merged(let merged):
        #expect(one.conflict == nil, "newer: \(newer)")
        let remote = one.bytes("expected-remote") ?? one.bytes("expected")
        #expect(text(merged.local) == text(one.bytes("expected")), "newer: \(newer)")
        #expect(text(merged.remote) == text(remote), "newer: \(newer)")
        let lost = merged.lost.map { $0.name + ($0.occurrence.map { "@\($0)" } ?? "") }
        #expect(lost == one.lost, "newer: \(newer)")
        let holder = one.holder ?? newer
        #expect(merged.lost.allSatisfy { newer == "unknown" || $0.winner.rawValue == holder })
      }
    }
  }

  /// What a killed run leaves: one side has the merged text, the other not yet.
  @Test(arguments: MergeCase.all)
  func `merging again what came out gives the same`(name: String) throws {
    let one = try MergeCase(named: name)
    for newer in one.newer {
      guard case .merged(let merged) = try one.merge(newer: newer) else { continue }
      for side in Side.allCases {
        // The merged text bears the time of the newer side.
        let local = side == .local ? merged.local : try one.tree("local").bytes
        let remote = side == .remote ? merged.remote : try one.tree("remote").bytes
        let again = merge(
          base: try one.base(), local: SyntaxTree(bytes: local), remote: SyntaxTree(bytes: remote),
          times: MergeCase.times(newer: side.rawValue), zones: MergeCase.zones)
        guard case .merged(let same) = again else {
          Issue.record("\(side) first, then \(again)")
          continue
        }
        #expect(form(same.local) == form(merged.local), "\(side) first")
        #expect(form(same.remote) == form(merged.remote), "\(side) first")
        // The side that was written is not written a second time.
        #expect(
          text(side == .local ? same.local : same.remote)
            == text(side == .local ? merged.local : merged.remote))
      }
    }
  }

  private func form(_ bytes: [UInt8]) -> String {
    text(canonicalForm(of: SyntaxTree(bytes: bytes)))
  }
}
