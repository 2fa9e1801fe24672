public import SyncExecution
public import SyncModel
import WebDAV

/// Why a run, or a pair of it, could not be finished: what, where, why and what to do, with the
/// exit status that it means.
public struct RunFailure: Error, Sendable, Hashable {
  public var status: ExitStatus
  /// A word for scripts, as `unreachable`.
  public var code: String
  /// What failed, one sentence without a full stop. Never credentials or item contents.
  public var message: String
  /// Where: a pair, a file and line, a server; empty where the message says it.
  public var place: String
  /// The cause as the layer below said it; may be empty.
  public var why: String
  /// What to do about it.
  public var hint: String
  /// Servers that may have the password if a person says so, and that then leads further.
  public var otherHosts: [String] = []
  /// In milliseconds, how long a server asked to wait, where the hint says no more than that.
  var askedWait: Int64?
  /// The side that was in trouble while a pair was opened; nil where it was none, as the journal.
  var side: Side?
  /// The server failed itself, or may be somebody else: its address may well be the right one.
  var sparesAddress = false

  public init(
    _ status: ExitStatus, code: String, message: String, place: String = "", why: String = "",
    hint: String
  ) {
    self.status = status
    self.code = code
    self.message = message
    self.place = place
    self.why = why
    self.hint = hint
  }

  /// The configuration is wrong: status 78.
  public init(_ error: ConfigurationError) {
    self.init(
      .configuration, code: "bad-configuration", message: error.message, place: error.place,
      hint: error.hint)
  }

  /// What was asked for cannot be: status 64.
  public static func usage(_ message: String, hint: String) -> RunFailure {
    RunFailure(.usage, code: "usage", message: message, hint: hint)
  }

  /// A side as a whole was in trouble. What a server did not answer while the run was already
  /// told to stop, or was past its deadline, is no news: that it had to stop is.
  public init(_ error: StorageError, place: String, stop: StopReason? = nil) {
    let (status, code): (ExitStatus, String) =
      switch error.kind {
      case .unreachable: (.unreachable, "unreachable")
      case .tryLater: (.tryLater, "try-later")
      case .protocolBroken: (.protocolBroken, "protocol-broken")
      case .denied: (.denied, "denied")
      case .vanished: (.io, "vanished")
      case .cannotCreate: (.cannotCreate, "cannot-create")
      case .io: (.io, "io")
      case .stopped: (.interrupted, "stopped")
      }
    if error.kind == .stopped || (stop != nil && error.kind == .unreachable) {
      self = .stopped(stop ?? .interrupted, place: place)
      return
    }
    self.init(
      status, code: code, message: error.message, place: place, why: error.why, hint: error.hint)
    sparesAddress = error.sparesAddress
    if case .tryLater(let wait?) = error.kind, hint == Patience.hint(wait) { askedWait = wait }
  }

  /// The journal was in trouble.
  public init(_ error: JournalError, place: String, stop: StopReason? = nil) {
    let (status, code): (ExitStatus, String) =
      switch error.kind {
      case .busy: (.tryLater, "busy")
      case .cannotWrite: (.io, "journal-write")
      case .unusable: (.io, "journal-unusable")
      case .stopped: (.interrupted, "stopped")
      }
    if error.kind == .stopped {
      self = .stopped(stop ?? .interrupted, place: place)
      return
    }
    self.init(status, code: code, message: error.message, place: place, hint: error.hint)
  }

  /// A collection could not be finished.
  public init(_ failure: SyncFailure, place: String, stop: StopReason?) {
    switch failure {
    case .storage(let side, let error):
      self.init(
        error, place: place.isEmpty ? side.rawValue : "\(place), \(side.rawValue) side", stop: stop)
    case .journal(let error):
      self.init(error, place: place, stop: stop)
      if error.kind == .cannotWrite { hint += "; what was done until now is recorded" }
    case .stopped: self = .stopped(stop ?? .interrupted, place: place)
    }
  }

  /// The run was told to stop; what was done is recorded.
  public static func stopped(_ reason: StopReason, place: String) -> RunFailure {
    switch reason {
    case .interrupted:
      RunFailure(
        .interrupted, code: "interrupted", message: "interrupted; what was done is recorded",
        place: place, hint: "run the command again to go on from there")
    case .hungUp:
      RunFailure(
        .hungUp, code: "interrupted", message: "the terminal went away; what was done is recorded",
        place: place, hint: "run the command again to go on from there")
    case .terminated:
      RunFailure(
        .terminated, code: "interrupted", message: "told to end; what was done is recorded",
        place: place, hint: "run the command again to go on from there")
    case .deadline:
      RunFailure(
        .tryLater, code: "deadline",
        message: "the run took longer than its deadline; what was done is recorded",
        place: place, hint: "run the command again, or raise the pair's deadline")
    }
  }

  /// The same; where the time was over, with what a server asked to wait for, and where one asked
  /// for more time than there was, with the time of day from which on it wants to be asked again.
  func explained(by wait: String?, at clock: WallClock?) -> RunFailure {
    var failure = self
    if let wait, code == "deadline" { failure.why = wait }
    if let askedWait, let time = clock?.time(after: askedWait) {
      failure.hint += ", at \(time) or later"
      failure.askedWait = nil
    }
    return failure
  }
}

/// Why a run was told to stop.
public enum StopReason: Int32, Sendable, CaseIterable {
  /// SIGINT.
  case interrupted = 2
  /// SIGHUP.
  case hungUp = 1
  /// SIGTERM.
  case terminated = 15
  /// The pair's own time limit.
  case deadline = 0
}
