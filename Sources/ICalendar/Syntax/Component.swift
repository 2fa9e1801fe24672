/// A component of a tree (RFC 5545 §3.6), or the text as a whole. A view: it keeps the tree that
/// it was taken from.
public struct Component: Sendable {
  /// What a component is found by again after the tree was changed.
  public struct ID: Sendable, Hashable {
    let index: UInt32
  }

  /// What stands in a component, in the order of the text.
  public enum Entry: Sendable {
    case line(ContentLine)
    case component(Component)
  }

  let storage: TreeStorage
  let index: UInt32

  public var id: ID { ID(index: index) }

  var record: ComponentRecord { storage.components[Int(index)] }

  /// The name as it is written, as `VEVENT`; empty for the root.
  public var name: [UInt8] { withName { Array($0) } }

  /// Compares the name; the case of letters does not count.
  public func isNamed(_ name: String) -> Bool { withName { sameName($0, name) } }

  func withName<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    guard record.begin != .none else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
    return storage.withValue(of: storage.lines[Int(record.begin)]) { body($0.trimmed) }
  }

  /// Its END line is there, or it is the root.
  public var isClosed: Bool { record.begin == .none || record.end != .none }

  /// The physical line of its BEGIN, from 1; nil for the root and where it was written since.
  public var lineNumber: Int? {
    guard record.begin != .none else { return nil }
    let number = storage.lines[Int(record.begin)].number
    return number == 0 ? nil : Int(number)
  }

  /// Its parent; nil for the root.
  public var parent: Component? {
    record.parent == .none ? nil : Component(storage: storage, index: record.parent)
  }

  /// Its content lines in order, without those of its sub-components and without BEGIN and END.
  public var lines: [ContentLine] {
    var result: [ContentLine] = []
    forEachEntry { if case .line(let line) = $0 { result.append(line) } }
    return result
  }

  /// Its sub-components in order.
  public var components: [Component] {
    var result: [Component] = []
    forEachEntry { if case .component(let component) = $0 { result.append(component) } }
    return result
  }

  /// Its lines and sub-components as they follow each other.
  public var entries: [Entry] {
    var result: [Entry] = []
    forEachEntry { result.append($0) }
    return result
  }

  /// Its lines of one name, in order.
  public func lines(named name: String) -> [ContentLine] {
    var result: [ContentLine] = []
    storage.forEachProperty(in: index) { line, lineName in
      if sameName(lineName, name) { result.append(ContentLine(storage: storage, index: line)) }
    }
    return result
  }

  /// Its first line of a name.
  public func line(named name: String) -> ContentLine? { lines(named: name).first }

  /// Its text, from BEGIN to END.
  public var bytes: [UInt8] {
    var result: [UInt8] = []
    var index = record.begin == .none ? storage.first : record.begin
    while index != .none {
      let line = storage.lines[Int(index)]
      storage.withSource(of: line) { result.append(contentsOf: $0) }
      index = index == record.last ? .none : line.next
    }
    return result
  }

  func forEachEntry(_ body: (Entry) -> Void) {
    var index = storage.firstLine(in: self.index)
    while index != .none {
      let line = storage.lines[Int(index)]
      switch line.kind {
      case .property, .malformed: body(.line(ContentLine(storage: storage, index: index)))
      case .begin: body(.component(Component(storage: storage, index: line.component)))
      case .blank, .end, .removed: break
      }
      index = storage.lineAfter(index, in: self.index)
    }
  }
}
