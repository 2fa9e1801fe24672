/// A content line of a tree (RFC 5545 §3.1), unfolded. A view: it keeps the tree that it was taken
/// from.
public struct ContentLine: Sendable {
  /// What a line is found by again after the tree was changed.
  public struct ID: Sendable, Hashable {
    let index: UInt32
  }

  let storage: TreeStorage
  let index: UInt32

  public var id: ID { ID(index: index) }

  var record: LineRecord { storage.lines[Int(index)] }

  /// It has no name, no colon, or a quote that never ends: it is kept, and only `content` says
  /// anything of it.
  public var isMalformed: Bool { record.kind == .malformed }

  /// The whole line, unfolded, without its line end.
  public var content: [UInt8] { storage.withContent(of: record) { Array($0) } }

  /// The name as it is written; empty for a malformed line.
  public var name: [UInt8] {
    storage.withContent(of: record) { Array($0.part(0, Int(record.nameEnd))) }
  }

  /// Compares the name; the case of letters does not count.
  public func isNamed(_ name: String) -> Bool {
    let record = record
    guard record.kind == .property, Int(record.nameEnd) == name.utf8.count else { return false }
    return storage.withContent(of: record) {
      sameName($0.part(0, Int(record.nameEnd)), name)
    }
  }

  func isNamed(_ name: [UInt8]) -> Bool {
    let record = record
    guard record.kind == .property, Int(record.nameEnd) == name.count else { return false }
    return storage.withContent(of: record) { content in
      name.withUnsafeBufferPointer { sameName(content.part(0, Int(record.nameEnd)), $0) }
    }
  }

  /// The value as it is written, unfolded; empty for a malformed line.
  public var value: [UInt8] { storage.withValue(of: record) { Array($0) } }

  /// The parameters in order; empty for a malformed line.
  public var parameters: [Parameter] {
    let record = record
    guard record.kind == .property else { return [] }
    return storage.withContent(of: record) { content in
      let text = content.part(Int(record.nameEnd), Int(record.colon))
      return ParameterScanner.scan(text).map { Parameter($0, in: text) }
    }
  }

  /// The first parameter of a name; the case of letters does not count.
  public func parameter(named name: String) -> Parameter? {
    parameters.first { sameName($0.name, name) }
  }

  /// The line apart from its tree, to be changed and written. Nil for a malformed line.
  public var property: Property? {
    isMalformed ? nil : Property(name: name, parameters: parameters, value: value)
  }

  /// The physical line that it starts on, from 1; nil for a line that was written since.
  public var lineNumber: Int? { record.number == 0 ? nil : Int(record.number) }

  /// Where it is in the text that was read, with folds and its line end; nil for a line that was
  /// written since.
  public var sourceRange: Range<Int>? {
    guard record.number > 0 else { return nil }
    let start = Int(record.start)
    return start..<(start + Int(record.contentCount) + Int(record.endCount))
  }

  /// The line as it is in the text, with folds and its line end.
  public var source: [UInt8] { storage.withSource(of: record) { Array($0) } }
}
