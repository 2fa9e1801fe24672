public import SyncModel
public import SyncPlanning

/// A configuration, read and checked whole.
public struct Configuration: Sendable {
  /// The file it came from, absolute; nil where there is none (`--local` and `--remote`).
  public var file: String?
  /// Where journals and locks live, absolute; empty where nothing says so, and only commands are
  /// meant that need none.
  public var stateDirectory: String
  /// In the order of the file.
  public var accounts: [AccountConfiguration]
  /// In the order of the file.
  public var pairs: [PairConfiguration]
  /// What the reader should mend although it works, a sentence each with the mend.
  public var warnings: [String] = []

  public init(
    file: String?, stateDirectory: String, accounts: [AccountConfiguration],
    pairs: [PairConfiguration]
  ) {
    self.file = file
    self.stateDirectory = stateDirectory
    self.accounts = accounts
    self.pairs = pairs
  }

  /// The account of a name.
  public func account(_ name: String) -> AccountConfiguration? {
    accounts.first { $0.name == name }
  }
}

/// How to reach an account on a CalDAV server, and who one is there.
public struct AccountConfiguration: Sendable {
  /// How the server is told who one is.
  public enum Authentication: String, Sendable, CaseIterable {
    case basic, digest, bearer, oauth2
  }

  public var name: String
  /// Any URL to start discovery from; http or https, without user information.
  public var url: String
  public var username: String?
  public var password: SecretSource?
  /// The token of `bearer`; with `oauth2` the file or keyring where its tokens are kept.
  public var token: SecretSource?
  public var oauth: OAuthConfiguration?
  /// Nil: what the server asks for.
  public var authentication: Authentication?
  /// PEM files, absolute: a certificate of one's own, and its key where it is in another file.
  public var clientCertificate: String?
  public var clientKey: String?
  /// SHA-256 digests of public keys, of which the server's has to be one; none: any.
  public var pinnedKeys: [[UInt8]] = []
  public var proxy = ProxyConfiguration.environment
  /// A PEM file of certificate authorities to trust besides the system's.
  public var authoritiesFile: String?
  /// Where the keys stand that name PEM files, by the paths of these.
  var placesOfFiles: [String: String] = [:]
  public var userAgent: String?
  /// Time to connect, and time without a byte.
  public var timeout: Duration = .seconds(30)
  /// In bytes a second; slower transfers are given up.
  public var minimumRate = 100
  public var maxConnections = 4
  /// Plain http is allowed to more than this machine.
  public var allowsPlainHTTP = false
  /// Servers beside the URL's that may get the password: `host`, `host:port`, `*.domain`; with `!`
  /// before it one that is none of the account's.
  public var trustedHosts: [String] = []

  public init(name: String, url: String) {
    self.name = name
    self.url = url
  }

  /// Where its secrets come from.
  var secrets: [SecretSource] {
    var sources = [password, token, oauth?.clientSecret].compactMap(\.self)
    if case .secret(let source) = proxy { sources.append(source) }
    return sources
  }
}

/// Which way connections to a server go.
public enum ProxyConfiguration: Sendable, Hashable {
  /// As the environment says.
  case environment
  /// Straight to the server, whatever the environment says.
  case none
  /// Through a proxy without a login.
  case url(String)
  /// The same; its URL, which may hold a login, is a secret.
  case secret(SecretSource)
  /// To a Unix socket, absolute, instead of the URL's host and port.
  case unixSocket(String)
}

/// Two sides that are kept the same.
public struct PairConfiguration: Sendable {
  /// Which collections belong to the pair.
  public enum Selection: Sendable, Hashable {
    /// Each collection is a folder below `local`.
    case collections([CollectionRule])
    /// `local` is itself the one collection; the text names its counterpart.
    case calendar(String)
    /// `calendar` where the URL is a calendar, else `collections = ["*"]`.
    case asFound
  }

  public var name: String
  public var local: SideConfiguration
  public var remote: SideConfiguration
  public var selection: Selection = .collections([.include("*")])
  public var policy = ConflictPolicy.merge
  public var direction = SyncDirection.both
  /// The remote side is never written to; local edits are kept and reported.
  public var isReadOnly = false
  /// A person says that it may be written to, whatever its server says of rights.
  public var triesWrites = false
  /// The share of the agreed items, in percent, that a run may delete without being told to.
  public var maxDeletePercent = 25
  /// A run that takes longer ends with status 75.
  public var deadline: Duration = .seconds(3600)
  /// The component kinds that are synced, as `VEVENT`; nil: all.
  public var components: Set<String>?
  /// The span of time of which items come to the local side; nil: all.
  public var window: Window?
  /// What is carried over beside the items.
  public var metadata: [MetadataKey] = [.displayname, .color]
  /// How long replaced versions are kept, and how many of an item.
  public var historyKept = HistoryLimits.kept
  public var historyVersions = HistoryLimits.versions
  /// Each deletion is asked about before it reaches the other side.
  public var confirmsDeletions = false
  /// Whether a server may send mail to attendees because of what is written; nil: it may, once a
  /// person was asked, where there is one, but no deletion asks it to decline an invitation.
  public var invitations: Invitations?
  /// A program and its arguments, run after each run with its report on standard input; nil: none.
  public var afterSync: [String]?
  /// The same for each new conflict.
  public var onConflict: [String]?

  /// Who sends invitations, replies and cancellations of items with attendees.
  public enum Invitations: String, Sendable, CaseIterable {
    case server, never
  }

  /// A span around the present; nil: without an end on that side.
  public struct Window: Sendable, Hashable {
    public var past: Duration?
    public var future: Duration?

    public init(past: Duration?, future: Duration?) {
      self.past = past
      self.future = future
    }
  }

  public init(name: String, local: SideConfiguration, remote: SideConfiguration) {
    self.name = name
    self.local = local
    self.remote = remote
  }
}

/// One side of a pair.
public enum SideConfiguration: Sendable, Hashable {
  /// A directory, absolute.
  case directory(String)
  /// An account, by its name.
  case account(String)
  /// A calendar in one file, absolute.
  case file(String)
  /// A calendar that is only read, by its URL.
  case subscription(String)
}

/// One entry of `collections`.
public enum CollectionRule: Sendable, Hashable {
  /// A name or a glob.
  case include(String)
  /// A name or a glob after `!`.
  case exclude(String)
  /// The local name of a collection, and the remote id, display name or path of its counterpart.
  case map(local: String, remote: String)
}
