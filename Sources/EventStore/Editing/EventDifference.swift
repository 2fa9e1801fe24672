import EventEditing
import ICalendar
import Recurrence

/// What was changed in an event since it was read, as an edit.
struct EventDifference {
  private(set) var edit = EventEdit()
  /// The alarms are others.
  let changesReminders: Bool

  /// - Parameters:
  ///   - reader: The text that the event was read from.
  ///   - occurrence: What it was there.
  init(
    from old: CalendarEvent, to new: CalendarEvent, reader: EventReader, occurrence: Occurrence
  ) {
    changesReminders = old.reminders != new.reminders
    if old.title != new.title { edit.setText("SUMMARY", to: new.title) }
    if old.location != new.location { edit.setText("LOCATION", to: new.location ?? "") }
    if old.description != new.description {
      edit.setText("DESCRIPTION", to: new.description ?? "")
    }
    if old.start != new.start { edit.start = .exactly(new.start) }
    // A start alone keeps the duration, and the line that says it: seconds in the world, or days.
    let keepsLength =
      old.length == new.length
      && (reader.lastsDays(occurrence) || reader.seconds(of: old) == reader.seconds(of: new))
    if !keepsLength { edit.end = .exactly(new.end) }
    if old.rule != new.rule {
      let rule = new.rule.flatMap { $0.isEmpty ? nil : $0 }
      edit.recurrence = rule.map { .rule(Array($0.utf8)) } ?? .removed
    }
  }

  var isEmpty: Bool { edit.isEmpty && !changesReminders }

  /// Marks the component whose alarms change as revised, which makes an override where there is
  /// none.
  mutating func revise(at now: UTCDateTime) {
    guard changesReminders else { return }
    edit.properties.append(PropertyChange("LAST-MODIFIED", value: Array(now.value.utf8)))
  }
}

extension EventReader {
  /// How long an event lasts in the world.
  fileprivate func seconds(of event: CalendarEvent) -> Int {
    instant(of: event.end) - instant(of: event.start)
  }
}

extension CalendarEvent {
  /// How long it lasts on the wall, and whether start and end are of two zones or kinds.
  fileprivate var length: Length {
    Length(
      seconds: end.civil.secondsSince1970 - start.civil.secondsSince1970,
      isMixed: start.isDate != end.isDate, endZone: start.zone == end.zone ? nil : end.zone)
  }
}

private struct Length: Equatable {
  var seconds: Int
  var isMixed: Bool
  var endZone: TimeZoneName?
}
