import ICalendar
import SyncExecution
import SyncModel
import SyncPlanning

/// What a restore will bring to both sides, for a dry run to say.
struct ForeseenRestore: Sendable {
  let text: ItemData
  let uid: ItemID
  let pair: PairConfiguration

  /// Counts what the engine would write to the local side, and adds what the sync after it would
  /// write to the remote one. Nothing is asked of the sides again.
  func added(to report: CollectionReport, of sync: CollectionSync) async -> CollectionReport {
    var report = report
    let isNew = report.actions.contains { $0.kind == .create }
    let isChanged = report.actions.contains { $0.kind == .update }
    report.pulled.created += isNew ? 1 : 0
    report.pulled.updated += isChanged ? 1 : 0
    let isStuck = report.actions.isEmpty && !report.problems.isEmpty
    guard report.failure == nil, !isStuck, pair.direction.writes(to: .remote), !pair.isReadOnly,
      case .success(let items) = await sync.inspect([])
    else { return report }
    let pending = items.first { $0.item.uid == uid && !$0.versions.isEmpty }
    // What is in step is on the remote side as it is here, or on neither.
    let isThere = pending.map { $0.versions[.remote] != nil } ?? !isNew
    let isAlike =
      pending.map { $0.versions[.remote]?.canonical == canonical } ?? !(isNew || isChanged)
    if isAlike { return report }
    report.pushed.created += isThere ? 0 : 1
    report.pushed.updated += isThere ? 1 : 0
    let item = ReportedItem(
      uid: uid, file: report.actions.first?.item.file ?? pending?.item.file,
      href: pending?.versions[.remote]?.href,
      summary: CalendarObject(SyntaxTree(bytes: text.bytes)).summary)
    report.actions.append(
      ReportedAction(kind: isThere ? .update : .create, side: .remote, item: item))
    return report
  }

  private var canonical: ContentDigest {
    liveDigest(canonicalForm(of: SyntaxTree(bytes: text.bytes)))
  }
}
