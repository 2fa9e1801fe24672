import TestSupport
import Testing

/// `edit` without a property, as scripts call it: without a terminal.
@Suite struct EditAsTextTests {
  private let calgw: CommandLine
  private let edit = ["edit", "dentist", "--in", "work"]

  init() throws {
    calgw = try CommandLine()
    try calgw.write("work/dentist.ics", event("dentist", "Dentist"))
  }

  @Test func `no editor is opened that nobody named`() async throws {
    let run = try await calgw.run(edit, within: ["/usr/bin/timeout", "60"])
    #expect(run.status == 64, "\(run.errors)")
    #expect(run.errors.contains("name what to change (--summary"), "\(run.errors)")
    #expect(run.errors.contains("or set $EDITOR"), "\(run.errors)")
    #expect(!calgw.exists("state/calgw/edits"), "no copy was made")
  }

  @Test(arguments: [[], ["--dry-run"]] as [[String]])
  func `an editor that changes nothing has its object, too`(options: [String]) async throws {
    let program = try calgw.start(
      edit + ["--json"] + options, environment: ["EDITOR": "/bin/true"])
    let run = await onOwnThread { program.finish() }
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(run.output.hasPrefix("{\"uid\":\"dentist\","), "\(run.output)")
    #expect(run.output.contains("\"action\":\"none\",\"changes\":[]"), "\(run.output)")
    #expect(run.output.contains("\"dryRun\":\(!options.isEmpty)"), "\(run.output)")
    #expect(run.output.split(separator: "\n").count == 1)
  }
}
