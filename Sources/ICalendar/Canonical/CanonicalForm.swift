/// The version of the canonical rule. It rises whenever the same text would get another canonical
/// form, so that digests of an older rule are computed anew and never compared.
public let canonicalVersion = 4

/// Gives the canonical form of a text: two texts mean the same if and only if their canonical
/// forms have the same bytes (docs/decisions/0001-digest-rule.md).
///
/// The form is readable, but it is no iCalendar: each component is written as `{NAME`, its lines,
/// its sub-components and `}`, sorted as far as their order does not count.
public func canonicalForm(of tree: SyntaxTree) -> [UInt8] {
  canonicalForm(of: tree, leavingOut: nil)
}

/// Gives the canonical form of a text without some of its components, as time zones whose
/// definition is known to be the one of the time zone database.
public func canonicalForm(
  of tree: SyntaxTree, leavingOut isLeftOut: ((Component) -> Bool)?
) -> [UInt8] {
  let storage = tree.storage
  // A text too large to be read has no lines; it is the same as itself alone.
  if storage.source.count > SyntaxTree.sizeLimit { return tree.bytes }
  var writer = CanonicalWriter(storage: storage, isLeftOut: isLeftOut)
  writer.output.reserveCapacity(storage.source.count)
  writer.writeInside(of: tree.root)
  return writer.output
}

/// Gives the canonical form of one component.
package func canonicalForm(of component: Component) -> [UInt8] {
  var writer = CanonicalWriter(storage: component.storage, isLeftOut: nil)
  writer.write(component)
  return writer.output
}

private struct CanonicalWriter {
  let storage: TreeStorage
  let isLeftOut: ((Component) -> Bool)?
  var output: [UInt8] = []

  mutating func write(_ component: Component) {
    if let isLeftOut, isLeftOut(component) { return }
    // No line starts with a brace, so nothing in a component can look like its borders.
    output.append(0x7B)
    component.withName { output.append(contentsOf: $0.map(\.uppercased)) }
    output.append(ASCII.lineFeed)
    writeInside(of: component)
    output.append(0x7D)
    // A text that is cut off is not the same as the whole one.
    if !component.isClosed { output.append(CanonicalLine.oddMark) }
    output.append(ASCII.lineFeed)
  }

  mutating func writeInside(of component: Component) {
    let context = CanonicalLine.Context(component)
    var lines: [SortedLine] = []
    var children: [Component] = []
    var keepsOrder = false
    var index = storage.firstLine(in: component.index)
    while index != .none {
      let line = storage.lines[Int(index)]
      switch line.kind {
      case .property, .malformed:
        let key = SortedLine(line, index: index, order: lines.count, in: storage)
        // Around a BEGIN or END that is a plain line, order says what belongs together.
        keepsOrder = keepsOrder || storage.isBracket(line)
        lines.append(key)
      case .begin: children.append(Component(storage: storage, index: line.component))
      case .blank, .end, .removed: break
      }
      index = storage.lineAfter(index, in: component.index)
    }
    if !keepsOrder { lines.sort { $0.precedes($1, in: storage) } }
    for key in lines {
      CanonicalLine.append(storage.lines[Int(key.index)], of: storage, in: context, to: &output)
    }
    for child in sorted(children) { write(child) }
  }

  private func sorted(_ children: [Component]) -> [Component] {
    guard children.count > 1 else { return children }
    let keyed = children.enumerated().map { (ComponentIdentity($1), $0, $1) }
    return keyed.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
  }
}

/// A line with what it is sorted by: its name, then its place.
private struct SortedLine {
  let index: UInt32
  private let order: Int
  private let nameCount: Int
  /// The first eight bytes of the name in upper case, the first one the most significant.
  private let prefix: UInt64

  init(_ line: LineRecord, index: UInt32, order: Int, in storage: TreeStorage) {
    self.index = index
    self.order = order
    nameCount = Int(line.nameEnd)
    let count = min(Int(line.nameEnd), 8)
    prefix =
      line.kind == .malformed
      ? 0
      : storage.withContent(of: line) { content in
        var prefix: UInt64 = 0
        for place in 0..<8 {
          prefix = prefix << 8 | (place < count ? UInt64(content[place].uppercased) : 0)
        }
        return prefix
      }
  }

  func precedes(_ other: SortedLine, in storage: TreeStorage) -> Bool {
    if prefix != other.prefix { return prefix < other.prefix }
    if nameCount > 8 || other.nameCount > 8 {
      let name = fullName(in: storage)
      let otherName = other.fullName(in: storage)
      if name != otherName { return name.lexicographicallyPrecedes(otherName) }
    }
    return order < other.order
  }

  private func fullName(in storage: TreeStorage) -> [UInt8] {
    let line = storage.lines[Int(index)]
    return storage.withContent(of: line) { $0.part(0, nameCount).map(\.uppercased) }
  }
}
