extension CurlTransport {
  /// The limits and choices of a transport. Durations count from one millisecond upwards.
  public struct Options: Sendable, Hashable {
    /// How long resolving the name, connecting and the TLS handshake may take together.
    public var connectTimeout: Duration = .seconds(30)
    /// How long a running exchange may go without one byte in either direction.
    ///
    /// Waiting for a free connection does not count, waiting for the server to think does. A line
    /// of a header counts when it is there whole.
    public var silenceTimeout: Duration = .seconds(30)
    /// The fewest bytes a second that may pass, both directions and headers included, on average
    /// over each `minimumRateWindow`; zero for no such limit.
    public var minimumRate = 100
    /// The span over which the rate is taken. Longer than `silenceTimeout`, so that a server may
    /// think as long as that allows before a short answer.
    public var minimumRateWindow: Duration = .seconds(60)
    /// How long one exchange may take in all, from the moment its request goes out.
    public var totalTimeout: Duration = .seconds(3600)
    /// Connections open to one host and port at a time; further requests wait for one.
    public var maxConnectionsPerHost = 4
    /// Bytes of header lines in one exchange, status lines, interim answers and trailers included.
    public var maxHeaderBytes = 64 * 1024
    /// Header lines in one exchange, counted likewise.
    public var maxHeaderCount = 1000
    /// Sent as `User-Agent`.
    public var userAgent = "calgw"
    /// A file of PEM certificates trusted in addition to the system's.
    public var extraCAFile: String?
    /// Shown to servers that ask for one, in requests that may identify.
    public var clientCertificate: ClientCertificate?
    /// SHA-256 digests of public keys (SubjectPublicKeyInfo in DER), 32 bytes each: if there is
    /// one, a server's key has to be among them, besides all other checks.
    public var pinnedKeys: [[UInt8]] = []
    public var proxy = Proxy.environment
    /// A socket to connect to instead of the URL's host and port, which still are what the
    /// request and the certificate's check name.
    public var unixSocketPath: String?

    /// What servers show of themselves is kept for `CurlTransport.certificates`.
    public var keepsCertificates = false

    public init() {}

    /// The way to a server. What plain http has for this machine itself is for no proxy to read.
    func way(to url: RequestURL) -> Proxy { url.isLoopback ? .none : proxy }
  }

  /// Which way connections go; those to this machine itself always go straight.
  public enum Proxy: Sendable, Hashable, CustomStringConvertible {
    /// As `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say.
    case environment
    /// Straight to the server whatever the environment says.
    case none
    /// `http`, `https`, `socks4`, `socks4a`, `socks5` or `socks5h`; may hold the proxy's own
    /// credentials.
    case url(String)

    /// Never shows the URL, which may hold credentials.
    public var description: String {
      switch self {
      case .environment: "environment"
      case .none: "none"
      case .url: "a given proxy"
      }
    }
  }

  /// A certificate of one's own and its key, in PEM files; the key without a passphrase.
  public struct ClientCertificate: Sendable, Hashable {
    /// May hold the certificates between it and its authority, too, and the key.
    public var certificateFile: String
    public var keyFile: String

    /// Where no file of the key is given, it is with the certificate.
    public init(certificateFile: String, keyFile: String? = nil) {
      self.certificateFile = certificateFile
      self.keyFile = keyFile ?? certificateFile
    }
  }
}
