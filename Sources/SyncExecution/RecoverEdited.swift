import ICalendar
import SyncModel
import SyncPlanning

/// Writes that went through before a run was killed, and that somebody went on from.
extension CollectionSync {
  /// What a replacement wrote is what both sides shared, where somebody edited it since. Taken for
  /// an edit of what was there before, it would meet our own change as if it were a stranger's.
  ///
  /// Nil where that cannot be told: somebody may as well have been quicker than our write.
  func base(
    _ intent: Intent, sent: ItemData?, over old: ItemData?, found: ItemData
  ) -> ItemVersion? {
    guard let sent, let old, wentOn(from: sent, over: old, to: found) else { return nil }
    return asSent(shared(sent, found: found, on: intent.side), at: intent.href)
  }

  /// What both sides shared of a text that was sent, where somebody went on from it: on a server
  /// without what servers by habit drop, if what is there now lacks it. Else what the server left
  /// out would be taken for that person's deletion, and go out of the folder with his edit.
  func shared(_ sent: ItemData?, found: ItemData, on side: Side) -> ItemData? {
    guard let sent, storage(side).traits.mayRewrite else { return sent }
    let tree = remains(of: SyntaxTree(bytes: sent.bytes), in: SyntaxTree(bytes: found.bytes))
    return ItemData(bytes: tree.bytes)
  }

  /// The texts that an agreement found by looking needs: what is there, and what both sides shared
  /// before somebody went on from it, which is perhaps nowhere else.
  func foundTexts(
    of agreement: Agreement, on side: Side, _ sent: ItemData?, _ found: StoredContent
  ) -> [StoredContent] {
    let base = agreement[side].version.digest
    guard base != found.digest, let text = shared(sent, found: found.data, on: side),
      digest(text.bytes) == base
    else { return [found] }
    return [found, StoredContent(digest: base, data: text)]
  }

  /// A text as the item that it was when it was written, to be the base of later edits.
  func asSent(_ data: ItemData?, at href: Href) -> ItemVersion? {
    guard let data else { return nil }
    let version = Version(tag: nil, digest: digest(data.bytes))
    return try? readItem(data, at: href, version: version, modified: nil).get()
  }

  /// Each property that the write changed is another one now than before it, and at least one is as
  /// it was written. What a server dropped is as before, and what it cut off begins as written:
  /// neither is anybody's edit.
  private func wentOn(from sent: ItemData, over old: ItemData, to found: ItemData) -> Bool {
    let (written, now) = changes(sent, found, since: old)
    var isThere = false
    for one in written {
      guard let same = now.first(where: { $0.isOfTheSame(as: one) }) else { return false }
      if same.after == one.after {
        isThere = true
      } else if let cut = same.after, one.after?.hasPrefix(cut) ?? false {
        return false
      }
    }
    return isThere
  }

  /// What is there has nothing of what was sent, and has another title, text or time than there was
  /// before: somebody edited that, and the write never came. That servers do not make of one edit
  /// another holds for these alone, and not of overrides, which they may spell in another way.
  func passesBy(sent: ItemData, over old: ItemData?, to found: ItemData) -> Bool {
    guard let old, !hasOneSubstance(sent, old), !hasOneSubstance(found, old),
      !hasOneSubstance(found, sent)
    else { return false }
    let (written, now) = changes(sent, found, since: old)
    return (written + now).allSatisfy { $0.occurrence == nil }
      && written.contains(where: \.isAPersons) && now.contains(where: \.isAPersons)
      && !written.contains { one in now.contains { $0.isOfTheSame(as: one) } }
  }

  /// What two texts changed of a third.
  private func changes(
    _ one: ItemData, _ other: ItemData, since old: ItemData
  ) -> ([PropertyDifference], [PropertyDifference]) {
    let before = SyntaxTree(bytes: old.bytes)
    func changes(to text: ItemData) -> [PropertyDifference] {
      describeChange(from: before, to: SyntaxTree(bytes: text.bytes), zones: options.zones)
    }
    return (changes(to: one), changes(to: other))
  }

  /// Files that are not under the name that they had when they were written, or were to be deleted:
  /// a person may have renamed one before that was on record. What is there then was ours, and is
  /// not a stranger's item of the same UID.
  ///
  /// - Parameter isTaken: of a place that the journal knows, what is there is no such file.
  func renamed(
    _ intents: [Intent], isTaken: (KnownResource) -> Bool
  ) async throws(SyncFailure) -> [ItemID: [ItemVersion]] {
    if intents.isEmpty { return [:] }
    let wanted = Set(intents.map(\.uid))
    let known = try await recorded { () throws(JournalError) in
      try await journal.known(.local)
    }
    let taken = Set(known.filter(isTaken).map(\.href))
    let page = try await on(.local) { () throws(StorageError) in
      try await local.listChanges(since: nil)
    }
    let strangers = page.present.map(\.href).filter { !taken.contains($0) }
    var found: [ItemID: [ItemVersion]] = [:]
    try await read(strangers, on: .local) { (part) throws(SyncFailure) in
      for outcome in part {
        guard case .found(let version, let data, let modified) = outcome.result,
          case .success(let item) = readItem(
            data, at: outcome.href, version: version, modified: modified),
          wanted.contains(item.uid)
        else { continue }
        found[item.uid, default: []].append(item)
      }
    }
    return found
  }
}

extension PropertyDifference {
  /// No server changes it by itself.
  fileprivate var isAPersons: Bool {
    [
      "SUMMARY", "DESCRIPTION", "LOCATION", "DTSTART", "DTEND", "DUE", "DURATION", "RRULE",
    ].contains(property)
  }

  fileprivate func isOfTheSame(as other: PropertyDifference) -> Bool {
    component == other.component && occurrence == other.occurrence && property == other.property
  }
}
