package import SQLiteJournal
import SyncModel
import SyncPlanning
import VdirStorage

/// When the folders of a collection were made. A file system gives the number of a removed folder
/// to one that is made later, so that path and number alone would take a new, empty folder for the
/// known one, and all its items for deleted.
package struct FolderBirths: Sendable {
  /// In nanoseconds since 1970; none where a side is no folder, or nobody keeps it.
  let times: [Side: Int64]

  package static func storeKey(_ name: String) -> String { "folders made \(name)" }

  /// Sets aside what the collection of this name agreed on, where one of its folders is another one
  /// than in the last run; true where it did so.
  package func setAsideReplaced(
    _ name: String, in store: PairStore, at now: Instant
  ) async throws(JournalError) -> Bool {
    let known = try await Self.known(name, in: store)
    if known?.times == times { return false }
    let isReplaced = Side.allCases.contains { side in
      guard let before = known?.times[side], let time = times[side] else { return false }
      return before != time
    }
    if isReplaced { try await store.forget(name, at: now) }
    try await keep(name, in: store)
    return isReplaced
  }

  /// Takes them down for the next run.
  func keep(_ name: String, in store: PairStore) async throws(JournalError) {
    try await store.setValue(bytes, for: Self.storeKey(name))
  }

  package init(times: [Side: Int64]) { self.times = times }

  package init(_ storages: BothSides<any Storage>) {
    var times: [Side: Int64] = [:]
    for side in Side.allCases { times[side] = (storages[side] as? VdirStorage)?.birth }
    self.times = times
  }

  /// Those of the last run; nil where there was none.
  static func known(_ name: String, in store: PairStore) async throws(JournalError) -> FolderBirths?
  {
    try await store.value(storeKey(name)).map(FolderBirths.init(bytes:))
  }

  // MARK: As it is stored

  /// `local 1767225600000000000`, a line a side.
  private init(bytes: [UInt8]) {
    var times: [Side: Int64] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, let side = Side(rawValue: String(words[0])) else { continue }
      times[side] = Int64(words[1])
    }
    self.times = times
  }

  private var bytes: [UInt8] {
    let lines = Side.allCases.compactMap { side in times[side].map { "\(side.rawValue) \($0)" } }
    return Array(lines.joined(separator: "\n").utf8)
  }
}
