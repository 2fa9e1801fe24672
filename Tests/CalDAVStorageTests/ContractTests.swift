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

  init(_ profile: ServerVariant) async throws {
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
struct ServerVariant: Sendable, CustomStringConvertible {
  let description: String
  let switches: ModelSwitches

  init(_ name: String, _ change: (inout ModelSwitches) -> Void) {
    description = name
    var switches = ModelSwitches()
    change(&switches)
    self.switches = switches
  }

  static let all: [ServerVariant] = [
    ServerVariant("a strict server") { _ in },
    ServerVariant("no tag after PUT") { $0.putTag = .none },
    ServerVariant("a weak tag after PUT") { $0.putTag = .weak },
    ServerVariant("a wrong tag after PUT") { $0.putTag = .wrong },
    ServerVariant("unquoted tags") { $0.tagForm = .unquoted },
    ServerVariant("weak tags everywhere") { $0.tagForm = .weak },
    ServerVariant("tags of a compressing proxy") { $0.tagForm = .gzip },
    ServerVariant("no tags in listings") { $0.listsTags = false },
    ServerVariant("another order and folding") { $0.rewritesOrder = true },
    ServerVariant("added stamps") { $0.addsStamps = true },
    ServerVariant("absolute hrefs") { $0.hrefForm = .absolute },
    ServerVariant("re-encoded hrefs") { $0.hrefForm = .reencoded },
    ServerVariant("another spelling in each answer") { $0.hrefForm = .alternating },
    ServerVariant("duplicate hrefs") { $0.duplicatesHrefs = true },
    ServerVariant("no sync-collection") { $0.hasSyncCollection = false },
    ServerVariant("no sync-collection, not said") {
      $0.hasSyncCollection = false
      $0.advertisesReports = false
    },
    ServerVariant("no sync-collection and no CTag") {
      $0.hasSyncCollection = false
      $0.hasCalendarTag = false
    },
    ServerVariant("tokens that never last") { $0.tokenLifetime = 0 },
    ServerVariant("tokens refused with 500") {
      $0.tokenLifetime = 0
      $0.invalidTokenStatus = 500
    },
    ServerVariant("items that nobody asked for") { $0.addsUnsolicited = true },
    ServerVariant("a UID is stored once, and moves") { $0.movesUIDs = true },
    ServerVariant("gone is 418") { $0.goneStatus = 418 },
    ServerVariant("gone ends in a slash") { $0.endOfGone = "/" },
    ServerVariant("pages of three") { $0.pageSize = 3 },
    ServerVariant("no multiget") { $0.hasMultiget = false },
    ServerVariant("a missing item fails the multiget") { $0.missingInMultiget = .wholeRequest },
    ServerVariant("a missing item is omitted") { $0.missingInMultiget = .omitted },
    ServerVariant("207 for PUT") { $0.answersPutWith207 = true },
    ServerVariant("Digest authentication") { $0.authentication = .digest },
    ServerVariant("If-Match ignored on DELETE") { $0.ignoresIfMatchOnDelete = true },
    ServerVariant("UIDs are unique") { $0.uidConflictStatus = 403 },
  ]
}

@Suite struct ContractTests {
  @Test(arguments: StorageContract.checks, ServerVariant.all)
  func `a calendar keeps the storage contract`(
    check: StorageContract.Check, profile: ServerVariant
  ) async throws {
    try await check.run(on: try await ModelCalendarFixture(profile))
  }
}
