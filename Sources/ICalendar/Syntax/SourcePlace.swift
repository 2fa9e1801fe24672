/// Where a byte of a content line is in the text.
enum SourcePlace {
  /// The physical line and the column of a place in a raw line, both from 1.
  static func find(
    raw place: Int, in line: UnsafeBufferPointer<UInt8>, firstLine: Int
  ) -> (line: Int, column: Int) {
    var number = firstLine
    var lineStart = 0
    var index = 0
    while index < min(place, line.count) {
      if line[index].isLineBreak {
        let isPair =
          line[index] == ASCII.carriageReturn && index + 1 < line.count
          && line[index + 1] == ASCII.lineFeed
        index += isPair ? 1 : 0
        lineStart = index + 1
        number += 1
      }
      index += 1
    }
    return (number, max(place - lineStart, 0) + 1)
  }

  /// The same for a place in the unfolded line.
  static func find(
    unfolded place: Int, in line: UnsafeBufferPointer<UInt8>, firstLine: Int
  ) -> (line: Int, column: Int) {
    find(raw: rawPlace(ofUnfolded: place, in: line), in: line, firstLine: firstLine)
  }

  private static func rawPlace(
    ofUnfolded place: Int, in line: UnsafeBufferPointer<UInt8>
  ) -> Int {
    var remaining = place
    var index = 0
    while index < line.count {
      if line[index].isLineBreak {
        while index < line.count, line[index].isLineBreak { index += 1 }
        index += 1
      } else if remaining == 0 {
        return index
      } else {
        remaining -= 1
        index += 1
      }
    }
    return line.count
  }
}
