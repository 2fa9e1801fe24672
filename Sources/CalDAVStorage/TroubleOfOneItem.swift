import SyncModel
import WebDAV

/// What goes wrong at the address of one item, while the server gives the rest: an address that
/// redirects to nowhere, or one that the user may not see. It is no reason to leave the others.
extension CalDAVStorage {
  /// Refusals of the user that count as those of single items. Whoever goes on being refused locks
  /// his account on many servers; and where it is the account's trouble, the next one shows it.
  private static let mostDenials = 3

  /// Nil where the trouble is the whole side's.
  func problemOfOneItem(_ error: DAVError, _ code: ItemProblem.Code) -> ItemProblem? {
    switch error.kind {
    case .protocolBroken: break
    case .denied:
      let count = withRunMemory { run in
        run.denials += 1
        return run.denials
      }
      guard count <= Self.mostDenials else { return nil }
    case .unreachable, .unanswered, .tryLater, .illFormed, .tooLarge, .local, .stopped: return nil
    }
    let hint = [error.hint, error.why].filter { !$0.isEmpty }.joined(separator: "; ")
    return ItemProblem(code, error.message, hint: hint)
  }
}
