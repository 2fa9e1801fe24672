import CalDAVStorage
import CurlTransport
import Foundation
import SyncModel
import TestSupport
import Testing

/// The storage contract over what no adapter's own tests have: the fakes that the engine is tested
/// with, and real servers.
@Suite struct ContractTests {
  @Test(arguments: StorageContract.checks, [false, true])
  func `the storage in memory keeps the contract, and so does one that forwards to it`(
    check: StorageContract.Check, isForwarded: Bool
  ) async throws {
    try await check.run(on: MemoryFixture(isForwarded: isForwarded))
  }

  @Test func `real servers keep the contract`() async throws {
    for kind in RealServer.Kind.allCases {
      let server = try await RealServer.start(kind)
      for (number, check) in StorageContract.checks.enumerated() {
        let fixture = try await RealServerFixture(server, calendar: "contract\(number)")
        await #expect(throws: Never.self, "\(kind)") { try await check.run(on: fixture) }
        fixture.close()
      }
      await server.stop()
    }
  }
}

/// A collection in memory, with a clock that stands still.
private struct MemoryFixture: StorageFixture {
  let memory: MemoryStorage
  let storage: any Storage

  init(isForwarded: Bool) {
    let clock = ModelClock()
    memory = MemoryStorage(surroundings: clock.surroundings)
    storage = isForwarded ? ForwardingStorage(memory) : memory
  }

  func put(_ href: Href, _ data: ItemData) { memory.put(href, data) }
  func remove(_ href: Href) { memory.remove(href) }
  func content(of href: Href) -> ItemData? { memory.items[href] }
  func settle() {}
}

/// A new calendar of a real server, over libcurl.
struct RealServerFixture: StorageFixture {
  let server: RealServer
  let transport: CurlTransport
  let calendar: any Storage
  var storage: any Storage { calendar }

  init(_ server: RealServer, calendar name: String) async throws {
    self.server = server
    _ = try await server.otherClient.makeCalendar(server.path(of: name))
    transport = try CurlTransport()
    let account = try CalDAVAccount(
      url: server.url(of: name),
      credentials: CalDAVAccount.Credentials(
        username: Array(RealServer.username.utf8), password: Array(RealServer.password.utf8)),
      transport: transport, surroundings: .ofTests, digest: sha256)
    let listed = try await account.listCollections()
    let own = try #require(listed.first { $0.name == name })
    calendar = try await account.open(own)
  }

  func close() { transport.shutdown() }

  func put(_ href: Href, _ data: ItemData) async throws {
    _ = try await server.otherClient.put(href.text, data.bytes)
  }

  func remove(_ href: Href) async throws { _ = try await server.otherClient.delete(href.text) }

  func content(of href: Href) async throws -> ItemData? {
    let answer = try await server.otherClient.get(href.text)
    return answer.status == 200 ? ItemData(bytes: answer.body) : nil
  }

  func settle() {}

  /// Both servers write items anew, in an order and with folds of their own.
  func sameContent(_ one: ItemData, _ other: ItemData) -> Bool { telling(one) == telling(other) }

  private func telling(_ data: ItemData) -> Set<String> {
    let text = String(decoding: data.bytes, as: UTF8.self)
      .replacingOccurrences(of: "\r\n ", with: "").replacingOccurrences(of: "\n ", with: "")
    let lines = text.split(whereSeparator: \.isNewline).map(String.init)
    return Set(lines.filter { $0.hasPrefix("SUMMARY") || $0.hasPrefix("UID") })
  }

  /// Radicale refuses control characters in a UID, by any name.
  var oddUIDs: [String] {
    StorageContract.oddUIDs.filter { $0.utf8.allSatisfy { $0 >= 0x20 } }
  }
}

extension Surroundings {
  /// The machine's own clock and chance; pauses are not waited for.
  static var ofTests: Surroundings {
    Surroundings(
      now: { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) },
      newUUID: { UUID().uuidString.lowercased() }, pause: { _ in })
  }
}
