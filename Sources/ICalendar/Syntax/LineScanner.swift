private import Glibc

/// Cuts a text into content lines and blank stretches, in one pass and without copying.
///
/// LF, CRLF and a lone CR each end a line: XML processors turn a lone CR into LF (XML 1.0 §2.11),
/// so a text means the same whether a server sends it alone or inside a report. A line that
/// starts with a space or a tab continues the content line before it (RFC 5545 §3.1), blank lines
/// in between notwithstanding: a text whose line ends were doubled still unfolds.
///
/// The buffer must outlive the scanner.
struct LineScanner {
  /// A content line with its folds, or a stretch that says nothing.
  struct Line {
    var start: Int
    /// Where the content ends: before the last line end.
    var contentEnd: Int
    /// Where the next line starts.
    var end: Int
    /// The physical line that it starts on, from 1.
    var number: Int
    /// The content is interrupted by folds.
    var isFolded = false
    /// A byte order mark, or lines with nothing in them.
    var isBlank = false
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private let hasLoneCR: Bool
  private var position = 0
  private var number = 1
  private var hasContent = false

  init(_ bytes: UnsafeBufferPointer<UInt8>, ends: LineEnds) {
    self.bytes = bytes
    hasLoneCR = ends.hasLoneCR
  }

  /// Gives the next line; all of them together are the whole text.
  mutating func next() -> Line? {
    guard position < bytes.count else { return nil }
    if position == 0, let mark = byteOrderMark() { return mark }
    if let blank = blankStretch() { return blank }
    hasContent = true
    let start = position
    let (contentEnd, end) = lineEnd(from: start)
    var line = Line(start: start, contentEnd: contentEnd, end: end, number: number)
    number += 1
    while let continuation = continuationStart(at: line.end) {
      (line.contentEnd, line.end) = lineEnd(from: continuation.start + 1)
      line.isFolded = true
      number += continuation.blankLines + 1
    }
    position = line.end
    return line
  }

  private mutating func byteOrderMark() -> Line? {
    var end = 0
    while bytes.count - end >= 3, bytes[end] == 0xEF, bytes[end + 1] == 0xBB,
      bytes[end + 2] == 0xBF
    { end += 3 }
    guard end > 0 else { return nil }
    position = end
    return Line(start: 0, contentEnd: end, end: end, number: 1, isBlank: true)
  }

  /// Lines with nothing in them; before the first content line, blanks are nothing as well.
  private mutating func blankStretch() -> Line? {
    let start = position
    let first = number
    while position < bytes.count {
      let byte = bytes[position]
      guard byte.isLineBreak || (byte.isBlank && !hasContent) else { break }
      let (contentEnd, end) = lineEnd(from: position)
      guard bytes.part(position, contentEnd).allSatisfy(\.isBlank) else { break }
      position = end
      number += 1
    }
    guard position > start else { return nil }
    return Line(start: start, contentEnd: position, end: position, number: first, isBlank: true)
  }

  /// Where a continuation line starts at or after `end`, and the blank lines in front of it.
  private func continuationStart(at end: Int) -> (start: Int, blankLines: Int)? {
    guard end < bytes.count else { return nil }
    if bytes[end].isBlank { return (end, 0) }
    var probe = end
    var blankLines = 0
    while probe < bytes.count, bytes[probe].isLineBreak {
      probe = afterBreak(at: probe)
      blankLines += 1
    }
    guard probe < bytes.count, bytes[probe].isBlank else { return nil }
    return (probe, blankLines)
  }

  private func afterBreak(at index: Int) -> Int {
    let isPair =
      bytes[index] == ASCII.carriageReturn && index + 1 < bytes.count
      && bytes[index + 1] == ASCII.lineFeed
    return index + (isPair ? 2 : 1)
  }

  private func lineEnd(from start: Int) -> (content: Int, end: Int) {
    if hasLoneCR {
      var index = start
      while index < bytes.count, !bytes[index].isLineBreak { index += 1 }
      return index < bytes.count ? (index, afterBreak(at: index)) : (index, index)
    }
    guard start < bytes.count, let base = bytes.baseAddress,
      let found = memchr(base + start, Int32(ASCII.lineFeed), bytes.count - start)
    else { return (bytes.count, bytes.count) }
    let index = UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
    let isPair = index > start && bytes[index - 1] == ASCII.carriageReturn
    return (isPair ? index - 1 : index, index + 1)
  }
}

/// How the lines of a text end.
struct LineEnds {
  /// Line feeds in the text.
  var feeds = 0
  var hasLoneCR = false

  /// The sums cannot overflow; that they are not checked lets the compiler use vectors.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count > 0 else { return }
    var loneReturns = 0
    for index in 0..<(bytes.count - 1) {
      let isReturn = bytes[index] == ASCII.carriageReturn
      feeds &+= bytes[index] == ASCII.lineFeed ? 1 : 0
      loneReturns &+= isReturn && bytes[index + 1] != ASCII.lineFeed ? 1 : 0
    }
    feeds &+= bytes[bytes.count - 1] == ASCII.lineFeed ? 1 : 0
    hasLoneCR = loneReturns > 0 || bytes[bytes.count - 1] == ASCII.carriageReturn
  }
}

/// Removes the folds of a content line (RFC 5545 §3.1): line ends and the one blank after them.
func unfold(_ raw: UnsafeBufferPointer<UInt8>) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: raw.count) { buffer, count in
    count = 0
    var index = 0
    while index < raw.count {
      if raw[index].isLineBreak {
        while index < raw.count, raw[index].isLineBreak { index += 1 }
        index += 1
      } else {
        buffer[count] = raw[index]
        count += 1
        index += 1
      }
    }
  }
}
