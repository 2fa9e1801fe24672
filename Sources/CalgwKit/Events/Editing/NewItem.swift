import EventEditing
import ICalendar
import Recurrence
public import SyncModel
import VdirStorage

/// A new event, as it was written on the command line.
public struct NewEventRequest: Sendable {
  public var summary: String
  public var start: String
  public var end: String?
  public var duration: String?
  public var isAllDay = false
  public var zone: String?
  public var rule: String?
  public var location: String?
  public var description: String?

  public init(summary: String, start: String) {
    self.summary = summary
    self.start = start
  }
}

/// An event that was made.
public struct CreatedEvent: Sendable {
  public var uid: ItemID
  /// The path of its file.
  public var file: ShownPath
  public var folder: EventFolder
  public var summary: String

  /// The machine-readable form: one line.
  public var json: JSONValue {
    .object(
      ("uid", .string(uid.text)), ("file", .string(file.text)),
      ("fileEncoded", .ifTrue(file.isEncoded)),
      ("calendar", .string(folder.calendar)), ("summary", .string(summary)))
  }
}

extension Gateway {
  /// An hour, as every calendar program has it.
  private static let usualLength = CivilDuration(days: 0, seconds: 3600)

  /// Makes an event in a folder.
  /// - Parameters:
  ///   - place: what `--in` names.
  ///   - here: the zone of a time without one.
  public func new(
    _ request: NewEventRequest, in place: String, here: EventZone,
    notice: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws(RunFailure) -> CreatedEvent {
    let made = try item(request, here: here, notice)
    let office = office(notice)
    let folder = try await office.finder.folders.folder(named: place)
    let uid = ItemID(bytes: made.uid)
    let href = try await office.create(ItemData(bytes: made.text), as: uid, in: folder)
    return CreatedEvent(
      uid: uid, file: folder.shownPath(of: href), folder: folder, summary: request.summary)
  }

  private func item(
    _ request: NewEventRequest, here: EventZone, _ notice: @Sendable (String) -> Void
  ) throws(RunFailure) -> NewItem {
    var home = here.zone
    if let name = request.zone {
      guard let zone = ZoneCatalog.system.zone(named: name) else {
        throw RunFailure(EditError.unknownZone(name), option: "--tz")
      }
      home = zone
    }
    // A day is one in the zone of the event.
    let clock = EventClock(surroundings: surroundings, here: home)
    try checkPrintable(
      [request.summary, request.location, request.description, request.rule].compactMap { $0 })
    var event = NewEvent(
      summary: request.summary, start: try clock.time(request.start, option: "--start"))
    if let end = request.end {
      event.end = try clock.time(end, option: "--end")
      event.endsNext = HumanTime.isTimeOfDay(end)
    }
    if let duration = request.duration { event.duration = try clock.duration(duration) }
    event.isAllDay = request.isAllDay
    if event.end == nil, event.duration == nil {
      event.duration = event.lastsDays ? CivilDuration(days: 1, seconds: 0) : Self.usualLength
    }
    event.recurrence = request.rule.map { Array($0.utf8) }
    // Days are the same in every zone; the zone only said which day today is.
    if !event.lastsDays, let zone = NamelessZone(home) {
      if let note = try zone.apply(to: &event) { notice(note) }
    } else if !event.lastsDays {
      event.zone = home.isUTC ? TimeZoneName("UTC") : request.zone.map { TimeZoneName($0) }
    }
    event.location = request.location
    event.description = request.description
    let context = try clock.context()
    do throws(EditError) {
      let made = try event.item(context: context)
      for note in made.notes { notice(note.description) }
      return made
    } catch {
      throw RunFailure(error)
    }
  }
}

extension EventOffice {
  /// Names are tried until one is free.
  private static let nameAttempts = 4

  /// Makes a file of an item. It replaces nothing, so that nothing has to be kept first: it works
  /// without a state directory, too.
  fileprivate func create(
    _ data: ItemData, as uid: ItemID, in folder: EventFolder
  ) async throws(RunFailure) -> Href {
    let storage = try finder.folders.access.storage(folder)
    await finishEdits(in: folder)
    var outcome = ChangeOutcome.changedMeanwhile
    for attempt in 0..<Self.nameAttempts where outcome == .changedMeanwhile {
      let href = storage.freshHref(for: uid, attempt: attempt)
      outcome = await storage.carryOut([.create(href, data)]).first?.changeOutcome ?? outcome
      if case .done(let href) = outcome { return href }
    }
    try outcome.check("the event cannot be written", at: folder.name)
    return storage.freshHref(for: uid, attempt: 0)
  }
}

extension NewEvent {
  /// It is of whole days.
  fileprivate var lastsDays: Bool {
    if case .date = start { true } else { isAllDay }
  }
}

extension Zone {
  /// One of the names of UTC, whose times need no definition of a zone.
  fileprivate var isUTC: Bool {
    ["UTC", "UCT", "Universal", "Zulu"].contains(name.replacing("Etc/", with: ""))
  }
}
