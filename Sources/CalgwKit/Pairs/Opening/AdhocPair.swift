import Glibc
public import SyncModel
import WebDAV

/// What `--local` and its companions say: a pair without a configuration.
public struct AdhocPair: Sendable, Hashable {
  public var local: String
  public var remote: String
  public var username: String?
  public var passwordCommand: String?
  public var passwordVariable: String?

  public init(
    local: String, remote: String, username: String? = nil, passwordCommand: String? = nil,
    passwordVariable: String? = nil
  ) {
    self.local = local
    self.remote = remote
    self.username = username
    self.passwordCommand = passwordCommand
    self.passwordVariable = passwordVariable
  }

  /// The options that say it on a command line. They are shown, and what follows the question mark
  /// of an address may be a secret: a person has it, and puts it in again.
  public var options: [String] {
    let values: [(String, String?)] = [
      ("--local", local), ("--remote", withoutQuery(remote)), ("--username", username),
      ("--password-command", passwordCommand), ("--password-env", passwordVariable),
    ]
    return values.flatMap { name, value -> [String] in
      guard let value else { return [] }
      // Else it would be taken for an option.
      return value.hasPrefix("-") ? ["\(name)=\(value)"] : [name, value]
    }
  }
}

extension Configuration {
  /// The configuration of one pair given on the command line. `base` is a configuration that was
  /// named expressly; only its state directory counts.
  public static func adhoc(
    _ pair: AdhocPair, base: Configuration?, environment: ProcessEnvironment,
    digest: DigestFunction
  ) throws(RunFailure) -> Configuration {
    let directory = try localDirectory(pair.local, environment)
    do {
      try checkServerURL(pair.remote, allowsPlainHTTP: false)
    } catch {
      throw .usage("--remote: \(error.message)", hint: error.hint)
    }
    let state: String
    if let base {
      state = base.stateDirectory
    } else {
      do {
        state = try defaultStateDirectory(environment)
      } catch {
        throw RunFailure(error)
      }
    }
    // With the last slash and without it, the URL is of one place.
    let names = [pair.remote, sibling(of: pair.remote)].map { url in
      adhocName(
        directory: realPath(of: directory), url: url, username: pair.username ?? "", digest: digest)
    }
    let name = names.first { access(journalPath(of: $0, in: state), F_OK) == 0 } ?? names[0]
    var account = AccountConfiguration(name: name, url: pair.remote)
    account.username = pair.username
    account.password = try passwordSource(pair)
    var configuration = PairConfiguration(
      name: name, local: .directory(directory), remote: .account(name))
    configuration.selection = .asFound
    return Configuration(
      file: nil, stateDirectory: state, accounts: [account], pairs: [configuration])
  }

  /// The URL without its last slash, or with one.
  private static func sibling(of url: String) -> String {
    url.hasSuffix("/") ? String(url.dropLast()) : url + "/"
  }

  private static func localDirectory(_ path: String, _ environment: ProcessEnvironment)
    throws(RunFailure) -> String
  {
    do {
      return try expandPath(
        path, environment: environment, relativeTo: environment.workingDirectory)
    } catch {
      throw .usage("--local: \(error.message)", hint: error.hint)
    }
  }

  private static func passwordSource(_ pair: AdhocPair) throws(RunFailure) -> SecretSource? {
    if pair.passwordCommand != nil, pair.passwordVariable != nil {
      throw .usage(
        "--password-command and --password-env exclude each other", hint: "give one of them")
    }
    let source: SecretSource?
    if let command = pair.passwordCommand {
      do {
        source = .command(try splitWords(command))
      } catch {
        throw .usage(
          "--password-command cannot be split into words: \(error.message)",
          hint: "quote its words as for a shell; no shell is run")
      }
    } else {
      source = pair.passwordVariable.map { .environment($0) }
    }
    guard (source == nil) == (pair.username == nil) else {
      throw .usage(
        source == nil ? "--username needs a password" : "a password needs --username",
        hint: "give --username together with --password-command or --password-env")
    }
    return source
  }
}

/// `adhoc-` and eight hexadecimal digits, the same for the same directory, URL and user.
package func adhocName(directory: String, url: String, username: String, digest: DigestFunction)
  -> String
{
  let text = [directory, url, username].map { Array($0.utf8) }.joined(separator: [0])
  return "adhoc-" + hexadecimal(digest(Array(text)).bytes.prefix(4))
}

/// Two lower-case digits a byte.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  return String(
    decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
