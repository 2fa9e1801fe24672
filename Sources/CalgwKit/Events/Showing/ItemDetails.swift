import EventEditing
import ICalendar
import Recurrence
public import SyncModel

/// An item as `show` gives it: in words for people, and as an object for scripts.
public struct ItemDetails: Sendable {
  /// A line for people: what it is, and one or more lines of what it says. From outside, and not
  /// yet made safe for a terminal.
  public struct Row: Sendable, Hashable {
    public var label: String
    public var lines: [String]
  }

  /// The title; empty where there is none.
  public let title: String
  public let rows: [Row]
  /// The machine-readable form: one line.
  public let json: JSONValue
  /// The bytes of the file.
  public let data: ItemData

  init(_ item: FoundItem, here: Zone, occurrence: ItemComponent? = nil) {
    let reader = DetailsReader(item.object, here: here, occurrence: occurrence)
    title = occurrence?.summary?.text ?? item.summary
    rows = reader.rows(of: item)
    json = reader.json(of: item)
    data = item.data
  }
}

/// Reads the details of an item.
struct DetailsReader {
  let object: CalendarObject
  let here: Zone
  /// The one that says what the series is; an override where there is nothing else.
  let main: ItemComponent?
  /// Those of occurrences that are there.
  let overrides: [ItemComponent]
  let times: ComponentTimes?
  let zones: ZoneResolver
  /// Tells the occurrences that are excepted, added or changed.
  let originalStarts: OriginalStarts
  /// Where the times at which it was written stand.
  private let written: ItemComponent?

  /// - Parameter occurrence: The one occurrence that is meant, as an override has it; nil: the item
  ///   as a whole.
  init(_ object: CalendarObject, here: Zone, occurrence: ItemComponent? = nil) {
    self.object = object
    self.here = here
    let ofItem = object.mainComponents.first ?? object.components.first
    let id = occurrence?.recurrenceID?.content
    let own = object.components.first { id != nil && $0.recurrenceID?.content == id }
    written = own ?? ofItem
    var findings: [ScheduleFinding] = []
    zones = ZoneResolver(
      catalog: .system,
      definitions: TimeZoneDefinition.all(in: object.tree, findings: &findings))
    let main = own ?? occurrence ?? ofItem
    self.main = main
    let others = occurrence == nil ? object.components.filter(\.isOverride) : []
    times = main.map { [zones] in ComponentTimes($0, zones: zones, here: here) }
    let series = object.mainComponents.first.map { Schedule.read($0, findings: &findings) }
    let starts = OriginalStarts(series: series?.placedStart, zones: zones, here: here)
    originalStarts = starts
    let excluded = Set((series?.exclusions ?? []).map(starts.excludedText))
    // Without a main component the first override stands for it.
    overrides = others.dropFirst(main?.isOverride == true ? 1 : 0).filter { override in
      let own = Schedule.read(override, findings: &findings)
      guard let id = own.recurrenceID.map(starts.text), !own.isThisAndFuture else { return true }
      // An EXDATE wins over an override; one of a day is of all that takes place on it.
      return excluded.isDisjoint(with: [id, String(id.prefix(10))])
    }
  }

  // MARK: Values

  /// A text of the main component, without escapes.
  func text(_ name: String) -> String? {
    main?.component.line(named: name).map { TextValue(escaped: $0.value).text }
      .flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A value as it stands in the line.
  func value(_ name: String) -> String? {
    main?.component.line(named: name).map { String(decoding: $0.value, as: UTF8.self) }
  }

  func values(_ name: String) -> [String] {
    main?.component.lines(named: name).map { String(decoding: $0.value, as: UTF8.self) } ?? []
  }

  var categories: [String] {
    main?.component.lines(named: "CATEGORIES").flatMap { line in
      splitList(line.value).map { TextValue(escaped: $0).text }
    } ?? []
  }

  /// Cuts at commas that are not escaped.
  private func splitList(_ value: [UInt8]) -> [[UInt8]] {
    var parts: [[UInt8]] = [[]]
    var isEscaped = false
    for byte in value {
      if byte == UInt8(ascii: ","), !isEscaped {
        parts.append([])
      } else {
        parts[parts.count - 1].append(byte)
      }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    return parts.filter { !$0.isEmpty }
  }

  var rules: [(text: String, rule: RecurrenceRule?)] {
    main?.component.lines(named: "RRULE").map { line in
      var notes: [ValueNote] = []
      return (
        String(decoding: line.value, as: UTF8.self),
        try? RecurrenceRule.read(line.value, notes: &notes)
      )
    } ?? []
  }

  /// Who is invited, or invites.
  struct Person {
    var name: String?
    var address: String
    /// PARTSTAT.
    var status: String?
    /// ROLE.
    var role: String?
  }

  func people(_ property: String) -> [Person] {
    main?.component.lines(named: property).map { line in
      func parameter(_ name: String) -> String? {
        line.parameter(named: name)?.texts.first.map { String(decoding: $0, as: UTF8.self) }
      }
      let address = String(decoding: line.value, as: UTF8.self)
      return Person(
        name: parameter("CN"), address: mailtoAddresses(in: address) ?? address,
        status: parameter("PARTSTAT")?.uppercased(), role: parameter("ROLE")?.uppercased())
    } ?? []
  }

  var alarms: [Component] { main?.component.components.filter { $0.isNamed("VALARM") } ?? [] }

  func stamp(_ name: String) -> String? {
    guard let line = written?.component.line(named: name) else { return nil }
    guard let time = UTCDateTime(line.value) else {
      return String(decoding: line.value, as: UTF8.self)
    }
    return timestamp(Instant(milliseconds: time.millisecondsSince1970))
  }
}

extension Gateway {
  /// The details of an item, or of one of its occurrences.
  /// - Parameters:
  ///   - target: a FILE, or a UID.
  ///   - place: what `--in` names.
  ///   - occurrence: the original start of the occurrence that is meant; nil: the item as a whole.
  ///   - here: where the reader is.
  public func show(
    _ target: String, in place: String?, occurrence: String? = nil, here: EventZone
  ) async throws(RunFailure) -> ItemDetails {
    let item = try await office().finder.item(target, in: place)
    guard let occurrence else { return ItemDetails(item, here: here.zone) }
    let clock = EventClock(surroundings: surroundings, here: here.zone)
    let component = try item.component(of: try clock.occurrence(occurrence), try clock.context())
    return ItemDetails(item, here: here.zone, occurrence: component)
  }
}

extension FoundItem {
  /// One occurrence as its override says it, or would say it: an edit of it that changes nothing
  /// but a mark of ours makes that override.
  fileprivate func component(of occurrence: GivenTime, _ context: EditContext)
    throws(RunFailure) -> ItemComponent?
  {
    let mark = "X-CALGW-SHOWN"
    var edit = EventEdit()
    edit.setText(mark, to: "1")
    let change: LinkedChange
    do throws(EditError) {
      change = try editEvent(
        object, edit, span: .thisEvent, occurrence: occurrence, context: context)
    } catch {
      throw RunFailure(error, file: file)
    }
    return CalendarObject(SyntaxTree(bytes: change.item ?? [])).components
      .first { $0.component.line(named: mark) != nil }
  }
}

/// A time zone that an event command works with.
public struct EventZone: Sendable {
  let zone: Zone

  package init(zone: Zone) {
    self.zone = zone
  }

  /// The zone of the person who runs the program.
  public static func local(_ environment: ProcessEnvironment) -> EventZone {
    EventZone(zone: SystemZones.local(environment))
  }

  /// A moment as the clock shows it there: `Monday 5 January 2026, 09:00`.
  public func words(for instant: Instant) -> String {
    let wall = zone.wall(at: Int(clamping: instant.milliseconds / 1000))
    guard let time = CivilDateTime(secondsSince1970: wall - wall % 60) else {
      return timestamp(instant)
    }
    return "\(TimeWords.day(time.date)), \(TimeWords.clock(time))"
  }
}
