/// What to do about a refused password, for the servers where the account's own does not do; and
/// where a provider's calendars are, where its mail addresses do not lead there.
package enum PasswordAdvice {
  /// The domains of a provider's servers, and its mend.
  private struct Provider {
    let domains: [String]
    /// The URL of the calendars, by the domains of the provider's mail addresses.
    var servers: [String: String] = [:]
    /// Domains of mail addresses for which it lets nobody in with a password.
    var mailWithoutPassword: [String] = []
    let hint: String
  }

  private static let serverOfYahoo = "https://caldav.calendar.yahoo.com"

  /// The domains of Yahoo's mail addresses. Those of `yahoo.co.jp` are another company's.
  private static let mailOfYahoo = [
    "ca", "co.id", "co.in", "co.nz", "co.uk", "com", "com.ar", "com.au", "com.br", "com.hk",
    "com.mx", "com.ph", "com.sg", "com.tr", "com.tw", "com.vn", "de", "dk", "es", "fr", "gr", "ie",
    "in", "it", "no", "pl", "ro", "se",
  ].map { "yahoo." + $0 }

  private static let providers = [
    Provider(
      domains: ["icloud.com", "me.com"],
      servers: [
        "icloud.com": "https://caldav.icloud.com",
        "me.com": "https://caldav.icloud.com",
        "mac.com": "https://caldav.icloud.com",
      ],
      hint: "iCloud takes an app password only: make one at https://account.apple.com under "
        + "Sign-In and Security, App-Specific Passwords"),
    Provider(
      domains: ["fastmail.com", "messagingengine.com"],
      servers: [
        "fastmail.com": "https://caldav.fastmail.com",
        "fastmail.fm": "https://caldav.fastmail.com",
      ],
      hint: "Fastmail takes an app password only: make one with access to calendars at "
        + "https://app.fastmail.com/settings/security under App passwords; a Basic plan has none"),
    Provider(
      domains: ["googleusercontent.com", "googleapis.com"],
      mailWithoutPassword: ["gmail.com", "googlemail.com"],
      hint: "Google takes no password here, not even an app password: set auth = \"oauth2\" as "
        + "docs/sign-in.md says"),
    Provider(
      domains: ["google.com"],
      hint: "Google takes no account password: set auth = \"oauth2\" as docs/sign-in.md says, or "
        + "try an app password from https://myaccount.google.com/apppasswords"),
    Provider(
      domains: ["yahoo.com"],
      servers: Dictionary(uniqueKeysWithValues: mailOfYahoo.map { ($0, serverOfYahoo) }),
      hint: "Yahoo takes an app password only: make one at "
        + "https://login.yahoo.com/account/security under Create app password"),
    Provider(
      domains: ["aol.com"],
      hint: "AOL takes an app password only: make one at "
        + "https://login.aol.com/account/security under Generate app password"),
    Provider(
      domains: ["yandex.ru", "yandex.com"],
      hint: "Yandex takes an app password only: make one for calendars at "
        + "https://id.yandex.com/security/app-passwords (it may need hours until it works)"),
    Provider(
      domains: ["mail.ru"],
      hint: "Mail.ru takes an app password only: make one at "
        + "https://account.mail.ru/user/2-step-auth/passwords"),
    Provider(
      domains: ["infomaniak.com"],
      servers: [
        "infomaniak.com": "https://sync.infomaniak.com",
        "ik.me": "https://sync.infomaniak.com",
      ],
      hint: "Infomaniak takes an app password where two steps are on: make one at "
        + "https://manager.infomaniak.com under Manage my profile, Application passwords"),
    Provider(
      domains: ["zoho.com", "zoho.eu", "zoho.in", "zoho.com.au", "zoho.jp"],
      hint: "Zoho takes an app password where two steps are on: make one at "
        + "https://accounts.zoho.com, or that of your region, under Security, App Passwords"),
    Provider(
      domains: ["mailbox.org"],
      servers: ["mailbox.org": "https://dav.mailbox.org"],
      hint: "mailbox.org takes an app password where two steps are on: make one in its settings "
        + "(All settings) under Security, Application Passwords"),
    Provider(
      domains: ["gmx.net", "gmx.com", "gmx.de", "web.de"],
      servers: [
        "gmx.net": "https://caldav.gmx.net",
        "gmx.de": "https://caldav.gmx.net",
        "gmx.at": "https://caldav.gmx.net",
        "gmx.ch": "https://caldav.gmx.net",
        "web.de": "https://caldav.web.de",
      ],
      hint: "GMX and WEB.DE take an app password where two steps are on: make one in your account "
        + "(Mein Account) under Security, Application-specific passwords"),
    Provider(
      domains: ["mail.com"],
      hint: "mail.com takes an app password where two steps are on: make one under Home, Security "
        + "Options, Manage application-specific passwords"),
    Provider(
      domains: ["posteo.de"],
      servers: [
        "posteo.de": "https://posteo.de:8443",
        "posteo.net": "https://posteo.de:8443",
        "posteo.eu": "https://posteo.de:8443",
      ],
      hint: "check username and password: Posteo takes the account's own password, with the whole "
        + "address as username"),
    Provider(
      domains: ["outlook.com", "office365.com", "live.com"],
      hint: "Microsoft has no CalDAV: run DavMail and set url to its address"),
  ]

  /// - Parameter domain: of a mail address, in lower case.
  /// - Returns: The URL of its provider's calendars; nil where that is not known.
  package static func server(forMailIn domain: String) -> String? {
    providers.lazy.compactMap { $0.servers[domain] }.first
  }

  /// - Parameter domain: of a mail address, in lower case.
  package static func isOfGoogle(mailIn domain: String) -> Bool {
    providers.contains { $0.mailWithoutPassword.contains(domain) }
  }

  package static func hint(for url: WebURL) -> String { hint(of: url) ?? general }

  static let general =
    "check username and password; some servers want a password made for the app"

  /// Of a provider or a program that is known by its address; nil for others.
  package static func hint(of url: WebURL) -> String? {
    let provider = providers.first { provider in
      provider.domains.contains { url.host == $0 || url.host.hasSuffix("." + $0) }
    }
    if let provider { return provider.hint }
    let path = String(decoding: url.path, as: UTF8.self)
    if path.hasPrefix("/remote.php/") || path.contains("/remote.php/dav") {
      return "check username and password; with two factors, or a login elsewhere, Nextcloud takes "
        + "an app password: make one in its settings under Security, Devices & sessions"
    }
    return nil
  }
}
