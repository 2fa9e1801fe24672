public import SyncModel

/// A storage under test, empty at first, and the other client that works behind its back.
///
/// Every check gets a fixture of its own, so that checks do not see each other's items.
public protocol StorageFixture: Sendable {
  var storage: any Storage { get }

  /// Puts an item as another client would, whatever is there.
  func put(_ href: Href, _ data: ItemData) async throws
  /// Removes an item as another client would.
  func remove(_ href: Href) async throws
  /// What another client sees; nil where nothing is.
  func content(of href: Href) async throws -> ItemData?
  /// Lets so much time go by (virtual if possible) that what is there counts as old.
  func settle() async throws
  /// Equal bytes, or the same meaning where the storage may rewrite.
  func sameContent(_ one: ItemData, _ other: ItemData) -> Bool
  /// UIDs that name trouble. Leave out only what this side refuses to store.
  var oddUIDs: [String] { get }
}

extension StorageFixture {
  public func sameContent(_ one: ItemData, _ other: ItemData) -> Bool { one == other }
  public var oddUIDs: [String] { StorageContract.oddUIDs }
}

/// What a storage did against the contract.
public struct ContractViolation: Error, CustomStringConvertible {
  public let check: String
  public let message: String
  public var description: String { "storage contract, \(check): \(message)" }
}

/// A fixture as a check sees it, with the steps that most of them share.
struct Bench {
  let check: String
  let fixture: any StorageFixture

  var storage: any Storage { fixture.storage }

  func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw ContractViolation(check: check, message: message()) }
  }

  func fail(_ message: String) -> ContractViolation {
    ContractViolation(check: check, message: message)
  }

  /// Creates an item through the storage under a name of the storage's choice.
  @discardableResult
  func create(_ uid: String, _ data: ItemData) async throws -> (href: Href, version: Version) {
    for attempt in 0..<5 {
      let href = storage.freshHref(for: ItemID(uid), attempt: attempt)
      switch try await carryOut(.create(href, data)) {
      case .stored(let stored, let version, _): return (stored, version)
      case .changedMeanwhile: continue
      case let other: throw fail("create of UID \(uid.debugDescription) gave \(other)")
      }
    }
    throw fail("five names for UID \(uid.debugDescription) were all taken")
  }

  func carryOut(_ write: GuardedWrite) async throws -> WriteOutcome.Result {
    let outcomes = await storage.carryOut([write])
    guard let only = outcomes.first, outcomes.count == 1 else {
      throw fail("one write gave \(outcomes.count) outcomes")
    }
    return only.result
  }

  func read(_ href: Href) async throws -> ReadOutcome.Result {
    let outcomes = try await storage.read([href])
    guard let only = outcomes.first, outcomes.count == 1 else {
      throw fail("reading one item gave \(outcomes.count) outcomes")
    }
    return only.result
  }

  func found(_ href: Href) async throws -> (version: Version, data: ItemData) {
    guard case .found(let version, let data, _) = try await read(href) else {
      throw fail("\(href.text) cannot be read")
    }
    return (version, data)
  }

  /// The item is there for the storage and for the other client, with this content.
  func requireContent(_ href: Href, _ data: ItemData) async throws {
    let read = try await found(href).data
    try require(fixture.sameContent(read, data), "\(href.text) reads unlike what was stored")
    let seen = try await fixture.content(of: href)
    try require(
      seen.map { fixture.sameContent($0, data) } ?? false,
      "another client sees \(href.text) unlike what was stored")
  }

  /// All pages of a listing.
  func list(since cursor: Cursor?) async throws -> Listing {
    var listing = Listing()
    var cursor = cursor
    // No check has so many items that an honest listing needs more pages.
    for _ in 0..<1000 {
      let page = try await storage.listChanges(since: cursor)
      if page.extent == .changesOnly { listing.isComplete = false }
      if page.startsOver { listing.present = [:] }
      for item in page.present {
        try require(
          listing.present.updateValue(item, forKey: item.href) == nil || !listing.isComplete,
          "\(item.href.text) is listed twice")
      }
      listing.gone.formUnion(page.gone)
      listing.cursor = page.next
      cursor = page.next
      if page.isLast { return listing }
    }
    throw fail("a listing did not end after 1000 pages")
  }
}

/// A listing, all pages together.
struct Listing {
  var present: [Href: ListedItem] = [:]
  var gone: Set<Href> = []
  var isComplete = true
  var cursor: Cursor?

  var hrefs: Set<Href> { Set(present.keys) }

  /// It says, or leaves to be concluded, that a known item is no longer there.
  func lacks(_ href: Href) -> Bool {
    gone.contains(href) || (isComplete && present[href] == nil)
  }

  /// It says that an item is there with another content than `version`, or that it must be read
  /// to tell.
  func showsChange(of href: Href, from version: Version) -> Bool {
    guard let item = present[href], item.problem == nil else { return false }
    return item.tag == nil || item.tag != version.tag
  }
}
