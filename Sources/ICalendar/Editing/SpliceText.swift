extension SyntaxTree {
  /// Puts a text of whole content lines and closed components into a component, after a line.
  ///
  /// - Parameter place: A line of the component, its BEGIN, or the last line of one of its
  ///   sub-components; `.none` for the front of a text that has no line at all.
  mutating func insert(
    text: [UInt8], in component: UInt32, after place: UInt32
  ) throws(EditRefusal) {
    let parsed = text.withUnsafeBufferPointer { Parser.parse($0) }
    let depth = storage.components[Int(component)].depth
    try check(parsed, atDepth: depth)
    guard storage.owner(of: place) == component else { throw .notWhole }
    try checkFollower(of: place)
    makeUnique()
    guard storage.source.count + storage.additions.count + text.count + 2 <= Self.sizeLimit
    else { throw .tooLarge }
    try endLine(place)
    let base = UInt32(truncatingIfNeeded: storage.source.count + storage.additions.count)
    storage.additions += text
    let firstNew = UInt32(truncatingIfNeeded: storage.lines.count)
    let firstComponent = UInt32(truncatingIfNeeded: storage.components.count)
    for var line in parsed.lines {
      line.start += base
      line.number = 0
      line.component = line.component == 0 ? component : line.component - 1 + firstComponent
      if line.previous != .none { line.previous += firstNew }
      if line.next != .none { line.next += firstNew }
      storage.lines.append(line)
    }
    for var record in parsed.components.dropFirst() {
      record.begin += firstNew
      record.end += firstNew
      record.last += firstNew
      record.depth += depth
      record.parent = record.parent == 0 ? component : record.parent - 1 + firstComponent
      storage.components.append(record)
    }
    link(from: firstNew, through: firstNew + UInt32(parsed.lines.count) - 1, after: place)
    stretch(component, from: place, to: firstNew + UInt32(parsed.lines.count) - 1)
  }

  private func check(_ parsed: Parser.Result, atDepth depth: Int) throws(EditRefusal) {
    guard !parsed.lines.isEmpty, parsed.strayEnd == nil,
      parsed.components.dropFirst().allSatisfy({ $0.end != .none })
    else { throw .notWhole }
    let deepest = parsed.components.map(\.depth).max() ?? 0
    guard depth + deepest <= Self.depthLimit else { throw .tooDeep }
  }

  /// Refuses to make a continuation line of what starts with a blank; only at the front of a text,
  /// before any content line, does a line start so.
  private func checkFollower(of place: UInt32) throws(EditRefusal) {
    let next = place == .none ? storage.first : storage.lines[Int(place)].next
    guard next != .none else { return }
    let line = storage.lines[Int(next)]
    let startsBlank = storage.withSource(of: line) { source in
      line.kind == .blank ? source.contains(where: \.isBlank) : source.first?.isBlank ?? false
    }
    guard !startsBlank else { throw .notWhole }
  }

  /// Gives a line that ends with the text a line end, so that another can follow.
  private mutating func endLine(_ place: UInt32) throws(EditRefusal) {
    guard place != .none, storage.lines[Int(place)].endCount == 0,
      storage.lines[Int(place)].kind != .blank
    else { return }
    let ending = storage.lineEnd
    let old = storage.lines[Int(place)]
    let content = storage.withSource(of: old) { Array($0) }
    guard
      storage.source.count + storage.additions.count + content.count + 2 <= Self.sizeLimit
    else { throw .tooLarge }
    let start = storage.source.count + storage.additions.count
    storage.lines[Int(place)].start = UInt32(truncatingIfNeeded: start)
    storage.lines[Int(place)].endCount = UInt8(ending.count)
    storage.additions += content + ending
  }

  private mutating func link(from first: UInt32, through last: UInt32, after place: UInt32) {
    let next = place == .none ? storage.first : storage.lines[Int(place)].next
    storage.lines[Int(first)].previous = place
    storage.lines[Int(last)].next = next
    if next != .none { storage.lines[Int(next)].previous = last }
    if place == .none {
      storage.first = first
    } else {
      storage.lines[Int(place)].next = first
    }
    storage.isEdited = true
  }

  /// Moves the last line of the components that ended with `old`, from one of them outward.
  private mutating func stretch(_ component: UInt32, from old: UInt32, to new: UInt32) {
    var index = component
    while index != .none, storage.components[Int(index)].last == old {
      storage.components[Int(index)].last = new
      index = storage.components[Int(index)].parent
    }
  }

  /// Takes lines that follow each other out of the text.
  mutating func unlink(
    from first: UInt32, through last: UInt32, in component: UInt32
  ) throws(EditRefusal) {
    // At the front of the text, the bytes of a byte order mark are one.
    guard !storage.isAtFront(first) || !storage.startsWithMark(storage.lines[Int(last)].next)
    else { throw .notWhole }
    makeUnique()
    let previous = storage.lines[Int(first)].previous
    let next = storage.lines[Int(last)].next
    if previous == .none {
      storage.first = next
    } else {
      storage.lines[Int(previous)].next = next
    }
    if next != .none { storage.lines[Int(next)].previous = previous }
    var index = first
    while index != .none {
      storage.lines[Int(index)].kind = .removed
      index = index == last ? .none : storage.lines[Int(index)].next
    }
    stretch(component, from: last, to: previous)
    storage.isEdited = true
  }

  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) { storage = TreeStorage(copying: storage) }
  }
}

extension TreeStorage {
  /// The line end of the text: its first one; CRLF for a text that has none. A lone CR only where
  /// there is no LF, which could follow it and be taken for its second half.
  var lineEnd: [UInt8] {
    var index = first
    while index != .none {
      let line = lines[Int(index)]
      if line.endCount > 0 {
        let end = withSource(of: line) { Array($0.suffix(Int(line.endCount))) }
        let isMixed = end == [ASCII.carriageReturn] && source.contains(ASCII.lineFeed)
        return isMixed ? [ASCII.lineFeed] : end
      }
      index = line.next
    }
    return [ASCII.carriageReturn, ASCII.lineFeed]
  }

  /// Nothing but a byte order mark precedes the line.
  func isAtFront(_ index: UInt32) -> Bool {
    let previous = lines[Int(index)].previous
    return previous == .none || (lines[Int(previous)].kind == .blank && startsWithMark(previous))
  }

  func startsWithMark(_ index: UInt32) -> Bool {
    guard index != .none else { return false }
    return withSource(of: lines[Int(index)]) { $0.starts(with: [0xEF, 0xBB, 0xBF]) }
  }

  /// The component that a line added after this one would be part of. After a component without an
  /// END that is this component itself, whatever was meant.
  func owner(of place: UInt32) -> UInt32 {
    guard place != .none else { return 0 }
    let line = lines[Int(place)]
    return line.kind == .end ? components[Int(line.component)].parent : line.component
  }

  /// A BEGIN or END beyond the depth limit, which is kept as a plain line: without it, its
  /// counterpart would open or close another component.
  func isDeepBracket(_ index: UInt32) -> Bool {
    let line = lines[Int(index)]
    return components[Int(line.component)].depth >= SyntaxTree.depthLimit && isBracket(line)
  }

  /// The last line inside a component, in front of its END; its BEGIN where there is none.
  func lastLine(inside component: UInt32) -> UInt32 {
    let record = components[Int(component)]
    return record.end == .none ? record.last : lines[Int(record.end)].previous
  }

  /// The line of a component after which another of its lines is added: the last one in front of
  /// its sub-components.
  func lastOwnLine(in component: UInt32) -> UInt32 {
    var place = components[Int(component)].begin
    var index = firstLine(in: component)
    while index != .none, lines[Int(index)].kind != .begin {
      let line = lines[Int(index)]
      // Blank lines stay behind a new line, a byte order mark in front of it.
      let isMark = line.kind == .blank && startsWithMark(index)
      if line.kind != .blank || isMark { place = index }
      index = lineAfter(index, in: component)
    }
    return place
  }
}
