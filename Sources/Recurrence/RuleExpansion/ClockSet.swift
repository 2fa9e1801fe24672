/// The times of day that any of some hours, minutes and seconds make: up to 86,400 in three masks.
struct ClockSet {
  var hours: UInt32
  var minutes: UInt64
  var seconds: UInt64

  static let allHours: UInt32 = (1 << 24) - 1
  static let allSixty: UInt64 = (1 << 60) - 1

  /// One time.
  init(_ secondOfDay: Int) {
    hours = 1 << UInt32(secondOfDay / 3600)
    minutes = 1 << UInt64(secondOfDay / 60 % 60)
    seconds = 1 << UInt64(secondOfDay % 60)
  }

  var count: Int { hours.nonzeroBitCount * minutes.nonzeroBitCount * seconds.nonzeroBitCount }

  var isFull: Bool { count == 86_400 }

  func contains(_ secondOfDay: Int) -> Bool {
    hours.hasBit(secondOfDay / 3600) && minutes.hasBit(secondOfDay / 60 % 60)
      && seconds.hasBit(secondOfDay % 60)
  }

  /// How many of its times come before a time; 0…86,400.
  func rank(_ secondOfDay: Int) -> Int {
    guard secondOfDay > 0 else { return 0 }
    guard secondOfDay < 86_400 else { return count }
    let (hour, minute) = (secondOfDay / 3600, secondOfDay / 60 % 60)
    let perMinute = seconds.nonzeroBitCount
    let perHour = minutes.nonzeroBitCount * perMinute
    var rank = hours.bits(below: hour).nonzeroBitCount * perHour
    guard hours.hasBit(hour) else { return rank }
    rank += minutes.bits(below: minute).nonzeroBitCount * perMinute
    guard minutes.hasBit(minute) else { return rank }
    return rank + seconds.bits(below: secondOfDay % 60).nonzeroBitCount
  }

  /// The time with so many of its times before it; `rank` is less than `count`.
  func select(_ rank: Int) -> Int {
    let perMinute = seconds.nonzeroBitCount
    let perHour = minutes.nonzeroBitCount * perMinute
    return hours.selectBit(rank / perHour) * 3600
      + minutes.selectBit(rank % perHour / perMinute) * 60 + seconds.selectBit(rank % perMinute)
  }

  /// Its first time from `secondOfDay` on; nil if there is none on that day.
  func first(from secondOfDay: Int) -> Int? {
    guard secondOfDay < 86_400, count > 0 else { return nil }
    let (hour, minute) = (secondOfDay / 3600, secondOfDay / 60 % 60)
    let second = secondOfDay % 60
    if hours.hasBit(hour) {
      let laterSeconds = seconds.bits(from: second)
      if minutes.hasBit(minute), laterSeconds != 0 {
        return hour * 3600 + minute * 60 + laterSeconds.trailingZeroBitCount
      }
      let laterMinutes = minutes.bits(from: minute + 1)
      if laterMinutes != 0 {
        return hour * 3600 + laterMinutes.trailingZeroBitCount * 60 + seconds.trailingZeroBitCount
      }
    }
    let laterHours = hours.bits(from: hour + 1)
    guard laterHours != 0 else { return nil }
    return laterHours.trailingZeroBitCount * 3600 + minutes.trailingZeroBitCount * 60
      + seconds.trailingZeroBitCount
  }
}
