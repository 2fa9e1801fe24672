import SyncModel
import WebDAV

extension CalDAVAccount {
  /// The removal of a probe's calendar; gives what is left.
  public typealias Removal = @Sendable () async -> LeftCalendar?

  /// Makes a calendar, tries in it what calgw relies on, and removes it, whatever happened.
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
    let calendar = try await makeProbeCalendar(removing: apart)
    var probe = CalendarProbe()
    var trouble: StorageError?
    do throws(StorageError) {
      try await Prober(calendar: calendar, shouldStop: shouldStop).run(&probe)
    } catch {
      // What is cut short is no trouble of the server's.
      if error.kind != .stopped, !shouldStop() { trouble = error }
    }
    probe.left = await apart { await self.remove(calendar.url, isCertain: true) }
    learn(from: probe)
    if let trouble { throw ProbeFailure(cause: trouble, left: probe.left) }
    return probe
  }

  private func makeProbeCalendar(
    removing apart: (@escaping Removal) async -> LeftCalendar?
  ) async throws(ProbeFailure) -> CalDAVStorage {
    let name = "calgw-doctor-" + surroundings.newUUID().prefix(8)
    noteMade(nil)
    do throws(StorageError) {
      return try await openCalendar(
        try await createCollection(
          CollectionProposal(name: name, displayName: name, components: ["VEVENT"])))
    } catch {
      var failure = ProbeFailure(cause: error)
      if let made = lastMade {
        failure.left = await apart { await self.remove(made, isCertain: true) }
        throw failure
      }
      switch error.kind {
      // A server that lets the account make none has shown nothing of itself, and is not at fault.
      case .denied where !client.wasRefused: failure.cause.kind = .cannotCreate
      case .denied, .cannotCreate, .tryLater, .io: break
      // The answer was lost, or cannot be read: the calendar may be there.
      case .unreachable, .protocolBroken, .vanished, .stopped:
        failure.left = await apart { await self.removeTrace(of: name) }
      }
      throw failure
    }
  }

  private func removeTrace(of name: String) async -> LeftCalendar? {
    guard case .homeSets(let homes) = location,
      let home = homes.first.flatMap({ try? WebURL(absolute: $0) })
    else { return nil }
    let address = home.appending(segment: Array(name.utf8), isCollection: true)
    return await remove(address, isCertain: false)
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
  private func remove(_ address: WebURL, isCertain: Bool) async -> LeftCalendar? {
    let end = surroundings.now().milliseconds + Self.longestRemoval
    var trouble = await tryRemoval(of: address)
    for pause in Self.removalPauses {
      guard trouble?.mayPass ?? false, surroundings.now().milliseconds < end else { break }
      await surroundings.pause(pause)
      trouble = await tryRemoval(of: address)
    }
    return trouble.map {
      LeftCalendar(address: address.text, reason: $0.reason, isCertain: isCertain)
    }
  }

  private func tryRemoval(of address: WebURL) async -> RemovalTrouble? {
    // Nextcloud would keep it in its trash bin, and its address taken; others do not know this.
    let header = HTTPHeader("X-NC-CalDAV-No-Trashbin", "1")
    let request = DAVRequest("DELETE", address, headers: [header])
    do throws(DAVError) {
      let (answer, sink) = try await client.send(request) {
        BytesSink(limit: 64 << 10, dropsExcess: true)
      }
      let status = InnerStatus.of(answer, body: sink.bytes)
      if (200...299).contains(status) || status == 404 || status == 410 { return nil }
      return RemovalTrouble(
        reason: DAVRefusal(answer, body: sink.bytes).reason,
        mayPass: status == 423 || (500...599).contains(status) && status != 501)
    } catch {
      let mayPass =
        switch error.kind {
        case .unreachable, .unanswered, .tryLater: true
        case .protocolBroken, .illFormed, .tooLarge, .denied, .elsewhere, .local, .stopped: false
        }
      return RemovalTrouble(reason: error.message, mayPass: mayPass)
    }
  }
}
