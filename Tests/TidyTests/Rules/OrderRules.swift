/// What dictionaries and sets hold comes in another order in every process.
func unsorted(_ repository: Repository) -> [Finding] {
  let files = repository.files.filter { $0.isSource && engine.contains($0.target ?? "") }
  let members = Members(of: files)
  return files.flatMap { file in
    let target = file.target ?? ""
    return unsortedParts(of: file, target) + unsortedLoops(of: file, target, members)
      + unsortedTransforms(of: file, target, members)
  }
}

// MARK: Loops

private let setMakers: Set = [
  "Set", "union", "intersection", "subtracting", "symmetricDifference",
]

/// Loops over a dictionary or a set, as far as the files show that they go over one. Pairs of which
/// they do not show whose they are may be a dictionary's.
private func unsortedLoops(
  of file: SourceFile, _ target: String, _ members: Members
) -> [Finding] {
  file.loops.compactMap { loop -> Finding? in
    let words = file.tokens[loop.looped].filter { $0.kind == .word }.map(\.text)
    if words.contains("sorted") { return nil }
    let makesSet = words.contains { setMakers.contains($0) }
    let order = file.order(at: loop.looped.lowerBound, members)
    if makesSet || order == .chance {
      return file.finding(
        loop.line,
        "a loop over a dictionary or a set in \(target): sort it, or the order differs in each"
          + " process")
    }
    let isCounted = words.contains("enumerated") || words.contains("zip")
    guard loop.takesPairs, !isCounted, order == .hidden else { return nil }
    return file.finding(
      loop.line,
      "a loop over pairs in \(target): sort them, or let the file show that they are an array's")
  }
}

/// A loop over something that is all there: `for await` waits for what comes.
struct Loop {
  let line: Int
  /// Its pattern takes each element apart, as it does with keys and values.
  let takesPairs: Bool
  /// The tokens of what it goes through.
  let looped: Range<Int>
}

extension SourceFile {
  var loops: [Loop] {
    tokens.indices.compactMap { index -> Loop? in
      // `for:` is a label.
      guard tokens[index].isWord("for"), !isSign(":", at: index + 1) else { return nil }
      var pattern = index + 1
      while ["try", "case", "let", "var"].contains(where: { isWord($0, at: pattern) }) {
        pattern += 1
      }
      guard !isWord("await", at: pattern), let start = first(from: pattern, \.isIn),
        let end = first(from: start + 1, \.startsBody), start + 1 < end
      else { return nil }
      let takesPairs =
        isSign("(", at: pattern) && tokens[pattern..<start].contains { $0.isSign(",") }
      return Loop(line: tokens[index].line, takesPairs: takesPairs, looped: start + 1..<end)
    }
  }

  /// The first token from `start` on that is wanted and in no brackets.
  func first(from start: Int, _ isWanted: (Token) -> Bool) -> Int? {
    var at = start
    while at < tokens.count {
      if isWanted(tokens[at]) { return at }
      let opens = ["(", "[", "{"].contains { tokens[at].isSign($0) }
      at = opens ? closing(at) + 1 : at + 1
    }
    return nil
  }
}

extension Token {
  fileprivate var isIn: Bool { isWord("in") }
  fileprivate var startsBody: Bool { isSign("{") || isWord("where") }
}

// MARK: Keys and values

/// What takes each element by itself, in the order in which it gets them.
private let carriers: Set = ["filter", "map", "compactMap", "flatMap", "lazy"]

/// What gives the same in whatever order the elements come.
private let orderless: Set = ["sorted", "contains", "allSatisfy", "count", "isEmpty", "min", "max"]

/// Calls that make the same of their argument in whatever order it is.
private let takers: Set = [
  "Set", "union", "formUnion", "subtracting", "subtract", "intersection", "formIntersection",
  "symmetricDifference", "formSymmetricDifference", "isSubset", "isSuperset", "isDisjoint",
]

/// `.keys` and `.values`. In ICalendar and Recurrence the values are the array of a parameter.
private func unsortedParts(of file: SourceFile, _ target: String) -> [Finding] {
  let names = ["ICalendar", "Recurrence"].contains(target) ? ["keys"] : ["keys", "values"]
  return file.tokens.indices.compactMap { index in
    let token = file.tokens[index]
    guard names.contains(where: { token.isWord($0) }), file.isSign(".", at: index - 1),
      !file.isSign("(", at: index + 1), !file.isSign("[", at: index + 1), !isList(file, index),
      !isOrderless(file, index)
    else { return nil }
    return file.finding(
      token.line, "'.\(token.text)' in \(target): sort them, or the order differs in each process")
  }
}

/// `parameter(named: a)?.values`, `.values =` and `.values +=`: a parameter's, in their order.
private func isList(_ file: SourceFile, _ index: Int) -> Bool {
  guard file.tokens[index].isWord("values") else { return false }
  let isOfCall = file.isSign(")", at: index - 3) || file.isSign("}", at: index - 3)
  return isOfCall && file.isSign("?", at: index - 2) || file.isSign("=", at: index + 1)
    || file.isSign("+", at: index + 1) && file.isSign("=", at: index + 2)
}

/// The expression that the keys or values are part of makes the same of them in any order: what is
/// called on them, or on the brackets around them, or what takes them as an argument.
func isOrderless(_ file: SourceFile, _ index: Int) -> Bool {
  var (start, end) = (index, file.endOfCall(index))
  while true {
    if let isSo = makesTheSame(ofWhatEndsAt: end, in: file) { return isSo }
    guard let open = file.enclosing(start), file.isSign("(", at: open) else { return false }
    let isCall = open > 0 && file.tokens[open].isGlued && file.tokens[open - 1].kind == .word
    let callee = isCall ? file.tokens[open - 1].text : ""
    if takers.contains(callee) { return true }
    if callee == "Dictionary" { return file.isWord("uniqueKeysWithValues", at: open + 1) }
    // In an array or in brackets alone they are as they were.
    guard !isCall || callee == "Array" else { return false }
    (start, end) = (open, file.closing(open))
  }
}

/// Whether what is called on an expression that ends at `end` makes the same of it in any order;
/// nil where it is only taken element by element.
private func makesTheSame(ofWhatEndsAt end: Int, in file: SourceFile) -> Bool? {
  var end = end
  while let member = file.member(after: end) {
    let name = file.tokens[member].text
    let last = file.endOfCall(member, takesClosure: true)
    if orderless.contains(name) { return true }
    if name == "reduce" {
      return file.tokens[(member + 1)...last].map(\.text).joined() == "(0,+)"
    }
    guard carriers.contains(name) else { return false }
    end = last
  }
  return nil
}
