import Glibc
import SyncModel

/// Where tokens are kept between runs.
package enum TokenPlace: Sendable, Hashable {
  /// A file, absolute, for its owner's eyes only.
  case file(String)
  /// The desktop's keyring.
  case keyring(service: String, username: String)

  /// What is kept in one of the two may be found in the other. A keyring that is asked without a
  /// user name gives what it has of any.
  func overlaps(_ other: TokenPlace) -> Bool {
    switch (self, other) {
    case (.file(let one), .file(let two)): realPath(of: one) == realPath(of: two)
    case (.keyring(let one, let user), .keyring(let two, let otherUser)):
      one == two && (user == otherUser || user.isEmpty || otherUser.isEmpty)
    case (.file, .keyring), (.keyring, .file): false
    }
  }
}

/// Where the next tokens will be kept, without a doubt as far as can be told.
enum TokenDraft: Sendable {
  case file(DraftFile)
  case keyring(service: String, username: String)

  /// Leaves nothing behind of what was not kept.
  func discard() {
    switch self {
    case .file(let file): file.discard()
    case .keyring: break
    }
  }
}

/// Keeps an account's tokens, and the lock that lets one calgw at a time renew them: a server may
/// take a refresh token that is used twice for a theft.
package struct TokenStore: Sendable {
  /// 64 KiB: no two tokens are longer.
  static let sizeLimit = 65_536
  /// How long another calgw may renew the tokens, in milliseconds: as long as a request may take.
  static let patience: Int64 = 60_000

  let place: TokenPlace
  let account: String
  /// For the lock of a keyring: one of the user's, whatever the state directory; absolute.
  let directory: String
  let variables: [String: String]

  package init(place: TokenPlace, account: String, directory: String, variables: [String: String]) {
    self.place = place
    self.account = account
    self.directory = directory
    self.variables = variables
  }

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

  /// Makes sure that tokens can be kept, before a server is asked for them. The keyring has just
  /// been asked for those before, so it is open.
  func prepare() throws(RunFailure) -> TokenDraft {
    switch place {
    case .keyring(let service, let username):
      return .keyring(service: service, username: username)
    case .file(let path):
      do {
        return .file(try DraftFile.make(for: Self.behindLink(path), size: Self.sizeLimit))
      } catch {
        throw cannotKeep(why: error.text)
      }
    }
  }

  /// Keeps tokens in place of those before.
  func save(_ tokens: StoredTokens, in draft: TokenDraft) throws(RunFailure) {
    guard let text = tokens.encoded, text.count <= Self.sizeLimit else {
      throw cannotKeep(why: "they cannot be written, or have more than \(Self.sizeLimit) bytes")
    }
    switch draft {
    case .file(let file):
      do { try file.keep(text) } catch { throw cannotKeep(why: error.text) }
    case .keyring(let service, let username):
      let arguments =
        ["secret-tool", "store", "--label=calgw \(account)"] + Self.attributes(service, username)
      let end: CommandResult.End
      var output = PassedOutput()
      do { end = try command(arguments).run(reading: text) { output.pass($0, while: $1) } } catch {
        throw keyringFailure("secret-tool cannot be run", why: error.text)
      }
      guard case .exited(0) = end else {
        throw keyringFailure(
          "the keyring did not take the tokens",
          why: "it \(end.words(limit: SecretStore.timeLimit))")
      }
    }
  }

  /// A link stays one: a person wrote it, and has the file that it leads to elsewhere, or will.
  private static func behindLink(_ path: String) -> String {
    let real = realPath(of: path)
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(real, &buffer, buffer.count)
    guard count > 0 else { return real }
    let target = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if target.hasPrefix("/") { return realPath(of: target) }
    return realPath(of: "\(folder(of: real))/\(target)")
  }

  private static func folder(of path: String) -> String {
    "/" + path.split(separator: "/").dropLast().joined(separator: "/")
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

  // MARK: The lock

  /// Waits for another calgw that renews these tokens, whatever its state directory and its name of
  /// the account. Nil where the folder of the tokens takes no file: none can be kept there, so that
  /// none will be renewed, and those that hold are only read.
  func lock(pause: @Sendable (Int64) async -> Void) async throws(RunFailure) -> LockFile? {
    let path = try lockPath()
    let lock: LockFile
    do throws(SystemError) {
      lock = try LockFile(path)
    } catch {
      if case .file = place, access(Self.folder(of: path), W_OK) != 0 { return nil }
      throw failure("the lock file \(path) cannot be opened", why: error.text)
    }
    var waited: Int64 = 0
    while true {
      do throws(SystemError) {
        if try lock.take() { return lock }
      } catch {
        throw failure("the lock file \(path) cannot be locked", why: error.text)
      }
      guard waited < Self.patience, !Task.isCancelled else { throw isRenewing }
      await pause(LockWait.interval)
      waited += LockWait.interval
    }
  }

  /// Beside the tokens, or named after what the keyring knows them by.
  private func lockPath() throws(RunFailure) -> String {
    switch place {
    case .file(let path):
      try makePrivateDirectory(Self.folder(of: path), mustBeOwn: false)
      return Self.behindLink(path) + ".lock"
    case .keyring(let service, let username):
      try makePrivateDirectory(directory)
      let digest = liveDigest(Array(service.utf8) + [0] + Array(username.utf8))
      return "\(directory)/keyring-\(hexadecimal(digest.bytes.prefix(16))).lock"
    }
  }

  private var isRenewing: RunFailure {
    RunFailure(
      .tryLater, code: "locked", message: "another calgw is renewing the tokens", place: label,
      hint: "run it again once that one is done")
  }

  private func cannotKeep(why: String) -> RunFailure {
    switch place {
    case .file(let path): failure("the tokens cannot be kept in \(path)", why: why)
    case .keyring: failure("the tokens cannot be kept", why: why)
    }
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
      hint: "see that the place is yours, writable and not full (token, or state_dir)")
  }
}
