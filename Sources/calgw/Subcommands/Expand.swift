import ArgumentParser
import CalgwKit

/// `calgw expand`
struct Expand: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "List the occurrences of files.",
    discussion: """
      Without --to the first 1000 occurrences of each series are listed. With --batch, each line \
      of standard input is {"id","ics","from","to"}, and each line of output {"id","instances"} \
      or {"id","error"}.
      """)

  @Argument(help: ArgumentHelp("The files, or folders of them.", valueName: "file"))
  var files: [String] = []

  @Flag(help: "Answer JSON lines on standard input, one for one.")
  var batch = false

  @OptionGroup var window: WindowOptions
  @OptionGroup(title: "Common options") var common: CommonOptions

  mutating func validate() throws {
    if batch, !files.isEmpty {
      throw ValidationError("--batch reads standard input: give it no file")
    }
    if batch, window.from != nil || window.to != nil {
      throw ValidationError("with --batch each line has its own \"from\" and \"to\"")
    }
    if !batch, files.isEmpty {
      throw ValidationError("say what to expand: a file, or --batch")
    }
  }

  func execute(_ session: Session) async throws(RunFailure) -> ExitStatus {
    if batch { return try answer(session) }
    let agenda = try await session.agendaReader.expand(window.request(files.map(asPath)))
    session.console.show(agenda, as: .table)
    return agenda.status
  }

  /// A file is never taken for a pair.
  private func asPath(_ file: String) -> String {
    file.first.map { "/.".contains($0) } ?? true ? file : "./" + file
  }

  private func answer(_ session: Session) throws(RunFailure) -> ExitStatus {
    let batch = try ExpandBatch(
      zone: window.tz, includesCancelled: window.includeCancelled,
      now: session.agendaReader.now)
    var lines = InputLines(limit: ExpandBatch.lineLimit, signals: session.signals)
    while session.console.isWanted, let line = try lines.next() {
      switch line {
      case .text(let text): session.console.print(batch.answer(text))
      case .tooLong: session.console.print(batch.refuseLongLine())
      }
      if let reason = session.signals.reason { throw .stopped(reason, place: "") }
    }
    return .success
  }
}
