import CalgwKit
import Testing

/// How a mend begins and ends behind `do:`.
@Suite struct AdviceTextTests {
  @Test(arguments: [
    ("Run the sync again.", "run the sync again"),
    ("run `calgw log`", "run `calgw log`"),
    (
      "Keep the one that holds; or remove it. Then sync.",
      "keep the one that holds; or remove it. Then sync"
    ),
    ("Google takes no password here", "Google takes no password here"),
    ("Mail.ru takes an app password only", "Mail.ru takes an app password only"),
    ("GMX and WEB.DE take an app password", "GMX and WEB.DE take an app password"),
    ("iCloud takes an app password only", "iCloud takes an app password only"),
    ("`calgw forget` lets it go", "`calgw forget` lets it go"), ("", ""),
  ])
  func `all mends begin and end alike`(written: String, shown: String) {
    #expect(adviceText(written) == shown)
  }
}
