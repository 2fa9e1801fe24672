import SyncModel

extension CalDAVAccount {
  /// A host that does not answer may be one that the provider has moved the account away from
  /// (iCloud): the URL leads to where it is now. Where that is the same place, other hosts of the
  /// account may answer; throws the trouble where none does.
  func listWhereItIsNow(
    insteadOf location: AccountLocation, after trouble: StorageError
  ) async throws(StorageError) -> CalendarListing {
    var foreign: [String] = []
    do throws(StorageError) {
      if try await discovery.run(foreign: &foreign).location == location {
        guard location.isSplit else { throw trouble }
        return try await list(location, sparesHomes: true)
      }
    } catch {
      throw error.kind == .stopped ? error : trouble
    }
    return try await discover().listing
  }
}
