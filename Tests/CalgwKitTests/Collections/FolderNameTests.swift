import CalgwKit
import SyncModel
import Testing

@Suite struct FolderNameTests {
  @Test(
    arguments: [
      ("work", nil, "work"), ("Work_1.x-y", nil, "Work_1.x-y"), (".hidden", "Mine", "mine"),
      ("0b4b1f4e-8a5c-4f9e-9d3a-2f1f6f0f6d11", "Our Work!", "our-work"),
      ("0B4B1F4E8A5C4F9E9D3A2F1F6F0F6D11", "Work", "work"),
      ("0b4b1f4e-8a5c-4f9e-9d3a-2f1f6f0f6d11", nil, "0b4b1f4e-8a5c-4f9e-9d3a-2f1f6f0f6d11"),
      ("a b", "Ferien & Feste", "ferien-feste"), ("a b", "Straße 5", "straße-5"),
      ("a b", nil, "a-b"),
      ("///", "  ", "calendar"), (String(repeating: "x", count: 65), "Long", "long"),
      ("a/b", "../..", "a-b"), ("a b", "\u{202E}evil\u{7}", "evil"),
      ("a b", "E\u{200D}vil\u{200F}s", "evils"),
    ] as [(String, String?, String)])
  func `a folder is named after its calendar`(id: String, display: String?, folder: String) {
    #expect(folderName(for: calendar(id, display), among: [], taken: []) == folder)
  }

  @Test func `a folder's name is unlike all others, whatever the case`() {
    #expect(folderName(for: calendar("work"), among: [], taken: ["work"]) == "work-2")
    #expect(folderName(for: calendar("Work"), among: [], taken: ["work", "WORK-2"]) == "Work-3")
    let long = String(repeating: "é", count: 32)
    let name = folderName(for: calendar("a b", long), among: [], taken: [long])
    #expect(name.hasSuffix("-2") && name.utf8.count <= 64)
  }

  @Test func `where calendars share an id, as Google's do, their folders have the display names`() {
    let all = [
      events("alice@example.org", "Alice"), events("family1", "Our Family!"),
      events("family2", "Our family"), events("unnamed", nil), calendar("tasks", "To do"),
    ]
    var taken: Set<String> = []
    for calendar in all { taken.insert(folderName(for: calendar, among: all, taken: taken)) }
    #expect(taken == ["alice", "our-family", "our-family-2", "events", "tasks"])
  }

  @Test func `a calendar that is alone with its id has a folder of that name`() {
    let only = events("alice@example.org", "Alice")
    #expect(folderName(for: only, among: [only, calendar("tasks")], taken: []) == "events")
  }

  /// A calendar as Google has them: each address ends with the same part.
  private func events(_ owner: String, _ display: String?) -> CollectionDescription {
    calendar("events", display, path: "/caldav/v2/\(owner)/events/")
  }

  private func calendar(
    _ id: String, _ display: String? = nil, path: String = "/dav/"
  ) -> CollectionDescription {
    CollectionDescription(
      href: Href(path), name: id, displayName: display, identity: "https://dav.example.org\(path)")
  }
}
