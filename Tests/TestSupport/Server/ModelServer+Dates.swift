extension ModelServer {
  /// RFC 9110 §5.6.7, of milliseconds since 1970.
  public static func httpDate(_ milliseconds: Int64) -> String {
    let seconds = milliseconds / 1000
    let date = civilDate(seconds / 86_400)
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    return "\(weekdays[Int(seconds / 86_400 % 7)]), \(two(date.day)) \(months[date.month - 1]) "
      + "\(date.year) \(clock(seconds)) GMT"
  }

  /// RFC 3339 §5.6.
  static func isoDate(_ milliseconds: Int64) -> String {
    let seconds = milliseconds / 1000
    let date = civilDate(seconds / 86_400)
    return "\(date.year)-\(two(date.month))-\(two(date.day))T\(clock(seconds))Z"
  }

  private static func clock(_ seconds: Int64) -> String {
    [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map { two(Int($0)) }
      .joined(separator: ":")
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// The day of a moment in UTC, as 20260105.
  static func day(_ milliseconds: Int64) -> Int {
    let date = civilDate(milliseconds / 86_400_000)
    return (date.year * 100 + date.month) * 100 + date.day
  }

  /// The Gregorian date of a day after 1970-01-01, by civil arithmetic: the years begin in March.
  private static func civilDate(_ days: Int64) -> (year: Int, month: Int, day: Int) {
    let shifted = Int(days) + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let part = (5 * dayOfYear + 2) / 153
    let month = part < 10 ? part + 3 : part - 9
    let day = dayOfYear - (153 * part + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month < 3 ? 1 : 0), month, day)
  }
}
