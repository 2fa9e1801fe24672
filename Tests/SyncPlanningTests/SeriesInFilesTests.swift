import SyncModel
import SyncPlanning
import Testing

/// The mend where a series and single occurrences of it have a file each: one of them comes into
/// the other.
@Suite struct SeriesInFilesTests {
  /// The mends of resources that hold what the letters stand for, by their names; those of the
  /// letters `o`, `p` and `q` have single occurrences alone, and `x` has a single event.
  private func mends(
    _ texts: [String: Character], on side: Side = .local, components: [String: [String]] = [:],
    besides agreements: [Agreement] = []
  ) -> [String: String] {
    let observations = texts.map { name, letter -> Observation in
      var version = Build.version(letter, on: side, components: components[name] ?? ["VEVENT"])
      version.href = Href(name)
      return Observation(side: side, href: Href(name), state: .read(version))
    }
    let differing = Differing(observations: observations, agreements: agreements)
    let shares = Dictionary(
      uniqueKeysWithValues: "ABopq".map {
        (Build.version($0).version.digest, $0.isUppercase ? SeriesShare.series : .occurrences)
      })
    let told = matchItems(differing).problems.filter { $0.uid == ItemID("dentist") }
      .map { $0.mended(shares) }
    return Dictionary(
      told.map { ($0.href.text, $0.problem.hint) }, uniquingKeysWith: { first, _ in first })
  }

  private static let keepOne = "Keep one of them, or give the other a UID of its own."

  private func belongs(into place: String, on side: Side = .local) -> String {
    let way = side == .local ? ItemProblem.importOccurrences : ItemProblem.putOccurrencesThere
    return "It has only single occurrences of a series, and belongs into \(place): \(way)."
  }

  @Test(arguments: Side.allCases)
  func `a file of single occurrences belongs into that of the series`(side: Side) {
    #expect(
      mends(["series.ics": "A", "b.ics": "o"], on: side) == [
        "series.ics":
          "'b.ics' has only single occurrences of a series, and belongs into this one.",
        "b.ics": belongs(into: "'series.ics'", on: side),
      ])
  }

  @Test func `so do all such files, also without the series`() {
    let series = mends(["series.ics": "A", "b.ics": "o", "c.ics": "p"])
    #expect(
      series["series.ics"]
        == "'b.ics', 'c.ics' have only single occurrences of a series, and belong into this one.")
    for name in ["b.ics", "c.ics"] { #expect(series[name] == belongs(into: "'series.ics'")) }
    let parts = mends(["b.ics": "o", "other.ics": "p"])
    #expect(parts["b.ics"]?.hasPrefix("'other.ics' has only single occurrences") == true)
    #expect(parts["other.ics"] == belongs(into: "'b.ics'"))
  }

  @Test func `into which of two series it belongs a person decides`() {
    let mends = mends(["a.ics": "A", "b.ics": "B", "c.ics": "o"])
    #expect(mends["a.ics"] == Self.keepOne)
    #expect(mends["b.ics"] == Self.keepOne)
    #expect(mends["c.ics"] == belongs(into: "one of the others"))
  }

  @Test func `into what does not repeat no command puts them`() {
    let parts = mends(["a.ics": "x", "b.ics": "o", "c.ics": "p"])
    #expect(parts == ["a.ics": Self.keepOne, "b.ics": Self.keepOne, "c.ics": Self.keepOne])
    let all = mends(["a.ics": "x", "series.ics": "A", "c.ics": "o"])
    #expect(all["a.ics"] == Self.keepOne)
    #expect(all["series.ics"] == Self.keepOne)
    #expect(all["c.ics"] == belongs(into: "'series.ics'"))
  }

  @Test func `a copy of what says the same goes as before`() {
    let mends = mends(["series.ics": "A", "b.ics": "o", "b copy.ics": "o"])
    #expect(mends["b.ics"] == belongs(into: "'series.ics'"))
    #expect(mends["b copy.ics"]?.hasPrefix("It has the same bytes as 'b.ics'") == true)
  }

  @Test func `two series, and items of two kinds, have the mend that they had`() {
    for hint in mends(["a.ics": "A", "b.ics": "B"]).values { #expect(hint == Self.keepOne) }
    let kinds = mends(["a.ics": "A", "b.ics": "o"], components: ["b.ics": ["VTODO"]])
    #expect(kinds == ["a.ics": Self.keepOne, "b.ics": Self.keepOne])
  }

  /// With it the item that was there before would go.
  @Test func `a file over that of another item is not to be taken away`() {
    let place = "local/choir.ics"
    let mends = mends(
      ["a.ics": "A", place: "o"], besides: [Build.agreement("A", uid: "choir")])
    #expect(
      mends[place]
        == "It has only single occurrences of a series, and belongs into 'a.ics'; how this one"
        + " goes is told with the item that was here before.")
  }

  private static let shares: [(String, SeriesShare?)] = [
    ("UID:a\r\nRRULE:FREQ=DAILY", .series),
    ("UID:a\r\nRDATE:20260106T100000Z", .series),
    ("UID:a\r\nEXDATE:20260106T100000Z", nil), ("UID:a", nil),
    ("UID:a\r\nRECURRENCE-ID:20260106T100000Z", .occurrences),
    (
      "UID:a\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:a\r\nRECURRENCE-ID:20260106T100000Z", .series
    ),
  ]

  @Test(arguments: shares)
  func `what a text has of a series is in its components`(lines: String, share: SeriesShare?) {
    let zone = "BEGIN:VTIMEZONE\r\nTZID:Europe/Vienna\r\nEND:VTIMEZONE\r\n"
    let text =
      "BEGIN:VCALENDAR\r\n\(zone)BEGIN:VEVENT\r\n\(lines)\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    #expect(ItemData(bytes: Array(text.utf8)).seriesShare == share)
    #expect(ItemData(bytes: Array("BEGIN:VCALENDAR\r\n\(zone)".utf8)).seriesShare == nil)
  }
}
