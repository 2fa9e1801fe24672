import Glibc
import Synchronization
import WebDAV

/// Fetches secrets from their sources, each once a run.
package final class SecretStore: Sendable {
  /// A program may have to ask a person; after a minute nobody is there.
  static let timeLimit = Duration.seconds(60)
  /// 64 KiB: no secret is longer.
  static let fileLimit = 65_536

  let variables: [String: String]
  /// All that it gave, so that servers' words can be shown without them.
  let known = KnownSecrets()
  private let stop: @Sendable () -> StopReason?
  private let found = Mutex<[SecretRequest: Secret]>([:])

  private struct SecretRequest: Hashable {
    var source: SecretSource
    /// Empty where the secret is nobody's in particular.
    var username: String
    /// The secret in messages, as `password`.
    var what: String
  }

  package init(variables: [String: String], stop: @escaping @Sendable () -> StopReason?) {
    self.variables = variables
    self.stop = stop
  }

  /// A text without what it gave; nil where it gave nothing, and the text may have a secret.
  func concealed(_ text: String) -> String? {
    found.withLock { $0.isEmpty } ? nil : known.concealed(text)
  }

  /// The run was told to stop.
  var isStopping: Bool { stop() != nil }

  /// The secret of a source. May block as long as a program runs.
  ///
  /// - Parameters:
  ///   - username: whose it is in the keyring; empty: nobody's in particular.
  ///   - what: the secret in messages, as `token`.
  ///   - place: where it belongs in messages, as `account home`.
  package func secret(
    from source: SecretSource, username: String, what: String = "password", place: String
  ) throws(RunFailure) -> Secret {
    let request = SecretRequest(source: source, username: username, what: what)
    if let secret = found.withLock({ $0[request] }) { return secret }
    let secret: Secret
    do {
      secret = try fetch(request)
    } catch {
      if let reason = stop() { throw .stopped(reason, place: place) }
      throw error.failure(at: place)
    }
    known.add(secret.bytes, of: Array(username.utf8))
    found.withLock { $0[request] = secret }
    return secret
  }

  private func fetch(_ request: SecretRequest) throws(SecretComplaint) -> Secret {
    switch request.source {
    case .literal(let secret): return secret
    case .environment(let name): return try variable(name, request.what)
    case .file(let path): return try file(path, request.what)
    case .command(let arguments): return try output(of: arguments, request.what)
    case .keyring(let service): return try keyring(service: service, request)
    }
  }

  private func variable(_ name: String, _ what: String) throws(SecretComplaint) -> Secret {
    guard let value = variables[name], !value.isEmpty else {
      throw SecretComplaint(
        message: "the environment variable \(name) with the \(what) is not set",
        hint: "set \(name) to the \(what)")
    }
    return Secret(bytes: Array(value.utf8))
  }

  private func file(_ path: String, _ what: String) throws(SecretComplaint) -> Secret {
    let file: SmallFile
    do {
      file = try SmallFile(reading: path, limit: Self.fileLimit)
    } catch {
      throw SecretComplaint(
        message: "the \(what) file \(path) cannot be read", why: error.text,
        hint: "make it a file that you, and nobody else, can read")
    }
    guard file.status.st_uid == geteuid() || file.status.st_uid == 0 else {
      throw SecretComplaint(
        message: "the \(what) file \(path) belongs to another user", hint: "make it your own")
    }
    return try nonEmpty(file.bytes, what, from: "the \(what) file \(path)")
  }

  private func output(of arguments: [String], _ what: String) throws(SecretComplaint) -> Secret {
    let name = "the \(what) command \"\(arguments.first ?? "")\""
    let hint = "run the command by hand and see that it prints the \(what)"
    let result = try run(arguments, name: name, hint: hint)
    guard case .exited(0) = result.end else {
      throw SecretComplaint(
        message: "\(name) failed", why: result.explanation, hint: hint)
    }
    return try nonEmpty(result.output, what, from: name)
  }

  private func keyring(service: String, _ request: SecretRequest) throws(SecretComplaint) -> Secret
  {
    let user = request.username.isEmpty ? [] : ["username", request.username]
    let result = try run(
      ["secret-tool", "lookup", "service", service] + user,
      name: "secret-tool", hint: "install it (Debian: libsecret-tools)")
    guard case .exited(0) = result.end, !result.output.isEmpty else {
      let store = (["secret-tool store --label=calgw service", service] + user)
        .joined(separator: " ")
      throw SecretComplaint(
        message: "the keyring gave no \(request.what) for service \(service)",
        why: result.explanation, hint: "unlock the keyring, or store the \(request.what): \(store)")
    }
    return try nonEmpty(result.output, request.what, from: "the keyring")
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
  private func nonEmpty(
    _ bytes: [UInt8], _ what: String, from name: String
  ) throws(SecretComplaint) -> Secret {
    var bytes = bytes
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    guard !bytes.isEmpty else {
      throw SecretComplaint(
        message: "\(name) gave an empty \(what)", hint: "see that it gives the \(what)")
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
  /// is the secret and never shown, even where the complaint repeats it.
  fileprivate var explanation: String {
    let how =
      end == .exited(0) ? "it gave nothing" : "it \(end.words(limit: SecretStore.timeLimit))"
    let lines = errors.split(separator: UInt8(ascii: "\n"))
    guard let complaint = lines.first.map({ Array($0) }) else { return how }
    // The last line may have been cut within the secret.
    return how + ": " + shown(complaint, mayBeCut: lines.count == 1)
  }

  private func shown(_ complaint: [UInt8], mayBeCut: Bool) -> String {
    let given = output.split(separator: UInt8(ascii: "\n")).map { Array($0).trimmed }
      .filter { !$0.isEmpty }
    let line = complaint.trimmed
    let isCut = mayBeCut && errors.count >= RunCommand.errorLimit
    if given.contains(where: { $0 == line || isCut && $0.starts(with: line) }) {
      return "[secret]"
    }
    let secrets = KnownSecrets()
    for secret in given { secrets.add(secret) }
    return secrets.concealed(String(decoding: complaint, as: UTF8.self), isCut: isCut)
  }
}
