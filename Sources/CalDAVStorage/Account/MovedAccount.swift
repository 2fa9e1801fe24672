import SyncModel

extension CalDAVAccount {
  /// Where the calendars are that the URL did not lead to, although it names more than a server;
  /// nil where it did, or nobody has looked.
  public var guessedAddress: String? {
    guard let found, found.isGuessed, !url.isRoot else { return nil }
    return found.location.addresses.first
  }

  /// Where the account is now. Where the URL does not say so, what failed there is told; and a
  /// calendar that is gone leaves none.
  func listAnew(
    insteadOf location: AccountLocation, after trouble: StorageError
  ) async throws(StorageError) -> CalendarListing {
    do throws(StorageError) { return try await discover(insteadOf: location).listing } catch {
      switch error.kind {
      case .vanished, .protocolBroken:
        if case .calendar = location, trouble.kind == .vanished {
          return CalendarListing(calendars: [])
        }
        throw trouble
      case .denied, .unreachable, .tryLater, .cannotCreate, .io, .stopped: throw error
      }
    }
  }

  /// A host that does not answer may be one that the provider has moved the account away from
  /// (iCloud): the URL leads to where it is now. Nil where it leads there as before, or nowhere.
  ///
  /// - Parameter silent: the addresses on hosts that do not answer.
  func listWhereItIsNow(
    insteadOf location: AccountLocation, without silent: [String]
  ) async throws(StorageError) -> CalendarListing? {
    do throws(StorageError) {
      let othersAnswer = silent.count < location.addresses.count
      let found = try await search(isGuessing: mayGuess, isBrief: othersAnswer)
      if Set(found.location.addresses).isSuperset(of: silent) { return nil }
      return try await discover(insteadOf: location).listing
    } catch {
      if error.kind == .stopped { throw error }
      return nil
    }
  }
}
