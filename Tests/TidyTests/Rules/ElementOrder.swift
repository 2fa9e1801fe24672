/// How the elements of an expression are ordered, as far as the text of the files shows it.
enum ElementOrder {
  /// As an array's.
  case kept
  /// As a dictionary's or a set's: in another way in every process.
  case chance
  /// As that, where there is one.
  case chanceOrNil
  /// They do not show it.
  case hidden
}

/// How many names may stand for each other, as in `let a = b`: a ring of them has no end.
let namesInARow = 4

/// What a sequence offers, and what gives its elements in the order that it has.
private let carriers: Set = [
  "filter", "map", "compactMap", "flatMap", "lazy", "enumerated", "reversed", "prefix", "suffix",
  "dropFirst", "dropLast",
]

private let orderedTypes: Set = ["Array", "ArraySlice", "ContiguousArray", "KeyValuePairs"]
private let unorderedTypes: Set = ["Dictionary", "Set"]

extension SourceFile {
  /// The order of what the expression at `start` gives.
  func order(at start: Int, _ members: Members, namesBefore: Int = 0) -> ElementOrder {
    var name = start
    while isWord("try", at: name) || isWord("await", at: name) { name += 1 }
    guard namesBefore < namesInARow, name < tokens.count else { return .hidden }
    let isDeclared = namesBefore > 0
    if isSign("[", at: name) {
      return order(bracketOrder(name), after: closing(name), isDeclared)
    }
    if isSign("(", at: name) { return order(.hidden, after: closing(name), isDeclared) }
    while let next = member(after: endOfCall(name)), !isOfSequence(next) { name = next }
    return order(
      order(ofName: name, members, namesBefore), after: endOfCall(name), isDeclared)
  }

  /// The order of what a name stands for, with its arguments.
  func order(ofName name: Int, _ members: Members, _ namesBefore: Int = 0) -> ElementOrder {
    guard tokens[name].kind == .word, !isElement(name) else { return .hidden }
    let order = declaredOrder(of: name, members, namesBefore)
    // `a.map` is of an optional itself.
    return order != .chanceOrNil ? order : isSign(".", at: name + 1) ? .hidden : .chance
  }

  private func declaredOrder(
    of name: Int, _ members: Members, _ namesBefore: Int
  ) -> ElementOrder {
    let text = tokens[name].text
    if isMember(name, members) {
      return members.order(of: text, in: owner(ofMember: name, members, namesBefore))
    }
    if text == "zip" { return .kept }
    if unorderedTypes.contains(text) { return .chance }
    switch declaration(of: text, at: name) {
    case .type(let type): return typeOrder(at: type)
    case .value(let value): return order(at: value, members, namesBefore: namesBefore + 1)
    case .unsaid: return .hidden
    case nil: return members.order(ofBare: text, in: members.type(around: name, in: self))
    }
  }

  /// Of something else, or of `self` where that is a type's.
  private func isMember(_ name: Int, _ members: Members) -> Bool {
    guard isSign(".", at: name - 1) else { return false }
    return !isWord("self", at: name - 2) || members.type(around: name, in: self) != nil
  }

  /// The order after what is called on an expression that ends at `end`. A brace in the head of a
  /// loop opens its body; in a declaration it is a closure.
  private func order(_ first: ElementOrder, after end: Int, _ isDeclared: Bool) -> ElementOrder {
    var (order, end) = (first, end)
    while let member = member(after: end) {
      if tokens[member].text == "sorted" {
        order = .kept
      } else if !carriers.contains(tokens[member].text) {
        order = .hidden
      }
      end = endOfCall(member, takesClosure: isDeclared)
    }
    return order
  }

  private func isOfSequence(_ member: Int) -> Bool {
    tokens[member].text == "sorted" || carriers.contains(tokens[member].text)
  }

  /// The name after a dot that follows the token at `end`.
  func member(after end: Int) -> Int? {
    isSign(".", at: end + 1) && end + 2 < tokens.count && tokens[end + 2].kind == .word
      ? end + 2 : nil
  }

  /// The last token of a name with its arguments, subscripts and question marks.
  func endOfCall(_ name: Int, takesClosure: Bool = false) -> Int {
    var end = name
    while end + 1 < tokens.count, tokens[end + 1].isGlued {
      if isSign("(", at: end + 1) || isSign("[", at: end + 1) {
        end = closing(end + 1)
      } else if isSign("?", at: end + 1) || isSign("!", at: end + 1) {
        end += 1
      } else {
        break
      }
    }
    return takesClosure && isSign("{", at: end + 1) ? closing(end + 1) : end
  }

  /// `a[b]` is an element of what the name stands for.
  func isElement(_ name: Int) -> Bool {
    var end = endOfCall(name)
    while end > name, isSign("?", at: end) || isSign("!", at: end) { end -= 1 }
    return isSign("]", at: end)
  }

  // MARK: Declarations

  /// Where it says what a name stands for.
  enum Declaration {
    /// The index at which its type begins.
    case type(Int)
    /// The index at which what it is set to begins.
    case value(Int)
    case unsaid
  }

  /// The last declaration of a name before the place, else the first one after it; nil where the
  /// file has none.
  func declaration(of name: String, at use: Int) -> Declaration? {
    let places = tokens.indices.filter { $0 != use && tokens[$0].isWord(name) }
    let before: [Int] = places.filter { $0 < use }.reversed()
    for place in before + places.filter({ $0 > use }) {
      if let found = declaration(at: place) { return found }
    }
    return nil
  }

  /// Nil where nothing is declared.
  func declaration(at place: Int) -> Declaration? {
    if isWord("func", at: place - 1) { return result(ofFunction: place) }
    let isBound = isWord("let", at: place - 1) || isWord("var", at: place - 1)
    if isSign(":", at: place + 1) {
      return isBound || isParameter(place) ? .type(place + 2) : nil
    }
    if isBound, isSign("=", at: place + 1) { return .value(place + 2) }
    // `for a in` and `{ a in`.
    if isWord("in", at: place + 1) { return .unsaid }
    // `.some(let a)` and `let (a, b)`.
    guard isSign(",", at: place + 1) || isSign(")", at: place + 1) else { return nil }
    return isBound || isOfTuple(place) ? .unsaid : nil
  }

  private func isParameter(_ place: Int) -> Bool {
    guard let open = enclosing(place), isSign("(", at: open) else { return false }
    return isWord("func", at: open - 2) || isWord("init", at: open - 1)
  }

  private func isOfTuple(_ place: Int) -> Bool {
    guard let open = enclosing(place) else { return false }
    return isWord("let", at: open - 1) || isWord("var", at: open - 1)
  }

  private func result(ofFunction name: Int) -> Declaration {
    guard let open = tokens[name...].firstIndex(where: { $0.isSign("(") }) else { return .unsaid }
    var at = closing(open) + 1
    // `async throws(E)` may stand before the arrow, and a protocol has no body.
    while at < tokens.count, !isSign("{", at: at), !isWord("func", at: at) {
      if isSign("-", at: at), isSign(">", at: at + 1) { return .type(at + 2) }
      at = isSign("(", at: at) ? closing(at) + 1 : at + 1
    }
    return .unsaid
  }

  func typeOrder(at index: Int) -> ElementOrder {
    let at = typeStart(index)
    guard at < tokens.count else { return .hidden }
    let isBracket = isSign("[", at: at)
    if orderedTypes.contains(tokens[at].text) || isBracket && bracketOrder(at) == .kept {
      return .kept
    }
    guard isBracket || unorderedTypes.contains(tokens[at].text) else { return .hidden }
    let end = isBracket ? closing(at) : isSign("<", at: at + 1) ? closingAngle(at + 1) : at
    return isSign("?", at: end + 1) ? .chanceOrNil : .chance
  }

  /// The first token of a type that is no modifier.
  func typeStart(_ index: Int) -> Int {
    let modifiers = ["inout", "borrowing", "consuming", "sending", "some", "any"]
    var at = index
    while modifiers.contains(where: { isWord($0, at: at) }) { at += 1 }
    return at
  }

  /// `[a]` or `[a: b]`, of values or of types. The colon of `a ? b : c` has a blank before it.
  private func bracketOrder(_ open: Int) -> ElementOrder {
    var at = open + 1
    let close = closing(open)
    while at < close {
      if isSign(":", at: at), tokens[at].isGlued { return .chance }
      let opens = ["(", "[", "{"].contains { isSign($0, at: at) }
      at = opens ? closing(at) + 1 : at + 1
    }
    return .kept
  }
}
