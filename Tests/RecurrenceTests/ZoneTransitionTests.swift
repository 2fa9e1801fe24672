import Foundation
import Recurrence
import TestSupport
import Testing

/// Every zone of tzdata against Python's zoneinfo, which reads the same files.
@Suite struct ZoneTransitionTests {
  /// For each zone a line: its name; then `instant offset` before, at and after each change of
  /// 1970-2037 and at moments of each year from 2038 to 2100; then `wall instant` around each
  /// change,
  /// which shows gaps and ambiguous times. Zones of equal bytes share a line.
  static let script = """
    import datetime, os, zoneinfo
    from zoneinfo._zoneinfo import ZoneInfo as Readable
    epoch = datetime.datetime(1970, 1, 1)
    utc = datetime.timezone.utc
    def offset(zone, instant):
        time = (epoch + datetime.timedelta(seconds=instant)).replace(tzinfo=utc)
        return int(time.astimezone(zone).utcoffset().total_seconds())
    def instant(zone, wall):
        time = (epoch + datetime.timedelta(seconds=wall)).replace(tzinfo=zone)
        return wall - int(time.utcoffset().total_seconds())
    end = 2145916800
    names = {}
    for name in sorted(zoneinfo.available_timezones()):
        path = "/usr/share/zoneinfo/" + name
        if os.path.exists(path):
            names.setdefault(open(path, "rb").read(), []).append(name)
    for same in names.values():
        with open("/usr/share/zoneinfo/" + same[0], "rb") as file:
            zone = zoneinfo.ZoneInfo.from_file(file)
        with open("/usr/share/zoneinfo/" + same[0], "rb") as file:
            changes = [t for t in Readable.from_file(file)._trans_utc if 0 <= t < end]
        # A table may end early and leave the last years to its footer.
        last = changes[-1] if changes else 0
        for week in range(last + 604800, end, 604800):
            if offset(zone, week) != offset(zone, week - 604800):
                low, high = week - 604800, week
                while high - low > 1:
                    middle = (low + high) // 2
                    if offset(zone, middle) == offset(zone, week - 604800): low = middle
                    else: high = middle
                changes.append(high)
        instants = [t + d for t in changes for d in (-1, 0, 1)]
        later = [end + k * 86400 * 61 for k in range(0, 370)]
        near = (-7200, -3601, -1800, -1, 0, 1, 1800, 3599, 3600, 7200)
        walls = [t + offset(zone, t - 1) + d for t in changes for d in near]
        walls += [t + 3600 * (k % 24) for k, t in enumerate(later)]
        print(",".join(same))
        print(" ".join(f"{t} {offset(zone, t)}" for t in instants + later))
        print(" ".join(f"{w} {instant(zone, w)}" for w in walls))
    """

  @Test func `every zone agrees with Python at every change`() throws {
    let lines = try Self.python()
    try #require(lines.count % 3 == 0)
    var zones = 0
    var checks = 0
    for index in stride(from: 0, to: lines.count, by: 3) {
      let offsets = Self.numbers(lines[index + 1])
      let instants = Self.numbers(lines[index + 2])
      for name in String(decoding: lines[index], as: UTF8.self).split(separator: ",") {
        let zone = try #require(ZoneCatalog.system.zone(named: String(name)), "\(name)")
        var wrong: [Int] = []
        for pair in stride(from: 0, to: offsets.count - 1, by: 2)
        where zone.offset(at: offsets[pair]) != offsets[pair + 1] {
          wrong.append(offsets[pair])
        }
        for pair in stride(from: 0, to: instants.count - 1, by: 2)
        where zone.instant(of: instants[pair]) != instants[pair + 1] {
          wrong.append(instants[pair])
        }
        #expect(wrong.isEmpty, "\(name): \(wrong.prefix(5))")
        zones += 1
        checks += offsets.count / 2
      }
    }
    #expect(zones > 400)
    #expect(checks > 100_000)
  }

  private static func numbers(_ line: ArraySlice<UInt8>) -> [Int] {
    var numbers: [Int] = []
    var number = 0
    var isNegative = false
    for byte in line + [0x20] {
      switch byte {
      case 0x20:
        numbers.append(isNegative ? -number : number)
        (number, isNegative) = (0, false)
      case 0x2D: isNegative = true
      default: number = number * 10 + Int(byte) - 0x30
      }
    }
    return numbers
  }

  private static func python() throws -> [ArraySlice<UInt8>] {
    let output = try ProgramStream()
    let process = try ChildProcess(
      ["/usr/bin/env", "python3", "-c", script], environment: ["PATH": "/usr/local/bin:/usr/bin"],
      output: output.writing)
    output.closeWriting()
    let data = output.readAll()
    try #require(
      process.wait() == 0, "python3 with zoneinfo is needed to test the time zones")
    return data.split(separator: 0x0A)
  }
}
