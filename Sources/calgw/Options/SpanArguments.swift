import ArgumentParser
import CalgwKit

/// Which occurrences of a series `edit` and `delete` are for.
struct SpanArguments: ParsableArguments {
  enum Word: String, ExpressibleByArgument, CaseIterable {
    case this, future, all
  }

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The occurrence that is meant, by its original start, as 2026-01-05T09:00.",
      valueName: "time"))
  var occurrence: String?

  @Option(
    help: ArgumentHelp("This occurrence, this and all later ones, or all.", valueName: "span"))
  var span: Word?

  /// Completes what the options leave open by asking; without a terminal that is status 64. A
  /// single event needs neither.
  func completed(
    for item: FoundItem, _ verb: String, _ gateway: Gateway, _ session: Session
  ) throws(RunFailure) -> (span: EventSpan?, occurrence: String?) {
    var span = span.flatMap { EventSpan(rawValue: $0.rawValue) }
    guard item.isSeries else { return (span, occurrence) }
    let interview = Interview(signals: session.signals)
    var occurrence = occurrence
    if span == nil {
      guard interview.isPossible else {
        throw .usage(
          "\(item.file) repeats: say which occurrences are meant",
          hint: "give --span all, or --occurrence TIME with --span this or future")
      }
      span = try askSpan(verb, interview, withOccurrence: occurrence != nil)
    }
    if span == .this || span == .future, occurrence == nil {
      guard interview.isPossible else {
        throw .usage(
          "--span \(span?.rawValue ?? "") needs an occurrence",
          hint: "give --occurrence TIME; `calgw expand \(shellWord(item.file.text))` shows them")
      }
      occurrence = try askOccurrence(item, gateway, session, interview)
    }
    return (span, occurrence)
  }

  private func askSpan(_ verb: String, _ interview: Interview, withOccurrence: Bool)
    throws(RunFailure) -> EventSpan
  {
    let question = """
      This event repeats. What to \(verb)?
        t  one occurrence
        f  one occurrence and all later ones
        a  all
      [t/f/a, empty: nothing]:\u{20}
      """
    switch interview.optional(question)?.lowercased() {
    case "t", "this": return .this
    case "f", "future": return .future
    case "a", "all": return .all
    default: throw .usage("nothing was chosen", hint: "run the command again, or give --span")
    }
  }

  private func askOccurrence(
    _ item: FoundItem, _ gateway: Gateway, _ session: Session, _ interview: Interview
  ) throws(RunFailure) -> String {
    let next = gateway.nearOccurrences(of: item, here: .local(session.environment), limit: 9)
    for (index, occurrence) in next.enumerated() {
      session.console.note("  \(index + 1)  \(visibleText(occurrence.words))")
    }
    let hint = next.isEmpty ? "" : "a number, or "
    guard
      let answer = interview.optional(
        "Which occurrence (\(hint)its original start, as 2026-01-05 09:00)? ")
    else {
      throw .usage("no occurrence was chosen", hint: "run the command again, or give --occurrence")
    }
    guard let number = Int(answer), next.indices.contains(number - 1) else { return answer }
    return next[number - 1].name
  }
}
