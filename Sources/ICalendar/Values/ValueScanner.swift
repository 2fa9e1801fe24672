/// Reads a value from its first byte to its last.
struct ValueScanner {
  private let bytes: ArraySlice<UInt8>
  private var index: Int

  /// Starts behind the blanks in front; blanks at either end are noted.
  init(_ value: some Collection<UInt8>, notes: inout [ValueNote]) {
    var bytes = ArraySlice(Array(value))
    let count = bytes.count
    while let first = bytes.first, first.isBlank { bytes.removeFirst() }
    while let last = bytes.last, last.isBlank { bytes.removeLast() }
    if bytes.count != count { notes.note(.surroundingBlanks) }
    self.bytes = bytes
    index = bytes.startIndex
  }

  var isAtEnd: Bool { index == bytes.endIndex }
  var remaining: Int { bytes.endIndex - index }
  var rest: ArraySlice<UInt8> { bytes[index...] }
  var next: UInt8? { isAtEnd ? nil : bytes[index] }

  /// Takes a byte if it is next; a letter also in lower case, which is noted.
  mutating func take(_ byte: UInt8, notes: inout [ValueNote]) -> Bool {
    guard let next, next.uppercased == byte else { return false }
    if next != byte { notes.note(.lowerCase) }
    index += 1
    return true
  }

  /// Takes a `+` or `-`; nil if neither is next.
  mutating func takeSign() -> Int? {
    guard let next, next == 0x2B || next == 0x2D else { return nil }
    index += 1
    return next == 0x2B ? 1 : -1
  }

  /// Takes exactly so many digits; takes nothing if there are fewer.
  mutating func takeNumber(digits: Int) -> Int? {
    guard remaining >= digits else { return nil }
    var number = 0
    for digit in bytes[index..<(index + digits)] {
      guard digit.isDigit else { return nil }
      number = number * 10 + Int(digit &- 0x30)
    }
    index += digits
    return number
  }

  /// Takes all digits that follow; a number above `limit` becomes `limit`. Nil if there is none.
  mutating func takeNumber(upTo limit: Int) -> Int? {
    let start = index
    var number = 0
    while let next, next.isDigit {
      // Held to the limit at each digit, so any number of digits is safe.
      let (tens, isLong) = number.multipliedReportingOverflow(by: 10)
      let (sum, isLarge) = tens.addingReportingOverflow(Int(next &- 0x30))
      number = isLong || isLarge ? limit : Swift.min(sum, limit)
      index += 1
    }
    return index == start ? nil : number
  }
}

extension UInt8 {
  var isDigit: Bool { (self &- 0x30) < 10 }
}

extension [ValueNote] {
  /// Adds a note once.
  package mutating func note(_ note: ValueNote) {
    if !contains(note) { append(note) }
  }
}
