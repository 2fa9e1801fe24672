public import SyncModel
import WebDAV

extension CalDAVAccount {
  /// The removal of a probe's calendar; gives what is left.
  public typealias Removal = @Sendable () async -> LeftCalendar?

  /// Makes a calendar, or takes one that an earlier probe had to leave, tries in it what calgw
  /// relies on, and removes it, whatever happened.
  ///
  /// - Parameters:
  ///   - shouldStop: looked at before each request; then the removal is what is left to do.
  ///   - apart: does the removal where the end of the calling task does not reach it: what was made
  ///     has to go, also where what hangs is cancelled.
  /// - Throws: what kept the calendar from being made (`cannotCreate`), or the server from
  ///   answering.
  public func probe(
    shouldStop: @escaping @Sendable () -> Bool = { false },
    removing apart: (@escaping Removal) async -> LeftCalendar? = { await $0() }
  ) async throws(ProbeFailure) -> CalendarProbe {
    var probe = CalendarProbe()
    var prober: Prober
    if let leftover = await openLeftover(shouldStop) {
      prober = leftover
      probe.isInLeftover = true
    } else {
      if shouldStop() {
        throw ProbeFailure(cause: StorageError(.stopped, "the probe was told to stop"))
      }
      let calendar = try await makeProbeCalendar(removing: apart)
      prober = Prober(calendar: calendar, shouldStop: shouldStop)
    }
    var trouble: StorageError?
    do throws(StorageError) {
      try await prober.run(&probe)
    } catch {
      // What is cut short is no trouble of the server's.
      if error.kind != .stopped, !shouldStop() { trouble = error }
    }
    let (address, events) = (prober.calendar.url, prober.events)
    let holdsOwnAlone = prober.holdsOwnAlone
    probe.left = await apart {
      guard holdsOwnAlone else { return await self.removeMade(at: [address], isCertain: true) }
      return await self.remove(address, with: events, isCertain: true)
    }
    learn(from: probe)
    if let trouble { throw ProbeFailure(cause: trouble, left: probe.left) }
    return probe
  }

  /// A calendar of an earlier probe that the server did not let it remove; nil where there is none,
  /// or nothing can be written to it, or it holds anything of another's, or it cannot be looked at.
  /// What keeps the calendars from being listed keeps another from being made, which says so.
  private func openLeftover(_ shouldStop: @escaping @Sendable () -> Bool) async -> Prober? {
    guard let listed = try? await listCollections() else { return nil }
    // A URL that is itself a calendar names one that somebody uses.
    guard case .homeSets? = location else { return nil }
    for found in listed where found.isLeftByProbe && !found.isReadOnly {
      guard let calendar = try? await openCalendar(found) else { continue }
      var prober = Prober(calendar: calendar, shouldStop: shouldStop)
      if (try? await prober.takeLeftovers()) == true { return prober }
    }
    return nil
  }

  /// Whether a calendar that has a probe's name (`isLeftByProbe`) holds what no probe put there:
  /// then somebody uses it, and no probe does.
  public func holdsOthers(_ left: CollectionDescription) async throws(StorageError) -> Bool {
    var prober = Prober(calendar: try await openCalendar(left), shouldStop: { false })
    return try await !prober.takeLeftovers()
  }

  private func makeProbeCalendar(
    removing apart: (@escaping Removal) async -> LeftCalendar?
  ) async throws(ProbeFailure) -> CalDAVStorage {
    let name = ProbeName.calendar(surroundings)
    let proposal = CollectionProposal(name: name, displayName: name, components: ["VEVENT"])
    var trace = MakingTrace()
    do throws(StorageError) {
      let made = try await createCollection(proposal, leaving: &trace)
      let calendar = try await openCalendar(made)
      guard isOfProbe(made, at: calendar.url) else { throw Self.unlike(made, at: calendar.url) }
      return calendar
    } catch {
      var failure = ProbeFailure(cause: error)
      let (isMade, places) = (trace.isMade, trace.places)
      if isMade || error.leavesDoubt {
        failure.left = await apart { await self.removeMade(at: places, isCertain: isMade) }
      }
      // A server that lets the account make none has shown nothing of itself, and is not at fault.
      if error.kind == .denied, !isMade, !client.wasRefused { failure.cause.kind = .cannotCreate }
      throw failure
    }
  }

  /// What guards are worth shows nowhere else but in a probe.
  private func learn(from probe: CalendarProbe) {
    func note(
      _ capability: ServerProfile.Capability, _ trial: CalendarProbe.Trial, _ request: String
    ) {
      switch trial {
      case .holds: memory.learn(capability, true, request, "refused")
      case .fails: memory.learn(capability, false, request, "done")
      case .untried: break
      }
    }
    note(.ifNoneMatch, probe.guardsCreation, "a probe's PUT with If-None-Match: * over an item")
    note(.ifMatch, probe.guardsReplacement, "a probe's PUT with another If-Match")
    note(.ifMatchOnDelete, probe.guardsDeletion, "a probe's DELETE with another If-Match")
    // Another one proves nothing: tags may be seconds.
    if probe.tagsOfItsOwn == .fails {
      memory.learn(
        .ownTags, false, "a probe's event, made anew with another text", "the same ETag")
    }
  }

  // MARK: The removal

  /// Before each further try to remove a calendar, in milliseconds.
  private static let removalPauses: [Int64] = [1_000, 2_000]
  /// A server that takes longer than this to fail is not asked again, in milliseconds.
  private static let longestRemoval: Int64 = 15_000

  /// Why a calendar is still there.
  private struct RemovalTrouble {
    let reason: String
    /// It may be gone by the next try: a lock, a failure, a connection that was cut.
    let mayPass: Bool
  }

  /// Gives what is left; nil: it is gone.
  ///
  /// The events go first: a server that keeps its calendars may let them go, and one that is left
  /// is to be empty.
  func remove(
    _ address: WebURL, with events: [WebURL] = [], isCertain: Bool
  ) async -> LeftCalendar? {
    let end = surroundings.now().milliseconds + Self.longestRemoval
    var trouble = await tryRemoval(of: address, after: events)
    for pause in Self.removalPauses {
      guard trouble?.mayPass ?? false, surroundings.now().milliseconds < end else { break }
      await surroundings.pause(pause)
      trouble = await tryRemoval(of: address, after: events)
    }
    return trouble.map {
      LeftCalendar(
        address: address.shown, reason: $0.reason, isCertain: isCertain,
        looksLikeAnyOther: looksLikeAnyOther(address))
    }
  }

  private func tryRemoval(of address: WebURL, after events: [WebURL]) async -> RemovalTrouble? {
    for event in events { _ = await tryRemoval(of: event) }
    return await tryRemoval(of: address)
  }

  /// Nextcloud would keep what is deleted in its trash bin, and its address taken; others do not
  /// know this.
  static let withoutBin = HTTPHeader("X-NC-CalDAV-No-Trashbin", "1")

  private func tryRemoval(of address: WebURL) async -> RemovalTrouble? {
    let request = DAVRequest("DELETE", address, headers: [Self.withoutBin])
    do throws(DAVError) {
      let (answer, sink) = try await client.send(request) {
        BytesSink(limit: 64 << 10, dropsExcess: true)
      }
      let status = InnerStatus.of(answer, body: sink.bytes)
      if (200...299).contains(status) || status == 404 || status == 410 { return nil }
      let refusal = DAVRefusal(answer, body: sink.bytes)
      let mayPass = status == 423 || (500...599).contains(status) && status != 501
      return RemovalTrouble(reason: refusal.reason, mayPass: mayPass)
    } catch {
      let mayPass =
        switch error.kind {
        case .unreachable, .unanswered, .tryLater: true
        case .protocolBroken, .illFormed, .tooLarge, .denied, .elsewhere, .local, .stopped: false
        }
      let reason = error.why.isEmpty ? error.message : "\(error.message): \(error.why)"
      return RemovalTrouble(reason: reason, mayPass: mayPass)
    }
  }
}

extension StorageError {
  /// The answer was lost, cannot be read, or is that of a server that failed: what was asked for
  /// may have been done.
  fileprivate var leavesDoubt: Bool {
    switch kind {
    case .unreachable, .protocolBroken, .vanished, .stopped: true
    case .denied, .cannotCreate, .tryLater, .io: false
    }
  }
}
