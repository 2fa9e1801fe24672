/// The one of `candidates` that `word` was probably meant to be; nil where none is near.
package func nearMiss(of word: String, in candidates: [String]) -> String? {
  let lowered = word.lowercased()
  var best: (candidate: String, distance: Int)?
  for candidate in candidates {
    let distance = editDistance(Array(lowered.utf8), Array(candidate.lowercased().utf8))
    // A third of the letters wrong is another word.
    guard distance <= max(1, candidate.utf8.count / 3) else { continue }
    if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
  }
  return best?.candidate
}

/// `did you mean "x"?` and what else there is.
package func suggestion(for word: String, among candidates: [String], what: String) -> String {
  if let near = nearMiss(of: word, in: candidates) { return "did you mean \"\(near)\"?" }
  let known = Set(candidates).sorted().joined(separator: ", ")
  return known.isEmpty ? "there are no \(what)" : "\(what): \(known)"
}

/// The number of insertions, removals, substitutions and swaps of neighbours between two words.
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
  /// Longer words are no typing errors, and the work grows with the square.
  let lengthLimit = 64
  guard left.count <= lengthLimit, right.count <= lengthLimit else { return .max }
  if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for i in 1...left.count {
    var row = [i]
    for j in 1...right.count {
      let same = left[i - 1] == right[j - 1]
      var cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1))
      if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
        cost = min(cost, beforeLast[j - 2] + 1)
      }
      row.append(cost)
    }
    beforeLast = last
    last = row
  }
  return last[right.count]
}
