/// One thing that `calgw doctor` looked at, what it found, and what to change.
public struct Finding: Sendable, Hashable {
  /// What was looked at, in the order in which it is; the names are those of `--json`.
  public enum Step: String, Sendable, CaseIterable {
    case configuration
    case timeZones = "time-zones"
    case state
    case secret
    case name
    case connection
    case certificate
    case clock
    case signIn = "sign-in"
    case discovery
    case calendar
    case server
    case probe
    case lock
    case journal
    case local
    case remote
    case collections
  }

  /// How it is.
  public enum Result: String, Sendable, CaseIterable {
    case ok, warning, failed, skipped
  }

  /// Whom it is about.
  public enum Subject: Sendable, Hashable {
    case everything
    case account(String)
    case pair(String)

    /// As the place of a failure and the title of what was found.
    public var words: String {
      switch self {
      case .everything: "this machine"
      case .account(let name): "account \(name)"
      case .pair(let name): "pair \(name)"
      }
    }
  }

  public var subject: Subject
  public var step: Step
  public var result: Result
  /// One sentence without a full stop; never a secret.
  public var message: String
  /// The cause as the layer below said it; may be empty.
  public var why: String
  /// Where, as a file with line and key; empty where the subject says it.
  public var place: String
  /// What to change; empty where nothing is to be done.
  public var hint: String
  /// What a command that stumbles over it ends with; `success` unless it failed.
  public var status: ExitStatus

  /// What failed, in the words of a run.
  init(_ failure: RunFailure, _ subject: Subject, _ step: Step) {
    self.subject = subject
    self.step = step
    result = .failed
    message = failure.message
    place = failure.place == subject.words ? "" : failure.place
    why = failure.why
    hint = failure.hint
    status = failure.status
  }

  init(
    _ result: Result, _ subject: Subject, _ step: Step, _ message: String, why: String = "",
    hint: String = "", status: ExitStatus = .success
  ) {
    self.subject = subject
    self.step = step
    self.result = result
    self.message = message
    place = ""
    self.why = why
    self.hint = hint
    self.status = status
  }

  /// The machine-readable form: one line.
  public var json: JSONValue {
    var account: String?
    var pair: String?
    switch subject {
    case .everything: break
    case .account(let name): account = name
    case .pair(let name): pair = name
    }
    return .object(
      ("account", .optional(account)), ("pair", .optional(pair)), ("step", .string(step.rawValue)),
      ("result", .string(result.rawValue)), ("status", .integer(Int64(status.rawValue))),
      ("message", .string(why.isEmpty ? message : "\(message): \(why)")),
      ("place", .string(place)), ("hint", .string(hint)))
  }
}
