import CalDAVStorage
import CurlTransport
import Logging
import SyncModel
import Synchronization

/// The connections of a run: pairs of one account share one.
final class AccountPool: Sendable {
  private let context: AccountContext
  private let open = Mutex<[String: AccountConnection]>([:])
  private let feeds = Mutex<CurlTransport?>(nil)

  init(_ context: AccountContext) { self.context = context }

  /// The connection of an account; `memory` tells what earlier runs found out of it.
  func connection(
    to account: AccountConfiguration,
    memory: (AccountConfiguration) async throws(RunFailure) -> AccountMemory
  ) async throws(RunFailure) -> AccountConnection {
    let key = account.name + " " + account.url
    if let connection = open.withLock({ $0[key] }) { return connection }
    let connection = try AccountConnection(account, memory: try await memory(account), context)
    open.withLock { $0[key] = connection }
    return connection
  }

  /// What subscriptions go over: they have no account, and so no settings of one.
  func feedTransport() throws(RunFailure) -> CurlTransport {
    do {
      return try feeds.withLock { transport in
        if let transport { return transport }
        var options = CurlTransport.Options()
        options.userAgent = "calgw/\(calgwVersion)"
        let made = try CurlTransport(options: options) { logger.notice("\($0)") }
        transport = made
        return made
      }
    } catch {
      throw RunFailure(
        .io, code: "io", message: "no connection can be made",
        hint: "check the machine's certificates and libcurl")
    }
  }

  /// What all connections carried so far.
  var traffic: PairTraffic {
    let accounts = open.withLock { $0.values.reduce(PairTraffic()) { $0.adding($1.traffic) } }
    return feeds.withLock { $0 }.map { accounts.adding(PairTraffic($0.traffic)) } ?? accounts
  }
}
