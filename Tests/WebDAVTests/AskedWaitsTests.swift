import SyncModel
import Synchronization
import TestSupport
import Testing
import WebDAV

/// A run remembers what servers asked it to wait for, also where they were waited for.
@Suite struct AskedWaitsTests {
  @Test(
    arguments: [
      ("Retry-After: 30", 1, "the server asked to wait for 30 seconds (status 429 of %)"),
      ("X-None: 1", 1, "the server asked to wait (status 429 of %)"),
      (
        "Retry-After: 2", 3,
        "the server asked to wait for 2 seconds (status 429 of %), and 3 times in all"
      ),
      ("X-None: 1", 0, nil),
    ] as [(String, Int, String?)])
  func `the last time is told in words`(header: String, count: Int, words: String?) async throws {
    let place = "https://a.example/x"
    let turn = "> GET \(place)\n< 429\n< \(header)\n"
    let exchange = String(repeating: turn, count: count) + "> GET \(place)\n< 200\n"
    let clock = ModelClock()
    var access = DAVAccess { clock.now.milliseconds }
    access.patience.pause = clock.surroundings.pause
    let client = DAVClient(
      transport: ScriptedTransport(try Exchange(exchange)), access: access,
      trusting: "https://a.example")
    let url = try WebURL(absolute: place)
    let told = Mutex([String]())
    let asked = AskedWaits { words in told.withLock { $0.append(words) } }
    let status = try await Patience.$asked.withValue(asked) {
      try await client.send(DAVRequest("GET", url)) { BytesSink(limit: 1000) }.0.status
    }
    #expect(status == 200)
    #expect(asked.words == words?.replacing("%", with: "https://a.example"))
    // A short wait is not worth a word.
    let long = "waiting 30 seconds before https://a.example is asked again"
    #expect(told.withLock(\.self) == (header.hasSuffix("30") ? [long] : []))
  }
}
