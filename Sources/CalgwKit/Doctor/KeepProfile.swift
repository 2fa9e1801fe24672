import CalDAVStorage
import Glibc
import SQLiteJournal
import SyncModel

extension AccountWay {
  /// Hands what a probe showed to the runs of the pairs that use the account: what a guard is worth
  /// shows in a probe first, and where it is worth nothing, a run looks before each write. Nothing
  /// is written for a server that keeps its guards, before the first run.
  mutating func keepProfile(_ probe: CalendarProbe, _ gateway: Gateway) async {
    guard let connection else { return }
    for pair in gateway.configuration.pairs where pair.accounts.contains(account.name) {
      let isKnown = access(gateway.opener.databasePath(pair), F_OK) == 0
      guard isKnown || probe.ignoresGuard else { continue }
      do throws(RunFailure) {
        let lock = try await gateway.opener.lock(pair, LockWait())
        defer { withExtendedLifetime(lock) {} }
        var notices: [String] = []
        let store = try gateway.opener.openStore(pair, .write) { notice in
          if let text = notice.text { notices.append(text) }
        }
        for notice in notices { tell(.warning, .probe, "pair \(pair.name): \(notice)") }
        try await gateway.journaled(pair) { () throws(JournalError) in
          try await store.remember(probed: connection)
          try await store.close()
        }
      } catch {
        tell(
          .warning, .probe, "pair \(pair.name) does not know what the probe showed",
          why: error.message, hint: "run `calgw doctor --write` once more")
      }
    }
  }
}

extension CalendarProbe {
  fileprivate var ignoresGuard: Bool {
    [guardsCreation, guardsReplacement, guardsDeletion, tagsOfItsOwn].contains(.fails)
  }
}
