import ICalendar
import SyncModel
import SyncPlanning

extension CollectionSync {
  /// Three texts are held for each of so many actions.
  private static let echoesAtATime = 100

  /// Takes writes out of a plan that would leave their target byte for byte as it is: what one side
  /// changed, the other has by now, within what counted as the server's own doing. It is written
  /// down, and sends nobody a mail.
  func withoutEchoes(_ plan: Plan) async throws(SyncFailure) -> Plan {
    let suspects = plan.actions.filter { !$0.helpfulTexts.isEmpty }
    if suspects.isEmpty { return plan }
    var echoes: [ItemID: Agreement] = [:]
    for batch in try await groups(suspects, of: Self.echoesAtATime, texts: \.allTexts) {
      let texts = try await recorded { () throws(JournalError) in
        try await journal.contents(batch.flatMap(\.allTexts))
      }
      for case .replace(let target, let old, let source, let text, _) in batch {
        guard let new = texts[source.version.digest], let there = texts[old.version.digest],
          let composed = compose(text, new, onto: there, texts),
          outgoing(composed, to: storage(target)) == there
        else { continue }
        let (local, remote) = target == .local ? (old, source) : (source, old)
        echoes[source.uid] = Agreement(uid: source.uid, local: local, remote: remote)
      }
    }
    var plan = plan
    plan.actions = plan.actions.map { action in
      echoes[action.uid].map(Action.record) ?? action
    }
    return plan
  }

  /// The text to write: the source's, or the old one with the source's change. Where the change
  /// cannot be carried over, the whole text travels: the old one is in the history.
  func compose(
    _ text: Action.Text, _ source: ItemData, onto old: ItemData?,
    _ texts: [ContentDigest: ItemData]
  ) -> ItemData? {
    if case .amended(let data) = text { return data }
    guard case .changeSince(let digest) = text, let base = texts[digest], let old else {
      return source
    }
    return carry(from: base, to: source, onto: old) ?? source
  }

  /// A text with what one side changed since, which is the other one's; nil where it cannot be
  /// carried over.
  func carry(from base: ItemData, to source: ItemData, onto other: ItemData) -> ItemData? {
    options.zones.carry(
      from: SyntaxTree(bytes: base.bytes), to: SyntaxTree(bytes: source.bytes),
      onto: SyntaxTree(bytes: other.bytes)
    ).map(ItemData.init(bytes:))
  }

  /// The text in the form in which a storage takes it.
  func outgoing(_ data: ItemData, to storage: any Storage) -> ItemData {
    storage.traits.wantsWireForm ? ItemData(bytes: wireForm(of: data.bytes)) : data
  }
}
