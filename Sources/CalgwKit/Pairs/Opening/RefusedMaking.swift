import CalDAVStorage
import SQLiteJournal
import SyncModel

/// A calendar that a server would not make, as the pair's store keeps it: runs tell of it in the
/// same words, and ask by one request whether it is made by now, in place of the many that it takes
/// to try names, kinds and methods.
package struct RefusedMaking: Sendable, Hashable {
  let time: Instant
  /// What was asked for, and where.
  package let mark: String
  let error: StorageError

  /// After so many milliseconds all is tried again, as what a server refused of items is: a day.
  static let lifetime: Int64 = 86_400_000

  /// The kinds of error that a refusal can be, with their names in the store.
  private static let kinds: [(name: String, kind: StorageError.Kind)] = [
    ("cannot-create", .cannotCreate), ("denied", .denied), ("protocol-broken", .protocolBroken),
  ]

  package init(_ error: StorageError, of mark: String, at time: Instant) {
    self.time = time
    self.mark = mark
    self.error = error
  }

  /// Whether one request is enough.
  package func holds(for mark: String, at now: Instant) -> Bool {
    if mark != self.mark { return false }
    return (now.milliseconds &- time.milliseconds).magnitude < Self.lifetime.magnitude
  }

  /// Another proposal, another account or another release is another question.
  package static func mark(of proposal: CollectionProposal, at place: String) -> String {
    let parts = [
      calgwVersion, place, proposal.name, proposal.displayName ?? "", proposal.color ?? "",
      proposal.components.map { $0.sorted().joined(separator: ",") } ?? "any",
      proposal.kinds.sorted().joined(separator: ","),
    ]
    return hexadecimal(liveDigest(Array(parts.joined(separator: "\0").utf8)).bytes)
  }

  // MARK: In the store

  static func storeKey(_ collection: String, _ side: Side) -> String {
    "refused making \(side.rawValue) \(collection)"
  }

  /// Fields with a zero byte in between; nil for an error that is no refusal.
  package var encoded: [UInt8]? {
    guard let kind = Self.kinds.first(where: { $0.kind == error.kind }) else { return nil }
    let fields = [
      "\(time.milliseconds)", mark, kind.name, error.message, error.why, error.hint,
    ]
    return Array(fields.joined(separator: "\0").utf8)
  }

  /// Nil for anything else than `encoded` gave: then the server is asked.
  package init?(encoded: [UInt8]) {
    let fields = encoded.split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard fields.count == 6, let time = Int64(fields[0]),
      let kind = Self.kinds.first(where: { $0.name == fields[2] })
    else { return nil }
    self.init(
      StorageError(kind.kind, fields[3], why: fields[4], hint: fields[5]), of: fields[1],
      at: Instant(milliseconds: time))
  }
}

extension CollectionOpener {
  /// Makes a collection on a side; where its server refused that not long ago, by one request.
  ///
  /// - Returns: whether it is ours; somebody else may have made it first.
  func make(
    _ proposal: CollectionProposal, on side: Side, for collection: String
  ) async throws(OpeningError) -> (made: CollectionDescription, isOurs: Bool) {
    guard case .account(let connection) = pair.side(side) else {
      let made = try await reached(side) { () throws(StorageError) in
        try await pair.side(side).createCollection(proposal)
      }
      return (made, isOurs: true)
    }
    let account = connection.account
    let key = RefusedMaking.storeKey(collection, side)
    let stored = try await recorded { () throws(JournalError) in try await pair.store.value(key) }
    let mark = RefusedMaking.mark(of: proposal, at: connection.key(.location))
    if let kept = stored.flatMap({ RefusedMaking(encoded: $0) }),
      kept.holds(for: mark, at: surroundings.now())
    {
      let made = try await reached(side) { () throws(StorageError) in
        try await account.createIfAllowedNow(proposal)
      }
      guard let made else { throw .storage(side, proposal.titling(kept.error)) }
      try? await pair.store.setValue(nil, for: key)
      return (made, isOurs: true)
    }
    let askedKey = UnansweredMaking.storeKey(collection, side)
    var trace = try await trace(of: proposal, keptAs: askedKey, at: connection.key(.location))
    do throws(StorageError) {
      let made = try await account.createCollection(proposal, leaving: &trace)
      if stored != nil { try? await pair.store.setValue(nil, for: key) }
      return (made, isOurs: !trace.isTheirs)
    } catch {
      let refusal = RefusedMaking(error, of: mark, at: surroundings.now())
      let kept = trace.isRefused ? refusal.encoded : nil
      // Where it cannot be kept, the next run asks again.
      if kept != stored { try? await pair.store.setValue(kept, for: key) }
      if trace.asked == nil { try? await pair.store.setValue(nil, for: askedKey) }
      throw .storage(side, proposal.titling(error))
    }
  }

  /// A trace that begins with what an earlier run asked for, and keeps what this one does.
  private func trace(
    of proposal: CollectionProposal, keptAs key: String, at place: String
  ) async throws(OpeningError) -> MakingTrace {
    let (store, now, name) = (pair.store, surroundings.now(), proposal.name)
    let stored = try await recorded { () throws(JournalError) in try await store.value(key) }
    var trace = MakingTrace()
    let earlier = stored.flatMap { UnansweredMaking(encoded: $0) }
    if let earlier, earlier.holds(at: place, now) {
      trace.asked = earlier.calendar
      trace.isOverdue = earlier.isOverdue(at: now)
    }
    trace.note = { asked in
      let making = UnansweredMaking(
        asked.href, beside: asked.before, named: name, at: place, now)
      // A journal that keeps nothing is told of when the collection is opened.
      try? await store.setValue(making.encoded, for: key)
    }
    return trace
  }
}
