/// The lossless tree of an iCalendar text (RFC 5545 §3.1-3.6): components, and the lines in them.
///
/// Every byte of the text belongs to exactly one line, and `bytes` gives them all back, whatever
/// they are. Reading never fails: what is not as the RFC wants it is kept and named in
/// `diagnostics`. Reading takes time in proportion to the size.
public struct SyntaxTree: Sendable {
  /// Levels of components below the text as a whole. RFC 5545 needs three; deeper ones are kept as
  /// plain lines, so that a hostile text cannot exhaust the stack.
  public static let depthLimit = 64
  /// In bytes. Places in a text take four bytes each; a larger text is kept without being read.
  public static let sizeLimit = 1 << 30
  /// Problems listed for one text; more would tell a person nothing.
  static let diagnosticLimit = 1000

  var storage: TreeStorage

  /// Reads any bytes at all; what is odd about them is in `diagnostics`.
  public init(bytes: [UInt8]) {
    let parsed = bytes.withUnsafeBufferPointer { Parser.parse($0) }
    storage = TreeStorage(source: bytes, parsed: parsed)
  }

  /// The text: what was read, but for the lines that were changed since.
  public var bytes: [UInt8] {
    guard storage.isEdited else { return storage.source }
    var result: [UInt8] = []
    result.reserveCapacity(storage.source.count + storage.additions.count)
    var index = storage.first
    while index != .none {
      let line = storage.lines[Int(index)]
      storage.withSource(of: line) { result.append(contentsOf: $0) }
      index = line.next
    }
    return result
  }

  /// The text as a whole, as a component without a name: it holds the VCALENDARs and whatever
  /// stands outside of them.
  public var root: Component { Component(storage: storage, index: 0) }

  /// The VCALENDARs of the text, in order.
  public var calendars: [Component] { root.components.filter { $0.isNamed("VCALENDAR") } }

  /// A component by its identity; nil if it was removed, or is none of this tree.
  public subscript(id: Component.ID) -> Component? {
    isPresent(id) ? Component(storage: storage, index: id.index) : nil
  }

  /// A content line by its identity; nil if it was removed, or is none of this tree.
  public subscript(id: ContentLine.ID) -> ContentLine? {
    isPresent(id) ? ContentLine(storage: storage, index: id.index) : nil
  }

  func isPresent(_ id: Component.ID) -> Bool {
    guard Int(id.index) < storage.components.count else { return false }
    let begin = storage.components[Int(id.index)].begin
    return begin == .none || storage.lines[Int(begin)].kind != .removed
  }

  func isPresent(_ id: ContentLine.ID) -> Bool {
    guard Int(id.index) < storage.lines.count else { return false }
    switch storage.lines[Int(id.index)].kind {
    case .property, .malformed: return true
    case .blank, .begin, .end, .removed: return false
    }
  }

  /// What is not as the RFC wants it in the text that was read, in the order of its lines; at most
  /// 1,000 of them.
  public var diagnostics: [Diagnostic] {
    let list = storage.diagnostics + invalidUTF8()
    var sorted = list.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    if sorted.count > Self.diagnosticLimit, let last = sorted.last {
      sorted.removeSubrange(Self.diagnosticLimit...)
      sorted.append(Diagnostic(.more, line: last.line, column: last.column))
    }
    return sorted
  }

  /// The lines of the source that are not UTF-8 once they are unfolded.
  func invalidUTF8(limit: Int = SyntaxTree.diagnosticLimit) -> [Diagnostic] {
    guard storage.source.withUnsafeBufferPointer({ firstInvalidUTF8($0) != nil }) else {
      return []
    }
    var found: [Diagnostic] = []
    for line in storage.lines where line.number > 0 && line.kind != .blank && found.count < limit {
      if let odd = invalidUTF8(in: line) { found.append(odd) }
    }
    return found
  }

  /// The first byte of a line of the source that is no part of a character; nil if all are.
  func invalidUTF8(in line: LineRecord) -> Diagnostic? {
    let place = storage.withContent(of: line) { firstInvalidUTF8($0) }
    guard let place else { return nil }
    let (number, column) = storage.withSource(of: line) { raw in
      SourcePlace.find(unfolded: place, in: raw, firstLine: Int(line.number))
    }
    return Diagnostic(.invalidUTF8, line: number, column: column)
  }
}
