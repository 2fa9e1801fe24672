import ICalendar
import SyncModel
import SyncPlanning

extension CollectionSync {
  /// What is known of the files of a side that are no whole items.
  struct BrokenFiles {
    /// The UIDs that can be made out in them.
    var uids: Set<ItemID> = []
    /// The same by file.
    var uidsAt: [Href: Set<ItemID>] = [:]
    /// Of these, those in files that were another item's when it was shared: the file is named as
    /// that one's.
    var displaced: [ItemID: Href] = [:]
    /// A file that both sides never shared, or whose item is elsewhere by now, and of which nothing
    /// at all can be read: it may be any item under a new name.
    var stranger: Href?
    /// The items that are gone since a file came of which no whole UID can be made out, with that
    /// file: an editor may have written it anew under that name, and lost what was in it.
    var vanished: [ItemID: Vanished] = [:]
    /// The items that the sides shared; none where there is no such file.
    var shared: Set<ItemID> = []
  }

  /// The broken files of each side. Where items keep their addresses, one that was moved all the
  /// same is deleted and made anew: what could not be read there for the first time may be it.
  ///
  /// - Parameter known: what earlier runs could not read either.
  func brokenFiles(
    _ differing: Differing, known: Set<Href>
  ) async throws(SyncFailure) -> [Side: BrokenFiles] {
    var found: [Side: BrokenFiles] = [:]
    for side in Side.allCases {
      var files =
        storage(side).traits.keepsAddresses
        ? BrokenFiles(stranger: unread(on: side, differing, known))
        : try await brokenFiles(on: side, differing)
      if files.stranger != nil { files.shared = Set(differing.agreements.map(\.uid)) }
      found[side] = files
    }
    return found
  }

  /// A resource that could not be read by now, and perhaps can be later: a new one, or one that
  /// seems to be another item than before.
  private func unread(on side: Side, _ differing: Differing, _ known: Set<Href>) -> Href? {
    let hrefs = differing.observations.compactMap { seen -> (href: Href, isAnother: Bool)? in
      guard seen.side == side, case .obstructed(nil, let problem) = seen.state,
        !known.contains(seen.href)
      else { return nil }
      return (seen.href, problem == anotherThere(seen.href, on: side))
    }
    if hrefs.isEmpty { return nil }
    let owners = Self.owners(of: side, differing)
    return hrefs.first { $0.isAnother || owners[$0.href] == nil }?.href
  }

  /// The items whose places are known, by place: without those that are read at another one now, as
  /// where two have exchanged theirs, and those that were gone before what is there came. What
  /// cannot be read in the former place of such may be any.
  static func owners(of side: Side, _ differing: Differing) -> [Href: ItemID] {
    var places: [ItemID: Set<Href>] = [:]
    var left: Set<Href> = []
    for seen in differing.observations where seen.side == side {
      if case .read(let item) = seen.state { places[item.uid, default: []].insert(seen.href) }
      if seen.missed != nil { left.insert(seen.href) }
    }
    var owners: [Href: ItemID] = [:]
    for agreed in differing.agreements {
      let place = agreed[side].href
      if left.contains(place) { continue }
      if places[agreed.uid]?.subtracting([place]).isEmpty ?? true { owners[place] = agreed.uid }
    }
    return owners
  }

  /// Takes out of a plan what a broken file speaks against: its item is not created beside it, not
  /// taken for deleted, and not forgotten. The file itself is reported as the problem that it is.
  func respect(_ broken: [Side: BrokenFiles], in plan: Plan) -> Plan {
    var plan = plan
    for side in Side.allCases {
      guard let files = broken[side] else { continue }
      plan.actions.removeAll { action in
        switch action {
        case .create(side, let item, _), .delete(side.opposite, let item, _, _):
          let isDeletion = if case .delete = action { true } else { false }
          if files.uids.contains(item.uid) {
            if let file = files.displaced[item.uid] {
              plan.problems.append(isInBroken(file, item, side, isDeletion: isDeletion))
            }
            return true
          }
          if files.stranger == nil, options.preferred[item.uid] == nil,
            let vanished = files.vanished[item.uid]
          {
            plan.problems.append(mayBeEmptied(item, vanished, side))
            return true
          }
          if !isDeletion, !files.shared.contains(item.uid) { return false }
          guard let stranger = files.stranger else { return false }
          plan.problems.append(mayBeRenamed(item, stranger, side, isDeletion: isDeletion))
          return true
        case .forget(let agreement):
          // It may have another name by now, and is to be deleted there once that can be read. The
          // file is named as the problem that it is.
          return files.stranger != nil || files.uids.contains(agreement.uid)
            || files.vanished[agreement.uid] != nil
        case .create, .replace, .merge, .delete, .record: return false
        }
      }
    }
    return plan
  }

  private func mayBeRenamed(
    _ item: ItemVersion, _ file: Href, _ side: Side, isDeletion: Bool
  ) -> ItemTrouble {
    trouble(
      item, beside: side,
      ItemProblem(
        .unreadable,
        "it is gone from the \(side.rawValue) side, and '\(file.text)', which cannot be read, may"
          + " be it; so it stays on the \(side.opposite.rawValue) side",
        hint: storage(side).traits.keepsAddresses
          ? "Run the sync again; what cannot be read then counts as another item."
          : "Let calgw read that file, and sync again."
            + " \(outOfFolder(side, isDeletion: isDeletion))"))
  }

  /// What the other side has edited comes back whichever side holds, unless the policy says
  /// otherwise: nothing is said of its deletion.
  private func mayBeEmptied(
    _ item: ItemVersion, _ vanished: Vanished, _ side: Side
  ) -> ItemTrouble {
    let kept = side.opposite
    var mend = "Mend that file; or run `calgw resolve UID --take "
    if item.version.digest != vanished.other {
      mend += "\(kept.rawValue)`, which brings this one back"
    } else {
      mend += "\(side.rawValue)`, which deletes this one, too"
      if choices.contains(kept == .local ? .local : .remote) {
        mend += ", or with --take \(kept.rawValue), which brings it back"
      }
    }
    return trouble(
      item, beside: side,
      ItemProblem(
        .incomplete,
        "it is gone from the \(side.rawValue) side since '\(vanished.file.text)' came there, which"
          + " is no whole item and may be it; so it stays on the \(kept.rawValue) side",
        hint: "\(mend)."))
  }

  private func isInBroken(
    _ file: Href, _ item: ItemVersion, _ side: Side, isDeletion: Bool
  ) -> ItemTrouble {
    trouble(
      item, beside: side,
      ItemProblem(
        .incomplete,
        "'\(file.text)' on the \(side.rawValue) side seems to be it, and is no whole item; so it is"
          + " left alone on both",
        hint: "Mend that file, and sync again. \(outOfFolder(side, isDeletion: isDeletion))"))
  }

  /// What comes of taking away the file that keeps an item on the other side.
  private func outOfFolder(_ side: Side, isDeletion: Bool) -> String {
    let outcome =
      isDeletion ? "deletes this one, too" : "brings this one to the \(side.rawValue) side"
    return "Where it is out of the folder, the next sync \(outcome)."
  }

  /// Of an item that stays on the other side than the file that keeps it there.
  private func trouble(
    _ item: ItemVersion, beside side: Side, _ problem: ItemProblem
  ) -> ItemTrouble {
    ItemTrouble(
      uid: item.uid, side: side.opposite, href: item.href, summary: item.summary, problem: problem)
  }

  private func brokenFiles(on side: Side, _ differing: Differing)
    async throws(SyncFailure) -> BrokenFiles
  {
    let hrefs = differing.observations.compactMap { seen -> Href? in
      guard seen.side == side, case .obstructed(_, let problem) = seen.state,
        [.incomplete, .severalUIDs, .unreadable].contains(problem.code)
      else { return nil }
      return seen.href
    }
    let shared = Dictionary(
      differing.agreements.map { ($0[side].href, $0.uid) }, uniquingKeysWith: { first, _ in first })
    let owners = Self.owners(of: side, differing)
    var files = BrokenFiles()
    try await read(hrefs, on: side) {
      (part) throws(SyncFailure) in
      for outcome in part {
        switch outcome.result {
        case .found(_, let data, _):
          let object = CalendarObject(SyntaxTree(bytes: data.bytes))
          for uid in object.uids.map(ItemID.init(bytes:)) {
            files.uids.insert(uid)
            files.uidsAt[outcome.href, default: []].insert(uid)
            let owner = shared[outcome.href]
            if let owner, owner != uid { files.displaced[uid] = outcome.href }
          }
        case .problem(let problem) where problem.code != .unreadable: continue
        case .problem, .missing:
          if owners[outcome.href] == nil { files.stranger = files.stranger ?? outcome.href }
        }
      }
    }
    return files
  }
}

extension SyncRun {
  /// Puts the agreed texts of files that are broken by now into the history, so that a person can
  /// restore them. What he finds first in the log is then the last good version, however often a
  /// file breaks: there is one entry each time, and no other as long as it stays broken.
  ///
  /// - Parameter troubled: items with a problem, whose files may hold others.
  func keepTextsOfBrokenFiles(
    _ differing: Differing, troubled: Set<ItemID>
  ) async throws(SyncFailure) {
    var broken: Set<Href> = []
    var holders: [Href: ItemID] = [:]
    for seen in differing.observations where seen.side == .local {
      switch seen.state {
      case .obstructed: broken.insert(seen.href)
      case .read(let item): holders[seen.href] = item.uid
      case .gone, .unread: break
      }
    }
    func isLost(_ agreed: Agreement) -> Bool {
      if broken.contains(agreed.local.href) { return true }
      guard let holder = holders[agreed.local.href] else { return false }
      return holder != agreed.uid && troubled.contains(agreed.uid)
    }
    // The versions of a conflict are in the history, and newer than what was agreed.
    let inConflict = Set(
      differing.observations.compactMap { seen -> ItemID? in
        guard seen.wait == .conflict, case .read(let item) = seen.state else { return nil }
        return item.uid
      })
    var entries: [HistoryEntry] = []
    for agreed in differing.agreements where isLost(agreed) && !inConflict.contains(agreed.uid) {
      let history = try await recorded { [sync] () throws(JournalError) in
        try await sync.journal.history(of: agreed.uid)
      }
      let digest = agreed.local.version.digest
      if history.newestVersion == digest { continue }
      entries.append(
        HistoryEntry(
          time: sync.surroundings.now(), uid: agreed.uid, side: .local, action: .replaced,
          reason: broken.contains(agreed.local.href)
            ? "the file holds no whole item any more" : "the file holds another item now",
          href: agreed.local.href,
          before: digest, after: nil))
    }
    let news = entries
    if news.isEmpty { return }
    try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.keep(news, contents: [])
    }
  }
}

extension [RecordedHistoryEntry] {
  /// What a person gets who restores the newest version of an item. What an editor wrote into a
  /// file that was taken away is beside that: it never was the item on a side.
  fileprivate var newestVersion: ContentDigest? {
    first(where: { $0.entry.action != .lateEdit })?.entry.before
  }
}
