import ICalendar

/// A set of days within 384 days from a base: the longest period, a year of numbered weeks, has
/// 371.
struct DayBits {
  /// The day, from 1970-01-01, that bit 0 stands for.
  var base: Int
  private(set) var words: InlineArray<6, UInt64> = .init(repeating: 0)

  static let capacity = 384

  init(base: Int) { self.base = base }

  /// The one day.
  init(day: Int) {
    base = day
    words[0] = 1
  }

  var isEmpty: Bool {
    (words[0] | words[1] | words[2] | words[3] | words[4] | words[5]) == 0
  }

  var count: Int {
    var count = 0
    for index in words.indices { count += words[index].nonzeroBitCount }
    return count
  }

  /// Adds the days of a mask whose bit 0 is at `offset` from the base.
  mutating func insert(_ mask: UInt64, at offset: Int) {
    let word = offset >> 6
    let shift = UInt64(offset & 63)
    guard offset >= 0, word < words.count else { return }
    words[word] |= mask << shift
    if shift > 0, word + 1 < words.count { words[word + 1] |= mask >> (64 - shift) }
  }

  mutating func formIntersection(_ other: DayBits) {
    for index in words.indices { words[index] &= other.words[index] }
  }

  /// How many of its days come before a day.
  func rank(_ day: Int) -> Int {
    let offset = day - base
    guard offset > 0 else { return 0 }
    var count = 0
    for index in words.indices {
      let first = index << 6
      guard first < offset else { break }
      let mask = offset - first >= 64 ? UInt64.max : (1 << UInt64(offset - first)) &- 1
      count += (words[index] & mask).nonzeroBitCount
    }
    return count
  }

  /// The day with so many of its days before it; nil if it has too few.
  func select(_ rank: Int) -> Int? {
    var rest = rank
    for index in words.indices {
      let count = words[index].nonzeroBitCount
      if rest < count { return base + index << 6 + words[index].selectBit(rest) }
      rest -= count
    }
    return nil
  }

  /// Its first day from `day` on.
  func first(from day: Int) -> Int? {
    let offset = Swift.max(0, day - base)
    var index = offset >> 6
    guard index < words.count else { return nil }
    var word = words[index] & (UInt64.max << UInt64(offset & 63))
    while word == 0 {
      index += 1
      guard index < words.count else { return nil }
      word = words[index]
    }
    return base + index << 6 + word.trailingZeroBitCount
  }
}

extension FixedWidthInteger where Self: UnsignedInteger {
  /// The place of the set bit with `rank` set bits below it; there must be one.
  func selectBit(_ rank: Int) -> Int {
    var rest = self
    for _ in 0..<rank { rest &= rest &- 1 }
    return rest.trailingZeroBitCount
  }

  /// Those of its bits that are below place `place`, which is less than its width.
  func bits(below place: Int) -> Self { self & ((1 << Self(place)) &- 1) }

  /// Those of its bits that are at place `place` or above, which is less than its width.
  func bits(from place: Int) -> Self { self & (Self.max << Self(place)) }

  func hasBit(_ place: Int) -> Bool { self >> Self(place) & 1 == 1 }
}
