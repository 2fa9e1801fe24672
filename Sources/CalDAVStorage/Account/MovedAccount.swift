import SyncModel

extension CalDAVAccount {
  /// A host that does not answer may be one that the provider has moved the account away from
  /// (iCloud): the URL leads to where it is now. Throws the trouble where that is no other place.
  func listWhereItIsNow(
    insteadOf location: AccountLocation, after trouble: StorageError
  ) async throws(StorageError) -> CalendarListing {
    var foreign: [String] = []
    do throws(StorageError) {
      if try await discovery.run(foreign: &foreign).location == location { throw trouble }
    } catch {
      throw error.kind == .stopped ? error : trouble
    }
    return try await discover().listing
  }
}
