import ArgumentParser

/// The options that every command takes.
struct CommonOptions: ParsableArguments {
  enum Color: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never
  }

  @Option(help: ArgumentHelp("The configuration to use.", valueName: "file"))
  var config: String?

  @Flag(help: "Print results as JSON, one object a line.")
  var json = false

  @Flag(name: [.short, .long], help: "Print problems only.")
  var quiet = false

  @Flag(name: [.short, .long], help: "Print every action, and a log on standard error.")
  var verbose = false

  @Option(help: ArgumentHelp("When to use colours.", valueName: "when"))
  var color = Color.auto

  @Flag(name: .customLong("no-progress"), help: "Draw no progress on the terminal.")
  var noProgress = false

  mutating func validate() throws {
    if quiet, verbose {
      throw ValidationError("--quiet and --verbose exclude each other: give one of them")
    }
  }
}
