import TestSupport
import Testing

/// Commands to paste that have the command for the password in them, as it was typed.
@Suite struct PastedPasswordTests {
  private func gym(at hour: Int) -> String {
    event("gym", "Gym").replacing("T100000Z", with: "T\(hour)0000Z")
  }

  @Test func `the password is in none, also where it was typed into its command`() async throws {
    let world = try FolderAndCalendar()
    world.model.put("gym.ics", gym(at: 10), in: FolderAndCalendar.path)
    let words = [
      "--local", world.calgw.home + "/work", "--remote",
      world.server.url + FolderAndCalendar.path.dropFirst(), "--username", "alice",
      "--password-command", "echo 'canary word'",
    ]
    #expect(try await world.calgw.run(["sync"] + words).status == 0)
    try world.calgw.write("work/gym.ics", gym(at: 12))
    world.model.put("gym.ics", gym(at: 13), in: FolderAndCalendar.path)
    for command in ["sync", "status"] {
      let run = try await world.calgw.run([command] + words)
      let said = run.output + run.errors
      #expect(
        said.contains(#"--username alice --password-command 'echo '\''[secret]'\''' gym"#),
        "\(said)")
      #expect(!said.contains("canary"), "\(said)")
    }
    // Nobody has run the command, so that its password is not known.
    let run = try await world.calgw.run(["status", "--offline"] + words)
    #expect(run.output.contains("--username alice --password-command '…' gym"), "\(run.output)")
    #expect(!(run.output + run.errors).contains("canary"), "\(run.output) \(run.errors)")
  }
}
