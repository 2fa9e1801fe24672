import CalgwKit
import SyncModel
import Testing

/// A refused calendar as a pair's store keeps it.
@Suite struct KeptRefusalTests {
  private let error = StorageError(
    .denied, "the calendar “müsik” cannot be made", why: "the server answered 403 (\"no\")",
    hint: "make it on the server's own pages")

  private func proposal(_ change: (inout CollectionProposal) -> Void = { _ in }) -> String {
    var proposal = CollectionProposal(name: "music", components: ["VEVENT", "VTODO"])
    proposal.kinds = ["VEVENT"]
    change(&proposal)
    return RefusedMaking.mark(of: proposal, at: "alice https://dav.example.org/")
  }

  private func at(hours: Int64) -> Instant { Instant(milliseconds: hours * 3_600_000) }

  @Test func `it is kept as it was told`() throws {
    for kind in [.denied, .cannotCreate, .protocolBroken] as [StorageError.Kind] {
      var error = error
      error.kind = kind
      let refusal = RefusedMaking(error, of: proposal(), at: at(hours: -1))
      let encoded = try #require(refusal.encoded)
      #expect(RefusedMaking(encoded: encoded) == refusal)
    }
    let bare = RefusedMaking(StorageError(.denied, "no"), of: "", at: at(hours: 0))
    #expect(RefusedMaking(encoded: try #require(bare.encoded)) == bare)
  }

  @Test(arguments: [.unreachable, .tryLater(nil), .vanished, .io, .stopped] as [StorageError.Kind])
  func `what is no refusal is not kept`(kind: StorageError.Kind) {
    #expect(RefusedMaking(StorageError(kind, "no"), of: "", at: at(hours: 0)).encoded == nil)
  }

  @Test(arguments: ["", "1", "x\0m\0denied\0a\0b\0c", "1\0m\0odd\0a\0b\0c", "1\0m\0denied\0a\0b"])
  func `what cannot be read is asked for again`(text: String) {
    #expect(RefusedMaking(encoded: Array(text.utf8)) == nil)
  }

  @Test(
    arguments: [(0, true), (23, true), (24, false), (-23, true), (-24, false)] as [(Int64, Bool)])
  func `it holds for a day`(hours: Int64, holds: Bool) {
    let refusal = RefusedMaking(error, of: proposal(), at: at(hours: 100))
    let now = at(hours: 100 + hours)
    #expect(refusal.holds(for: proposal(), at: now) == holds)
  }

  @Test func `it holds for what was asked alone`() {
    let refusal = RefusedMaking(error, of: proposal(), at: at(hours: 0))
    let others = [
      proposal { $0.name = "song" }, proposal { $0.displayName = "Music" },
      proposal { $0.color = "#ff0000" }, proposal { $0.components = ["VEVENT"] },
      proposal { $0.components = nil }, proposal { $0.kinds = ["VEVENT", "VTODO"] },
      RefusedMaking.mark(of: CollectionProposal(name: "music"), at: "bob"),
    ]
    #expect(Set(others).count == others.count)
    for other in others { #expect(!refusal.holds(for: other, at: at(hours: 0))) }
  }
}
