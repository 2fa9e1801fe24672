/// Reads a text into the records of a tree.
///
/// One pass; nothing is copied. Components are kept on a stack of our own, never on the call
/// stack.
struct Parser {
  struct Result {
    var lines: [LineRecord] = []
    var components: [ComponentRecord] = [
      ComponentRecord(begin: .none, end: .none, last: .none, parent: .none, depth: 0)
    ]
    var diagnostics: [Diagnostic] = []
    /// The physical line of the first END that closes nothing.
    var strayEnd: Int?
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var result = Result()
  /// The open components, the root first.
  private var open: [UInt32] = [0]
  /// BEGIN lines beyond the depth limit that wait for their END.
  private var tooDeep = 0

  /// Reads a whole text.
  static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Result {
    guard bytes.count <= SyntaxTree.sizeLimit else {
      var result = Result()
      result.diagnostics = [Diagnostic(.tooLarge, line: 1, column: 1)]
      return result
    }
    var parser = Parser(bytes: bytes)
    parser.run()
    return parser.result
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  private mutating func run() {
    let ends = LineEnds(bytes)
    result.lines.reserveCapacity(ends.feeds + 1)
    var scanner = LineScanner(bytes, ends: ends)
    while let line = scanner.next() { add(line) }
    let last = UInt32(truncatingIfNeeded: result.lines.count) &- 1
    if !result.lines.isEmpty { result.lines[Int(last)].next = .none }
    result.components[0].last = result.lines.isEmpty ? .none : last
    for component in open.dropFirst() { leaveUnclosed(component, last: last) }
  }

  private mutating func add(_ line: LineScanner.Line) {
    var record = record(of: line)
    let index = UInt32(truncatingIfNeeded: result.lines.count)
    if record.kind == .property {
      switch keyword(of: record, line) {
      case .begin: begin(&record, at: index, line)
      case .end: end(&record, at: index, line)
      case nil: break
      }
    }
    result.lines.append(record)
  }

  private mutating func record(of line: LineScanner.Line) -> LineRecord {
    let index = UInt32(truncatingIfNeeded: result.lines.count)
    var record = LineRecord(
      start: UInt32(truncatingIfNeeded: line.start),
      contentCount: UInt32(truncatingIfNeeded: line.contentEnd - line.start),
      endCount: UInt8(truncatingIfNeeded: line.end - line.contentEnd),
      kind: .blank, isFolded: line.isFolded,
      number: UInt32(truncatingIfNeeded: line.number), component: open[open.count - 1],
      previous: index == 0 ? .none : index - 1, next: index + 1)
    guard !line.isBlank else { return record }
    let raw = bytes.part(line.start, line.contentEnd)
    switch LineShape.find(in: raw, isFolded: line.isFolded) {
    case .line(let nameEnd, let colon):
      record.kind = .property
      record.nameEnd = UInt32(truncatingIfNeeded: nameEnd)
      record.colon = UInt32(truncatingIfNeeded: colon)
    case .malformed(let code, let place):
      record.kind = .malformed
      note(code, at: place, in: line)
    }
    return record
  }

  private enum Keyword {
    case begin
    case end
  }

  private func keyword(of record: LineRecord, _ line: LineScanner.Line) -> Keyword? {
    guard record.colon == record.nameEnd, record.nameEnd == 5 || record.nameEnd == 3 else {
      return nil
    }
    let initial = bytes[line.start].uppercased
    guard initial == 0x42 || initial == 0x45 else { return nil }
    return withContent(of: record) { content in
      let name = content.part(0, Int(record.nameEnd))
      if sameName(name, "BEGIN") { return .begin }
      return sameName(name, "END") ? .end : nil
    }
  }

  private mutating func begin(
    _ record: inout LineRecord, at index: UInt32, _ line: LineScanner.Line
  ) {
    guard tooDeep == 0, open.count <= SyntaxTree.depthLimit else {
      if tooDeep == 0 { note(.tooDeep, at: 0, in: line) }
      tooDeep += 1
      return
    }
    let component = UInt32(truncatingIfNeeded: result.components.count)
    record.kind = .begin
    result.components.append(
      ComponentRecord(
        begin: index, end: .none, last: index, parent: record.component, depth: open.count))
    record.component = component
    open.append(component)
  }

  private mutating func end(
    _ record: inout LineRecord, at index: UInt32, _ line: LineScanner.Line
  ) {
    guard tooDeep == 0 else {
      tooDeep -= 1
      return
    }
    // At most 64 components are open, so looking through them takes no notable time.
    let match = open.lastIndex { component in
      component != 0 && hasName(component, of: record)
    }
    guard let match else {
      note(.strayEnd, at: 0, in: line)
      result.strayEnd = result.strayEnd ?? line.number
      return
    }
    for component in open[(match + 1)...] { leaveUnclosed(component, last: index - 1) }
    let component = open[match]
    open.removeSubrange(match...)
    record.kind = .end
    record.component = component
    result.components[Int(component)].end = index
    result.components[Int(component)].last = index
  }

  private func hasName(_ component: UInt32, of end: LineRecord) -> Bool {
    let begin = result.lines[Int(result.components[Int(component)].begin)]
    return withContent(of: begin) { opening in
      withContent(of: end) { closing in
        sameName(
          opening.part(Int(begin.colon) + 1, opening.count).trimmed,
          closing.part(Int(end.colon) + 1, closing.count).trimmed)
      }
    }
  }

  private mutating func leaveUnclosed(_ component: UInt32, last: UInt32) {
    result.components[Int(component)].last = last
    let begin = result.lines[Int(result.components[Int(component)].begin)]
    guard result.diagnostics.count <= SyntaxTree.diagnosticLimit else { return }
    result.diagnostics.append(Diagnostic(.missingEnd, line: Int(begin.number), column: 1))
  }

  private func withContent<R>(
    of record: LineRecord, _ body: (UnsafeBufferPointer<UInt8>) -> R
  ) -> R {
    let raw = bytes.part(Int(record.start), Int(record.start) + Int(record.contentCount))
    return record.isFolded ? unfold(raw).withUnsafeBufferPointer(body) : body(raw)
  }

  private mutating func note(_ code: Diagnostic.Code, at place: Int, in line: LineScanner.Line) {
    guard result.diagnostics.count <= SyntaxTree.diagnosticLimit else { return }
    let raw = bytes.part(line.start, line.end)
    let (number, column) = SourcePlace.find(raw: place, in: raw, firstLine: line.number)
    result.diagnostics.append(Diagnostic(code, line: number, column: column))
  }
}
