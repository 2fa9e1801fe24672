import Glibc
import TestSupport
import Testing

/// A file whose name is not UTF-8 is named like any other: by its bytes, or as reports write them.
@Suite struct NamesInBytesTests {
  /// The command that is run with `one/work/café.ics` in ISO 8859-1 as its last word.
  private static let byBytes = [
    "/bin/sh", "-c", #"exec "$0" "$@" "$(printf 'one/work/caf\351.ics')""#,
  ]
  private static let byText = ["/bin/sh", "-c", #"exec "$0" "$@" 'one/work/caf%E9.ics'"#]

  /// Two folders in step, the first with that file.
  private func folders() async throws -> TwoFolders {
    let world = try TwoFolders()
    try world.write("one", "dentist", at: 10, "Dentist")
    let folder = world.calgw.home + "/one/work/"
    let name = Array((folder + "caf").utf8) + [0xE9] + Array(".ics".utf8)
    try #require(
      rename(folder + "dentist.ics", name.map { CChar(bitPattern: $0) } + [0]) == 0)
    let run = try await world.calgw("sync")
    #expect(run.status == 0, "\(run.errors)")
    return world
  }

  @Test(
    arguments: [
      ["log"], ["diff"], ["resolve", "--take", "local"], ["show"], ["check"], ["expand"],
      ["list", "--from", "2026-01-05", "--to", "2026-01-06"], ["edit", "--summary", "Tooth"],
      ["import", "--in", "one/work"], ["delete"],
    ], [byBytes, byText])
  func `every command finds it`(command: [String], wrapper: [String]) async throws {
    let world = try await folders()
    let run = try await world.calgw.run(command, within: wrapper)
    #expect(run.status == 0, "\(command) \(run.output) \(run.errors)")
    if ["show", "expand", "list"].contains(command[0]) {
      #expect(run.output.contains("Dentist"), "\(run.output)")
    }
    guard ["edit", "delete"].contains(command[0]) else { return }
    let sync = try await world.calgw("sync")
    #expect(sync.status == 0, "\(sync.errors)")
    #expect(try world.items("two") == (command[0] == "edit" ? ["Tooth 10"] : []))
  }

  @Test func `where it is not there the message spells it as reports do`() async throws {
    let world = try await folders()
    _ = try await world.calgw.run(["delete"], within: Self.byBytes)
    let run = try await world.calgw.run(["check"], within: Self.byBytes)
    #expect(run.status == 66)
    #expect(run.errors.contains("/one/work/caf%E9.ics"), "\(run.errors)")
  }

  @Test func `a text that is not UTF-8 is refused`() async throws {
    let world = try await folders()
    let script = #"exec "$0" "$@" --summary "$(printf 'caf\351')""#
    let run = try await world.calgw.run(
      ["edit", "dentist", "--in", "p/work"], within: ["/bin/sh", "-c", script])
    #expect(run.status == 64)
    #expect(run.errors.contains("\"caf%E9\" is not UTF-8"), "\(run.errors)")
    let adhoc = #"exec "$0" "$@" --local "$(printf 'caf\351')""#
    let sync = try await world.calgw.run(
      ["sync", "--remote", "https://example.org/"], within: ["/bin/sh", "-c", adhoc])
    #expect(sync.status == 64)
    #expect(sync.errors.contains("caf%E9 is not UTF-8"), "\(sync.errors)")
  }
}
