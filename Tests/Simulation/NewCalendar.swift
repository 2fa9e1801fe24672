import SyncExecution
import SyncModel
import TestSupport
import WebDAV

/// A calendar that was deleted and made anew at its address, on a server that takes a token of the
/// former one. One item of that, the witness, tells calgw the two apart, where the new one has, and
/// had, nothing of its name (docs/reliability.md).
final class NewCalendar {
  // Touched by the thread of the world's executor alone.
  private unowned let world: World
  private(set) var isThere = false
  /// No run has listed all of it.
  private var isUnseen = false
  /// A run went by in which calgw could not know that it is another one: what it lacks and what it
  /// has may show when all is compared anew.
  private(set) var passesForFormer = false
  /// What calgw knew of the former one when the run began was enough.
  private var canTell = false
  /// What the server has answered in this run: what changed since a token; then the tag of an item;
  /// and all there is.
  private var isTold = false
  private var isLookedAt = false
  /// In this run something was written before that: the server's state was as calgw knew it from
  /// the former calendar; or what it told did not show it, and a write was refused. A dry run does
  /// not get further.
  private(set) var isFoundByWriting = false
  private var isListed = false

  init(_ world: World) { self.world = world }

  /// Somebody made it.
  func make() {
    (isThere, isUnseen, isListed) = (true, true, false)
  }

  func beginRun() {
    (isTold, isLookedAt, isListed) = (false, false, false)
    (canTell, isFoundByWriting) = (false, false)
    guard isUnseen, let name = witness else { return }
    canTell = !world.server.everHad(name, in: World.calendar)
  }

  /// - Parameter report: nil where the run was killed.
  func endRun(_ report: CollectionReport?, isDisturbed: Bool) {
    guard isUnseen else { return }
    let isWhole = report.map { $0.failure == nil } ?? false
    if isWhole, isListed {
      (isUnseen, passesForFormer) = (false, false)
    } else if !isWhole || isDisturbed || !isTold || !canTell {
      passesForFormer = true
    }
  }

  func note(answer status: Int, to request: HTTPRequest) {
    guard isUnseen else { return }
    let isWrite = ["PUT", "DELETE", "MOVE"].contains(request.method)
    if isWrite, !isTold || !isListed && status == 412 { isFoundByWriting = true }
    guard status == 207 else { return }
    if request.asksForChanges {
      // A count that is that of the former one tells nothing; nor does one that this run's own
      // write has moved on from that.
      let token = world.server.currentToken(in: World.calendar) ?? []
      let current = String(decoding: token, as: UTF8.self)
      if !request.body.holds(current + "<"), !isFoundByWriting { isTold = true }
    } else if request.asksForTags {
      isLookedAt = isTold
    } else if request.asksForEverything, request.url.hasSuffix(World.calendar) {
      isListed = true
      if isLookedAt { world.note(Trait.formerTokens.name) }
    }
  }

  /// The name of the item that the storage's cursor has; nil where it has none.
  private var witness: [UInt8]? {
    guard let cursor = world.journal.state.cursors[.remote] else { return nil }
    let field = Array("witness=".utf8)
    let found = cursor.bytes.split(separator: UInt8(ascii: " ")).first { $0.starts(with: field) }
    return found.map {
      ModelServer.name(ofPath: PercentCoding.decoded(Array($0.dropFirst(field.count))))
    }
  }
}

extension World {
  /// calgw could not know yet that the calendar is another one; or an older journal was brought
  /// back, with a token of the former one.
  var hasUnknownCalendar: Bool {
    wire.newCalendar.passesForFormer || wire.newCalendar.isThere && hasJournalRestores
  }
}
