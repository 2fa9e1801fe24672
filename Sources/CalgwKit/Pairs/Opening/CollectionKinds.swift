import ICalendar
import SQLiteJournal
import SyncModel

/// The kinds of components that a collection's remote side takes, as `VEVENT`: kept by each run, so
/// that a command that works offline can say what will not go up.
enum CollectionKinds {
  /// Under what the pair's store keeps them.
  static func storeKey(_ name: String) -> String { "kinds \(name)" }

  /// - Parameter kinds: nil: it takes all, or does not say.
  fileprivate static func keep(_ kinds: Set<String>?, of name: String, in store: PairStore)
    async throws(JournalError)
  {
    let encoded = kinds.map { Array($0.sorted().joined(separator: "\n").utf8) }
    let key = storeKey(name)
    if try await store.value(key) != encoded { try await store.setValue(encoded, for: key) }
  }

  /// Nil where any may go there.
  fileprivate static func kept(of name: String, in store: PairStore) async throws(JournalError)
    -> Set<String>?
  {
    try await store.value(storeKey(name)).map { bytes in
      Set(bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) })
    }
  }
}

extension CollectionOpener {
  /// What is not made yet, as in a dry run, says nothing of it.
  func keepKinds(of remote: Found, as name: String) async throws(JournalError) {
    guard case .present(let description) = remote else { return }
    try await CollectionKinds.keep(description.components, of: name, in: pair.store)
  }
}

extension Gateway {
  /// What a person should know who puts items into a folder: the calendar that it is synced with
  /// does not take their kinds. Nil where it does, or nobody knows. What cannot be looked up is the
  /// next sync's to say.
  func warning(of items: [ItemData], into folder: EventFolder) async -> String? {
    guard let pair = folder.pair, let name = folder.collection,
      let store = try? opener.openStore(of: pair, .look, notice: { _ in })
    else { return nil }
    let kept = try? await CollectionKinds.kept(of: name, in: store)
    try? await store.close()
    guard let taken = kept else { return nil }
    let kinds = Set(
      items.flatMap { CalendarObject(SyntaxTree(bytes: $0.bytes)).kinds })
    let refused = kinds.subtracting(taken).sorted()
    if refused.isEmpty { return nil }
    let all = taken.isEmpty ? "nothing" : "\(taken.sorted().joined(separator: ", ")) alone"
    return "the calendar of \(folder.name) takes \(all), so \(refused.joined(separator: ", "))"
      + " stays in the folder, and each sync names it"
  }
}
