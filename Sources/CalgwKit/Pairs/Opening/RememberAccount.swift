import CalDAVStorage
import SQLiteJournal
import SyncModel

extension AccountMemory {
  /// What a pair's store has kept of an account.
  init(of account: AccountConfiguration, in store: PairStore) async throws(JournalError) {
    found = try await store.value(AccountConnection.key(.location, of: account)).flatMap {
      FoundLocation(encoded: String(decoding: $0, as: UTF8.self))
    }
    guard let profile = try await store.value(AccountConnection.key(.profile, of: account)) else {
      return
    }
    let tags = try await store.value(AccountConnection.key(.scheduleTags, of: account))
    let written = try await store.value(AccountConnection.key(.writtenTags, of: account))
    learned = CalDAVAccount.Learned(
      profile: ServerProfile(encoded: profile), scheduleTags: tags ?? [],
      writtenTags: written ?? [])
  }
}

extension PairStore {
  /// Keeps what a run found out of an account's server, once it is over.
  func remember(_ connection: AccountConnection) throws(JournalError) {
    connection.account.learnThrottling()
    connection.account.learnSignIn()
    let learned = connection.account.learned
    try remember(learned.profile.encoded, as: connection.key(.profile))
    try remember(learned.scheduleTags, as: connection.key(.scheduleTags))
    try remember(learned.writtenTags, as: connection.key(.writtenTags))
  }

  /// Adds what a probe showed of an account's server to what runs found out.
  func remember(probed connection: AccountConnection) throws(JournalError) {
    let key = connection.key(.profile)
    var profile = try value(key).map { ServerProfile(encoded: $0) } ?? ServerProfile()
    profile.merge(connection.account.learned.profile)
    try remember(profile.encoded, as: key)
  }

  /// Servers that an account has more on and that are not asked, but for those that an earlier run
  /// has told of.
  func untoldHosts(of connection: AccountConnection) throws(JournalError) -> [String] {
    try untold(connection.account.foreignHosts, as: connection.key(.foreignHosts))
  }

  /// The same of servers that get its password without having been written out.
  func untoldServers(of connection: AccountConnection) throws(JournalError) -> [String] {
    try untold(connection.account.otherServers, as: connection.key(.otherServers))
  }

  /// The same of the addresses of calendars that a probe had to leave.
  func untoldProbes(
    _ addresses: [String], of connection: AccountConnection
  ) throws(JournalError) -> [String] {
    try untold(addresses, as: connection.key(.leftProbes))
  }

  /// Those of some names that are not kept under a key yet; they are by now.
  private func untold(_ names: [String], as key: String) throws(JournalError) -> [String] {
    let kept = try value(key).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let told = kept.split(separator: " ").map(String.init)
    let untold = names.filter { !told.contains($0) }
    guard !untold.isEmpty else { return [] }
    try setValue(Array((told + untold).joined(separator: " ").utf8), for: key)
    return untold
  }

  /// Of places of an account that nobody could look into, those to be told of: what may not be seen
  /// stays so, and is told once.
  func untold(
    _ places: [UnseenPlace], of connection: AccountConnection
  ) throws(JournalError) -> [UnseenPlace] {
    let key = connection.key(.forbiddenPlaces)
    let kept = try value(key).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let told = kept.split(separator: " ").map(String.init)
    let forbidden = places.filter(\.isForbidden).map(\.address)
    if forbidden != told {
      let text = forbidden.joined(separator: " ")
      try setValue(text.isEmpty ? nil : Array(text.utf8), for: key)
    }
    return places.filter { !$0.isForbidden || !told.contains($0.address) }
  }

  /// Writes only what is new.
  func remember(_ value: [UInt8], as key: String) throws(JournalError) {
    guard try self.value(key) != value else { return }
    try setValue(value, for: key)
  }
}
