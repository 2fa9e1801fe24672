/// How the elements of an expression are ordered, as far as the text of one file shows it.
enum ElementOrder {
  /// As an array's.
  case kept
  /// As a dictionary's or a set's: in another way in every process.
  case chance
  /// The file does not show it.
  case hidden
}

/// How many names may stand for each other, as in `let a = b`: a ring of them has no end.
private let namesInARow = 4

/// What a sequence offers, and what gives its elements in the order that it has.
private let carriers: Set = [
  "filter", "map", "compactMap", "flatMap", "lazy", "enumerated", "reversed", "prefix", "suffix",
  "dropFirst", "dropLast",
]

private let orderedTypes: Set = ["Array", "ArraySlice", "ContiguousArray", "KeyValuePairs"]
private let unorderedTypes: Set = ["Dictionary", "Set"]

extension SourceFile {
  /// The order of what the expression at `start` gives.
  ///
  /// - Parameter trustsMembers: A member of something else is the one of that name that the file
  ///   declares.
  func order(at start: Int, trustsMembers: Bool, namesBefore: Int = 0) -> ElementOrder {
    var name = start
    while isWord("try", at: name) || isWord("await", at: name) { name += 1 }
    guard namesBefore < namesInARow, name < tokens.count else { return .hidden }
    let isDeclared = namesBefore > 0
    if isSign("[", at: name) {
      return order(bracketOrder(name), after: closing(name), isDeclared)
    }
    if isSign("(", at: name) { return order(.hidden, after: closing(name), isDeclared) }
    if isWord("self", at: name), let member = member(after: name) { name = member }
    var isMember = false
    while let next = member(after: endOfCall(name)), !isOfSequence(next) {
      name = next
      isMember = true
    }
    let end = endOfCall(name)
    return order(
      isMember && !trustsMembers
        ? .hidden : order(ofName: name, to: end, trustsMembers, namesBefore),
      after: end, isDeclared)
  }

  private func order(
    ofName name: Int, to end: Int, _ trustsMembers: Bool, _ namesBefore: Int
  ) -> ElementOrder {
    let text = tokens[name].text
    if text == "zip" { return .kept }
    if unorderedTypes.contains(text) { return .chance }
    // `a[b]` is an element.
    guard tokens[name].kind == .word, !isSign("]", at: end) else { return .hidden }
    return declaredOrder(of: text, at: name, trustsMembers, namesBefore)
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

  // MARK: Declarations

  /// The order of what a name stands for: by its last declaration before the place, else by the
  /// first one after it.
  func declaredOrder(
    of name: String, at use: Int, _ trustsMembers: Bool = false, _ namesBefore: Int = 0
  ) -> ElementOrder {
    let places = tokens.indices.filter { $0 != use && tokens[$0].isWord(name) }
    let before: [Int] = places.filter { $0 < use }.reversed()
    for place in before + places.filter({ $0 > use }) {
      let order = order(declaredAt: place, trustsMembers, namesBefore)
      if let order { return order }
    }
    return .hidden
  }

  /// Nil where nothing is declared.
  private func order(
    declaredAt place: Int, _ trustsMembers: Bool, _ namesBefore: Int
  ) -> ElementOrder? {
    if isWord("func", at: place - 1) { return resultOrder(ofFunction: place) }
    let isBound = isWord("let", at: place - 1) || isWord("var", at: place - 1)
    if isSign(":", at: place + 1) {
      return isBound || isParameter(place) ? typeOrder(at: place + 2) : nil
    }
    if isBound, isSign("=", at: place + 1) {
      return order(at: place + 2, trustsMembers: trustsMembers, namesBefore: namesBefore + 1)
    }
    // `for a in` and `{ a in`.
    if isWord("in", at: place + 1) { return .hidden }
    // `.some(let a)` and `let (a, b)`.
    guard isSign(",", at: place + 1) || isSign(")", at: place + 1) else { return nil }
    return isBound || isOfTuple(place) ? .hidden : nil
  }

  private func isParameter(_ place: Int) -> Bool {
    guard let open = enclosing(place), isSign("(", at: open) else { return false }
    return isWord("func", at: open - 2) || isWord("init", at: open - 1)
  }

  private func isOfTuple(_ place: Int) -> Bool {
    guard let open = enclosing(place) else { return false }
    return isWord("let", at: open - 1) || isWord("var", at: open - 1)
  }

  private func resultOrder(ofFunction name: Int) -> ElementOrder {
    guard let open = tokens[name...].firstIndex(where: { $0.isSign("(") }) else { return .hidden }
    var at = closing(open) + 1
    // `async throws(E)` may stand before the arrow, and a protocol has no body.
    while at < tokens.count, !isSign("{", at: at), !isWord("func", at: at) {
      if isSign("-", at: at), isSign(">", at: at + 1) { return typeOrder(at: at + 2) }
      at = isSign("(", at: at) ? closing(at) + 1 : at + 1
    }
    return .hidden
  }

  private func typeOrder(at index: Int) -> ElementOrder {
    let modifiers = ["inout", "borrowing", "consuming", "sending", "some", "any"]
    var at = index
    while modifiers.contains(where: { isWord($0, at: at) }) { at += 1 }
    if isSign("[", at: at) { return bracketOrder(at) }
    guard at < tokens.count else { return .hidden }
    if unorderedTypes.contains(tokens[at].text) { return .chance }
    return orderedTypes.contains(tokens[at].text) ? .kept : .hidden
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
