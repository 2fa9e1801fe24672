/// How a content line is built: `name *(";" parameter) ":" value` (RFC 5545 §3.1).
enum LineShape {
  /// Both places are in the unfolded line.
  case line(nameEnd: Int, colon: Int)
  /// The place is in the raw line.
  case malformed(Diagnostic.Code, at: Int)

  /// Finds the shape of a raw line. Line breaks in it are folds; none of the separators can be
  /// part of a fold, so they are looked for without unfolding.
  static func find(in raw: UnsafeBufferPointer<UInt8>, isFolded: Bool) -> LineShape {
    var index = 0
    while index < raw.count {
      if raw[index].isNameByte {
        index += 1
      } else if isFolded, raw[index].isLineBreak {
        index = afterFold(in: raw, at: index)
      } else {
        break
      }
    }
    guard index < raw.count else { return .malformed(.missingColon, at: raw.count) }
    let separator = raw[index]
    guard index > 0, separator == ASCII.colon || separator == ASCII.semicolon else {
      return .malformed(.badName, at: index)
    }
    let nameEnd = unfoldedPlace(of: index, in: raw, isFolded: isFolded)
    if separator == ASCII.colon { return .line(nameEnd: nameEnd, colon: nameEnd) }
    return findColon(in: raw, from: index, nameEnd: nameEnd, isFolded: isFolded)
  }

  private static func findColon(
    in raw: UnsafeBufferPointer<UInt8>, from start: Int, nameEnd: Int, isFolded: Bool
  ) -> LineShape {
    var openQuote: Int?
    var index = start
    while index < raw.count {
      switch raw[index] {
      case ASCII.quote:
        openQuote = openQuote == nil ? index : nil
      case ASCII.colon where openQuote == nil:
        let colon = unfoldedPlace(of: index, in: raw, isFolded: isFolded)
        return .line(nameEnd: nameEnd, colon: colon)
      default: break
      }
      index += 1
    }
    if let openQuote { return .malformed(.unterminatedQuote, at: openQuote) }
    return .malformed(.missingColon, at: raw.count)
  }

  private static func afterFold(in raw: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    var index = index
    while index < raw.count, raw[index].isLineBreak { index += 1 }
    return min(index + 1, raw.count)
  }

  private static func unfoldedPlace(
    of place: Int, in raw: UnsafeBufferPointer<UInt8>, isFolded: Bool
  ) -> Int {
    guard isFolded else { return place }
    var unfolded = 0
    var index = 0
    while index < place {
      if raw[index].isLineBreak {
        index = afterFold(in: raw, at: index)
      } else {
        unfolded += 1
        index += 1
      }
    }
    return unfolded
  }
}
