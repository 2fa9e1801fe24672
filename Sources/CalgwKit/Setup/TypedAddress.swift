import CurlTransport
import WebDAV

/// Where to look for an account, as a person types it.
public enum TypedAddress: Sendable, Hashable {
  case mail(AccountAddress)
  /// Any URL of the server.
  case url(String)

  /// - Throws: status 64 with what would be right, where the text is neither.
  public init(_ typed: String) throws(RunFailure) {
    // An address as a page links it (RFC 6068) is the same address.
    let text = mailtoAddresses(in: typed) ?? typed
    if text.contains("://") {
      self = .url(try Self.url(text))
    } else if text.contains("@") {
      guard let address = AccountAddress(text) else { throw Self.noMail(text) }
      self = .mail(address)
    } else {
      throw Self.neither(text)
    }
  }

  private static let examples =
    "give your e-mail address, or the server's URL, as https://dav.example.org/"

  /// A name that has letters outside ASCII begins so there.
  private static let spelling = "spell the name in ASCII, where it has xn-- in it"

  private static func url(_ text: String) throws(RunFailure) -> String {
    let url = inASCII(text)
    do throws(URLComplaint) { try checkServerURL(url, allowsPlainHTTP: false) } catch {
      var hint = error.hint
      if let better = secured(url) {
        hint =
          "give \(shellWord(better)); for plain http write the configuration by hand, with "
          + "allow_http = true"
      } else if !isASCII(authority(of: url)) {
        hint = spelling
      }
      let shown = visibleText(withoutQuery(withoutUser(text)))
      throw .usage("\"\(shown)\" cannot be used: \(error.message)", hint: hint)
    }
    return url
  }

  /// Without a user and a password, which a terminal or a log would keep.
  private static func withoutUser(_ url: String) -> String {
    guard let start = url.firstRange(of: "://")?.upperBound else { return url }
    let authority = url[start...].prefix { !"/?#".contains($0) }
    guard let end = authority.lastIndex(of: "@") else { return url }
    return url[..<start] + "…" + url[end...]
  }

  /// The same URL with https, where nothing else is wrong with it.
  private static func secured(_ url: String) -> String? {
    guard url.lowercased().hasPrefix("http://") else { return nil }
    let better = "https\(url.dropFirst(4))"
    return (try? checkServerURL(better, allowsPlainHTTP: false)) == nil ? nil : better
  }

  private static func neither(_ text: String) -> RunFailure {
    let url = inASCII("https://\(text)")
    let isURL = (try? checkServerURL(url, allowsPlainHTTP: false)) != nil
    return .usage(
      "\"\(visibleText(text))\" is neither an e-mail address nor a URL",
      hint: isURL ? "if it is the server, give \(shellWord(url))" : examples)
  }

  private static func noMail(_ text: String) -> RunFailure {
    let end = text.lastIndex(of: "@") ?? text.startIndex
    let (user, domain) = (text[..<end], text[end...].dropFirst())
    let why: String
    var hint = examples
    if user.isEmpty {
      why = "nothing stands before the @"
    } else if domain.isEmpty {
      why = "nothing stands after the @"
    } else if !isASCII(domain) {
      why = "the domain has letters outside ASCII, and libcurl knows no other name of it"
      hint = spelling
    } else {
      why = "a domain is letters, digits, hyphens and dots, and no blank or slash is before the @"
    }
    return .usage("\"\(visibleText(text))\" is no e-mail address: \(why)", hint: hint)
  }

  // MARK: Names outside ASCII

  private static func isASCII(_ text: Substring) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

  /// What is between the scheme and the path.
  private static func authority(of url: String) -> Substring {
    let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
    return url[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
  }

  /// The URL with the host's name in ASCII, where it has one.
  private static func inASCII(_ url: String) -> String {
    let authority = Self.authority(of: url)
    let host = authority.prefix { $0 != ":" }
    guard !isASCII(host), let name = CurlTransport.asciiName(of: String(host)) else { return url }
    return "\(url[..<host.startIndex])\(name)\(url[host.endIndex...])"
  }
}
