/// A pattern for names: `*` any run of characters, `?` one, `[a-z]` and `[!a-z]` one of a set, a
/// backslash takes the next character literally. Compared by Unicode scalar, with case.
package struct Glob: Sendable, Hashable {
  private enum Element: Hashable {
    case literal(UInt32)
    case anyOne
    case anyRun
    case oneOf([ClosedRange<UInt32>], negated: Bool)
  }

  private let elements: [Element]

  /// It is one name, and no pattern.
  var isLiteral: Bool {
    elements.allSatisfy { if case .literal = $0 { true } else { false } }
  }

  /// A set that is not closed stands for its own characters.
  package init(_ pattern: String) {
    let scalars = pattern.unicodeScalars.map(\.value)
    var elements: [Element] = []
    var index = 0
    while index < scalars.count {
      switch scalars[index] {
      case 0x2A:
        if elements.last != .anyRun { elements.append(.anyRun) }
      case 0x3F: elements.append(.anyOne)
      case 0x5C where index + 1 < scalars.count:
        index += 1
        elements.append(.literal(scalars[index]))
      case 0x5B:
        if let (set, end) = Self.readSet(scalars, from: index) {
          elements.append(set)
          index = end
        } else {
          elements.append(.literal(0x5B))
        }
      case let scalar: elements.append(.literal(scalar))
      }
      index += 1
    }
    self.elements = elements
  }

  /// Reads `[…]`; gives it with the index of its closing bracket.
  private static func readSet(_ scalars: [UInt32], from start: Int) -> (Element, Int)? {
    var index = start + 1
    let negated = index < scalars.count && (scalars[index] == 0x21 || scalars[index] == 0x5E)
    if negated { index += 1 }
    var ranges: [ClosedRange<UInt32>] = []
    let first = index
    while index < scalars.count, scalars[index] != 0x5D || index == first {
      let low = scalars[index]
      let isRange =
        index + 2 < scalars.count && scalars[index + 1] == 0x2D && scalars[index + 2] != 0x5D
      let high = isRange ? scalars[index + 2] : low
      if low <= high { ranges.append(low...high) }
      index += isRange ? 3 : 1
    }
    guard index < scalars.count else { return nil }
    return (.oneOf(ranges, negated: negated), index)
  }

  /// True if the whole name is of this pattern. Takes at most length of name × length of pattern
  /// steps: only the last `*` is ever returned to.
  package func matches(_ name: String) -> Bool {
    let scalars = name.unicodeScalars.map(\.value)
    var position = 0
    var element = 0
    var retry: (element: Int, position: Int)?
    while position < scalars.count {
      if element < elements.count, elements[element] == .anyRun {
        retry = (element, position)
        element += 1
      } else if element < elements.count, Self.accepts(elements[element], scalars[position]) {
        element += 1
        position += 1
      } else if let (star, from) = retry {
        retry = (star, from + 1)
        element = star + 1
        position = from + 1
      } else {
        return false
      }
    }
    return elements[element...].allSatisfy { $0 == .anyRun }
  }

  private static func accepts(_ element: Element, _ scalar: UInt32) -> Bool {
    switch element {
    case .literal(let literal): literal == scalar
    case .anyOne, .anyRun: true
    case .oneOf(let ranges, let negated): ranges.contains { $0.contains(scalar) } != negated
    }
  }
}
