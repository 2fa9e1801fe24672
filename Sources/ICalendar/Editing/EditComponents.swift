extension SyntaxTree {
  /// Removes a component with all that is in it.
  public mutating func remove(_ component: Component.ID) throws(EditRefusal) {
    guard isPresent(component) else { throw .notFound }
    let record = storage.components[Int(component.index)]
    guard record.begin != .none else { throw .notFound }
    try unlink(from: record.begin, through: record.last, in: record.parent)
  }

  /// Adds a copy of a component, of this or of another tree, byte for byte but for its line ends:
  /// after one of the target's sub-components, or else after the last of them.
  ///
  /// Gives the copy's identity.
  @discardableResult
  public mutating func insert(
    _ copied: Component, in component: Component.ID, after sibling: Component.ID? = nil
  ) throws(EditRefusal) -> Component.ID {
    guard isPresent(component) else { throw .notFound }
    guard copied.isClosed, copied.record.begin != .none else { throw .notWhole }
    var place = storage.lastLine(inside: component.index)
    if let sibling {
      guard isPresent(sibling) else { throw .notFound }
      let record = storage.components[Int(sibling.index)]
      guard record.parent == component.index else { throw .notFound }
      place = record.last
    }
    return try insert(copied, in: component, afterLine: place)
  }

  /// Adds a copy of a component in front of all sub-components of the target.
  @discardableResult
  package mutating func insertFirst(
    _ copied: Component, in component: Component.ID
  ) throws(EditRefusal) -> Component.ID {
    guard isPresent(component) else { throw .notFound }
    guard copied.isClosed, copied.record.begin != .none else { throw .notWhole }
    return try insert(
      copied, in: component, afterLine: storage.lastOwnLine(in: component.index))
  }

  /// Adds a copy of a component after a line in the target, or after its BEGIN.
  mutating func insert(
    _ copied: Component, in component: Component.ID, afterLine place: UInt32
  ) throws(EditRefusal) -> Component.ID {
    let index = UInt32(truncatingIfNeeded: storage.components.count)
    let text = withLineEnds(copied.bytes, storage.lineEnd)
    try insert(text: text, in: component.index, after: place)
    return Component.ID(index: index)
  }
}

/// Gives a text with other line ends, folds included, and with one at its end.
func withLineEnds(_ text: [UInt8], _ ending: [UInt8]) -> [UInt8] {
  var result: [UInt8] = []
  result.reserveCapacity(text.count + 2)
  var index = 0
  while index < text.count {
    if text[index].isLineBreak {
      let isPair =
        text[index] == ASCII.carriageReturn && index + 1 < text.count
        && text[index + 1] == ASCII.lineFeed
      result += ending
      index += isPair ? 2 : 1
    } else {
      result.append(text[index])
      index += 1
    }
  }
  if let last = text.last, !last.isLineBreak { result += ending }
  return result
}
