/// What a pair's lock file says.
struct LockNote: Hashable {
  /// The process that held the lock last.
  var holder: Int32?
  /// The pair's journal had something in it at the end of a run, and nobody had it forgotten since.
  var hasSynced = false

  /// More than it ever is, in bytes.
  static let limit = 64

  private static let mark = "synced"

  init(holder: Int32?, hasSynced: Bool) {
    self.holder = holder
    self.hasSynced = hasSynced
  }

  /// Of what another process writes just now, or of an older release, not all may be there.
  init(_ bytes: some Sequence<UInt8>) {
    let text = String(decoding: Array(bytes), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    holder = lines.first.flatMap { Int32($0) }
    hasSynced = lines.dropFirst().contains { $0 == Self.mark }
  }

  var bytes: [UInt8] {
    Array(((holder.map { "\($0)" } ?? "") + "\n" + (hasSynced ? Self.mark + "\n" : "")).utf8)
  }
}
