import CalDAVStorage
import SyncModel
import TestSupport
import Testing
import WebDAV

@Suite struct ServerMemoryTests {
  @Test func `the words of a finding are made where it is kept, and not for each item`() {
    let clock = ModelClock()
    let memory = ServerMemory(nil, hiding: KnownSecrets(), now: { clock.now })
    var made = 0
    func words() -> String {
      made += 1
      return "ETag \"1\""
    }
    for _ in 0..<100 { memory.learn(.strongTags, true, "a report", words()) }
    #expect(made == 1)
    memory.learn(.strongTags, false, "a report", words())
    #expect(made == 2 && memory.learned.profile[.strongTags]?.answer == "ETag \"1\"")
    // Evidence is renewed after a day.
    clock.advance(milliseconds: 86_400_000)
    for _ in 0..<100 { memory.learn(.strongTags, false, "a report", words()) }
    #expect(made == 3)
  }
}
