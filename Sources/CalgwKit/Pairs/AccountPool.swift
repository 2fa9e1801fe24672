import CalDAVStorage
import SyncModel
import Synchronization

/// The connections of a run: pairs of one account share one.
final class AccountPool: Sendable {
  private let context: AccountContext
  private let open = Mutex<[String: AccountConnection]>([:])

  init(_ context: AccountContext) { self.context = context }

  /// The connection of an account; `location` tells, for a memory key, where its calendars were the
  /// last time.
  func connection(
    to account: AccountConfiguration,
    location: (String) async throws(RunFailure) -> AccountLocation?
  ) async throws(RunFailure) -> AccountConnection {
    let key = account.name + " " + account.url
    if let connection = open.withLock({ $0[key] }) { return connection }
    let memoryKey = AccountConnection.memoryKey(of: account)
    let connection = try AccountConnection(
      account, location: try await location(memoryKey), context)
    open.withLock { $0[key] = connection }
    return connection
  }

  /// What all connections carried so far.
  var traffic: PairTraffic {
    open.withLock { $0.values.reduce(PairTraffic()) { $0.adding($1.traffic) } }
  }
}
