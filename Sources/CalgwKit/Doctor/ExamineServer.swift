import CalDAVStorage
import SyncModel
import WebDAV

/// The server itself: what it says to the sign-in, and what it has.
extension AccountWay {
  mutating func examineServer() async {
    guard !isStopped, let url = try? WebURL(absolute: account.url) else { return }
    // The password is not needed for a handshake.
    if broken == nil || broken == .secret, let transport = handshakeTransport() {
      let secret = broken
      broken = nil
      await examineHandshake(url, over: transport)
      broken = secret ?? broken
    } else {
      if detour != nil { _ = skips(.connection) }
      if url.scheme == .https { _ = skips(.certificate) }
    }
    if skips(.signIn) {
      _ = skips(.discovery)
      return
    }
    await signIn()
  }

  // MARK: The account

  private mutating func signIn() async {
    guard !isStopped, let connection else { return }
    let watch = StopWatch(signals: doctor.signals)
    typealias Found = Result<AccountDescription, StorageError>
    let found = await watch.watch(context.surroundings) { () -> Found in
      do throws(StorageError) {
        return .success(try await connection.account.discover())
      } catch {
        return .failure(error)
      }
    }
    switch found {
    case .success(let description)?:
      calendars = description.calendars
      showsAll = description.unseen.isEmpty
      tellLetIn()
      tellFound(description)
    case .failure(let error)?:
      let failure = RunFailure(error, place: "", stop: watch.reason)
      if isStopped {
        tell(failure, .signIn)
      } else if failure.status == .denied, connection.account.isLetIn {
        // What was refused is the way to the calendars, as one to a server nobody vouched for.
        tellLetIn()
        tell(failure, .discovery)
      } else if failure.status == .denied, connection.account.foreignHosts.isEmpty {
        tell(failure, .signIn)
        _ = skips(.discovery)
      } else {
        // What it says to a password nobody has heard, or it comes to nothing.
        tell(.skipped, .signIn, "not looked at, since \(Finding.Step.discovery.words) failed")
        await tellUnfound(failure, .discovery)
      }
    case nil: tellCutShort(.signIn)
    }
  }

  private mutating func tellLetIn() {
    let who = account.username.map { "as \($0)" } ?? "without a name"
    tell(.ok, .signIn, "the server lets us in \(who)")
  }

  private mutating func tellFound(_ description: AccountDescription) {
    let place =
      switch description.location {
      case .calendar(let url): withoutQuery(url)
      case .homeSets(let urls): urls.map(withoutQuery).joined(separator: ", ")
      }
    let count = description.calendars.count
    let principal = description.principal.map { "; the principal is \(withoutQuery($0))" } ?? ""
    if count == 0 {
      tell(
        .warning, .discovery, "there is no calendar at \(place)\(principal)",
        hint: "make one there, or see whether the url and the user name are the right ones")
    } else {
      let elsewhere = Self.servers(of: description).map { ", on \($0)" } ?? ""
      let text = "\(count) calendar\(count == 1 ? "" : "s") at \(place)\(elsewhere)\(principal)"
      if let lapse = connection?.urlInVain(description.calendars) {
        tell(
          .warning, .discovery, "\(text); \(lapse)",
          hint: "if one calendar was meant, set the account's url to that of the calendar; if all"
            + " are, to that of the server without a path")
      } else {
        tell(.ok, .discovery, text)
      }
    }
    let foreign = connection?.account.foreignHosts ?? []
    for host in foreign {
      tell(
        .warning, .discovery, "the account has more on \(host), which is not asked",
        hint: CalDAVAccount.deciding(on: foreign))
    }
    for place in description.unseen {
      if let failure = connection?.failure(ofUnseen: place, at: subject.words) {
        tellBeside(failure, .discovery)
        continue
      }
      tell(
        .warning, .discovery, "the account does not show all of its calendars (\(place.words))",
        hint: place.trouble.hint)
    }
    for calendar in description.calendars {
      for value in calendar.unreadValues() {
        tell(.warning, .discovery, value.message, hint: value.why)
      }
    }
    for origin in connection?.account.otherServers ?? [] {
      tell(
        .warning, .discovery,
        "the account also lives on \(origin), which gets the password, too",
        hint: "see that this host belongs to your provider")
    }
  }

  /// The servers that have the calendars, where they are not those of the homes: a home may be one
  /// that leads elsewhere, and calendars in it may be on other hosts. Nil where they are.
  private static func servers(of description: AccountDescription) -> String? {
    guard case .homeSets(let homes) = description.location else { return nil }
    func servers(_ addresses: [String]) -> Set<String> {
      Set(addresses.compactMap { try? WebURL(absolute: $0).origin })
    }
    let others = servers(description.calendars.map(\.identity)).subtracting(servers(homes))
    return others.isEmpty ? nil : others.sorted().joined(separator: ", ")
  }
}
