import CalgwKit
import Foundation
import TestSupport
import Testing

@Suite struct ConfigurationTests {
  private func everything() throws -> Configuration {
    var environment = ProcessEnvironment.home
    environment.variables["BASE"] = "/srv/base"
    let text = try Project.text("Fixtures/configs/everything.toml")
    return try Configuration.parse(
      text: Array(text.utf8), file: "/etc/calgw/everything.toml", environment: environment)
  }

  @Test func `every key of an account is read`() throws {
    let configuration = try everything()
    #expect(configuration.stateDirectory == "/srv/base/state")
    #expect(configuration.accounts.map(\.name) == ["home", "work.1", "oauth"])
    let home = try #require(configuration.account("home"))
    #expect(home.url == "https://dav.example.org:8443/dav/")
    #expect(home.username == "alice")
    #expect(home.password == .keyring("dav.example.org"))
    #expect(home.authentication == .digest)
    #expect(home.authoritiesFile == "/etc/calgw/ca.pem")
    #expect(home.clientCertificate == "/etc/calgw/me.pem")
    #expect(home.clientKey == "/home/ann/.ssl/me.key")
    // FIPS 180-4's digest of the empty message.
    #expect(home.pinnedKeys.map(\.first) == [0xE3, 0xE3])
    #expect(home.pinnedKeys.map(\.count) == [32, 32])
    #expect(Set(home.pinnedKeys).count == 1)
    #expect(home.proxy == .url("socks5h://proxy.example.org:1080"))
    #expect(home.userAgent == "my calgw")
    #expect(home.timeout == .milliseconds(500))
    #expect(home.minimumRate == 1000)
    #expect(home.maxConnections == 8)
    let work = try #require(configuration.account("work.1"))
    #expect(work.timeout == .seconds(30))
    #expect(work.minimumRate == 100)
    #expect(work.maxConnections == 4)
    #expect(work.password == nil)
    #expect(work.authentication == .bearer)
    #expect(work.token == .file("/etc/calgw/token"))
    #expect(work.proxy == .unixSocket("/run/radicale.sock"))
  }

  @Test func `every key of OAuth is read`() throws {
    let account = try #require(try everything().account("oauth"))
    #expect(account.authentication == .oauth2)
    #expect(account.token == .keyring("calgw"))
    let oauth = try #require(account.oauth)
    #expect(oauth.clientID == "calgw")
    #expect(oauth.clientSecret == .environment("OAUTH_SECRET"))
    #expect(oauth.authorizeURL == "https://login.example.org/authorize?tenant=1")
    #expect(oauth.tokenURL == "https://login.example.org/token")
    #expect(oauth.scope == "calendar offline_access")
  }

  @Test(
    arguments: [
      ("keyring = \"calgw\"", "", "keyring = \"other\"", "", true),
      ("keyring = \"calgw\"", "a", "keyring = \"calgw\"", "b", true),
      ("keyring = \"calgw\"", "a", "keyring = \"calgw\"", "a", false),
      ("keyring = \"calgw\"", "a", "keyring = \"calgw\"", "", false),
      ("file = \"one\"", "", "file = \"two\"", "", true),
      ("file = \"one\"", "a", "file = \"./one\"", "b", false),
      ("file = \"/s/tokens/home.json\"", "", "", "", false),
    ] as [(String, String, String, String, Bool)])
  func `two accounts keep their tokens in two places`(
    one: String, user: String, two: String, otherUser: String, isGood: Bool
  ) throws {
    func account(_ name: String, _ token: String, _ user: String) -> String {
      var lines = ["[account.\(name)]", "url = \"https://e.org/\""]
      if !user.isEmpty { lines.append("username = \"\(user)\"") }
      if !token.isEmpty { lines.append("token = { \(token) }") }
      lines += ["[account.\(name).oauth2]", "client_id = \"c\"", "token_url = \"https://e.org/t\""]
      return lines.joined(separator: "\n") + "\n"
    }
    let text =
      "state_dir = \"/s\"\n" + account("work", one, user) + account("home", two, otherUser)
    var fault: ConfigurationError?
    do {
      _ = try Configuration.parse(
        text: Array(text.utf8), file: "config.toml", environment: .home)
    } catch {
      fault = error
    }
    #expect((fault == nil) == isGood)
    #expect(fault.map { $0.place.contains("account.home.token") } ?? true)
  }

  @Test(arguments: [
    ".", "work", "Our Work", "/alice/w%20k/", "alice/work", "/alice/our work/", "a/b c",
    "https://other.example.org/work/", "http://localhost:5232/work/?x=1",
  ])
  func `the one calendar may be named in many ways`(text: String) throws {
    let configuration = """
      [account.home]
      url = "https://dav.example.org"
      [pair.personal]
      local = "~/calendars"
      remote = "home"
      calendar = "\(text)"
      """
    let pair = try Configuration.parse(
      text: Array(configuration.utf8), file: "config.toml", environment: .home
    ).pairs[0]
    #expect(pair.selection == .calendar(text))
  }

  /// Its address, the account's `url`, and what else the account says.
  @Test(arguments: [
    ("https://dav.example.org:443/work/", "https://dav.example.org/", ""),
    ("https://caldav.dav.example.org/work/", "https://dav.example.org/", ""),
    ("https://p42-caldav.icloud.com/1/work/", "https://caldav.icloud.com/", ""),
    ("https://dav.example.net/work/", "https://dav.example.org/", "\"*.example.net\""),
    ("http://dav.example.org:5232/work/", "https://dav.example.org/", "\"dav.example.org\""),
    ("https://nas.lan/work/", "http://nas.lan/", ""),
    ("https://dav.example.org/work/", "http://example.org/", ""),
  ])
  func `a calendar's address may name any server that may have the password`(
    calendar: String, url: String, hosts: String
  ) throws {
    try Self.parse(calendar: calendar, url: url, Self.password + "\ntrusted_hosts = [\(hosts)]")
  }

  @Test(arguments: [
    ("https://other.example.org/work/", "https://dav.example.org/"),
    ("https://dav.example.org:8443/work/", "https://dav.example.org/"),
    ("http://dav.example.org/work/", "https://dav.example.org/"),
    ("https://example.org/work/", "https://dav.example.org/"),
    ("http://localhost:5232/work/", "http://localhost:8080/"),
    ("https://nas.lan/work/", "http://nas.lan:8080/"),
  ])
  func `a calendar's address names no server that may be a stranger's`(
    calendar: String, url: String
  ) throws {
    let error = try #require(throws: ConfigurationError.self) {
      try Self.parse(calendar: calendar, url: url, Self.password)
    }
    #expect(error.key == "pair.personal.calendar")
    #expect(error.hint.contains("trusted_hosts = [\""))
    // Nothing is shown to anybody.
    try Self.parse(calendar: calendar, url: url, "")
    try Self.parse(calendar: calendar, url: url, Self.password + "\nproxy = \"unix:/run/dav\"")
  }

  private static let password = "username = \"ann\"\npassword = { env = \"PW\" }"

  private static func parse(calendar: String, url: String, _ keys: String) throws {
    let text = """
      [account.home]
      url = "\(url)"
      allow_http = true
      \(keys)
      [pair.personal]
      local = "~/calendars"
      remote = "home"
      calendar = "\(calendar)"
      """
    _ = try Configuration.parse(
      text: Array(text.utf8), file: "config.toml", environment: .home)
  }

  @Test func `a side may be a file or a subscription`() throws {
    let text = try Project.text("Fixtures/configs/other-sides.toml")
    let configuration = try Configuration.parse(
      text: Array(text.utf8), file: "/etc/calgw/other-sides.toml", environment: .home)
    #expect(
      configuration.pairs.map(\.remote) == [
        .file("/etc/calgw/archive.ics"), .subscription("https://example.org/holidays.ics"),
      ])
  }

  /// Each the second of two pairs of which the first is in step with the folder `cal`.
  @Test(arguments: [
    ("~/calendars", "ics = \"https://example.org/cal.ics\"", "collections = [{ other = \"cal\" }]"),
    ("~/calendars", "file = \"/two/cal.ics\"", "collections = [{ cal = \"cal\" }]"),
    ("~/calendars", "file = \"/two/cal.ics\"", "collections = [{ cal = \"/two/cal.ics\" }]"),
    ("~/calendars", "file = \"/two/cal.ics\"", "collections = [\"!cal\"]"),
    ("~/calendars/cal", "file = \"/two/cal.ics\"", "calendar = \".\""),
    ("~/others", "file = \"/two/cal.ics\"", ""), ("~/calendars", "file = \"/two/all.ics\"", ""),
  ])
  func `a folder that is named may be shared, and so may a name elsewhere`(
    local: String, remote: String, keys: String
  ) throws {
    let text = """
      [pair.one]
      local = "~/calendars"
      remote = { file = "/one/cal.ics" }
      [pair.two]
      local = "\(local)"
      remote = { \(remote) }
      \(keys)
      """
    let configuration = try Configuration.parse(
      text: Array(text.utf8), file: "config.toml", environment: .home)
    #expect(configuration.pairs.map(\.name) == ["one", "two"])
  }

  @Test func `a window is read`() throws {
    let text = try Project.text("Fixtures/configs/other-sides.toml")
    let configuration = try Configuration.parse(
      text: Array(text.utf8), file: "/etc/calgw/other-sides.toml", environment: .home)
    let window = PairConfiguration.Window(past: .seconds(90 * 86_400), future: .seconds(3600))
    #expect(configuration.pairs.map(\.window) == [window, nil])
  }

  @Test func `every key of a pair is read`() throws {
    let configuration = try everything()
    #expect(configuration.pairs.map(\.name) == ["personal", "archive", "servers"])
    let personal = configuration.pairs[0]
    #expect(personal.local == .directory("/home/ann/calendars"))
    #expect(personal.remote == .account("home"))
    #expect(
      personal.selection
        == .collections([
          .include("*"), .exclude("Holidays *"), .map(local: "work", remote: "Our Work"),
          .map(local: "private stuff", remote: "/alice/p/"),
        ]))
    #expect(personal.policy == .newest)
    #expect(personal.direction == .pull)
    #expect(personal.isReadOnly)
    #expect(personal.maxDeletePercent == 100)
    #expect(personal.deadline == .seconds(7200))
    #expect(personal.components == ["VEVENT"])
    #expect(personal.metadata == [.color])
    #expect(personal.historyKept == .seconds(7 * 86_400))
    #expect(personal.historyVersions == 3)
    #expect(personal.confirmsDeletions)
    #expect(personal.invitations == .never)
    #expect(personal.afterSync == ["notify-send", "calgw", "synced"])
    #expect(personal.onConflict == ["mail-me"])
    let archive = configuration.pairs[1]
    #expect(archive.local == .directory("/etc/calgw/archive/2026"))
    #expect(archive.remote == .directory("/mnt/backup/archive"))
    #expect(archive.selection == .calendar("."))
    let servers = configuration.pairs[2]
    #expect(servers.local == .account("home"))
    #expect(servers.remote == .account("work.1"))
  }

  @Test func `what is not said is as documented`() throws {
    let pair = try everything().pairs[2]
    #expect(pair.selection == .collections([.include("*")]))
    #expect(pair.policy == .merge)
    #expect(pair.direction == .both)
    #expect(!pair.isReadOnly)
    #expect(pair.maxDeletePercent == 25)
    #expect(pair.deadline == .seconds(3600))
    #expect(pair.components == nil)
    #expect(pair.historyKept == .seconds(90 * 86_400))
    #expect(pair.historyVersions == 50)
  }

  @Test(arguments: [
    (["HOME": "/h"], "/h/.config/calgw/config.toml"),
    (["HOME": "/h", "XDG_CONFIG_HOME": "/x"], "/x/calgw/config.toml"),
    (["HOME": "/h", "XDG_CONFIG_HOME": "relative"], "/h/.config/calgw/config.toml"),
    (["HOME": "/h", "XDG_CONFIG_HOME": "/x", "CALGW_CONFIG": "/c.toml"], "/c.toml"),
    (["HOME": "/h", "CALGW_CONFIG": "c.toml"], "/work/dir/c.toml"),
    (["HOME": "/h", "CALGW_CONFIG": ""], "/h/.config/calgw/config.toml"),
  ])
  func `the file is looked for in order`(variables: [String: String], file: String) throws {
    let environment = ProcessEnvironment(variables: variables, workingDirectory: "/work/dir")
    #expect(try Configuration.defaultFile(environment) == file)
  }

  @Test(arguments: [
    (["HOME": "/h"], "/h/.local/state/calgw"),
    (["HOME": "/h", "XDG_STATE_HOME": "/s"], "/s/calgw"),
  ])
  func `the state has its place`(variables: [String: String], directory: String) throws {
    let environment = ProcessEnvironment(variables: variables, workingDirectory: "/")
    #expect(try Configuration.defaultStateDirectory(environment) == directory)
  }

  @Test func `a missing file names the command that makes one`() throws {
    let folder = try TemporaryFolder()
    let error = try #require(throws: ConfigurationError.self) {
      try ProcessEnvironment.home.loadConfiguration(from: folder.path + "/none.toml")
    }
    #expect(error.file == folder.path + "/none.toml")
    #expect(error.hint.contains("calgw init"))
  }

  @Test(arguments: [
    "token = { env = \"TOKEN\" }", "password = { env = \"PW\" }\nauth = \"basic\"",
  ])
  func `what may be right is not refused`(keys: String) throws {
    let name = keys.hasPrefix("token") ? "urn:alice" : "\u{E4}lice@example.org"
    let text = "[account.a]\nurl = \"https://e.org/\"\nusername = \"\(name)\"\n\(keys)\n"
    let configuration = try Configuration.parse(
      text: Array(text.utf8), file: "config.toml", environment: .home)
    #expect(configuration.accounts[0].username == name)
  }

  /// PITFALLS E2.15
  @Test(arguments: [(0o600, false), (0o640, true), (0o604, true), (0o644, true)])
  func `a file with a password in it that others may read is warned of`(
    mode: Int, isWarned: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let text = """
      [account.a]
      url = "https://example.org/"
      username = "u"
      password = "hunter2"
      """
    let file = try folder.write("config.toml", text, mode: mode)
    let configuration = try ProcessEnvironment.home.loadConfiguration(from: file)
    #expect(configuration.accounts[0].password == .literal(Secret(bytes: Array("hunter2".utf8))))
    #expect(
      configuration.warnings.map { $0.contains("chmod 600 \(file)") } == (isWarned ? [true] : []))
    #expect(!"\(configuration)".contains("hunter2"))
  }

  @Test func `a password file that others may read is warned of`() throws {
    let folder = try TemporaryFolder()
    let secret = try folder.write("secret", "hunter2\n", mode: 0o644)
    let file = try folder.write(
      "config.toml",
      """
      [account.a]
      url = "https://example.org/"
      username = "u"
      password = { file = "\(secret)" }
      """, mode: 0o644)
    let warnings = try ProcessEnvironment.home.loadConfiguration(from: file).warnings
    #expect(warnings.map { $0.contains("chmod 600 \(secret)") } == [true])
  }

  @Test(arguments: [
    "token = \"canary\"", "proxy = { file = \"SECRET\" }", "client_cert = \"SECRET\"",
  ])
  func `every secret of an account is warned of where others may read it`(key: String) throws {
    let folder = try TemporaryFolder()
    let secret = try folder.write("secret", "canary\n", mode: 0o640)
    let text =
      "[account.a]\nurl = \"https://example.org/\"\n" + key.replacing("SECRET", with: secret)
    let file = try folder.write("config.toml", text, mode: 0o640)
    let warnings = try ProcessEnvironment.home.loadConfiguration(from: file).warnings
    let open = key.contains("SECRET") ? secret : file
    #expect(warnings.map { $0.contains("chmod 600 \(open)") } == [true])
    #expect(warnings.allSatisfy { !$0.contains("canary") })
  }

  @Test(arguments: [
    ("http://bob:canary@proxy.example.org:3128", true), ("socks5://bob:canary@[::1]:1080/", true),
    ("http://bob:canary@x@proxy.example.org", false), ("bob:canary@proxy.example.org", false),
    ("http://bob:canary\n@proxy.example.org", false), ("file:///canary", false), ("", false),
    ("http://bob:canary@proxy.example.org?x", false),
  ])
  func `a secret that is a proxy's URL may hold its login and is never shown`(
    url: String, isGood: Bool
  ) throws {
    var complaint: URLComplaint?
    do { try checkProxyURL(url, mayHoldLogin: true) } catch { complaint = error }
    #expect((complaint == nil) == isGood)
    #expect(complaint.map { "\($0)".contains("canary") } != true)
  }

  @Test func `a file without a password may be read by others`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "config.toml", "[account.a]\nurl = \"https://e.org\"\n", mode: 0o644)
    #expect(try ProcessEnvironment.home.loadConfiguration(from: file).accounts.count == 1)
  }

  @Test func `a directory is no configuration`() throws {
    let folder = try TemporaryFolder()
    #expect(throws: ConfigurationError.self) {
      try ProcessEnvironment.home.loadConfiguration(from: folder.path)
    }
  }
}
