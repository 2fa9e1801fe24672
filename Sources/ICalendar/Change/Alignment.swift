/// Says which of two lists of siblings are the same ones: by content, first in order and then out
/// of it; and of what is left between those in order, by mark, then by place.
package enum Alignment {
  /// Comparisons made for one stretch. Longer lists, which no person writes, are matched from both
  /// ends only, so that the time stays in proportion.
  static let comparisonLimit = 250_000

  /// Gives for each of `new` the index of its counterpart in `old`.
  ///
  /// What has one content is one, wherever it stands, before anything is taken for an edit of
  /// another: servers store alarms in another order, and a merge adds each side's behind its own.
  package static func match(_ old: [Sibling], to new: [Sibling]) -> [Int?] {
    var numbers = Numbers()
    let oldKeys = old.indices.map { numbers.key(of: old[$0], at: $0) }
    let newKeys = new.indices.map { numbers.key(of: new[$0], at: $0) }
    var matches: [Int?] = Array(repeating: nil, count: new.count)
    let fixed = commonSubsequence(oldKeys[...], newKeys[...], by: .content)
    for (oldIndex, newIndex) in fixed { matches[newIndex] = oldIndex }
    matchMoved(oldKeys, newKeys, into: &matches)
    let taken = Set(matches.compactMap { $0 })
    var (oldStart, newStart) = (0, 0)
    for (oldEnd, newEnd) in fixed + [(old.count, new.count)] {
      let oldRest = oldKeys[oldStart..<oldEnd].filter { !taken.contains($0.index) }
      let newRest = newKeys[newStart..<newEnd].filter { matches[$0.index] == nil }
      match(oldRest[...], newRest[...], by: .mark, into: &matches)
      (oldStart, newStart) = (min(oldEnd + 1, old.count), min(newEnd + 1, new.count))
    }
    return matches
  }

  private static func matchMoved(_ old: [Key], _ new: [Key], into matches: inout [Int?]) {
    let taken = Set(matches.compactMap { $0 })
    var free: [Int: [Int]] = [:]
    for key in old.reversed() where !taken.contains(key.index) {
      free[key.content, default: []].append(key.index)
    }
    if free.isEmpty { return }
    for key in new where matches[key.index] == nil {
      matches[key.index] = free[key.content]?.popLast()
    }
  }

  /// Stands for a sibling: equal numbers for equal contents and marks.
  private struct Key {
    /// Among its siblings.
    let index: Int
    let content: Int
    let mark: Int
  }

  private struct Numbers {
    private var numbers: [[UInt8]: Int] = [:]

    mutating func key(of sibling: Sibling, at index: Int) -> Key {
      Key(index: index, content: number(of: sibling.content), mark: number(of: sibling.mark))
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
    var weaker: Criterion? { self == .mark ? .place : nil }
  }

  private static func match(
    _ old: ArraySlice<Key>, _ new: ArraySlice<Key>, by criterion: Criterion,
    into matches: inout [Int?]
  ) {
    guard !old.isEmpty, !new.isEmpty else { return }
    var oldStart = old.startIndex
    var newStart = new.startIndex
    for (oldIndex, newIndex) in commonSubsequence(old, new, by: criterion) {
      matches[new[newIndex].index] = old[oldIndex].index
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
