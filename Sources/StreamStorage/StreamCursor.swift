import SyncModel

/// Which text a listing was of, and by what names its items are known.
struct StreamCursor: Sendable, Hashable {
  /// Nil where there was no text.
  var state: StreamState?
  /// The known UIDs of items by those that the text gives them, where these are others.
  var names: [[UInt8]: [UInt8]] = [:]

  private static let absent = Array("stream1-none".utf8)
  private static let plain = Array("stream1 ".utf8)
  /// What follows are fields: the state, then each UID of the text with the known one.
  private static let withNames = Array("stream2 ".utf8)
  /// In bytes, of the number in front of a field that says how long it is.
  private static let lengthSize = 4

  init(state: StreamState?, names: [[UInt8]: [UInt8]] = [:]) {
    self.state = state
    self.names = names
  }

  /// Nil for what is no cursor of a stream: then everything is listed.
  init?(_ cursor: Cursor) {
    if cursor.bytes == Self.absent {
      state = nil
    } else if cursor.bytes.starts(with: Self.plain) {
      state = StreamState(bytes: Array(cursor.bytes.dropFirst(Self.plain.count)))
    } else if cursor.bytes.starts(with: Self.withNames) {
      guard let fields = Self.fields(in: cursor.bytes.dropFirst(Self.withNames.count)),
        let first = fields.first, fields.count % 2 == 1
      else { return nil }
      state = StreamState(bytes: first)
      for index in stride(from: 1, to: fields.count, by: 2) {
        names[fields[index]] = fields[index + 1]
      }
    } else {
      return nil
    }
  }

  /// The same for the same text and names.
  var cursor: Cursor {
    guard let state else { return Cursor(bytes: Self.absent) }
    if names.isEmpty { return Cursor(bytes: Self.plain + state.bytes) }
    var bytes = Self.withNames + Self.field(state.bytes)
    for (uid, name) in names.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      bytes += Self.field(uid) + Self.field(name)
    }
    return Cursor(bytes: bytes)
  }

  /// UIDs may have any byte, so that none can part them.
  private static func field(_ bytes: [UInt8]) -> [UInt8] {
    withUnsafeBytes(of: UInt32(bytes.count).bigEndian, Array.init) + bytes
  }

  /// Nil where the bytes are not fields from first to last.
  private static func fields(in bytes: ArraySlice<UInt8>) -> [[UInt8]]? {
    var fields: [[UInt8]] = []
    var rest = bytes
    while !rest.isEmpty {
      guard rest.count >= lengthSize else { return nil }
      let length = rest.prefix(lengthSize).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(lengthSize)
      guard length <= rest.count else { return nil }
      fields.append(Array(rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    return fields
  }
}
