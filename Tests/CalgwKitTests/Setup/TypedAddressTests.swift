import CalgwKit
import Testing

/// What a person types for `calgw init` to begin with.
@Suite struct TypedAddressTests {
  @Test(arguments: [
    ("https://dav.example.org/x", "https://dav.example.org/x"),
    ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/"),
    ("https://b\u{FC}cher.example:8443/dav/?a", "https://xn--bcher-kva.example:8443/dav/?a"),
    ("https://B\u{DC}CHER.example", "https://xn--bcher-kva.example"),
  ])
  func `a URL is taken, its host by its name in ASCII`(text: String, url: String) throws {
    #expect(try TypedAddress(text) == .url(url))
  }

  @Test func `a domain with letters outside ASCII is looked up by its name in ASCII`() throws {
    guard case .mail(let address) = try TypedAddress("alice@b\u{FC}cher.example") else {
      Issue.record("it is an e-mail address")
      return
    }
    #expect(address.domain == "xn--bcher-kva.example")
    #expect(address.usernames == ["alice@b\u{FC}cher.example", "alice"])
  }

  @Test(arguments: [
    "mailto:alice@example.org", "MailTo:alice@example.org", "mailto:alice%40example.org",
    "mailto:alice@example.org?subject=Hello",
  ])
  func `an address copied from a link is that address`(text: String) throws {
    guard case .mail(let address) = try TypedAddress(text) else {
      Issue.record("it is an e-mail address")
      return
    }
    #expect(address.usernames == ["alice@example.org", "alice"])
  }

  @Test(arguments: [
    ("dav.example.org", "neither an e-mail address nor a URL", "give https://dav.example.org"),
    ("dav.example.org/a b", "neither an e-mail address nor a URL", "give your e-mail address"),
    ("home?x&y", "neither an e-mail address nor a URL", "give 'https://home?x&y'"),
    ("b\u{FC}cher.example", "neither an e-mail", "give https://xn--bcher-kva.example"),
    ("", "neither an e-mail address nor a URL", "give your e-mail address"),
    ("alice@", "nothing stands after the @", "give your e-mail address"),
    ("@example.org", "nothing stands before the @", "give your e-mail address"),
    ("a b@example.org", "no blank or slash is before the @", "give your e-mail address"),
    ("alice@example.org:8443", "a domain is letters", "give your e-mail address"),
    ("alice@\u{FC}-.example", "letters outside ASCII", "xn--"),
    ("http://dav.example.org/", "plain http", "give https://dav.example.org/;"),
    ("https://b\u{FC}-.example/", "letter outside ASCII", "xn--"),
    ("ftp://example.org/", "does not begin with https://", "begins with https://"),
  ])
  func `what is neither is told with what would be right`(
    text: String, words: String, mend: String
  ) throws {
    let error = try #require(throws: RunFailure.self) { _ = try TypedAddress(text) }
    #expect(error.status == .usage)
    #expect(error.message.contains("\"\(text)\"") && error.message.contains(words), "\(error)")
    #expect(error.hint.contains(mend), "\(error)")
  }

  @Test func `the query of a URL that cannot be used is not shown`() throws {
    let error = try #require(throws: RunFailure.self) {
      _ = try TypedAddress("ftp://dav.example.org/?token=canary")
    }
    #expect(error.message.contains("\"ftp://dav.example.org/?…\""), "\(error)")
  }

  @Test func `a password in a URL is not shown`() throws {
    for text in ["https://alice@example.org/", "http://alice:s3cr3t@host/x@y"] {
      let error = try #require(throws: RunFailure.self) { _ = try TypedAddress(text) }
      #expect(error.message.contains("://…@") && error.message.contains("holds a user name"))
      #expect(error.hint.contains("remove what stands before the @"))
      #expect(!"\(error)".contains("s3cr3t") && !"\(error)".contains("alice"))
    }
  }
}
