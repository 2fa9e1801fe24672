import TestSupport
import Testing

/// How JSON names the items of a calendar in one text, in which none has an address.
@Suite struct ItemsOfOneTextTests {
  private static let events = [
    SubscribedFeed.event("a", "A"), SubscribedFeed.event("d", "D"),
    SubscribedFeed.event("d", "Another D"),
  ]

  /// A pair of a folder and the file `all.ics`.
  private func pairWithFile(_ events: [String]) throws -> CommandLine {
    let calgw = try CommandLine()
    try calgw.write("all.ics", SubscribedFeed.text(events))
    try calgw.configure(
      "[pair.p]\nlocal = \"~/here\"\nremote = { file = \"~/all.ics\" }\n")
    return calgw
  }

  private func checkNames(_ calgw: CommandLine) async throws {
    let problem = #"{"uid":"d","file":null,"href":null,"code":"duplicate-uid","#
    let first = try await calgw("sync", "--json", "--verbose")
    #expect(first.status == 1, "\(first.errors)")
    #expect(first.output.contains(problem), "\(first.output)")
    let action =
      #"{"action":"create","side":"local","uid":"a","file":"a.ics","href":null,"summary":"A"}"#
    #expect(first.output.contains(action), "\(first.output)")
    let next = try await calgw("sync", "--json")
    #expect(next.output.contains(problem), "\(next.output)")
    let status = try await calgw("status", "--json").output
    #expect(status.contains(#""uid":"d","file":null,"href":null,"summary":"","#), "\(status)")
    #expect(status.contains(#""code":"duplicate-uid""#), "\(status)")
    // People read the UID as before.
    let shown = try await calgw("sync").errors
    #expect(shown.contains("problem: d\n"), "\(shown)")
  }

  @Test func `in a feed the UID is no address`() async throws {
    let feed = try SubscribedFeed { _ in SubscribedFeed.answer(Self.events) }
    try await checkNames(feed.calgw)
  }

  @Test func `in a file the UID is no address`() async throws {
    try await checkNames(try pairWithFile(Self.events))
  }

  @Test func `what has no UID has a title for people alone`() async throws {
    let nameless = SubscribedFeed.event("b", "B").replacing("UID:b\r\n", with: "")
    let calgw = try pairWithFile([SubscribedFeed.event("a", "A"), nameless])
    let run = try await calgw("sync", "--json")
    #expect(run.status == 1, "\(run.errors)")
    #expect(
      run.output.contains(#"{"uid":null,"file":null,"href":null,"code":"no-uid","#),
      "\(run.output)")
    let status = try await calgw("status", "--json").output
    #expect(status.contains(#""uid":null,"file":null,"href":null,"summary":"","#), "\(status)")
    let shown = try await calgw("sync").errors
    #expect(shown.contains("problem: (no UID)\n"), "\(shown)")
  }
}
