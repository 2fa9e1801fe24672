import Glibc

/// Where tokens are kept between runs.
enum TokenPlace: Sendable, Hashable {
  /// A file, absolute, for its owner's eyes only.
  case file(String)
  /// The desktop's keyring.
  case keyring(service: String, username: String)
}

/// Keeps an account's tokens, and the lock that lets one calgw at a time renew them: a server may
/// take a refresh token that is used twice for a theft.
struct TokenStore: Sendable {
  /// 64 KiB: no two tokens are longer.
  static let sizeLimit = 65_536
  /// How long another calgw may renew the tokens, in milliseconds: as long as a request may take.
  static let patience: Int64 = 60_000

  let place: TokenPlace
  let account: String
  /// For the lock, and the file where none was named; absolute.
  let directory: String
  let variables: [String: String]

  private var label: String { "account \(account)" }

  /// The tokens; nil where none are kept, or nothing that calgw wrote.
  func load() throws(RunFailure) -> StoredTokens? {
    switch place {
    case .file(let path): return try read(path)
    case .keyring(let service, let username):
      let arguments = ["secret-tool", "lookup"] + Self.attributes(service, username)
      let result = try run(arguments)
      if result.end == .exited(0) { return StoredTokens(encoded: result.output) }
      // It says nothing where it finds nothing; a keyring that is locked it complains of.
      guard case .exited = result.end, result.errors.isEmpty else {
        let words = String(decoding: result.errors, as: UTF8.self)
          .split(whereSeparator: \.isNewline).first
        throw keyringFailure(
          "the keyring does not give the tokens",
          why: words.map(String.init) ?? "it \(result.end.words(limit: SecretStore.timeLimit))")
      }
      return nil
    }
  }

  /// Keeps tokens in place of those before.
  func save(_ tokens: StoredTokens) throws(RunFailure) {
    guard let text = tokens.encoded else {
      throw failure("the tokens cannot be kept", why: "they cannot be written as JSON")
    }
    switch place {
    case .file(let path): try write(text, to: path)
    case .keyring(let service, let username):
      let arguments =
        ["secret-tool", "store", "--label=calgw \(account)"] + Self.attributes(service, username)
      let end: CommandResult.End
      do { end = try command(arguments).run(reading: text) } catch {
        throw keyringFailure("secret-tool cannot be run", why: error.text)
      }
      guard case .exited(0) = end else {
        throw keyringFailure(
          "the keyring did not take the tokens",
          why: "it \(end.words(limit: SecretStore.timeLimit))")
      }
    }
  }

  // MARK: The keyring

  private static func attributes(_ service: String, _ username: String) -> [String] {
    ["service", service] + (username.isEmpty ? [] : ["username", username])
  }

  private func command(_ arguments: [String]) -> RunCommand {
    RunCommand(
      arguments: arguments, variables: variables, timeLimit: SecretStore.timeLimit,
      shouldStop: { false })
  }

  private func run(_ arguments: [String]) throws(RunFailure) -> CommandResult {
    do { return try command(arguments).run() } catch {
      throw keyringFailure("secret-tool cannot be run", why: error.text)
    }
  }

  // MARK: The file

  private func read(_ path: String) throws(RunFailure) -> StoredTokens? {
    let file: SmallFile
    do { file = try SmallFile(reading: path, limit: Self.sizeLimit) } catch {
      if error.code == ENOENT || error.code == ENOTDIR { return nil }
      throw failure("the tokens in \(path) cannot be read", why: error.text)
    }
    guard file.status.st_uid == geteuid() else {
      throw failure("the tokens in \(path) belong to another user", why: "")
    }
    return StoredTokens(encoded: file.bytes)
  }

  /// Whole or not at all, and never readable for others.
  private func write(_ text: [UInt8], to path: String) throws(RunFailure) {
    let parent = "/" + path.split(separator: "/").dropLast().joined(separator: "/")
    try makePrivateDirectory(parent, mustBeOwn: false)
    let draft = path + ".new"
    // Left by a calgw that was killed; only one at a time is here.
    unlink(draft)
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw failure("the tokens cannot be kept in \(path)", why: SystemError(errno).text)
    }
    var rest = text[...]
    var code: Int32 = 0
    while !rest.isEmpty, code == 0 {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 { if errno != EINTR { code = errno } } else { rest = rest.dropFirst(count) }
    }
    if code == 0, fsync(descriptor) != 0 { code = errno }
    close(descriptor)
    if code == 0, rename(draft, path) != 0 { code = errno }
    guard code == 0 else {
      unlink(draft)
      throw failure("the tokens cannot be kept in \(path)", why: SystemError(code).text)
    }
    let folder = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }

  // MARK: The lock

  /// Held until its last reference goes, or the process ends.
  final class Lock: Sendable {
    private let descriptor: Int32
    fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }
  }

  /// Waits for another calgw that renews these tokens.
  func lock(pause: @Sendable (Int64) async -> Void) async throws(RunFailure) -> Lock {
    try makePrivateDirectory(directory)
    let path = "\(directory)/\(account).lock"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw failure("the lock file \(path) cannot be opened", why: SystemError(errno).text)
    }
    let lock = Lock(descriptor)
    var waited: Int64 = 0
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR, waited < Self.patience, !Task.isCancelled
      else {
        throw failure("the lock file \(path) is held", why: SystemError(errno).text)
      }
      await pause(PairLock.retryInterval)
      waited += PairLock.retryInterval
    }
    return lock
  }

  private func keyringFailure(_ message: String, why: String) -> RunFailure {
    RunFailure(
      .io, code: "token-store", message: message, place: label, why: why,
      hint: "unlock the keyring, install libsecret-tools if secret-tool is missing, or name a file"
        + " (token = { file = … })")
  }

  private func failure(_ message: String, why: String) -> RunFailure {
    RunFailure(
      .io, code: "token-store", message: message, place: label, why: why,
      hint: "see that the place is yours and writable (token, or state_dir)")
  }
}
