/// What trees and the views of their parts share: the bytes, and the lines and components in them.
///
/// Unchecked, because it is a copy-on-write store: `SyntaxTree` alone changes it, and only while
/// it holds the one reference to it. So no access overlaps a change, and to look for that at each
/// step from line to line would take a third of the time of a walk.
final class TreeStorage: @unchecked Sendable {
  let source: [UInt8]
  /// The bytes of lines that were written since.
  @exclusivity(unchecked) var additions: [UInt8]
  @exclusivity(unchecked) var lines: [LineRecord]
  /// The root first.
  @exclusivity(unchecked) var components: [ComponentRecord]
  /// The first line in printing order.
  @exclusivity(unchecked) var first: UInt32
  let diagnostics: [Diagnostic]
  /// The physical line of the first END in the source that closes nothing.
  let strayEnd: Int?
  var isEdited: Bool

  init(source: [UInt8], parsed: Parser.Result) {
    self.source = source
    additions = []
    lines = parsed.lines
    components = parsed.components
    first = parsed.lines.isEmpty ? .none : 0
    diagnostics = parsed.diagnostics
    strayEnd = parsed.strayEnd
    isEdited = false
  }

  init(copying other: TreeStorage) {
    source = other.source
    additions = other.additions
    lines = other.lines
    components = other.components
    first = other.first
    diagnostics = other.diagnostics
    strayEnd = other.strayEnd
    isEdited = other.isEdited
  }

  /// Lends bytes by their place: in the source, or beyond its end in the additions.
  func withBytes<R>(
    _ start: UInt32, _ count: Int, _ body: (UnsafeBufferPointer<UInt8>) -> R
  ) -> R {
    let start = Int(start)
    if start < source.count {
      return source.withUnsafeBufferPointer { body($0.part(start, start + count)) }
    }
    let offset = start - source.count
    return additions.withUnsafeBufferPointer { body($0.part(offset, offset + count)) }
  }

  /// Lends a line as it is in the text, with folds and its line end.
  func withSource<R>(of line: LineRecord, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    withBytes(line.start, Int(line.contentCount) + Int(line.endCount), body)
  }

  /// Lends the unfolded content of a line.
  func withContent<R>(of line: LineRecord, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    withBytes(line.start, Int(line.contentCount)) { raw in
      line.isFolded ? unfold(raw).withUnsafeBufferPointer(body) : body(raw)
    }
  }

  /// Lends the value of a line, unfolded; nothing for a line without one.
  func withValue<R>(of line: LineRecord, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    withContent(of: line) { content in
      switch line.kind {
      case .property, .begin, .end: body(content.part(Int(line.colon) + 1, content.count))
      case .blank, .malformed, .removed: body(content.part(0, 0))
      }
    }
  }

  /// The line after another in printing order that has one of a component's lines or BEGIN lines
  /// of its sub-components; the sub-components are stepped over.
  func lineAfter(_ index: UInt32, in component: UInt32) -> UInt32 {
    let record = components[Int(component)]
    var index = index
    if lines[Int(index)].kind == .begin, lines[Int(index)].component != component {
      index = components[Int(lines[Int(index)].component)].last
    }
    guard index != record.last else { return .none }
    let next = lines[Int(index)].next
    return next == record.end ? .none : next
  }

  /// The first line inside a component.
  func firstLine(in component: UInt32) -> UInt32 {
    let record = components[Int(component)]
    guard record.begin != .none else { return first }
    guard record.begin != record.last else { return .none }
    let next = lines[Int(record.begin)].next
    return next == record.end ? .none : next
  }

  /// A BEGIN or END that is kept as a plain line: it closes nothing, or lies beyond the limit of
  /// depth.
  func isBracket(_ line: LineRecord) -> Bool {
    guard line.kind == .property, line.colon == line.nameEnd,
      line.nameEnd == 3 || line.nameEnd == 5
    else { return false }
    return withContent(of: line) { content in
      let name = content.part(0, Int(line.nameEnd))
      return sameName(name, "BEGIN") || sameName(name, "END")
    }
  }

  /// Calls `body` with each well-formed line of a component, by its index, and with its name,
  /// which is lent.
  func forEachProperty(
    in component: UInt32, _ body: (UInt32, UnsafeBufferPointer<UInt8>) -> Void
  ) {
    var index = firstLine(in: component)
    while index != .none {
      let line = lines[Int(index)]
      if line.kind == .property {
        withContent(of: line) { body(index, $0.part(0, Int(line.nameEnd))) }
      }
      index = lineAfter(index, in: component)
    }
  }
}
