public import SyncModel
import WebDAV

extension CalDAVAccount {
  /// Other names tried where one is taken or not to the server's liking.
  private static let mostNames = 3

  /// Makes a calendar: by MKCALENDAR (RFC 4791 §5.3.1), else by extended MKCOL (RFC 5689). A name
  /// that is taken is replaced by another, kinds that are refused by fewer; what the server made of
  /// it is read back, and one that takes nothing of what is to go into it is an error.
  public func createCollection(
    _ proposal: CollectionProposal
  ) async throws(StorageError) -> CollectionDescription {
    let listing = try await listCalendars()
    if let place = listing.unseen.first {
      throw StorageError(
        .cannotCreate, "the calendar “\(proposal.name)” cannot be made: it may be there already",
        why: place.words, hint: "try again later, or \(proposal.wayOut)")
    }
    guard case .homeSets(let homes) = location, let first = homes.first,
      let home = try? WebURL(absolute: first)
    else {
      throw StorageError(
        .cannotCreate, "no calendar can be made at \(url.text)",
        why: "the URL is itself a calendar",
        hint: "set the account's url to the calendar home to have more than one")
    }
    let before = Set(listing.calendars.map(\.href))
    let wanted = CalendarProposal(
      displayName: Array((proposal.displayName ?? proposal.name).utf8),
      color: proposal.color.map { Array($0.utf8) }, components: nil)
    var name = Self.isPlain(proposal.name) ? proposal.name : surroundings.newUUID()
    for _ in 1...Self.mostNames {
      let address = home.appending(segment: Array(name.utf8), isCollection: true)
      switch try await make(wanted, of: proposal.componentSets, at: address, before: before) {
      case .made:
        noteMade(address)
        do throws(StorageError) {
          let made = try await readBack(address, named: wanted, before: before)
          try proposal.check(made)
          return made
        } catch {
          var told = error
          told.message =
            "the calendar “\(proposal.name)” was made at \(address.text), and then:"
            + " \(error.message)"
          throw told
        }
      case .nameTaken:
        name = surroundings.newUUID()
      case .refused(let answers) where answers.mayMeanTaken && name == proposal.name:
        // Nextcloud's trash bin keeps the address of a deleted calendar and shows nothing there. A
        // name that nobody can have chosen is tried once, and if it is refused too, that is that.
        name = surroundings.newUUID()
      case .refused(let answers):
        throw StorageError(
          .cannotCreate, "the calendar “\(proposal.name)” cannot be made at \(home.text)",
          why: answers.reason, hint: proposal.wayOut)
      }
    }
    throw StorageError(
      .cannotCreate, "the calendar “\(proposal.name)” cannot be made at \(home.text)",
      why: "the server refused \(Self.mostNames) names", hint: proposal.wayOut)
  }

  /// A name that every server can have in an address. With others some say that the calendar was
  /// made and then do not find it, and SOGo loses its database over an apostrophe; the display name
  /// says to people what it is.
  private static func isPlain(_ name: String) -> Bool {
    1...64 ~= name.utf8.count && name.utf8.first != UInt8(ascii: ".")
      && name.utf8.allSatisfy { PercentCoding.isUnreserved($0) && $0 != UInt8(ascii: "~") }
  }

  private enum Made {
    case made
    case nameTaken
    /// Nothing shows at the address.
    case refused(MakingRefusal)
  }

  /// Asks for one set of kinds after the other, until the server takes one, or refuses for another
  /// reason than the kinds.
  private func make(
    _ proposal: CalendarProposal, of sets: [Set<String>?], at address: WebURL, before: Set<Href>
  ) async throws(StorageError) -> Made {
    var made = Made.nameTaken
    // What is listed needs no request.
    if before.contains(RemoteCalendar.href(address, home: url.origin)) { return made }
    for kinds in sets {
      var wanted = proposal
      wanted.components = kinds?.sorted()
      made = try await make(wanted, at: address)
      guard case .refused(let answers) = made, answers.mayBeOfKinds else { break }
    }
    return made
  }

  private func make(
    _ proposal: CalendarProposal, at address: WebURL
  ) async throws(StorageError) -> Made {
    guard let refusal = try await send(proposal.makeCalendar(address)) else {
      memory.learn(.makeCalendar, true, "MKCALENDAR", "201")
      return .made
    }
    if let found = try await found(at: address, after: refusal, to: proposal) { return found }
    if refusal.words.preconditions.contains("need-privileges") {
      throw StorageError(refusal, doing: "making a calendar")
    }
    guard let second = try await send(proposal.makeCollection(address)) else {
      memory.learn(.makeCalendar, false, "MKCALENDAR", "\(refusal.reason), and takes MKCOL")
      return .made
    }
    if let found = try await found(at: address, after: second, to: proposal) { return found }
    return .refused(MakingRefusal(makeCalendar: refusal, makeCollection: second))
  }

  /// Nil on success; a 207 counts by its inner statuses.
  private func send(_ request: DAVRequest) async throws(StorageError) -> DAVRefusal? {
    do throws(DAVError) {
      let (answer, sink) = try await client.send(request) {
        BytesSink(limit: 64 << 10, dropsExcess: true)
      }
      let status = InnerStatus.of(answer, body: sink.bytes)
      if (200...299).contains(status) {
        guard !answer.isHTML || answer.status == 201 else {
          throw DAVClient.noDAV(answer, "\(request.method) \(answer.url.text)")
        }
        return nil
      }
      return DAVRefusal(answer, body: sink.bytes)
    } catch {
      throw StorageError(error)
    }
  }

  /// What is at the address after all: 405, 409, 403 and an error of the server can all mean that
  /// the name is taken, or something else; and a server that failed may have made the calendar
  /// before. Nil where nothing is there.
  private func found(
    at address: WebURL, after refusal: DAVRefusal, to proposal: CalendarProposal
  ) async throws(StorageError) -> Made? {
    if refusal.words.preconditions.contains("calendar-collection-location-ok") {
      return .nameTaken
    }
    guard [400, 403, 405, 409, 412].contains(refusal.status) || refusal.isServerError else {
      return nil
    }
    do throws(StorageError) {
      guard let (_, properties) = try await discovery.inspect(address) else { return nil }
      let isOurs = refusal.isServerError && proposal.isIn(properties)
      return isOurs ? Made.made : .nameTaken
    } catch {
      guard error.isAboutOneAddress else { throw error }
      return nil
    }
  }

  /// In milliseconds, one after the other: some servers show a calendar some time after they have
  /// made it (Infomaniak: 8 to 20 s).
  private static let pauses: [Int64] = [1_000, 2_000, 4_000, 8_000, 8_000]

  private func readBack(
    _ address: WebURL, named proposal: CalendarProposal, before: Set<Href>
  ) async throws(StorageError) -> CollectionDescription {
    for pause in Self.pauses {
      guard !Task.isCancelled, Patience.leaves(pause, at: surroundings.now()) else { break }
      do throws(StorageError) {
        return try await look(for: address, named: proposal, before: before)
      } catch {
        // Nothing else goes by itself.
        guard error.kind == .vanished else { throw error }
      }
      await surroundings.pause(pause)
    }
    return try await look(for: address, named: proposal, before: before, isLast: true)
  }

  /// Reads what is there now. Yahoo and OX put a calendar elsewhere, and Zimbra moves it: then it
  /// is the one that was not there before.
  private func look(
    for address: WebURL, named proposal: CalendarProposal, before: Set<Href>, isLast: Bool = false
  ) async throws(StorageError) -> CollectionDescription {
    do {
      let calendar = try await look(at: address)
      keep([calendar])
      return calendar.description
    } catch {
      guard error.isAboutOneAddress else { throw error }
      let new = try await listCollections().filter { !before.contains($0.href) }
      if let found = new.first(where: { proposal.names($0.displayName) }) { return found }
      // Others may make calendars, too, while this one is waited for.
      guard isLast || error.kind != .vanished, new.count == 1 else { throw error }
      return new[0]
    }
  }
}

extension CollectionProposal {
  /// What is to go into it, as far as that is known.
  private var needed: Set<String> { kinds.isEmpty ? components ?? [] : kinds }

  /// The kinds to ask for, widest first: many a server refuses a mixed calendar (iCloud, Zimbra),
  /// or one of the kinds. Nil leaves the choice to the server, which then gives events for sure:
  /// rather that than nothing where there are events, and what it does not take is named, item by
  /// item. Without events it would be a calendar that takes nothing.
  fileprivate var componentSets: [Set<String>?] {
    guard let components else { return [nil] }
    let hasEvents = needed.contains("VEVENT") || needed.isEmpty
    var sets = [components]
    if hasEvents {
      sets += [components.intersection(["VEVENT", "VTODO"]).union(kinds), kinds]
    } else {
      // To-dos before journals: more servers have them.
      sets += [needed] + needed.sorted(by: >).map { Set([$0]) }
    }
    var asked: Set<Set<String>> = []
    var result: [Set<String>?] = sets.filter { !$0.isEmpty && asked.insert($0).inserted }
    if hasEvents { result.append(nil) }
    return result
  }

  /// Throws where nothing that is to go into a calendar can.
  fileprivate func check(_ made: CollectionDescription) throws(StorageError) {
    guard let taken = made.components, !needed.isEmpty, taken.isDisjoint(with: needed) else {
      return
    }
    throw StorageError(
      .cannotCreate, "it takes none of what is to go into it",
      why: "the server was asked for \(Self.words(needed)) and made one for \(Self.words(taken))",
      hint: "remove it there, and \(wayOut)")
  }

  /// What a person can do where none can be made.
  fileprivate var wayOut: String {
    let isUsual = needed.isEmpty || needed.contains("VEVENT")
    let kind = isUsual ? "" : " as one that takes \(Self.words(needed))"
    return "make it on the server's own pages\(kind), then run `calgw discover`"
  }

  private static func words(_ kinds: Set<String>) -> String {
    kinds.sorted().joined(separator: ", ")
  }
}

extension CalendarProposal {
  /// The name is the proposed one, in whatever form the server has it.
  fileprivate func names(_ shown: String?) -> Bool {
    let name = String(decoding: displayName ?? [], as: UTF8.self)
    return MetadataKey.displayname.isForm(shown ?? "", of: name)
  }

  /// What an address says of itself is what was proposed.
  fileprivate func isIn(_ properties: DAVProperties) -> Bool {
    let isCalendar = properties.resourceType?.contains(.calendar) ?? false
    return isCalendar && names(properties.displayName.flatMap(KeptText.line))
  }
}
