import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// A calendar of the model server as the storage contract uses it.
struct ModelCalendarFixture: StorageFixture {
  let model: ModelAccount
  let calendar: CalDAVStorage
  let rewrites: Bool
  var storage: any Storage { calendar }

  init(_ profile: ServerProfile) async throws {
    model = ModelAccount(profile.switches)
    calendar = try await model.storage()
    rewrites = profile.switches.rewritesOrder || profile.switches.addsStamps
  }

  func put(_ href: Href, _ data: ItemData) {
    model.server.put(
      ModelServer.name(ofPath: href.spelling), data.bytes, in: ModelAccount.work)
  }

  func remove(_ href: Href) {
    model.server.remove(ModelServer.name(ofPath: href.spelling), in: ModelAccount.work)
  }

  func content(of href: Href) -> ItemData? {
    model.server.data(ModelServer.name(ofPath: href.spelling), in: ModelAccount.work)
      .map(ItemData.init)
  }

  func settle() { model.clock.advance(milliseconds: 600_000) }

  /// A rewriting server keeps the telling part.
  func sameContent(_ one: ItemData, _ other: ItemData) -> Bool {
    rewrites ? telling(one) == telling(other) : one == other
  }

  private func telling(_ data: ItemData) -> [[UInt8]] {
    let unfolded = String(decoding: data.bytes, as: UTF8.self)
      .unicodeScalars.map(String.init).joined()
    var bytes: [UInt8] = []
    for byte in unfolded.utf8 {
      if byte == 32, bytes.suffix(2) == [13, 10] {
        bytes.removeLast(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes.split(separator: 10).map(Array.init)
      .filter { $0.starts(with: "SUMMARY".utf8) || $0.starts(with: "UID".utf8) }
      .sorted { $0.lexicographicallyPrecedes($1) }
  }
}

/// One way in which servers differ, by name.
struct ServerProfile: Sendable, CustomStringConvertible {
  let description: String
  let switches: ModelSwitches

  init(_ name: String, _ change: (inout ModelSwitches) -> Void) {
    description = name
    var switches = ModelSwitches()
    change(&switches)
    self.switches = switches
  }

  static let all: [ServerProfile] = [
    ServerProfile("a strict server") { _ in },
    ServerProfile("no tag after PUT") { $0.putTag = .none },
    ServerProfile("a weak tag after PUT") { $0.putTag = .weak },
    ServerProfile("a wrong tag after PUT") { $0.putTag = .wrong },
    ServerProfile("unquoted tags") { $0.tagForm = .unquoted },
    ServerProfile("weak tags everywhere") { $0.tagForm = .weak },
    ServerProfile("tags of a compressing proxy") { $0.tagForm = .gzip },
    ServerProfile("no tags in listings") { $0.listsTags = false },
    ServerProfile("another order and folding") { $0.rewritesOrder = true },
    ServerProfile("added stamps") { $0.addsStamps = true },
    ServerProfile("absolute hrefs") { $0.hrefForm = .absolute },
    ServerProfile("re-encoded hrefs") { $0.hrefForm = .reencoded },
    ServerProfile("another spelling in each answer") { $0.hrefForm = .alternating },
    ServerProfile("duplicate hrefs") { $0.duplicatesHrefs = true },
    ServerProfile("no sync-collection") { $0.hasSyncCollection = false },
    ServerProfile("no sync-collection, not said") {
      $0.hasSyncCollection = false
      $0.advertisesReports = false
    },
    ServerProfile("no sync-collection and no CTag") {
      $0.hasSyncCollection = false
      $0.hasCalendarTag = false
    },
    ServerProfile("tokens that never last") { $0.tokenLifetime = 0 },
    ServerProfile("tokens refused with 500") {
      $0.tokenLifetime = 0
      $0.invalidTokenStatus = 500
    },
    ServerProfile("items that nobody asked for") { $0.addsUnsolicited = true },
    ServerProfile("a UID is stored once, and moves") { $0.movesUIDs = true },
    ServerProfile("gone is 418") { $0.goneStatus = 418 },
    ServerProfile("pages of three") { $0.pageSize = 3 },
    ServerProfile("no multiget") { $0.hasMultiget = false },
    ServerProfile("a missing item fails the multiget") { $0.missingInMultiget = .wholeRequest },
    ServerProfile("a missing item is omitted") { $0.missingInMultiget = .omitted },
    ServerProfile("207 for PUT") { $0.answersPutWith207 = true },
    ServerProfile("Digest authentication") { $0.authentication = .digest },
    ServerProfile("If-Match ignored on DELETE") { $0.ignoresIfMatchOnDelete = true },
    ServerProfile("UIDs are unique") { $0.uidConflictStatus = 403 },
  ]
}

@Suite struct ContractTests {
  @Test(arguments: StorageContract.checks, ServerProfile.all)
  func `a calendar keeps the storage contract`(
    check: StorageContract.Check, profile: ServerProfile
  ) async throws {
    try await check.run(on: try await ModelCalendarFixture(profile))
  }
}
