import Glibc
import ICalendar

/// A look at the bytes of an item that tells, without reading it, that nothing of it can be in a
/// window: what most files of a calendar of years are when a week is asked for.
///
/// It says "no" only of a text that is a whole VCALENDAR in plain lines, and only where every date
/// in its components lies far enough from the window. Whatever is odd in the least is read.
package struct Glance {
  /// Days from 1970 that the window touches.
  let days: ClosedRange<Int>

  package init(days: ClosedRange<Int>) {
    self.days = days
  }

  /// Times on a wall are within 26 hours of UTC (`UTCOffset.limit`), the text's and the asker's.
  private static let slack = 3

  /// False only if no occurrence of the text can overlap the window, and the text is whole.
  package func mayOccur(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var scanner = GlanceScanner(text: text)
    guard scanner.run() else { return true }
    // Without any date nothing has a place in time.
    guard scanner.first <= scanner.last else { return false }
    if scanner.first - Self.slack > days.upperBound { return false }
    guard !scanner.isEndless else { return true }
    // A rule's last occurrence is as long as the longest one that the dates allow. The end of an
    // all-day event without DTEND is a day later.
    let length = scanner.lastOfRules == nil ? 0 : scanner.last - scanner.first
    let last = max(scanner.last, scanner.lastOfRules ?? Int.min) + length + 1
    return last + Self.slack >= days.lowerBound
  }
}

private struct GlanceScanner {
  let text: UnsafeBufferPointer<UInt8>
  /// The first and last day of any DTSTART, DTEND and DUE.
  var first = Int.max
  var last = Int.min
  /// The last day that an UNTIL allows; nil where nothing recurs.
  var lastOfRules: Int?
  /// How long it goes on cannot be told.
  var isEndless = false

  private var open: [Range<Int>] = []
  private var isItem = false
  private var hasCalendar = false
  private var wasRead = false

  /// Deeper ones are read.
  private static let depth = 8

  init(text: UnsafeBufferPointer<UInt8>) { self.text = text }

  /// False where the text has to be read to tell.
  mutating func run() -> Bool {
    guard let base = text.baseAddress else { return false }
    var start = 0
    while start < text.count {
      let found = memchr(base + start, 0x0A, text.count - start)
      let end = found.map { UnsafeRawPointer(base).distance(to: UnsafeRawPointer($0)) }
      var stop = end ?? text.count
      if stop > start, end != nil, text[stop - 1] == 0x0D { stop -= 1 }
      // A lone CR ends a line, too, and blank lines may stand inside of folds.
      guard stop > start, memchr(base + start, 0x0D, stop - start) == nil,
        take(start, stop)
      else { return false }
      start = (end ?? text.count) + 1
    }
    return hasCalendar && open.isEmpty
  }

  /// Takes a physical line; false where the text has to be read.
  private mutating func take(_ start: Int, _ stop: Int) -> Bool {
    if text[start] == 0x20 || text[start] == 0x09 {
      // The rest of a line that was of interest.
      return !wasRead && !open.isEmpty
    }
    wasRead = false
    var colon = start
    while colon < stop, text[colon] != 0x3A, text[colon] != 0x3B { colon += 1 }
    // A name may be folded as well.
    guard colon < stop, colon > start else { return false }
    switch text[start] | 0x20 {
    case 0x62 where isNamed("BEGIN", start, colon): return begin(colon, stop)
    case 0x65 where isNamed("END", start, colon): return end(colon, stop)
    case 0x64 where isItem: return property(start, colon, stop)
    case 0x72 where isItem: return property(start, colon, stop)
    default: return !open.isEmpty
    }
  }

  private mutating func begin(_ colon: Int, _ stop: Int) -> Bool {
    wasRead = true
    let name = (colon + 1)..<stop
    guard isPlainName(name, after: colon), open.count < Self.depth else { return false }
    if open.isEmpty {
      guard isNamed("VCALENDAR", name.lowerBound, name.upperBound) else { return false }
      hasCalendar = true
    }
    open.append(name)
    isItem = open.count == 2 && !isNamed("VTIMEZONE", name.lowerBound, name.upperBound)
    return true
  }

  private mutating func end(_ colon: Int, _ stop: Int) -> Bool {
    wasRead = true
    let name = (colon + 1)..<stop
    guard isPlainName(name, after: colon), let opened = open.popLast(),
      isSame(opened, name)
    else { return false }
    isItem =
      open.count == 2 && !isNamed("VTIMEZONE", open[1].lowerBound, open[1].upperBound)
    return true
  }

  private mutating func property(_ start: Int, _ colon: Int, _ stop: Int) -> Bool {
    if isNamed("DTSTART", start, colon) || isNamed("DTEND", start, colon)
      || isNamed("DUE", start, colon)
    {
      wasRead = true
      return date(colon, stop)
    }
    if isNamed("RDATE", start, colon) { return false }
    if isNamed("RRULE", start, colon) {
      wasRead = true
      return rule(colon, stop)
    }
    if isNamed("DURATION", start, colon) {
      wasRead = true
      isEndless = true
    }
    if isNamed("RECURRENCE-ID", start, colon) {
      wasRead = true
      // RANGE moves all later occurrences.
      return !holds("RANGE", colon, stop)
    }
    return true
  }

  private mutating func date(_ colon: Int, _ stop: Int) -> Bool {
    // A colon may stand in quotes.
    guard let value = (colon..<stop).first(where: { text[$0] == 0x3A }),
      !(colon..<value).contains(where: { text[$0] == 0x22 }),
      let day = day(value + 1, stop)
    else { return false }
    first = min(first, day)
    last = max(last, day)
    return true
  }

  private mutating func rule(_ colon: Int, _ stop: Int) -> Bool {
    var untils: [Int] = []
    var place = colon
    while place + 7 < stop {
      let isStart = text[place] == 0x3A || text[place] == 0x3B
      if isStart, isNamed("UNTIL=", place + 1, place + 7) { untils.append(place + 7) }
      place += 1
    }
    guard untils.count == 1, let day = day(untils[0], stop) else {
      isEndless = true
      return true
    }
    lastOfRules = max(lastOfRules ?? Int.min, day)
    return true
  }

  /// The day that eight digits are.
  private func day(_ start: Int, _ stop: Int) -> Int? {
    guard stop - start >= 8 else { return nil }
    var number = 0
    for index in start..<(start + 8) {
      let digit = text[index] &- 0x30
      guard digit < 10 else { return nil }
      number = number * 10 + Int(digit)
    }
    let (year, month, day) = (number / 10_000, number / 100 % 100, number % 100)
    guard (1...12).contains(month), (1...31).contains(day) else { return nil }
    return Gregorian.day(year: year, month: month, day: day)
  }

  // MARK: Words

  private func isNamed(_ name: StaticString, _ start: Int, _ stop: Int) -> Bool {
    guard stop - start == name.utf8CodeUnitCount else { return false }
    for index in 0..<name.utf8CodeUnitCount
    where upper(text[start + index]) != name.utf8Start[index] { return false }
    return true
  }

  private func holds(_ word: StaticString, _ start: Int, _ stop: Int) -> Bool {
    let length = word.utf8CodeUnitCount
    guard stop - start >= length else { return false }
    return (start...(stop - length)).contains { isNamed(word, $0, $0 + length) }
  }

  private func isSame(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
    one.count == other.count
      && zip(one, other).allSatisfy { upper(text[$0]) == upper(text[$1]) }
  }

  /// Letters, digits and dashes, behind a colon.
  private func isPlainName(_ name: Range<Int>, after colon: Int) -> Bool {
    text[colon] == 0x3A && !name.isEmpty
      && name.allSatisfy { index in
        let byte = text[index]
        return (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x2D
      }
  }

  private func upper(_ byte: UInt8) -> UInt8 { byte &- 0x61 < 26 ? byte & 0xDF : byte }
}
