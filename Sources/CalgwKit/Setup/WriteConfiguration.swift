import Glibc
import WebDAV

/// What `init` writes: an account and a pair.
public struct NewConfiguration: Sendable {
  public var url: String
  public var username: String?
  public var password: NewPassword?
  public var local: String
  public var account = "home"
  public var pair = "personal"
  /// Other servers that may have the password.
  public var trustedHosts: [String] = []
  /// The certificates of authorities that are trusted besides the system's; a path.
  public var authoritiesFile: String?

  /// Where the new account's password comes from.
  public enum NewPassword: Sendable {
    /// As a shell would split it; the relative path of a program counts from a directory.
    case command(String, from: String?)
    case environment(String)
    case file(String)
    case literal(Secret)
  }

  public init(url: String, local: String) {
    self.url = url
    self.local = local
  }

  /// What stands in the file for a path that was typed in a directory: a relative one would start
  /// at the file there.
  public static func path(_ typed: String, typedIn directory: String?) throws(RunFailure)
    -> String
  {
    guard let first = typed.first, !"/~$".contains(first) else { return typed }
    do {
      return try wholePath(typed, from: directory)
    } catch {
      throw .usage(error.message, hint: error.hint)
    }
  }

  /// The URL for messages.
  public var shownURL: String { withoutQuery(url) }

  /// The text of the file, with the words of docs/configuration.md.
  public func text() throws(RunFailure) -> [UInt8] {
    var lines = [
      "# calgw; every key is described in docs/configuration.md", "",
      "[account.\(account)]", "url = \(tomlString(url))",
    ]
    if let username { lines.append("username = \(tomlString(username))") }
    if let password { lines.append("password = \(try source(password))") }
    if let authoritiesFile { lines.append("ca_file = \(tomlString(authoritiesFile))") }
    if !trustedHosts.isEmpty {
      lines.append("trusted_hosts = [\(trustedHosts.map(tomlString).joined(separator: ", "))]")
    }
    lines += [
      "", "[pair.\(pair)]", "local = \(tomlString(local))", "remote = \(tomlString(account))",
      "collections = [\"*\"]", "",
    ]
    return Array(lines.joined(separator: "\n").utf8)
  }

  private func source(_ password: NewPassword) throws(RunFailure) -> String {
    switch password {
    case .environment(let name): return "{ env = \(tomlString(name)) }"
    case .file(let path): return "{ file = \(tomlString(path)) }"
    case .literal(let secret): return tomlString(String(decoding: secret.bytes, as: UTF8.self))
    case .command(let text, let directory):
      var words: [String]
      do {
        words = try splitWords(text)
      } catch {
        throw .usage(
          "the password command cannot be split into words: \(error.message)",
          hint: "quote its words as for a shell; no shell is run")
      }
      // A bare name is looked for in `PATH`.
      if let program = words.first, program.contains("/") {
        words[0] = try NewConfiguration.path(program, typedIn: directory)
      }
      return "{ command = [\(words.map(tomlString).joined(separator: ", "))] }"
    }
  }
}

extension Configuration {
  /// Where `init` writes: the file that `--config` names, else the first default.
  public static func fileToWrite(named: String?, environment: ProcessEnvironment)
    throws(RunFailure) -> String
  {
    do {
      guard let named else { return try defaultFile(environment) }
      return try absolute(named, environment)
    } catch {
      throw RunFailure(error)
    }
  }

  /// Refuses a file that is there already.
  public static func checkIsNew(_ file: String) throws(RunFailure) {
    guard access(file, F_OK) != 0 else {
      throw RunFailure(
        .cannotCreate, code: "exists", message: "the configuration is there already", place: file,
        hint: "edit it, or name another file with --config")
    }
  }

  /// Creates the file, readable for its owner alone; one that is there already stays.
  public static func write(_ text: [UInt8], to file: String) throws(RunFailure) {
    let directory = file.split(separator: "/").dropLast().joined(separator: "/")
    try makePrivateDirectory("/" + directory, mustBeOwn: false)
    do throws(NewFileError) {
      try makePrivateFile(file, holding: text)
    } catch {
      switch error {
      case .notMade(let cause):
        if cause.code == EEXIST { try checkIsNew(file) }
        throw RunFailure(
          .cannotCreate, code: "cannot-create", message: "the configuration cannot be written",
          place: file, why: cause.text, hint: "name another file with --config")
      case .notWritten(let cause):
        throw RunFailure(
          .io, code: "io", message: "the configuration cannot be written", place: file,
          why: cause.text, hint: "make room on the disk")
      }
    }
  }
}
