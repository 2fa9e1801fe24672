import SyncExecution
import SyncModel
import TestSupport
import VdirStorage

/// A side's items by name, to see what a run did.
struct Picture {
  let local: [String: [UInt8]]
  let remote: [[UInt8]: [UInt8]]
  let agreements: [ItemID: Agreement]
  var agreed: Int { agreements.count }

  init(_ world: World) {
    let files = world.files.contents(of: World.folder).filter { $0.key.isVisibleItem }
    local = Dictionary(
      files.map { ($0.key.text, $0.value.data) }, uniquingKeysWith: { first, _ in first })
    remote = world.server.items(in: World.calendar)
    agreements = world.journal.state.agreements
  }

  /// All texts, for people.
  var lines: [String] {
    let files = local.sorted { $0.key < $1.key }.map { ("file \($0.key)", $0.value) }
    let resources = remote.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
      ("on the server \(String(decoding: $0.key, as: UTF8.self))", $0.value)
    }
    return (files + resources).flatMap { name, text in
      [name]
        + String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline).map {
          "    \($0)"
        }
    }
  }

  /// What a run created, updated and deleted between two pictures.
  static func counts<Key: Hashable>(_ before: [Key: [UInt8]], _ after: [Key: [UInt8]])
    -> WriteCounts
  {
    var counts = WriteCounts()
    counts.created = after.keys.count { before[$0] == nil }
    counts.deleted = before.keys.count { after[$0] == nil }
    counts.updated = before.count { after[$0.key] != nil && after[$0.key] != $0.value }
    return counts
  }
}

extension World {
  /// What must hold after every run, however it ended.
  func check(_ report: CollectionReport?, since before: Picture, _ events: Int) {
    checkNothingIsLost("after the run")
    noteForgotten(since: before.agreements)
    let after = Picture(self)
    let local = Picture.counts(before.local, after.local)
    let remote = Picture.counts(before.remote, after.remote)
    defer { isJournalNew = false }
    // Where others acted meanwhile, the pictures show their doing too.
    guard events == 0 else { return }
    checkDeletions(local, remote, before)
    guard let report else { return }
    let isTold = report.problems.contains { $0.problem.code == .unguarded }
    if wire.unguarded > 0, !isTold, report.failure == nil {
      violate("NoValidator", "an unguarded write is not told of")
    }
    checkCounts(report, local, remote)
  }

  /// What a dry run said, the run did: no less, and no more than what shows in a later round.
  func checkForecast(_ said: CollectionReport, _ report: CollectionReport) {
    // What a server puts elsewhere and does not say so is found by its UID, and counted by nobody.
    if server.switches.choosesNames { return }
    if said.pulled.total > report.pulled.total || said.pushed.total > report.pushed.total {
      violate(
        "DryRun",
        "it said \(said.pulled.text) here and \(said.pushed.text) there, and done was"
          + " \(report.pulled.text) here and \(report.pushed.text) there")
    }
  }

  private func checkDeletions(
    _ local: WriteCounts, _ remote: WriteCounts, _ before: Picture
  ) {
    for (side, count) in [(Side.local, local.deleted), (.remote, remote.deleted)] {
      let isMuch = count > 5 && Double(count) > 0.25 * Double(before.agreed)
      let isAll = count >= 3 && count >= before.agreed
      let isServersDoing = side == .remote && server.switches.movesUIDs
      if isMuch || isAll, !isServersDoing {
        violate(
          "EmptyGuard", "\(count) of \(before.agreed) were deleted on the \(side.rawValue) side")
      }
      if isJournalNew, count > 0 {
        violate("JournalLost", "\(count) were deleted on the \(side.rawValue) side at first")
      }
    }
  }

  /// Honest: what is told was done, and what was done is told.
  private func checkCounts(
    _ report: CollectionReport, _ local: WriteCounts, _ remote: WriteCounts
  ) {
    guard report.failure == nil, report.problems.isEmpty else { return }
    var (pulled, pushed) = (report.pulled, report.pushed)
    // A merge writes to one side or to both.
    pulled.updated += report.merged
    pushed.updated += report.merged
    // What does not show yet was deleted here, and has come back by the end of the run.
    let isBack = server.switches.writeLag > 0 && pulled.created > 0 && pulled.deleted > 0
    if !isBack, !pulled.tells(local) {
      violate("Honest", "pulled \(report.pulled.text), and the folder shows \(local.text)")
    }
    // Such a server moves what it is given, or creates what was to be replaced.
    let switches = server.switches
    if switches.movesUIDs || switches.choosesNames || switches.splitsOverrides { return }
    if switches.ignoresIfMatch { return }
    if !pushed.tells(remote) {
      violate("Honest", "pushed \(report.pushed.text), and the server shows \(remote.text)")
    }
  }
}

extension WriteCounts {
  /// What somebody else was quicker with, in the very same way, counts as done.
  func tells(_ seen: WriteCounts) -> Bool {
    created >= seen.created && updated >= seen.updated && deleted >= seen.deleted
  }

  var text: String { "\(created) created, \(updated) updated, \(deleted) deleted" }
}
