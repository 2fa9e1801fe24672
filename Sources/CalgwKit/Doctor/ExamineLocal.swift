import CalDAVStorage
import Glibc
import Recurrence
import SyncModel
import VdirStorage

/// This machine: time zones, the state directory, and the folders and journals of pairs.
extension Doctor {
  /// Less room than this, in bytes, and a sync may fail in the middle.
  private static let littleRoom: UInt64 = 50 << 20

  func examineTimeZones() -> [Finding] {
    let own = SystemZones.local(environment).name
    // A zone that every tzdata has.
    guard ZoneCatalog.system.zone(named: "Europe/Vienna") != nil else {
      return [
        Finding(
          .warning, .everything, .timeZones, "this machine has no time zone data",
          why: "there is nothing in \(SystemZones.folder)",
          hint: "install it (Debian: tzdata); events without their own zone definition are shown "
            + "at wrong times until then")
      ]
    }
    return [Finding(.ok, .everything, .timeZones, "time zone data is there; yours is \(own)")]
  }

  func examineState(_ configuration: Configuration) -> [Finding] {
    let path = configuration.stateDirectory
    var status = stat()
    guard stat(path, &status) == 0 else { return [foreseeState(path)] }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      return [
        Finding(
          .failed, .everything, .state, "\(path) is no directory",
          hint: "remove it, or set state_dir", status: .cannotCreate)
      ]
    }
    guard status.st_uid == geteuid(), access(path, W_OK | X_OK) == 0 else {
      return [
        Finding(
          .failed, .everything, .state, "\(path) may not be written by you",
          hint: "make it your own, or set state_dir to a directory of your own",
          status: status.st_uid == geteuid() ? .cannotCreate : .denied)
      ]
    }
    var findings = [Finding(.ok, .everything, .state, "\(path) may be written")]
    if status.st_mode & 0o077 != 0 {
      findings.append(
        Finding(
          .warning, .everything, .state, "\(path) is open to other users",
          hint: "run chmod 700 \(path): old versions of your events are in it"))
    }
    return findings + room(at: path, .everything, .state)
  }

  /// The first sync makes it, with what is not there above it either.
  private func foreseeState(_ path: String) -> Finding {
    var above = path
    var status = stat()
    repeat {
      above = above.lastIndex(of: "/").map { String(above[..<$0]) } ?? ""
      if above.isEmpty { above = "/" }
    } while stat(above, &status) != 0 && above != "/"
    if status.st_mode & S_IFMT == S_IFDIR, access(above, W_OK | X_OK) == 0 {
      return Finding(.ok, .everything, .state, "\(path) is not there yet: the first sync makes it")
    }
    return Finding(
      .failed, .everything, .state, "\(path) is not there, and cannot be made in \(above)",
      hint: "set state_dir to a directory of your own, or make it there yourself",
      status: .cannotCreate)
  }

  private func room(at path: String, _ subject: Finding.Subject, _ step: Finding.Step)
    -> [Finding]
  {
    var space = statvfs()
    guard statvfs(path, &space) == 0 else { return [] }
    let (free, overflow) = UInt64(space.f_bavail).multipliedReportingOverflow(
      by: UInt64(space.f_frsize))
    guard !overflow, free < Self.littleRoom else { return [] }
    return [
      Finding(
        .warning, subject, step, "there is little room left at \(path)",
        why: "\(free >> 20) MiB are free", hint: "free some room on that disk")
    ]
  }

  // MARK: Pairs

  /// - Parameter isReached: The accounts of both sides were found to work.
  func examine(_ pair: PairConfiguration, _ gateway: Gateway, isReached: Bool) async -> [Finding] {
    var findings = await examineLock(pair, gateway)
    let history = await examineJournal(pair, gateway)
    findings += history.findings
    findings += await examine(pair.local, .local, of: pair, gateway, history)
    findings += await examine(pair.remote, .remote, of: pair, gateway, history)
    if isReached, !findings.contains(where: { $0.result == .failed }) {
      findings += await examineCollections(pair, gateway, hasSynced: history.isThere)
    }
    return findings
  }

  private func examineLock(_ pair: PairConfiguration, _ gateway: Gateway) async -> [Finding] {
    let path = gateway.opener.lockPath(of: pair.name)
    guard access(path, F_OK) == 0 else { return [] }
    do throws(RunFailure) {
      let lock = try await PairLock.take(
        path, pair: pair.name, surroundings: surroundings)
      withExtendedLifetime(lock) {}
      return []
    } catch {
      guard error.status == .tryLater else { return [Finding(error, .pair(pair.name), .lock)] }
      return [
        Finding(
          .warning, .pair(pair.name), .lock, error.message, why: error.why,
          hint: "a sync of this pair has to wait for it")
      ]
    }
  }

  private func examine(
    _ side: SideConfiguration, _ which: Side, of pair: PairConfiguration, _ gateway: Gateway,
    _ history: PairHistory
  ) async -> [Finding] {
    let subject = Finding.Subject.pair(pair.name)
    switch side {
    case .account: return []
    case .directory(let path):
      return examineFolder(path, which, of: pair, gateway, isKnown: history.knows(which))
    case .file(let path):
      let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "/"
      return examineFolder(
        folder.isEmpty ? "/" : folder, which, of: pair, gateway, isKnown: history.isThere)
    case .subscription(let url):
      let step = Finding.Step(which)
      do throws(RunFailure) {
        let count = try await gateway.countItems(ofFeed: url, pair.name)
        return [
          Finding(
            .ok, subject, step, "\(withoutPaths(url)) has \(count) item\(count == 1 ? "" : "s")")
        ]
      } catch {
        return [Finding(error, subject, step)]
      }
    }
  }

  /// Whether a first sync can make the folder, in the words of the one that cannot.
  private func foreseeFolder(
    _ path: String, _ which: Side, of pair: PairConfiguration, _ gateway: Gateway
  ) -> Finding {
    let subject = Finding.Subject.pair(pair.name)
    do throws(OpeningError) {
      _ = try gateway.opener.openDirectory(path, which, .look, isKnown: false)
      return Finding(
        .ok, subject, Finding.Step(which), "\(path) is not there yet: the first sync makes it")
    } catch {
      var failure = error.failure(pair: pair.name, stop: nil)
      // The step says which side it is.
      failure.place = subject.words
      return Finding(failure, subject, Finding.Step(which))
    }
  }

  private func examineFolder(
    _ path: String, _ which: Side, of pair: PairConfiguration, _ gateway: Gateway, isKnown: Bool
  ) -> [Finding] {
    let subject = Finding.Subject.pair(pair.name)
    let step = Finding.Step(which)
    var status = stat()
    guard stat(path, &status) == 0 else {
      let why = SystemError(errno).text
      if !isKnown { return [foreseeFolder(path, which, of: pair, gateway)] }
      let forget = shellCommand("forget", argument: pair.name)
      return [
        Finding(
          .failed, subject, step, "the folder \(path) is gone", why: why,
          hint: "bring it back, or run `\(forget)` to begin anew; nothing is deleted until then",
          status: .io)
      ]
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      return [
        Finding(
          .failed, subject, step, "\(path) is no folder", hint: "remove it, or correct the path",
          status: .io)
      ]
    }
    guard access(path, R_OK | W_OK | X_OK) == 0 else {
      return [
        Finding(
          .failed, subject, step, "\(path) may not be read and written by you",
          why: SystemError(errno).text, hint: "change its permissions or its owner", status: .io)
      ]
    }
    return [Finding(.ok, subject, step, "\(path) may be read and written")]
      + room(at: path, subject, step)
  }
}

extension Finding.Step {
  fileprivate init(_ side: Side) { self = side == .local ? .local : .remote }
}

extension Gateway {
  /// Reads a subscription, and says how many items it has.
  fileprivate func countItems(
    ofFeed url: String, _ pair: String
  ) async throws(RunFailure) -> Int {
    let transport = try opener.connections.feedTransport()
    do throws(StorageError) {
      let stream = try OpenedStream(
        url: url, pair: pair, transport: transport, surroundings: surroundings)
      let storage = stream.open()
      var count = 0
      var cursor: Cursor?
      while true {
        let page = try await storage.listChanges(since: cursor)
        count += page.present.count
        cursor = page.next
        if page.isLast { return count }
      }
    } catch {
      var failure = RunFailure(error, place: "")
      // To a sync that is a problem of the collection (`collection-gone`).
      if error.kind == .vanished { failure.status = .attention }
      throw failure
    }
  }
}
