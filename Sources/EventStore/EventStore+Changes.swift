extension EventStore {
  /// Changes of the calendars as they happen, from commits of this store, from `refresh()`, and
  /// where an interval is given from looking at the calendars.
  ///
  /// Changes are gathered until there were none for 500 ms, at most for five seconds, and come as
  /// one. Ask anew for the events that are shown when one comes. Each call gives a sequence of its
  /// own; what happens before the call is not in it, and it ends when its reader is cancelled or
  /// goes.
  /// - Parameter interval: How often to look for what others changed while somebody reads the
  ///   sequence; nil for never. A directory costs one scan, a server one request a calendar.
  public func changes(lookingEvery interval: Duration? = nil) -> AsyncStream<EventStoreChange> {
    let (stream, continuation) = AsyncStream.makeStream(of: EventStoreChange.self)
    let listener = announcer.listen(continuation)
    let looking = interval.map { interval in
      Task { [weak self, sleep = announcer.sleep] in
        while !Task.isCancelled {
          await sleep(interval)
          guard !Task.isCancelled, let self else { return }
          await self.lookForChanges()
        }
      }
    }
    continuation.onTermination = { [weak self] _ in
      looking?.cancel()
      Task { [weak self] in await self?.stopListening(listener) }
    }
    return stream
  }

  private func stopListening(_ listener: Int) { announcer.listeners[listener] = nil }

  /// Looks at every calendar; one that cannot be looked at is announced once.
  private func lookForChanges() async {
    await takeTurn()
    defer { endTurn() }
    for calendar in calendars {
      do throws(EventStoreError) {
        try await look(at: calendar.id)
        announcer.known[calendar.id] = nil
      } catch {
        guard announcer.known.updateValue(error, forKey: calendar.id) != error else { continue }
        guard !announcer.listeners.isEmpty else { continue }
        announcer.gathered.add(error, of: calendar.id)
        startWait()
      }
    }
  }

  /// Announces what others did to items of a calendar.
  func announce(_ changes: [CalendarShelf.Change], in calendar: String, isOwn: Bool) {
    guard !changes.isEmpty, !announcer.listeners.isEmpty else { return }
    for change in changes {
      let id = EventIdentifier(calendar: calendar, uid: change.uid)
      announcer.gathered.add(EventStoreChange.Item(id: id, kind: change.kind, isOwn: isOwn))
    }
    startWait()
  }

  private func startWait() {
    let (round, duration) = announcer.wait()
    let sleep = announcer.sleep
    Task { [weak self] in
      await sleep(duration)
      await self?.deliver(round)
    }
  }

  /// Tells the listeners, unless another change came while this waited.
  private func deliver(_ round: Int) {
    guard round == announcer.round else { return }
    announcer.since = nil
    guard let change = announcer.gathered.take() else { return }
    for (_, listener) in announcer.listeners.sorted(by: { $0.key < $1.key }) {
      listener.yield(change)
    }
  }
}
