import CalgwKit
import SyncExecution
import SyncModel
import SyncPlanning
import Testing

/// What a mend names is there to be done in the pair.
@Suite struct SuitProblemTests {
  @Test func `where the local side is a server, a mend names no command for a file`() {
    let pair = PairConfiguration(name: "p", local: .account("here"), remote: .account("there"))
    let digest = ContentDigest(bytes: [UInt8](repeating: 1, count: 32))
    let source = ItemVersion(
      href: Href("/a.ics"), uid: ItemID("a"), version: Version(tag: nil, digest: digest),
      canonical: digest, summary: "", lastModified: nil, modified: nil, components: ["VEVENT"])
    let creation = Action.create(on: .remote, source: source, reason: "it is new")
    var new = isReadOnly(.remote, against: creation)
    let item = ReportedItem(uid: ItemID("a"), file: nil, href: Href("/a.ics"), summary: "")
    new.suit(pair, item, in: "work")
    #expect(
      new.hint
        == "Delete it on the local side or move it to another calendar, or make the remote side"
        + " writable; or, if the account may write there, set read_only = false.")
    var edited = isReadOnly(.remote)
    edited.suit(pair, item, in: "work")
    #expect(edited.hint.hasPrefix("Undo the change (`calgw resolve UID --take remote`)"))
    var refused = ItemProblem(
      .refused, "the server answered 403",
      hint: "correct the item, or leave it here; `calgw check` says what is odd in its file")
    refused.suit(pair, item, in: "work")
    #expect(refused.hint == "correct the item, or leave it on the local side")
  }
}
