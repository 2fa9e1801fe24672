import Glibc
import Synchronization

/// Fetches secrets from their sources, each once a run.
final class SecretStore: Sendable {
  /// A program may have to ask a person; after a minute nobody is there.
  static let timeLimit = Duration.seconds(60)
  /// 64 KiB: no secret is longer.
  static let fileLimit = 65_536

  private let variables: [String: String]
  private let stop: @Sendable () -> StopReason?
  private let found = Mutex<[SecretRequest: Secret]>([:])

  private struct SecretRequest: Hashable {
    var source: SecretSource
    var username: String
  }

  init(variables: [String: String], stop: @escaping @Sendable () -> StopReason?) {
    self.variables = variables
    self.stop = stop
  }

  /// The secret of a source; `place` says whose it is in messages, as `account home`. May block as
  /// long as a program runs.
  func secret(from source: SecretSource, username: String, place: String) throws(RunFailure)
    -> Secret
  {
    let request = SecretRequest(source: source, username: username)
    if let secret = found.withLock({ $0[request] }) { return secret }
    let secret: Secret
    do {
      secret = try fetch(source, username: username)
    } catch {
      if let reason = stop() { throw .stopped(reason, place: place) }
      throw error.failure(at: place)
    }
    found.withLock { $0[request] = secret }
    return secret
  }

  private func fetch(_ source: SecretSource, username: String) throws(SecretComplaint) -> Secret {
    switch source {
    case .literal(let secret): return secret
    case .environment(let name): return try variable(name)
    case .file(let path): return try file(path)
    case .command(let arguments): return try output(of: arguments)
    case .keyring(let service):
      return try keyring(service: service, username: username)
    }
  }

  private func variable(_ name: String) throws(SecretComplaint) -> Secret {
    guard let value = variables[name], !value.isEmpty else {
      throw SecretComplaint(
        message: "the environment variable \(name) with the password is not set",
        hint: "set \(name) to the password")
    }
    return Secret(bytes: Array(value.utf8))
  }

  private func file(_ path: String) throws(SecretComplaint) -> Secret {
    let file: SmallFile
    do {
      file = try SmallFile(reading: path, limit: Self.fileLimit)
    } catch {
      throw SecretComplaint(
        message: "the password file \(path) cannot be read", why: error.text,
        hint: "make it a file that you, and nobody else, can read")
    }
    guard file.status.st_uid == geteuid() || file.status.st_uid == 0 else {
      throw SecretComplaint(
        message: "the password file \(path) belongs to another user", hint: "make it your own")
    }
    return try nonEmpty(file.bytes, from: "the password file \(path)")
  }

  private func output(of arguments: [String]) throws(SecretComplaint) -> Secret {
    let name = "the password command \"\(arguments.first ?? "")\""
    let hint = "run the command by hand and see that it prints the password"
    let result = try run(arguments, name: name, hint: hint)
    guard case .exited(0) = result.end else {
      throw SecretComplaint(
        message: "\(name) failed", why: result.explanation, hint: hint)
    }
    return try nonEmpty(result.output, from: name)
  }

  private func keyring(service: String, username: String) throws(SecretComplaint) -> Secret {
    let store = "secret-tool store --label=calgw service \(service) username \(username)"
    let result = try run(
      ["secret-tool", "lookup", "service", service, "username", username],
      name: "secret-tool", hint: "install it (Debian: libsecret-tools)")
    guard case .exited(0) = result.end, !result.output.isEmpty else {
      throw SecretComplaint(
        message: "the keyring gave no password for service \(service)", why: result.explanation,
        hint: "unlock the keyring, or store the password: \(store)")
    }
    return try nonEmpty(result.output, from: "the keyring")
  }

  private func run(_ arguments: [String], name: String, hint: String) throws(SecretComplaint)
    -> CommandResult
  {
    do {
      return try RunCommand(
        arguments: arguments, variables: variables, timeLimit: Self.timeLimit,
        shouldStop: { [stop] in stop() != nil }
      ).run()
    } catch {
      throw SecretComplaint(message: "\(name) cannot be run", why: error.text, hint: hint)
    }
  }

  /// The bytes without their one trailing newline.
  private func nonEmpty(_ bytes: [UInt8], from name: String) throws(SecretComplaint) -> Secret {
    var bytes = bytes
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    guard !bytes.isEmpty else {
      throw SecretComplaint(
        message: "\(name) gave an empty password", hint: "see that it gives the password")
    }
    return Secret(bytes: bytes)
  }
}

/// Why a secret could not be had.
private struct SecretComplaint: Error {
  var message: String
  var why = ""
  var hint: String

  func failure(at place: String) -> RunFailure {
    RunFailure(
      .configuration, code: "no-password", message: message, place: place, why: why, hint: hint)
  }
}

extension CommandResult {
  /// How it ended in words, and the first line of its complaints. What it wrote to standard output
  /// is the secret and never shown.
  fileprivate var explanation: String {
    let how =
      switch end {
      case .exited(0): "it gave nothing"
      case .exited(let status): "it ended with status \(status)"
      case .signalled(let signal): "it was ended by signal \(signal)"
      case .timedOut: "it took longer than \(SecretStore.timeLimit.milliseconds / 1000) s"
      case .stopped: "calgw was told to stop"
      case .tooMuchOutput: "it wrote more than \(RunCommand.outputLimit) bytes"
      }
    let complaint = errors.split(separator: UInt8(ascii: "\n")).first ?? []
    return complaint.isEmpty ? how : how + ": " + String(decoding: complaint, as: UTF8.self)
  }
}
