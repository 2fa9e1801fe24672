import SQLiteJournal
import TestSupport
import Testing

/// What a pair keeps beside its collections, by keys.
@Suite struct StoredValueTests {
  private let store: PairStore

  init() throws { store = try PairStore.inMemory(digest: sha256) }

  @Test func `values are kept, replaced and removed`() async throws {
    #expect(try await store.value("home-set") == nil)
    try await store.setValue([1, 0, 255], for: "home-set")
    try await store.setValue([], for: "sync-token")
    #expect(try await store.value("home-set") == [1, 0, 255])
    #expect(try await store.value("sync-token") == [])
    try await store.setValue([2], for: "home-set")
    try await store.setValue(nil, for: "sync-token")
    #expect(try await store.value("home-set") == [2])
    #expect(try await store.value("sync-token") == nil)
  }

  @Test func `values are found by what their keys begin with`() async throws {
    for (value, key) in zip(1..., ["held work", "held", "held é", "upheld x", "HELD work"]) {
      try await store.setValue([UInt8(value)], for: key)
    }
    #expect(try await store.values(under: "held ") == ["held work": [1], "held é": [3]])
    #expect(try await store.values(under: "held é") == ["held é": [3]])
    #expect(try await store.values(under: "hold ").isEmpty)
  }

  @Test func `what is added to a value leaves that and its neighbours as they are`() async throws {
    try await store.addValue([1], to: "held a")
    try await store.setValue([2], for: "held a")
    try await store.setValue([3], for: "held a2")
    for byte in [4, 5] as [UInt8] { try await store.addValue([byte], to: "held a") }
    let values: [String: [UInt8]] = [
      "held a": [2], "held a/1": [1], "held a/2": [4], "held a/3": [5], "held a2": [3],
    ]
    #expect(try await store.values(under: "held ") == values)
  }
}
