import CalgwKit
import SyncPlanning
import Testing

/// Two long versions of one text are cut where they differ, and not where they are the same.
@Suite struct ComparedTextTests {
  private static func x(_ count: Int) -> String { String(repeating: "x", count: count) }
  private static func z(_ count: Int) -> String { String(repeating: "z", count: count) }

  @Test(
    arguments: [
      // As it is where nothing is cut, or where the difference shows anyway.
      ("short", "shirt", "short"), ("\(x(50))a", "\(x(50))\(z(500))", "\(x(50))a"),
      ("a\(x(500))", "b\(x(500))", "a\(x(99))…"),
      ("\(x(60))a\(z(500))", x(500), "\(x(60))a\(z(39))…"),
      // The end of the text is whole.
      ("\(x(500))a", "\(x(500))b", "…\(x(99))a"), ("\(x(500))a", x(500), "…\(x(99))a"),
      ("\(x(500))a\(z(500))", "\(x(500))b\(z(500))", "…\(x(40))a\(z(59))…"),
      ("\(x(500))\u{E9}", "\(x(500))e\u{301}", "…\(x(99))\u{E9}"),
    ] as [(String, String, String)])
  func `a text begins a little before what the other one has unlike`(
    text: String, other: String, shown: String
  ) {
    #expect(visibleText(text, unlike: other, limit: 100) == shown)
  }

  @Test(
    arguments: [
      (12, 20, 11, 0), (20, 20, 10, 0), (20, 20, 11, 8), (40, 40, 25, 23), (40, 12, 12, 10),
    ] as [(Int, Int, Int, Int)])
  func `lines do, too`(count: Int, other: Int, alike: Int, first: Int) {
    func lines(_ count: Int, _ own: String) -> [String] {
      (0..<count).map { $0 < alike ? "\($0)" : "\(own) \($0)" }
    }
    #expect(firstLineShown(of: lines(count, "a"), unlike: lines(other, "b"), atMost: 12) == first)
  }

  @Test func `a line is told from the one whose place it took`() {
    let lines = [
      DetailLine(.removed, Self.x(500) + "a"), DetailLine(.removed, Self.z(500)),
      DetailLine(.added, Self.x(500) + "b"), DetailLine(.alike, ""),
      DetailLine(.added, Self.x(500) + "c"), DetailLine(.removed, "short"),
    ]
    let (end, beginning) = ("…" + Self.x(99), Self.x(100) + "…")
    let shown = [end + "a", Self.z(100) + "…", end + "b", "", beginning, "short"]
    #expect(lines.visibleTexts(limit: 100) == shown)
  }
}
