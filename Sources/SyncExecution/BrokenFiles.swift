import ICalendar
import SyncModel
import SyncPlanning

extension CollectionSync {
  /// So many broken files are looked into; a folder with more of them is in other trouble.
  private static let brokenFilesRead = 500

  /// The UIDs that can be made out in the broken files of each side.
  func brokenFiles(_ differing: Differing) async throws(SyncFailure) -> [Side: Set<ItemID>] {
    var found: [Side: Set<ItemID>] = [:]
    for side in Side.allCases where !storage(side).traits.wantsWireForm {
      found[side] = try await uidsInBrokenFiles(on: side, differing)
    }
    return found
  }

  /// Takes out of a plan what a broken file speaks against: its item is not created beside it, and
  /// not taken for deleted. The file itself is reported as the problem that it is.
  func respect(_ broken: [Side: Set<ItemID>], in plan: Plan) -> Plan {
    var plan = plan
    for side in Side.allCases {
      guard let uids = broken[side], !uids.isEmpty else { continue }
      plan.actions.removeAll { action in
        switch action {
        case .create(side, let source, _): uids.contains(source.uid)
        case .delete(side.opposite, let old, _, _): uids.contains(old.uid)
        case .create, .replace, .merge, .delete, .record, .forget: false
        }
      }
    }
    return plan
  }

  /// The UIDs that can be made out in files that are no whole item.
  private func uidsInBrokenFiles(on side: Side, _ differing: Differing)
    async throws(SyncFailure) -> Set<ItemID>
  {
    let hrefs = differing.observations.compactMap { seen -> Href? in
      guard seen.side == side, case .obstructed(_, let problem) = seen.state,
        [.incomplete, .severalUIDs, .unreadable].contains(problem.code)
      else { return nil }
      return seen.href
    }
    var uids: Set<ItemID> = []
    try await read(Array(hrefs.prefix(Self.brokenFilesRead)), on: side) {
      (part) throws(SyncFailure) in
      for case .found(_, let data, _) in part.map(\.result) {
        let object = CalendarObject(SyntaxTree(bytes: data.bytes))
        uids.formUnion(object.uids.map(ItemID.init(bytes:)))
      }
    }
    return uids
  }
}

extension SyncRun {
  /// Puts the agreed texts of files that are broken by now into the history, once each, so that a
  /// person can restore them.
  func keepTextsOfBrokenFiles(_ differing: Differing) async throws(SyncFailure) {
    let broken = Set(
      differing.observations.compactMap { seen -> Href? in
        if seen.side == .local, case .obstructed = seen.state { seen.href } else { nil }
      })
    if broken.isEmpty { return }
    var entries: [HistoryEntry] = []
    for agreed in differing.agreements where broken.contains(agreed.local.href) {
      let history = try await recorded { [sync] () throws(JournalError) in
        try await sync.journal.history(of: agreed.uid)
      }
      let digest = agreed.local.version.digest
      if history.contains(where: { $0.entry.before == digest }) { continue }
      entries.append(
        HistoryEntry(
          time: sync.surroundings.now(), uid: agreed.uid, side: .local, action: .replaced,
          reason: "the file holds no whole item any more", href: agreed.local.href,
          before: digest, after: nil))
    }
    let news = entries
    if news.isEmpty { return }
    try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.keep(news, contents: [])
    }
  }
}
