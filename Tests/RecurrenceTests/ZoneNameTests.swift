import ICalendar
import Recurrence
import Synchronization
import Testing

@Suite struct ZoneNameTests {
  private let resolver = ZoneResolver(catalog: .system)

  @Test(
    arguments: [
      ("Europe/Vienna", "Europe/Vienna", .tzdata), ("UTC", "UTC", .tzdata),
      ("America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires", .tzdata),
      ("Etc/GMT+5", "Etc/GMT+5", .tzdata),
      ("W. Europe Standard Time", "Europe/Berlin", .windowsName),
      ("w. europe standard time", "Europe/Berlin", .windowsName),
      ("Pacific Standard Time (Mexico)", "America/Tijuana", .windowsName),
      ("UTC-11", "Etc/GMT+11", .windowsName),
      ("/freeassociation.sourceforge.net/Europe/Vienna", "Europe/Vienna", .prefixedName),
      ("/freeassociation.sourceforge.net/Tzfile/Europe/Vienna", "Europe/Vienna", .prefixedName),
      ("/mozilla.org/20070129_1/Europe/Berlin", "Europe/Berlin", .prefixedName),
      (
        "/softwarestudio.org/Tzfile/America/Argentina/Buenos_Aires",
        "America/Argentina/Buenos_Aires", .prefixedName
      ),
      ("GMT+0100", "GMT+0100", .offsetName), ("utc-05:30", "utc-05:30", .offsetName),
    ] as [(String, String, ZoneResolver.Origin)])
  func `names are found where they come from`(
    name: String, found: String, origin: ZoneResolver.Origin
  ) throws {
    let result = try #require(resolver.zone(named: TimeZoneName(name)))
    #expect(result.zone.name == found)
    #expect(result.origin == origin)
  }

  @Test(arguments: [
    "", "Nowhere", "Europe/Wien", "europe/vienna ", "../../etc/passwd", "/../../etc/passwd",
    "/etc/passwd", "Europe/../UTC", "Europe//Vienna", "posix/Europe/Vienna", "zone.tab",
    "Europe/Vienna\u{0}", "(UTC+01:00) Amsterdam, Berlin, Bern", "GMT+99", "+", "GMT+1a",
  ])
  func `what is no name means nothing`(name: String) {
    #expect(resolver.zone(named: TimeZoneName(name)) == nil)
  }

  @Test func `no name leads out of the folder of zones`() {
    let asked = Mutex<[String]>([])
    let catalog = ZoneCatalog { name in
      asked.withLock { $0.append(name) }
      return nil
    }
    let pieces = ["..", ".", "/", "\\", "Europe", "Vienna", "etc", "\u{0}", "passwd", "%2e", "~"]
    var state: UInt64 = 7
    for _ in 0..<5_000 {
      var name = ""
      for _ in 0..<6 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        name += pieces[Int(state >> 33) % pieces.count]
      }
      _ = ZoneResolver(catalog: catalog).zone(named: TimeZoneName(name))
    }
    asked.withLock { names in
      #expect(!names.isEmpty)
      #expect(names.allSatisfy { !$0.contains(".") && !$0.hasPrefix("/") && !$0.contains("\\") })
    }
  }

  @Test func `every Windows name leads to a zone of tzdata`() throws {
    let names = [
      "Dateline Standard Time", "Hawaiian Standard Time", "Eastern Standard Time",
      "GMT Standard Time", "Romance Standard Time", "FLE Standard Time", "Russian Standard Time",
      "India Standard Time", "China Standard Time", "Tokyo Standard Time",
      "AUS Eastern Standard Time", "New Zealand Standard Time", "Line Islands Standard Time",
    ]
    for name in names {
      #expect(resolver.zone(named: TimeZoneName(name))?.origin == .windowsName, "\(name)")
    }
    #expect(ZoneResolver.windowsNames.count >= 139)
    for name in ZoneResolver.windowsNames {
      #expect(resolver.zone(named: TimeZoneName(name)) != nil, "\(name)")
    }
  }

  @Test func `an own definition counts where the name is none of tzdata`() throws {
    let offset = try #require(UTCOffset(seconds: 5400))
    let date = try #require(CivilDate(year: 2000, month: 1, day: 1))
    let observance = TimeZoneDefinition.Observance(
      start: CivilDateTime(startOf: date), offsetFrom: offset, offsetTo: offset)
    let definitions = ["Europe/Vienna", "W. Europe Standard Time", "Mine"].map {
      TimeZoneDefinition(name: TimeZoneName($0), observances: [observance])
    }
    let resolver = ZoneResolver(catalog: .system, definitions: definitions)
    let origins = definitions.map { resolver.zone(named: $0.name)?.origin }
    #expect(origins == [.tzdata, .definition, .definition])
    #expect(resolver.zone(named: TimeZoneName("Mine"))?.zone.offset(at: 0) == 5400)
  }

  @Test func `a missing zone is reported and its times are floating`() throws {
    var notes: [ValueNote] = []
    let name = TimeZoneName("Mars/Olympus")
    let start = try DateTime.read(Array("20260101T090000".utf8), zone: name, notes: &notes)
    let set = RecurrenceSet(
      main: Schedule(start: start), zones: resolver,
      placement: try #require(ZoneCatalog.system.zone(named: "Asia/Tokyo")))
    #expect(set.problems == [.missingZone(name)])
    let found = try #require(Array(set.occurrences(in: .all)).first)
    #expect(found.start.offset == nil)
    #expect(found.start.wall - found.start.instant == 9 * 3600)
    #expect(found.recurrenceID == nil)
  }

  @Test(
    arguments: [
      [], Array("TZif".utf8), Array("TZif2".utf8) + [UInt8](repeating: 0, count: 39),
      Array("TZif2".utf8) + [UInt8](repeating: 255, count: 200),
      [UInt8](repeating: 0x54, count: 1000),
    ] as [[UInt8]])
  func `bytes that are no TZif are refused`(bytes: [UInt8]) {
    #expect(throws: TZif.Failure.self) { try TZif.zone(name: "X", bytes: bytes) }
  }

  @Test func `damaged TZif files never trap`() throws {
    let whole = Array(try #require(systemZone("Europe/Vienna")))
    var state: UInt64 = 3
    for round in 0..<3_000 {
      var bytes = whole
      for _ in 0..<3 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(state >> 33) % (round % 2 == 0 ? 80 : bytes.count)] = UInt8(state >> 20 & 0xFF)
      }
      if round % 5 == 0 { bytes.removeLast(Int(state >> 40) % bytes.count) }
      if let zone = try? TZif.zone(name: "X", bytes: bytes) {
        _ = zone.instant(of: 1_800_000_000)
        _ = zone.offset(at: Int.max)
        _ = zone.offset(at: Int.min)
        _ = zone.definitionText(from: 0)
      }
    }
  }
}
