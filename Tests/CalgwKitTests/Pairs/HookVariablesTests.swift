import CalgwKit
import Testing

/// What of its environment calgw hands to the commands of a pair.
@Suite struct HookVariablesTests {
  private func handedOn(_ variables: [String: String]) -> [String: String] {
    var account = AccountConfiguration(name: "home", url: "https://dav.example.org/")
    account.password = .environment("PASSWORD")
    account.proxy = .secret(.environment("WAY"))
    var other = AccountConfiguration(name: "work", url: "https://dav.example.org/")
    other.token = .environment("TOKEN")
    other.password = .file("/secret")
    return Configuration(
      file: nil, stateDirectory: "/state", accounts: [account, other], pairs: []
    ).withoutSecrets(variables)
  }

  @Test func `variables with secrets stay behind, of all accounts, and the others go`() {
    let others = ["HOME": "/home/ann", "PASSWORD_STORE_DIR": "/store", "EMPTY": ""]
    let secrets = ["PASSWORD": "canary", "WAY": "http://u:canary@p:1", "TOKEN": "canary"]
    #expect(handedOn(others.merging(secrets) { $1 }) == others)
  }

  @Test(arguments: [
    ("http://u:canary@proxy.example:3128", "http://proxy.example:3128"),
    ("u:canary@proxy.example:3128/", "proxy.example:3128/"),
    ("socks5h://u:can@a/ry@[2001:db8::1]:1080", "socks5h://[2001:db8::1]:1080"),
    ("http://proxy.example:3128", "http://proxy.example:3128"), ("", ""),
  ])
  func `a proxy goes on without its login`(url: String, shown: String) {
    for name in ["https_proxy", "HTTPS_PROXY", "http_proxy", "ALL_PROXY"] {
      #expect(handedOn([name: url]) == [name: shown])
    }
    #expect(handedOn(["no_proxy": "a.example,10.0.0.0/8"]) == ["no_proxy": "a.example,10.0.0.0/8"])
    #expect(handedOn(["MAIL": url]) == ["MAIL": url], "it is no proxy's")
  }
}
