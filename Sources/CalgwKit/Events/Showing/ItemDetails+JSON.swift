import ICalendar
import Recurrence

/// The details for scripts.
extension DetailsReader {
  func json(of item: FoundItem) -> JSONValue {
    .object(
      ("uid", .string(item.uid.text)), ("component", .optional(main?.kind)),
      ("start", .optional(times?.texts?.start)), ("end", .optional(times?.texts?.end)),
      ("allDay", .boolean(times?.occurrence?.isAllDay ?? false)),
      ("tzid", .optional(times?.zoneName)),
      ("recurrenceId", .optional(originalStart.map(originalStarts.text))),
      ("rrule", .optional(rules.first?.text)),
      ("summary", .string(main?.summary?.text ?? item.summary)),
      ("location", .optional(text("LOCATION"))), ("description", .optional(text("DESCRIPTION"))),
      ("status", .optional(value("STATUS"))), ("url", .optional(value("URL"))),
      ("categories", .array(categories.map { .string($0) })),
      ("organizer", people("ORGANIZER").first.map(json) ?? .null),
      ("attendees", .array(people("ATTENDEE").map(json))),
      (
        "alarms",
        .array(
          alarms.map { alarm in
            .optional(
              alarm.line(named: "TRIGGER").map { String(decoding: $0.value, as: UTF8.self) })
          })
      ),
      (
        "exceptions",
        .array((times?.schedule.exclusions ?? []).map { .string(originalStarts.excludedText($0)) })
      ),
      ("overrides", .array(overrides.map(json))),
      ("sequence", .integer(main?.sequence ?? 0)),
      ("lastModified", .optional(stamp("LAST-MODIFIED"))), ("file", .string(item.file.text)),
      ("fileEncoded", .ifTrue(item.file.isEncoded)),
      ("calendar", .string(item.folder.calendar)))
  }

  /// Of the one occurrence that is shown.
  private var originalStart: DateTime? { times?.schedule.recurrenceID }

  private func json(_ person: Person) -> JSONValue {
    .object(
      ("name", .optional(person.name)), ("address", .string(person.address)),
      ("status", .optional(person.status)), ("role", .optional(person.role)))
  }

  private func json(_ override: ItemComponent) -> JSONValue {
    let own = ComponentTimes(override, zones: zones, here: here)
    let id = own.schedule.recurrenceID
    return .object(
      ("recurrenceId", .optional(id.map(originalStarts.text))),
      ("start", .optional(own.texts?.start)), ("end", .optional(own.texts?.end)),
      ("summary", .optional(override.summary?.text)),
      (
        "status",
        .optional(
          override.component.line(named: "STATUS").map { String(decoding: $0.value, as: UTF8.self) }
        )
      ))
  }
}
