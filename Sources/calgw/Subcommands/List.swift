import ArgumentParser
import CalgwKit

/// `calgw list`
struct List: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what is on: an agenda, or a month.",
    discussion: """
      Without a target every calendar of every pair is shown, without a time today and the six \
      days after it. A target is a pair, a pair's collection, a folder or a file; a name that \
      could be both a pair and a folder is the pair, ./NAME is the folder.
      """)

  @Argument(
    help: ArgumentHelp(
      "What to show; nothing: every pair.", valueName: "pair[/collection]|dir|file"))
  var targets: [String] = []

  @Flag(
    help: "Show a month as a grid: this one, or the one that the next argument names, as 2026-12.")
  var month = false

  @OptionGroup var window: WindowOptions
  @OptionGroup(title: "Common options") var common: CommonOptions

  mutating func validate() throws {
    if month, window.from != nil || window.to != nil {
      throw ValidationError("--month says the time: leave --from and --to out")
    }
  }

  /// The library knows no option whose value may be left out, so `--month=2026-12` becomes two
  /// arguments.
  static func separated(_ arguments: [String]) -> [String] {
    guard arguments.first == "list" else { return arguments }
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    return arguments[..<end].flatMap { argument in
      argument.hasPrefix("--month=") ? ["--month", String(argument.dropFirst(8))] : [argument]
    } + arguments[end...]
  }

  func execute(_ session: Session) async throws(RunFailure) -> ExitStatus {
    let reader = session.agendaReader
    guard month else {
      let agenda = try await reader.list(window.request(targets))
      session.console.show(agenda, as: .days(now: reader.now))
      return agenda.status
    }
    var targets = targets
    if let wrong = targets.first(where: { $0.wholeMatch(of: /[0-9]{4}-[0-9]{1,2}/) != nil }),
      AgendaReader.month(wrong) == nil
    {
      throw .usage("there is no month \(wrong)", hint: "write it as 2026-12")
    }
    let named = targets.firstIndex { AgendaReader.month($0) != nil }.map { targets.remove(at: $0) }
    let (first, agenda) = try await reader.month(named, window.request(targets))
    session.console.show(agenda, as: .month(first, now: reader.now))
    return agenda.status
  }
}
