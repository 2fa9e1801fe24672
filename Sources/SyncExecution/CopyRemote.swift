import ICalendar
import SyncModel
import SyncPlanning

/// A second item that has the remote version of an item.
struct RemoteCopy {
  var uid: ItemID
  /// How it came to the local side; nil: both sides have had it before.
  var action: ReportedAction?
}

/// The same before it is known whether it can be that.
private struct CopyDraft {
  var item: ItemVersion
  var data: ItemData
  /// The side that it is to be on stores other bytes than it is sent.
  var mayBeRewritten: Bool

  /// Whether nobody has edited what is there since it was made.
  func isThere(as found: ItemVersion) -> Bool {
    found.uid == item.uid
      && (found.version.digest == item.version.digest
        || mayBeRewritten && found.canonical == item.canonical)
  }

  /// What has its UID, as far as that is known to differ.
  func place(taken item: DifferingItem) -> CopyPlace {
    guard let here = item.version(on: .local), isThere(as: here) else { return .taken }
    switch item.state {
    case .unmet(_, nil): return .there(here.href, isOnBoth: false)
    case .unmet(_, let there?):
      return there.canonical == here.canonical ? .there(here.href, isOnBoth: true) : .taken
    case .agreed(_, _, .unchanged): return .there(here.href, isOnBoth: true)
    case .agreed(_, _, .modified), .agreed(_, _, .deleted): return .taken
    }
  }
}

/// What there is of the UID and the name that a copy would get.
private enum CopyPlace {
  case free
  /// The very copy, and nothing else of its UID.
  case there(Href, isOnBoth: Bool)
  case taken
}

extension CollectionSync {
  /// So many second items of one text: each was edited since it was made.
  private static let mostCopies = 100

  /// Puts the remote version beside the local one, as an item of its own. Nil where the remote side
  /// has nothing.
  ///
  /// Its UID is made of the version, so that to do it again after a kill makes no third one. Where
  /// anything but the very copy has that UID or its name, as where this very text was made a second
  /// item before and that was edited, it gets the next UID.
  func copyRemote(_ uid: ItemID) async throws(SyncFailure) -> RemoteCopy? {
    let (differing, broken) = try await differingAndBroken()
    let matched = matchItems(differing)
    let item = matched.items.first { $0.uid == uid }
    guard let version = item?.version(on: .remote) else { return nil }
    let texts = try await recorded { () throws(JournalError) in
      try await journal.contents([version.version.digest])
    }
    let numbers = try await met(copiesOf: version, matched) + Array(0..<Self.mostCopies)
    for number in numbers {
      guard let text = texts[version.version.digest],
        let copy = draft(of: version, text, number: number)
      else { throw Self.cannotCopy("it is built in a way that cannot be edited") }
      var place = try await place(of: copy, matched, differing, broken)
      if case .free = place, let file = try await write(copy) {
        place = .there(file, isOnBoth: false)
      }
      guard case .there(let file, let isOnBoth) = place else { continue }
      let action = ReportedAction(
        kind: .create, side: .local,
        item: ReportedItem(uid: copy.item.uid, file: file, href: nil, summary: version.summary),
        reason: keepingBoth(.local))
      return RemoteCopy(uid: copy.item.uid, action: isOnBoth ? nil : action)
    }
    throw Self.cannotCopy("there are \(Self.mostCopies) second items of this version already")
  }

  private static func cannotCopy(_ why: String) -> SyncFailure {
    .storage(
      .remote,
      StorageError(
        .io, "the other version cannot be made a second item", why: why,
        hint: "Take local or remote; the other one stays in `calgw log`."))
  }

  /// The numbers of those that are there, or were when both sides agreed. They come first: one of
  /// them may be the very copy, also where one before it was deleted.
  private func met(
    copiesOf version: ItemVersion, _ matched: MatchedItems
  ) async throws(SyncFailure) -> [Int] {
    let there = Set(matched.items.map(\.uid))
    return try await recorded { () throws(JournalError) in
      var met: [Int] = []
      for number in 0..<Self.mostCopies {
        let uid = uid(ofCopy: number, of: version)
        var isMet = there.contains(uid)
        if !isMet { isMet = try await journal.agreement(of: uid) != nil }
        if isMet { met.append(number) }
      }
      return met
    }
  }

  private func uid(ofCopy number: Int, of version: ItemVersion) -> ItemID {
    var origin = version.uid.bytes + version.version.digest.bytes
    if number > 0 { origin.append(UInt8(number)) }
    return ItemID(Self.uuid(of: digest(origin)))
  }

  /// Nil where the text cannot be edited.
  private func draft(of version: ItemVersion, _ text: ItemData, number: Int) -> CopyDraft? {
    let uid = uid(ofCopy: number, of: version)
    guard let copy = try? SyntaxTree(bytes: text.bytes).underUID(uid.bytes) else { return nil }
    let data = ItemData(bytes: copy.bytes)
    let item = try? readItem(
      data, at: local.freshHref(for: uid, attempt: 0),
      version: Version(tag: nil, digest: digest(data.bytes)), modified: nil
    ).get()
    return item.map {
      CopyDraft(item: $0, data: data, mayBeRewritten: local.traits.mayRewrite)
    }
  }

  /// A name that another item had, and whose file is gone, is taken as long as the other side has
  /// not heard of that.
  private func place(
    of copy: CopyDraft, _ matched: MatchedItems, _ differing: Differing,
    _ broken: [Side: BrokenFiles]
  ) async throws(SyncFailure) -> CopyPlace {
    let (uid, href) = (copy.item.uid, copy.item.href)
    if let item = matched.items.first(where: { $0.uid == uid }) { return copy.place(taken: item) }
    // What is held there, since it is broken, was not read, or has several resources.
    let isHeld =
      differing.agreements.contains { $0.uid == uid }
      || matched.problems.contains { $0.uid == uid }
      || broken.values.contains { $0.uids.contains(uid) }
    if isHeld { return .taken }
    let agreed = try await recorded { () throws(JournalError) in
      try await journal.agreement(of: uid)
    }
    if let agreed {
      let isThere = copy.isThere(as: agreed.local)
      return isThere ? .there(agreed.local.href, isOnBoth: true) : .taken
    }
    let known = try await recorded { () throws(JournalError) in
      try await journal.known(.local, hrefs: [href])
    }
    return known.isEmpty ? .free : .taken
  }

  /// Gives where it is then; nil where something else came to have its name. A dry run notes it in
  /// its journal.
  private func write(_ copy: CopyDraft) async throws(SyncFailure) -> Href? {
    let href = copy.item.href
    if options.isDryRun {
      try await note(foreseen: copy.data, at: href)
      return href
    }
    switch await local.carryOut([.create(href, copy.data)]).first?.result {
    case .stored(let file, _, _): return file
    case .changedMeanwhile:
      // A server may have taken it, and the answer was lost.
      let found = try await on(.local) { () throws(StorageError) in try await local.read([href]) }
      let isThere = found.first.flatMap { item($0) }.map { copy.isThere(as: $0) } ?? false
      return isThere ? href : nil
    case .failed(let error), .unknown(let error): throw .storage(.local, error)
    case .refused(let problem):
      throw .storage(.local, StorageError(.io, problem.message, hint: problem.hint))
    case .removed, nil:
      throw .storage(
        .local, StorageError(.io, "the copy was not written", hint: "Run the command again."))
    }
  }

  /// A digest's first bytes in the form of a UUID.
  private static func uuid(of digest: ContentDigest) -> String {
    let digits = digest.bytes.prefix(16).flatMap { byte in
      Array((byte < 16 ? "0" : "") + String(byte, radix: 16))
    }
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text += "-" }
      text.append(digit)
    }
    return text
  }
}
