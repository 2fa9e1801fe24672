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
    var trace = MakingTrace()
    return try await createCollection(proposal, leaving: &trace)
  }

  /// As above; what may be on the server is in `trace` also where it throws. One of that name that
  /// somebody made since this run listed the calendars is given as it is: two machines that sync a
  /// new folder at once make one calendar. What an earlier run asked for is looked for first.
  package func createCollection(
    _ proposal: CollectionProposal, leaving trace: inout MakingTrace
  ) async throws(StorageError) -> CollectionDescription {
    try await checkFormer(before: proposal, leaving: &trace)
    let seen = seenByRun
    let listing = try await listCalendars()
    if let asked = trace.asked,
      let ours = try await madeEarlier(asked, of: proposal, in: listing, beside: seen ?? [])
    {
      give(ours.href)
      return ours
    }
    if let seen,
      let theirs = madeMeanwhile(proposal, in: listing, beside: seen, leaving: &trace)
    {
      return theirs
    }
    if let place = listing.unseen.first {
      throw StorageError(
        .cannotCreate, "the calendar “\(proposal.name)” cannot be made: it may be there already",
        why: place.words, hint: "\(place.trouble.hint), or \(proposal.wayOut)")
    }
    // One that this run made may show later than the next one is asked for.
    let before = Set(listing.calendars.map(\.href)).union(givenByRun)
    var homes = try homes(for: proposal, beside: before, leaving: &trace)
    let isOnly = homes.count == 1
    var refusal: StorageError?
    while true {
      let home = homes.removeFirst()
      trace.isRefused = false
      do throws(StorageError) {
        return try await make(
          proposal, in: home, isOnly: isOnly, beside: before, leaving: &trace)
      } catch {
        guard trace.isRefused else { throw error }
        // What the likeliest one said is told.
        let told = refusal ?? error
        if homes.isEmpty { throw told }
        refusal = told
      }
    }
  }

  /// Makes one in a home set.
  ///
  /// - Parameter isOnly: there is no other one to try.
  private func make(
    _ proposal: CollectionProposal, in home: WebURL, isOnly: Bool, beside before: Set<Href>,
    leaving trace: inout MakingTrace
  ) async throws(StorageError) -> CollectionDescription {
    var wanted = CalendarProposal(proposal)
    let earlier = trace.asked
    var name = lastName(of: earlier, in: home) ?? ownName(proposal)
    for _ in 1...Self.mostNames {
      let address = home.appending(segment: Array(name.utf8), isCollection: true)
      let href = RemoteCalendar.href(address, home: url.origin)
      let wasAsked = earlier?.href == href
      // What is listed needs no request.
      if before.contains(href) {
        name = freeName(proposal)
        continue
      }
      trace.places = [address]
      await trace.ask(for: href, beside: before)
      let answer: Made
      do throws(StorageError) {
        answer = try await make(&wanted, of: proposal.componentSets, at: address, beside: before)
      } catch {
        // Who lets nobody in has made nothing.
        if error.kind == .denied, !wasAsked { trace.asked = nil }
        throw error
      }
      if answer.saysTaken, wasAsked, !trace.isOverdue,
        let late = try await madeLate(proposal, at: address, beside: before)
      {
        return late
      }
      if !answer.mayBeMade { trace.asked = nil }
      let isInTheWay = try await isAnythingInTheWay(
        by: answer, isOwnName: name == proposal.name, wasAsked: wasAsked, trace)
      switch answer {
      case .made(let named):
        trace.places = places(naming: named, or: address, in: home, beside: before)
        trace.isMade = true
        return try await made(proposal, as: wanted, at: trace.places, before: before)
      case .nameTaken(let byNamesake):
        let other = try await theirs(
          proposal, at: byNamesake ? address : nil, beside: before, leaving: &trace)
        if let other { return other }
        name = freeName(proposal)
      case .refused where isInTheWay: name = freeName(proposal)
      case .refused(let answers):
        trace.isRefused = answers.isLasting
        if isOnly, answers.isOfMethods {
          memory.barrenHome = ServerMemory.BarrenHome(home: home, answers: answers)
        }
        throw answers.error(proposal.failure(at: home), wayOut: proposal.wayOut)
      }
    }
    trace.isRefused = true
    throw StorageError(
      .cannotCreate, proposal.failure(at: home),
      why: "the server refused \(Self.mostNames) names", hint: proposal.wayOut)
  }

  /// What somebody else has made for a folder while this run was about to, listed or not.
  ///
  /// - Parameter address: where a calendar of its name is.
  private func theirs(
    _ proposal: CollectionProposal, at address: WebURL?, beside before: Set<Href>,
    leaving trace: inout MakingTrace
  ) async throws(StorageError) -> CollectionDescription? {
    let now = try await listCalendars()
    if let theirs = madeMeanwhile(proposal, in: now, beside: before, leaving: &trace) {
      return theirs
    }
    guard let address else { return nil }
    let hidden = try await unlisted(proposal, at: address, beside: before)
    if hidden != nil { trace.isTheirs = true }
    return hidden
  }

  /// Whether what refuses a calendar may be that something has its address and does not show there,
  /// as what is in a trash bin (Nextcloud). A name that nobody can have chosen is tried once then,
  /// and if it is refused too, that is that. A server that merely fails may have made it: only
  /// where it fails as before when nothing is waited for any more, another one is no second one.
  private func isAnythingInTheWay(
    by answer: Made, isOwnName: Bool, wasAsked: Bool, _ trace: MakingTrace
  ) async throws(StorageError) -> Bool {
    guard case .refused(let answers) = answer else { return false }
    if answer.saysTaken { return isOwnName || wasAsked }
    guard isOwnName, wasAsked, trace.isOverdue, answers.mayBeOfAddress else { return false }
    return try await listCalendars().unseen.isEmpty
  }

  /// Asks once more for what an earlier run was refused, by one request: somebody may have allowed
  /// it since. Nil where it is refused still, or another one was in this run for a reason that is
  /// not its own.
  package func createIfAllowedNow(
    _ proposal: CollectionProposal
  ) async throws(StorageError) -> CollectionDescription? {
    if memory.isRefusing { return nil }
    try await checkPause(before: proposal)
    let before = Set(allKnown)
    var trace = MakingTrace()
    let home = try homes(for: proposal, beside: before, leaving: &trace)[0]
    func address(_ name: String) -> WebURL {
      home.appending(segment: Array(name.utf8), isCollection: true)
    }
    var place = address(ownName(proposal))
    if before.contains(RemoteCalendar.href(place, home: url.origin)) {
      place = address(freeName(proposal))
    }
    var wanted = CalendarProposal(proposal)
    // The colour may be all that was refused, and comes with what the pair carries over.
    wanted.color = nil
    wanted.components = proposal.componentSets.first.flatMap(\.self)?.sorted()
    switch try await send(making: wanted.makeCalendar(place)) {
    case .refused(let refusal):
      memory.isRefusing = refusal.isOfAll
      return nil
    case .made(let named):
      memory.learn(.makeCalendar, true, "MKCALENDAR", "201")
      let places = places(naming: named, or: place, in: home, beside: before)
      return try await made(proposal, as: wanted, at: places, before: before)
    }
  }

  /// What the server made; where that is not what was asked for, or cannot be seen, it is there all
  /// the same, and the error says so.
  ///
  /// - Parameter places: where it may be, the likeliest first.
  private func made(
    _ proposal: CollectionProposal, as wanted: CalendarProposal, at places: [WebURL],
    before: Set<Href>
  ) async throws(StorageError) -> CollectionDescription {
    do throws(StorageError) {
      let made = try await findMade(wanted, at: places, before: before)
      give(made.href)
      try proposal.check(made)
      return made
    } catch {
      var told = error
      let place = (places.first ?? url).shown
      told.message =
        "the calendar “\(proposal.name)” was made at \(place), and then: \(error.message)"
      throw told
    }
  }

  /// A name that every server can have in an address. With others some say that the calendar was
  /// made and then do not find it, and SOGo loses its database over an apostrophe; the display name
  /// says to people what it is.
  private static func isPlain(_ name: String) -> Bool {
    1...64 ~= name.utf8.count && name.utf8.first != UInt8(ascii: ".")
      && name.utf8.allSatisfy { PercentCoding.isUnreserved($0) && $0 != UInt8(ascii: "~") }
  }

  /// The name that it gets in its address, where nobody has that.
  private func ownName(_ proposal: CollectionProposal) -> String {
    Self.isPlain(proposal.name) ? proposal.name : freeName(proposal)
  }

  /// A name that nobody else can have chosen. A probe's tells what it is in the address, too.
  private func freeName(_ proposal: CollectionProposal) -> String {
    ProbeName.isCalendar(proposal.name)
      ? ProbeName.calendar(surroundings) : surroundings.newUUID()
  }

  /// Asks for one set of kinds after the other, until the server takes one, or refuses for another
  /// reason than the kinds.
  ///
  /// Where it may be the colour that is refused, that goes first, and for good: it can be set
  /// later, as that of any calendar (the pair does it), while kinds that were left out are lost. So
  /// it costs one try more in all, and not one for each set of kinds and each name. A server that
  /// refused it by its name may have made the calendar all the same: that is the one.
  private func make(
    _ proposal: inout CalendarProposal, of sets: [Set<String>?], at address: WebURL,
    beside before: Set<Href>
  ) async throws(StorageError) -> Made {
    var made = Made.nameTaken(byNamesake: false)
    for kinds in sets {
      var wanted = proposal
      wanted.components = kinds?.sorted()
      made = try await make(wanted, at: address, beside: before)
      if wanted.color != nil, case .refused(let answers) = made, answers.mayBeOfColor {
        (proposal.color, wanted.color) = (nil, nil)
        made = try await make(wanted, at: address, beside: before)
        if answers.namesColor, case .nameTaken = made,
          try await isMadeAllTheSame(wanted, at: address, beside: before)
        {
          return .made(at: nil)
        }
      }
      guard case .refused(let answers) = made, answers.mayBeOfKinds else { break }
    }
    return made
  }

  private func make(
    _ proposal: CalendarProposal, at address: WebURL, beside before: Set<Href>
  ) async throws(StorageError) -> Made {
    let refusal: DAVRefusal
    switch try await send(making: proposal.makeCalendar(address)) {
    case .made(let place):
      memory.learn(.makeCalendar, true, "MKCALENDAR", "201")
      return .made(at: place)
    case .refused(let why): refusal = why
    }
    if let found = try await found(at: address, after: refusal, to: proposal, beside: before) {
      return found
    }
    // The other method would meet the same as long as the colour is asked for.
    let isOfColor = proposal.color != nil && refusal.namesColor
    if isOfColor || refusal.words.preconditions.contains("need-privileges") {
      return .refused(MakingRefusal(makeCalendar: refusal, makeCollection: refusal))
    }
    let second: DAVRefusal
    switch try await send(making: proposal.makeCollection(address)) {
    case .made(let place):
      memory.learn(.makeCalendar, false, "MKCALENDAR", "\(refusal.reason), and takes MKCOL")
      return .made(at: place)
    case .refused(let why): second = why
    }
    // What a look has shown holds where nothing but a refusal came since.
    if second.isServerError || second.refusesAddress || !refusal.asksForLook,
      let found = try await found(at: address, after: second, to: proposal, beside: before)
    {
      return found
    }
    return .refused(MakingRefusal(makeCalendar: refusal, makeCollection: second))
  }
}
