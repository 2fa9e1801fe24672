import CalgwKit
import SyncModel
import Testing

@Suite struct ValueConflictTests {
  private func mend(_ pair: String, _ choices: [[Side]]) -> String {
    let conflicts = choices.map {
      ValueConflict(key: .color, local: "#112233", remote: "#445566", choices: $0)
    }
    return ValueConflict.mend(conflicts, pair: pair, collection: "my work")
  }

  @Test func `the commands name the collection, and what is possible for all of its values`() {
    let local = "`calgw sync --conflict local 'p/my work'`"
    let remote = "`calgw sync --conflict remote 'p/my work'`"
    #expect(mend("p", [[.local, .remote]]).hasPrefix("run \(local) or \(remote), which"))
    #expect(mend("p", [[.local, .remote], [.remote]]).hasPrefix("run \(remote), which"))
  }

  @Test func `in a pair without a configuration no run is about one calendar alone`() {
    #expect(mend("adhoc-0123abcd", [[.local]]) == "write the same value on both sides")
  }
}
