import ArgumentParser
import CalgwKit

/// `calgw edit`
struct Edit: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Change an event, or one of its occurrences.",
    discussion: """
      Without an option that names a property, the whole event is opened as text in $VISUAL or \
      $EDITOR. What it was before is kept: see `calgw log`.
      """)

  @OptionGroup var target: TargetArguments
  @OptionGroup var which: SpanArguments

  @Option(help: ArgumentHelp("A new title.", valueName: "text"))
  var summary: String?

  @Option(help: ArgumentHelp("A new place; empty: none.", valueName: "text"))
  var location: String?

  @Option(help: ArgumentHelp("New notes; empty: none.", valueName: "text"))
  var description: String?

  // A time may begin with a dash.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("A new start; alone it keeps the duration.", valueName: "time"))
  var start: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("A new end.", valueName: "time"))
  var end: String?

  @Option(help: ArgumentHelp("A new duration, as 90m, 1h30m, 2d.", valueName: "duration"))
  var duration: String?

  @Option(help: ArgumentHelp("A new rule, taken literally; empty: none.", valueName: "rule"))
  var rrule: String?

  @Option(
    help: ArgumentHelp(
      "Any other property, as STATUS=TENTATIVE; empty: none. May be given again.",
      valueName: "name=value"))
  var set: [String] = []

  @Flag(help: "Say what would change; nothing is written.")
  var dryRun = false

  @OptionGroup(title: "Common options") var common: CommonOptions

  mutating func validate() throws {
    if end != nil, duration != nil {
      throw ValidationError("--end and --duration exclude each other: give one of them")
    }
    if request.namesNothing, which.occurrence != nil || which.span != nil {
      throw ValidationError(
        "--occurrence and --span need to know what to change: give --summary, --start or another"
          + " property, or neither to edit the whole event as text")
    }
  }

  private var request: EditRequest {
    var request = EditRequest()
    request.summary = summary
    request.location = location
    request.description = description
    request.start = start
    request.end = end
    request.duration = duration
    request.rule = rrule
    request.settings = set
    return request
  }

  func execute(_ session: Session) async throws(RunFailure) -> ExitStatus {
    let gateway = try session.eventGateway()
    let item = try await gateway.findItem(target.target, in: target.place)
    if !session.console.isQuiet {
      for path in gateway.leftCopies(of: item) {
        session.console.note(
          "note: an earlier edit of its UID was not taken over, or is open in an editor still: its"
            + " text is \(visibleText(path, limit: 1000)), for you to take from or to remove")
      }
    }
    var request = request
    if request.namesNothing {
      let editing = EditingAsText(
        item: item, gateway: gateway, session: session, isDryRun: dryRun)
      return try await editing.run()
    }
    (request.span, request.occurrence) = try which.completed(
      for: item, "change", gateway, session)
    let report = try await gateway.edit(
      item, request, here: .local(session.environment), isDryRun: dryRun,
      notice: session.notices)
    session.console.show(report)
    return .success
  }
}

/// `calgw delete`
struct Delete: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Delete an event, or some of its occurrences.",
    discussion: "What is deleted is kept: see `calgw log` and `calgw restore`.")

  @OptionGroup var target: TargetArguments
  @OptionGroup var which: SpanArguments

  @Flag(help: "Say what would change; nothing is written.")
  var dryRun = false

  @OptionGroup(title: "Common options") var common: CommonOptions

  func execute(_ session: Session) async throws(RunFailure) -> ExitStatus {
    let gateway = try session.eventGateway()
    let item = try await gateway.findItem(target.target, in: target.place)
    let (span, occurrence) = try which.completed(for: item, "delete", gateway, session)
    let report = try await gateway.delete(
      item, span: span, occurrence: occurrence, here: .local(session.environment),
      isDryRun: dryRun, notice: session.notices)
    session.console.show(report)
    return .success
  }
}
