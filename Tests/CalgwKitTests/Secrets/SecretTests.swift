import CalgwKit
import Glibc
import Testing

/// Programs are real ones of the system; the limits are made short.
@Suite struct SecretTests {
  private func store(_ variables: [String: String] = [:]) -> SecretStore {
    SecretStore(
      variables: ["PATH": "/usr/bin:/bin"].merging(variables) { $1 }, stop: { nil })
  }

  private func fetch(_ source: SecretSource, _ variables: [String: String] = [:])
    -> Result<String, RunFailure>
  {
    Result { () throws(RunFailure) in
      let secret = try store(variables).secret(
        from: source, username: "alice", place: "account home")
      return String(decoding: secret.bytes, as: UTF8.self)
    }
  }

  private func expectFailure(
    _ result: Result<String, RunFailure>, says words: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard case .failure(let failure) = result else {
      Issue.record("it gave a secret", sourceLocation: sourceLocation)
      return
    }
    #expect(failure.status == .configuration, sourceLocation: sourceLocation)
    #expect(failure.place == "account home", sourceLocation: sourceLocation)
    let text = "\(failure.message) \(failure.why) \(failure.hint)"
    for word in words { #expect(text.contains(word), "\(text)", sourceLocation: sourceLocation) }
    #expect(!"\(failure)".contains("canary"), sourceLocation: sourceLocation)
  }

  @Test(arguments: [
    (["echo", "pass word"], "pass word"), (["printf", "a\\n"], "a"), (["printf", "a\\r\\n"], "a"),
    (["printf", "a\\n\\n"], "a\n"), (["printf", "a\\nb\\n"], "a\nb"), (["printf", " a "], " a "),
    (["printf", "%s", "$HOME;*"], "$HOME;*"),
  ])
  func `a command's output is the secret, without its one line end`(
    command: [String], secret: String
  ) throws {
    #expect(try fetch(.command(command)).get() == secret)
  }

  @Test func `a command that fails is named, and not what it printed`() {
    expectFailure(
      fetch(.command(["sh", "-c", "echo canary; echo 'no key' >&2; exit 3"])),
      says: "\"sh\"", "status 3", "no key", "by hand")
    expectFailure(fetch(.command(["true"])), says: "empty password")
    expectFailure(fetch(.command(["no-such-program-here"])), says: "no-such-program-here")
  }

  @Test(arguments: [
    "echo canary; echo canary >&2", "echo canary; echo ' canary\r' >&2", "echo ca; echo ca >&2",
    "printf 'x\ncanary'; echo canary >&2", "echo canary >&2; echo canary",
    "echo canary; echo 'not canary, surely' >&2",
  ])
  func `a command that repeats the secret in its complaint does not give it away`(
    script: String
  ) throws {
    let result = fetch(.command(["sh", "-c", script + "; exit 3"]))
    expectFailure(result, says: "status 3: ", "[secret]")
    guard case .failure(let failure) = result else { return }
    #expect(!failure.why.contains("ca"), "\(failure.why)")
  }

  @Test func `a secret that a complaint is cut within is not shown either`() {
    // As long as the longest complaint, and longer.
    let long = "head -c 5000 /dev/zero | tr '\\0' c"
    let result = fetch(.command(["sh", "-c", "\(long); \(long) >&2; exit 3"]))
    expectFailure(result, says: "status 3: [secret]")
    guard case .failure(let failure) = result else { return }
    #expect(!failure.why.contains("cc"), "\(failure.why)")
  }

  @Test func `a complaint that has nothing of the secret is shown as it is`() {
    let script = "echo canary; echo 'gpg: no key'; echo 'gpg: decryption failed' >&2; exit 2"
    expectFailure(
      fetch(.command(["sh", "-c", script])), says: "status 2: gpg: decryption failed")
  }

  @Test func `a command has no input`() throws {
    #expect(try fetch(.command(["sh", "-c", "cat; echo x"])).get() == "x")
  }

  @Test func `a command that takes too long is killed with its children`() throws {
    let command = RunCommand(
      arguments: ["sh", "-c", "sleep 1000 & sleep 1000"], variables: ["PATH": "/usr/bin:/bin"],
      timeLimit: .milliseconds(200), shouldStop: { false })
    #expect(try command.run().end == .timedOut)
  }

  @Test func `a command ends when calgw is told to stop`() throws {
    let command = RunCommand(
      arguments: ["sleep", "1000"], variables: ["PATH": "/usr/bin:/bin"], timeLimit: .seconds(60),
      shouldStop: { true })
    #expect(try command.run().end == .stopped)
  }

  @Test func `a command that floods is stopped`() throws {
    let command = RunCommand(
      arguments: ["yes"], variables: ["PATH": "/usr/bin:/bin"], timeLimit: .seconds(60),
      shouldStop: { false })
    let result = try command.run()
    #expect(result.end == .tooMuchOutput)
    #expect(result.output.count <= RunCommand.outputLimit + 4096)
  }

  /// The second one, as an agent that keeps passwords, has its output open.
  @Test(arguments: ["sleep 1000 >/dev/null & echo $!", "sleep 1000 & echo $!"])
  func `a program that a command leaves behind holds nothing up`(script: String) throws {
    let command = RunCommand(
      arguments: ["sh", "-c", script], variables: ["PATH": "/usr/bin:/bin"],
      timeLimit: .seconds(600), shouldStop: { false })
    let result = try command.run()
    let left = try #require(pid_t(String(decoding: result.output.dropLast(), as: UTF8.self)))
    defer { kill(left, SIGKILL) }
    #expect(result.end == .exited(0))
  }

  @Test func `a variable`() throws {
    #expect(try fetch(.environment("PW"), ["PW": "canary"]).get() == "canary")
    expectFailure(fetch(.environment("PW")), says: "PW", "not set")
    expectFailure(fetch(.environment("PW"), ["PW": ""]), says: "PW")
  }

  @Test func `a file`() throws {
    let folder = try TemporaryFolder()
    let good = try folder.write("good", "canary\n", mode: 0o400)
    #expect(try fetch(.file(good)).get() == "canary")
    let empty = try folder.write("empty", "\n")
    expectFailure(fetch(.file(empty)), says: "empty")
    expectFailure(fetch(.file(folder.path + "/none")), says: "none", "cannot be read")
    expectFailure(fetch(.file(folder.path)), says: "cannot be read")
  }

  @Test func `a keyring without its program says which to install`() {
    let result = Result { () throws(RunFailure) in
      let store = SecretStore(variables: ["PATH": "/nonexistent"], stop: { nil })
      return String(
        decoding: try store.secret(
          from: .keyring("dav"), username: "alice", place: "account home"
        ).bytes, as: UTF8.self)
    }
    // Where the program is installed there is still no keyring for tests.
    guard case .failure(let failure) = result else { return }
    #expect(failure.status == .configuration)
    #expect(failure.hint.contains("libsecret-tools") || failure.hint.contains("secret-tool store"))
  }

  @Test func `a secret is fetched once`() throws {
    let folder = try TemporaryFolder()
    let counter = folder.path + "/count"
    let store = store()
    let source = SecretSource.command(["sh", "-c", "echo x >> '\(counter)'; echo canary"])
    for _ in 0..<3 { _ = try store.secret(from: source, username: "a", place: "") }
    #expect(try SmallFile(reading: counter, limit: 100).bytes == Array("x\n".utf8))
  }

  @Test func `a secret never shows itself`() {
    let secret = Secret(bytes: Array("canary".utf8))
    var dumped = ""
    dump(secret, to: &dumped)
    for text in ["\(secret)", String(reflecting: secret), dumped, "\([secret])"] {
      #expect(!text.contains("canary"))
      #expect(!text.contains("99, 97"))
    }
  }

  @Test(
    arguments: [
      ("pass show dav", ["pass", "show", "dav"]), ("  a \t b\n", ["a", "b"]),
      ("'a b' c", ["a b", "c"]), ("\"a \\\" b\" c", ["a \" b", "c"]), ("a\\ b", ["a b"]),
      ("''", [""]), ("a''b", ["ab"]), ("\"\\n\"", ["\\n"]),
      ("$(x) `y` $Z *", ["$(x)", "`y`", "$Z", "*"]),
      ("'it'\\''s'", ["it's"]), ("", nil), ("   ", nil), ("'a", nil), ("\"a", nil), ("a\\", nil),
    ] as [(String, [String]?)])
  func `a command line is split into words, and nothing else is done with it`(
    text: String, words: [String]?
  ) {
    #expect((try? splitWords(text)) == words)
  }
}
