import ArgumentParser
import CalgwKit

/// `calgw new`
struct New: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Make an event; prints its UID and its file.",
    discussion: """
      TIME is written as people do: "tomorrow 14:00", "fri 9:30", 2026-12-24, +2d. A day alone \
      makes an event of whole days. Without --end and --duration it lasts an hour, or a day.
      """)

  @Option(help: ArgumentHelp("The title.", valueName: "text"))
  var summary: String

  // A time may begin with a dash.
  @Option(parsing: .unconditional, help: ArgumentHelp("When it starts.", valueName: "time"))
  var start: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "When it ends; of whole days, the day after the last.", valueName: "time"))
  var end: String?

  @Option(help: ArgumentHelp("How long it lasts, as 90m, 1h30m, 2d.", valueName: "duration"))
  var duration: String?

  @Flag(help: "It is of whole days.")
  var allDay = false

  @Option(help: ArgumentHelp("The time zone, as Europe/Vienna.", valueName: "zone"))
  var tz: String?

  @Option(help: ArgumentHelp("How it repeats, as FREQ=WEEKLY;BYDAY=MO.", valueName: "rule"))
  var rrule: String?

  @Option(help: ArgumentHelp("Where it is.", valueName: "text"))
  var location: String?

  @Option(help: ArgumentHelp("Notes.", valueName: "text"))
  var description: String?

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("The calendar to put it into.", valueName: "dir|pair/collection"))
  var place: String

  @OptionGroup(title: "Common options") var common: CommonOptions

  mutating func validate() throws {
    if end != nil, duration != nil {
      throw ValidationError("--end and --duration exclude each other: give one of them")
    }
  }

  func execute(_ session: Session) async throws(RunFailure) -> ExitStatus {
    var request = NewEventRequest(summary: summary, start: start)
    request.end = end
    request.duration = duration
    request.isAllDay = allDay
    request.zone = tz
    request.rule = rrule
    request.location = location
    request.description = description
    let event = try await session.eventGateway().new(
      request, in: place, here: .local(session.environment), notice: session.notices)
    if session.console.isJSON {
      session.console.print(event.json)
    } else {
      session.console.print(visibleText(event.uid.text))
      session.console.print(visibleText(event.file.text, limit: 4096))
    }
    return .success
  }
}
