/// Says which of two lists of siblings are the same ones: in order by content, by mark, then by
/// place; and what is left out of order, by content.
package enum Alignment {
  /// Comparisons made for one stretch. Longer lists, which no person writes, are matched from both
  /// ends only, so that the time stays in proportion.
  static let comparisonLimit = 250_000

  /// Gives for each of `new` the index of its counterpart in `old`.
  package static func match(_ old: [Sibling], to new: [Sibling]) -> [Int?] {
    var numbers = Numbers()
    let oldKeys = old.map { numbers.key(of: $0) }
    let newKeys = new.map { numbers.key(of: $0) }
    var matches: [Int?] = Array(repeating: nil, count: new.count)
    match(oldKeys[...], newKeys[...], by: .content, into: &matches)
    matchMoved(oldKeys, newKeys, into: &matches)
    return matches
  }

  /// Servers store alarms in another order, and a merge adds each side's behind its own.
  private static func matchMoved(_ old: [Key], _ new: [Key], into matches: inout [Int?]) {
    let taken = Set(matches.compactMap { $0 })
    var free: [Int: [Int]] = [:]
    for index in old.indices.reversed() where !taken.contains(index) {
      free[old[index].content, default: []].append(index)
    }
    if free.isEmpty { return }
    for index in new.indices where matches[index] == nil {
      matches[index] = free[new[index].content]?.popLast()
    }
  }

  /// Stands for a sibling: equal numbers for equal contents and marks.
  private struct Key {
    let content: Int
    let mark: Int
  }

  private struct Numbers {
    private var numbers: [[UInt8]: Int] = [:]

    mutating func key(of sibling: Sibling) -> Key {
      Key(content: number(of: sibling.content), mark: number(of: sibling.mark))
    }

    private mutating func number(of bytes: [UInt8]) -> Int {
      if let known = numbers[bytes] { return known }
      numbers[bytes] = numbers.count
      return numbers.count - 1
    }
  }

  private enum Criterion {
    case content
    case mark
    case place

    func matches(_ old: Key, _ new: Key) -> Bool {
      switch self {
      case .content: old.content == new.content
      case .mark: old.mark == new.mark
      case .place: true
      }
    }

    /// What is tried between the matches.
    var weaker: Criterion? {
      switch self {
      case .content: .mark
      case .mark: .place
      case .place: nil
      }
    }
  }

  private static func match(
    _ old: ArraySlice<Key>, _ new: ArraySlice<Key>, by criterion: Criterion,
    into matches: inout [Int?]
  ) {
    guard !old.isEmpty, !new.isEmpty else { return }
    var oldStart = old.startIndex
    var newStart = new.startIndex
    for (oldIndex, newIndex) in commonSubsequence(old, new, by: criterion) {
      matches[newIndex] = oldIndex
      if let weaker = criterion.weaker {
        match(old[oldStart..<oldIndex], new[newStart..<newIndex], by: weaker, into: &matches)
      }
      oldStart = oldIndex + 1
      newStart = newIndex + 1
    }
    if let weaker = criterion.weaker {
      match(old[oldStart...], new[newStart...], by: weaker, into: &matches)
    }
  }

  /// A longest common subsequence, as pairs of indices that rise.
  private static func commonSubsequence(
    _ old: ArraySlice<Key>, _ new: ArraySlice<Key>, by criterion: Criterion
  ) -> [(Int, Int)] {
    var pairs: [(Int, Int)] = []
    var old = old
    var new = new
    while let left = old.first, let right = new.first, criterion.matches(left, right) {
      pairs.append((old.startIndex, new.startIndex))
      old = old.dropFirst()
      new = new.dropFirst()
    }
    var ending: [(Int, Int)] = []
    while let left = old.last, let right = new.last, criterion.matches(left, right) {
      ending.append((old.endIndex - 1, new.endIndex - 1))
      old = old.dropLast()
      new = new.dropLast()
    }
    if old.count * new.count <= comparisonLimit {
      pairs += longest(Array(old), Array(new), by: criterion).map {
        ($0.0 + old.startIndex, $0.1 + new.startIndex)
      }
    }
    return pairs + ending.reversed()
  }

  private static func longest(
    _ old: [Key], _ new: [Key], by criterion: Criterion
  ) -> [(Int, Int)] {
    guard !old.isEmpty, !new.isEmpty else { return [] }
    // lengths[i][j] is the length for what follows i and j.
    var lengths = Array(
      repeating: Array(repeating: 0, count: new.count + 1), count: old.count + 1)
    for i in old.indices.reversed() {
      for j in new.indices.reversed() {
        lengths[i][j] =
          criterion.matches(old[i], new[j])
          ? lengths[i + 1][j + 1] + 1 : max(lengths[i + 1][j], lengths[i][j + 1])
      }
    }
    var pairs: [(Int, Int)] = []
    var (i, j) = (0, 0)
    while i < old.count, j < new.count {
      if criterion.matches(old[i], new[j]) {
        pairs.append((i, j))
        i += 1
        j += 1
      } else if lengths[i + 1][j] >= lengths[i][j + 1] {
        i += 1
      } else {
        j += 1
      }
    }
    return pairs
  }
}
