import CCurl
import Glibc
import WebDAV

/// One of libcurl's transfer handles with the options that never change already set.
///
/// It is used by the event loop's thread only, for one transfer after the other. It is never
/// reset: what differs between transfers is set each time, and libcurl keeps the nonce of a digest
/// challenge in it.
final class EasyHandle {
  let pointer: UnsafeMutableRawPointer
  /// Of the challenge that the server was content with the answer to: the next request can bring
  /// its own answer.
  var nonce: [UInt8]?
  /// libcurl has a challenge for Digest to answer, and so signs what it sends.
  var holdsChallenge = false
  private let errorText: UnsafeMutablePointer<CChar>
  private let trust: TrustStore?
  private let connections: Connections
  private let options: CurlTransport.Options

  /// Nil if libcurl is out of memory or lacks a feature this relies on.
  init?(options: CurlTransport.Options, trust: TrustStore?, connections: Connections) {
    guard let pointer = curl_easy_init() else { return nil }
    self.pointer = pointer
    self.options = options
    self.trust = trust
    self.connections = connections
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    guard setFixedOptions() else { return nil }
  }

  deinit {
    curl_easy_cleanup(pointer)
    errorText.deallocate()
  }

  /// Sets everything that belongs to one transfer; false if libcurl does not take it.
  ///
  /// - Parameter offersHTTP2: to a server of TLS.
  func prepare(for transfer: Transfer, offersHTTP2: Bool) -> Bool {
    errorText[0] = 0
    var settings = Settings(pointer)
    let request = transfer.request
    // Puts back "no body" and "upload", whatever the transfer before was.
    settings.set(CURLOPT_HTTPGET, 1)
    if request.isHead {
      settings.set(CURLOPT_NOBODY, 1)
    } else if request.sendsLength {
      settings.set(CURLOPT_UPLOAD, 1)
      settings.set(CURLOPT_INFILESIZE_LARGE, offset: request.body.count)
    }
    settings.set(CURLOPT_CUSTOMREQUEST, request.isHead ? nil : request.method)
    settings.set(CURLOPT_URL, request.url.text)
    let multiplexes = request.url.isSecure && offersHTTP2
    settings.set(
      CURLOPT_HTTP_VERSION, multiplexes ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
    // Rather share the first connection than open another, if it turns out to be HTTP/2.
    settings.set(CURLOPT_PIPEWAIT, multiplexes && !request.wantsNewConnection ? 1 : 0)
    settings.set(CURLOPT_FRESH_CONNECT, request.wantsNewConnection ? 1 : 0)
    let digest = transfer.round == .final ? request.digest : nil
    settings.set(CURLOPT_HTTPAUTH, digest == nil ? ccurl_auth_none : ccurl_auth_digest)
    settings.set(CURLOPT_HTTP_CONTENT_DECODING, transfer.leavesBodyPacked ? 0 : 1)
    settings.set(CURLOPT_USERNAME, bytes: digest?.username)
    settings.set(CURLOPT_PASSWORD, bytes: digest?.password)
    settings.set(CURLOPT_VERBOSE, transfer.watchesHandshake || multiplexes ? 1 : 0)
    setIdentity(&settings, isShown: request.mayIdentify)
    setProxy(&settings, for: request.url)
    if transfer.headerList == nil { transfer.headerList = Self.list(request.headerLines) }
    settings.check(transfer.headerList != nil)
    settings.check(
      ccurl_set_list(pointer, CURLOPT_HTTPHEADER, transfer.headerList) == CURLE_OK)
    settings.check(
      ccurl_set_context(pointer, Unmanaged.passUnretained(transfer).toOpaque()) == CURLE_OK)
    return settings.allTaken
  }

  func isStale(_ ends: Connections.Ends) -> Bool { connections.isStale(ends) }

  /// Remembers that the connection last used was left as HTTP/1 leaves it.
  func noteAnswer() {
    if isMultiplexed { return }
    let local = UInt16(truncatingIfNeeded: number(CURLINFO_LOCAL_PORT))
    let remote = UInt16(truncatingIfNeeded: number(CURLINFO_PRIMARY_PORT))
    connections.answered(Connections.Ends(local: local, remote: remote))
  }

  /// Lets go of what belongs to the transfer.
  func release() {
    ccurl_set_list(pointer, CURLOPT_HTTPHEADER, nil)
    ccurl_set_context(pointer, nil)
  }

  // MARK: What libcurl knows of the transfer

  /// What libcurl said about a failure, of printable ASCII and of at most 200 characters, since
  /// parts of it may come from the server.
  var failureText: String {
    let bytes = UnsafeRawBufferPointer(start: errorText, count: Int(CURL_ERROR_SIZE))
    let safe = bytes.prefix { $0 != 0 }.prefix(200).map { (0x20...0x7E).contains($0) ? $0 : 0x3F }
    return String(decoding: safe, as: UTF8.self)
  }

  /// Bytes of the heads of all requests of this transfer that were sent.
  var requestBytes: Int64 { number(CURLINFO_REQUEST_SIZE) }
  var sentBytes: Int64 { requestBytes &+ offset(CURLINFO_SIZE_UPLOAD_T) }
  var receivedBytes: Int64 { number(CURLINFO_HEADER_SIZE) &+ offset(CURLINFO_SIZE_DOWNLOAD_T) }
  var movedBytes: Int64 { sentBytes &+ receivedBytes }
  /// The `errno` of a connection that could not be made; zero if there is none.
  var systemError: Int32 { Int32(truncatingIfNeeded: number(CURLINFO_OS_ERRNO)) }
  /// The status a proxy gave to the request for a tunnel; zero without one.
  var tunnelStatus: Int64 { number(CURLINFO_HTTP_CONNECTCODE) }
  /// What a proxy of SOCKS answered, or could not be asked.
  var proxyTrouble: CURLproxycode {
    CURLproxycode(rawValue: UInt32(truncatingIfNeeded: number(CURLINFO_PROXY_ERROR)))
  }
  /// The certificate of a proxy was looked at, and found wanting.
  var distrustsProxy: Bool { number(CURLINFO_PROXY_SSL_VERIFYRESULT) != 0 }
  var nameWasResolved: Bool { offset(CURLINFO_NAMELOOKUP_TIME_T) > 0 }
  /// The request went out on a connection that was made for it.
  var madeConnection: Bool { number(CURLINFO_NUM_CONNECTS) > 0 }
  /// libcurl before 8 tells the time of a connection only once the handshake of TLS is done.
  var wasConnected: Bool {
    offset(CURLINFO_CONNECT_TIME_T) > 0 || number(CURLINFO_LOCAL_PORT) > 0
  }

  /// The chain that the server showed, in PEM; empty where the connection was not new.
  var certificates: [[UInt8]] {
    guard let chain = ccurl_get_certificates(pointer)?.pointee, let lists = chain.certinfo else {
      return []
    }
    let label = Array("Cert:".utf8)
    return (0..<Int(chain.num_of_certs)).compactMap { index in
      var line = lists[index]
      while let entry = line {
        if let text = entry.pointee.data {
          let bytes = UnsafeRawBufferPointer(start: text, count: strlen(text))
          if bytes.starts(with: label) { return Array(bytes.dropFirst(label.count)) }
        }
        line = entry.pointee.next
      }
      return nil
    }
  }

  /// The answer came over HTTP/2.
  var isMultiplexed: Bool { number(CURLINFO_HTTP_VERSION) > Int64(CURL_HTTP_VERSION_1_1) }

  private func number(_ info: CURLINFO) -> Int64 {
    var value = 0
    return ccurl_get_long(pointer, info, &value) == CURLE_OK ? Int64(value) : 0
  }

  private func offset(_ info: CURLINFO) -> Int64 {
    var value: curl_off_t = 0
    return ccurl_get_offset(pointer, info, &value) == CURLE_OK ? Int64(value) : 0
  }

  private static func list(_ lines: [[UInt8]]) -> UnsafeMutablePointer<curl_slist>? {
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines {
      let longer = line.withUnsafeBytes {
        curl_slist_append(list, $0.bindMemory(to: CChar.self).baseAddress)
      }
      guard let longer else {
        curl_slist_free_all(list)
        return nil
      }
      list = longer
    }
    return list
  }
}

// MARK: The options of every transfer

extension EasyHandle {
  private func setFixedOptions() -> Bool {
    var settings = Settings(pointer)
    settings.check(ccurl_set_buffer(pointer, CURLOPT_ERRORBUFFER, errorText) == CURLE_OK)
    settings.check(
      ccurl_set_callbacks(
        pointer, Callbacks.header, Callbacks.body, Callbacks.upload, Callbacks.rewind,
        Callbacks.prerequest, Callbacks.trace) == CURLE_OK)
    settings.check(
      ccurl_set_socket_callbacks(
        pointer, Connections.onOpen, Connections.onClose,
        Unmanaged.passUnretained(connections).toOpaque()) == CURLE_OK)
    // Signals belong to the process, not to a library; a slow resolver's thread is left behind
    // rather than waited for, which would stop every other transfer.
    settings.set(CURLOPT_NOSIGNAL, 1)
    settings.set(CURLOPT_QUICK_EXIT, 1)
    settings.set(CURLOPT_PROTOCOLS_STR, "http,https")
    settings.set(CURLOPT_FOLLOWLOCATION, 0)
    // Nothing from another place and nothing kept for another account; cookies and alternative
    // services are off as long as nobody turns them on.
    settings.set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    settings.set(CURLOPT_HSTS_CTRL, 0)
    settings.set(CURLOPT_HTTP09_ALLOWED, 0)
    settings.set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    // Hrefs are opaque: dots in a path go out as they came.
    settings.set(CURLOPT_PATH_AS_IS, 1)
    settings.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    settings.set(CURLOPT_CONNECTTIMEOUT_MS, Int(options.connectTimeout.clampedMilliseconds))
    // Undone whether it was asked for or not; a header of the request's own says "identity".
    settings.set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
    settings.set(CURLOPT_USERAGENT, options.userAgent)
    settings.set(CURLOPT_UNIX_SOCKET_PATH, options.unixSocketPath)
    settings.set(CURLOPT_CERTINFO, options.keepsCertificates ? 1 : 0)
    setTrust(&settings)
    settings.set(CURLOPT_PROXYAUTH, ccurl_auth_basic)
    return settings.allTaken
  }

  /// There is no option to check less than this.
  private func setTrust(_ settings: inout Settings) {
    settings.set(CURLOPT_SSL_VERIFYPEER, 1)
    settings.set(CURLOPT_SSL_VERIFYHOST, 2)
    settings.set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    settings.set(CURLOPT_PROXY_SSL_VERIFYPEER, 1)
    settings.set(CURLOPT_PROXY_SSL_VERIFYHOST, 2)
    settings.set(CURLOPT_PROXY_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    if !options.pinnedKeys.isEmpty {
      let pins = options.pinnedKeys.map { Array("sha256//".utf8) + base64($0) }
      settings.set(CURLOPT_PINNEDPUBLICKEY, bytes: Array(pins.joined(separator: [0x3B])))
    }
    guard let bytes = trust?.bytes else { return }
    for option in [CURLOPT_CAINFO_BLOB, CURLOPT_PROXY_CAINFO_BLOB] {
      settings.check(
        ccurl_set_blob(pointer, option, bytes.baseAddress, bytes.count) == CURLE_OK)
    }
  }

  /// libcurl takes no connection with another certificate for the same.
  private func setIdentity(_ settings: inout Settings, isShown: Bool) {
    guard let identity = options.clientCertificate else { return }
    settings.set(CURLOPT_SSLCERT, isShown ? identity.certificateFile : nil)
    settings.set(CURLOPT_SSLKEY, isShown ? identity.keyFile : nil)
    // Without a passphrase OpenSSL would ask for one on the terminal.
    settings.set(CURLOPT_KEYPASSWD, isShown ? "" : nil)
  }

  private func setProxy(_ settings: inout Settings, for url: RequestURL) {
    switch options.way(to: url) {
    case .environment: settings.set(CURLOPT_PROXY, String?.none)
    // The empty text is libcurl's word for "not even the environment's".
    case .none: settings.set(CURLOPT_PROXY, "")
    case .url(let url):
      settings.set(CURLOPT_PROXY, url)
      // The no_proxy of the environment goes with the proxies of the environment.
      settings.set(CURLOPT_NOPROXY, "")
    }
  }

  /// Sets options one by one and remembers whether all were taken.
  private struct Settings {
    private let pointer: UnsafeMutableRawPointer
    private(set) var allTaken = true

    init(_ pointer: UnsafeMutableRawPointer) { self.pointer = pointer }

    mutating func check(_ taken: Bool) { if !taken { allTaken = false } }

    mutating func set(_ option: CURLoption, _ value: Int) {
      check(ccurl_set_long(pointer, option, value) == CURLE_OK)
    }

    mutating func set(_ option: CURLoption, offset: Int) {
      check(ccurl_set_offset(pointer, option, curl_off_t(offset)) == CURLE_OK)
    }

    mutating func set(_ option: CURLoption, _ value: String?) {
      set(option, bytes: value.map { Array($0.utf8) })
    }

    /// A NUL would cut the text short, so it is not taken.
    mutating func set(_ option: CURLoption, bytes: [UInt8]?) {
      guard let bytes else { return check(ccurl_set_string(pointer, option, nil) == CURLE_OK) }
      check(!bytes.contains(0))
      let code = (bytes + [0]).withUnsafeBytes {
        ccurl_set_string(pointer, option, $0.bindMemory(to: CChar.self).baseAddress)
      }
      check(code == CURLE_OK)
    }
  }
}
