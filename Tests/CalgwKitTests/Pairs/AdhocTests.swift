import CalgwKit
import SyncModel
import TestSupport
import Testing

@Suite struct AdhocTests {
  private func make(_ pair: AdhocPair) throws(RunFailure) -> Configuration {
    try Configuration.adhoc(pair, base: nil, environment: .home, digest: sha256)
  }

  private func pair(_ change: (inout AdhocPair) -> Void = { _ in }) -> AdhocPair {
    var pair = AdhocPair(local: "cal", remote: "https://dav.example.org/")
    change(&pair)
    return pair
  }

  @Test func `its name is eight digits of a hash over directory, URL and user`() {
    // printf '/tmp/cal\0https://dav.example.org/\0alice' | sha256sum
    let name = adhocName(
      directory: "/tmp/cal", url: "https://dav.example.org/", username: "alice", digest: sha256)
    #expect(name == "adhoc-f6d8c906")
  }

  @Test func `it is a pair of its own`() throws {
    let configuration = try make(
      pair {
        $0.username = "alice"
        $0.passwordCommand = "pass show 'my dav'"
      })
    let made = try #require(configuration.pairs.first)
    #expect(made.name.wholeMatch(of: /adhoc-[0-9a-f]{8}/) != nil)
    #expect(made.local == .directory("/tmp/cal"))
    #expect(made.selection == .asFound)
    #expect(configuration.accounts.first?.password == .command(["pass", "show", "my dav"]))
    #expect(configuration.stateDirectory == "/home/ann/.local/state/calgw")
  }

  @Test func `a command to paste has all of it, quoted`() {
    let one = pair {
      $0.local = "my calendars"
      $0.username = "-alice"
      $0.passwordCommand = "pass show dav"
    }
    #expect(
      shellCommand("resolve", options: one.options, argument: "-1")
        == "calgw resolve --local 'my calendars' --remote https://dav.example.org/"
        + " '--username=-alice' --password-command 'pass show dav' -- -1")
  }

  @Test func `a command to paste shows no query, which may be a secret`() {
    let one = pair { $0.remote = "https://dav.example.org/work/?token=canary" }
    #expect(
      shellCommand("sync", options: one.options)
        == "calgw sync --local cal --remote 'https://dav.example.org/work/?…'")
  }

  @Test func `another directory, URL or user is another pair`() throws {
    let names = try [
      pair(), pair { $0.local = "cal2" }, pair { $0.remote = "https://dav.example.org/x" },
      pair {
        $0.username = "alice"
        $0.passwordVariable = "PW"
      },
    ].map { try make($0).pairs[0].name }
    #expect(Set(names).count == 4)
    #expect(try make(pair { $0.local = "./cal/" }).pairs[0].name == names[0])
  }

  @Test(arguments: ["https://dav.example.org/x", "https://dav.example.org/x/"])
  func `with the last slash and without it, it is the pair that has synced`(url: String) throws {
    let state = try TemporaryFolder()
    func name(_ remote: String) throws -> String {
      let base = Configuration(
        file: nil, stateDirectory: state.path, accounts: [], pairs: [])
      let typed = pair { $0.remote = remote }
      return try Configuration.adhoc(typed, base: base, environment: .home, digest: sha256)
        .pairs[0].name
    }
    let other = url.hasSuffix("/") ? String(url.dropLast()) : url + "/"
    let former = try name(url)
    #expect(try name(other) != former)
    try state.write("\(former).sqlite", "")
    #expect(try name(other) == former && name(url) == former)
  }

  @Test func `what cannot be is status 64`() {
    let bad: [AdhocPair] = [
      pair { $0.remote = "dav.example.org" }, pair { $0.remote = "http://dav.example.org/" },
      pair { $0.remote = "https://a:canary@dav.example.org/" }, pair { $0.local = "~bob/x" },
      pair { $0.username = "alice" }, pair { $0.passwordVariable = "PW" },
      pair {
        $0.username = "alice"
        $0.passwordCommand = "'unclosed"
      },
    ]
    for pair in bad {
      let failure = #expect(throws: RunFailure.self) { try make(pair) }
      #expect(failure?.status == .usage)
      #expect(failure?.hint.isEmpty == false)
      #expect(!"\(failure, default: "")".contains("canary"))
    }
  }

  @Test func `the real path of what is not there yet is that of what is`() throws {
    let folder = try TemporaryFolder()
    let real = realPath(of: folder.path)
    #expect(realPath(of: folder.path + "/a/b") == real + "/a/b")
    #expect(realPath(of: folder.path + "/a/../b") == real + "/b")
    #expect(realPath(of: folder.path + "/.") == real)
    #expect(realPath(of: "/") == "/")
  }
}
