public import SyncModel
import SyncPlanning

/// What a person can do about an item whose file is broken besides mending it: take what the remote
/// side has.
extension CollectionSync {
  /// The file of an item that both sides share, where it is no whole item any more, as far as the
  /// journal knows; nil where it is one.
  public func brokenFile(of uid: ItemID) async -> Result<Href?, SyncFailure> {
    do throws(SyncFailure) {
      let differing = try await recorded { () throws(JournalError) in
        try await journal.differing()
      }
      return .success(differing.brokenItem(uid)?.local.href)
    } catch {
      return .failure(error)
    }
  }

  /// Puts the remote version in the place of the item's file if that is broken; what was in it goes
  /// to the history. Where it is not, or the remote side has no version to take, what the run
  /// before said stands.
  ///
  /// - Parameter report: of that run, which has looked at both sides.
  func takeRemoteOverBroken(
    _ uid: ItemID, after report: CollectionReport
  ) async -> CollectionReport {
    if report.failure != nil { return report }
    var report = report
    do throws(SyncFailure) {
      guard let found = try await behindBroken(uid) else { return report }
      var made = CollectionReport(name: name)
      let wanted = try await wanted(found.version, insteadOf: found.file)
      try await putBack(wanted, into: &made)
      report.problems += made.problems.filter { !report.problems.contains($0) }
      if made.actions.isEmpty { return report }
      var last = await run(after: made)
      last.invitations += report.invitations
      last.cancellations += report.cancellations
      return last
    } catch {
      report.failure = error
      return report
    }
  }

  /// What the remote side has of an item whose local file is no whole item.
  struct BehindBroken {
    var version: ItemVersion
    /// What both sides share of it.
    var agreed: Agreement?
    /// The file, where they share nothing: nothing else says where the item is.
    var file: Href?
  }

  /// Nil where the item's file is whole, or the remote side has no version.
  func behindBroken(_ uid: ItemID) async throws(SyncFailure) -> BehindBroken? {
    let (differing, broken) = try await differingAndBroken()
    if let agreed = differing.brokenItem(uid) {
      return differing.remoteVersion(of: agreed).map { BehindBroken(version: $0, agreed: agreed) }
    }
    guard let file = broken[.local]?.file(of: uid),
      let item = matchItems(differing).items.first(where: { $0.uid == uid }),
      case .unmet(nil, let there?) = item.state
    else { return nil }
    return BehindBroken(version: there, file: file)
  }

  /// With its text from the journal, else from the remote side.
  private func wanted(
    _ version: ItemVersion, insteadOf file: Href?
  ) async throws(SyncFailure) -> WantedText {
    let digest = version.version.digest
    let kept = try await recorded { () throws(JournalError) in
      try await journal.contents([digest])
    }
    var found = kept[digest]
    if found == nil { found = try await readAgain([version], on: .remote).texts.first?.data }
    guard let text = found else {
      throw .storage(
        .remote,
        StorageError(
          .tryLater(nil), "the item changed while it was being read",
          hint: "Run the command again."))
    }
    return WantedText(
      uid: version.uid, text: text, digest: digest, canonical: version.canonical,
      summary: version.summary, file: file, reason: "a person decided: the remote one holds",
      isForBrokenFile: true)
  }
}

extension Differing {
  /// What both sides share of an item whose local file is no whole item any more.
  func brokenItem(_ uid: ItemID) -> Agreement? {
    guard let agreed = agreements.first(where: { $0.uid == uid }) else { return nil }
    let isBroken = observations.contains { seen in
      guard seen.side == .local, seen.href == agreed.local.href, case .obstructed = seen.state
      else { return false }
      return true
    }
    return isBroken ? agreed : nil
  }

  /// What the remote side has of an item; nil where it is gone there, or was not read.
  fileprivate func remoteVersion(of agreed: Agreement) -> ItemVersion? {
    let seen = observations.filter { $0.side == .remote }
    for observation in seen {
      if case .read(let item) = observation.state, item.uid == agreed.uid { return item }
    }
    return seen.contains { $0.href == agreed.remote.href } ? nil : agreed.remote
  }
}
