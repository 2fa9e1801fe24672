/// A server of TLS 1.3 on 127.0.0.1 that ends each connection after the handshake, without a word.
public final class AbruptTLSServer: Sendable {
  public let port: UInt16
  private let program: Program

  /// The server is a few lines of Python, since `openssl s_server` answers, or sends an alert.
  public static let canRun = ImpatientTLSServer.canRun

  private static let source = """
    import socket, ssl, struct, sys
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    if sys.argv[3]:
        context.verify_mode = ssl.CERT_OPTIONAL
        context.load_verify_locations(sys.argv[3])
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    while True:
        session = context.wrap_socket(listener.accept()[0], server_side=True)
        # With a reset: what is on its way to the client may be lost.
        session.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        socket.socket(fileno=session.detach()).close()
    """

  /// - Parameter asking: the file of the authority whose certificates clients may show; nil: they
  ///   are asked for none.
  public init(
    _ identity: TestCertificates.Identity, asking authority: String?
  ) throws(LoopbackError) {
    program = try Program([
      "python3", "-c", Self.source, identity.certificate, identity.key, authority ?? "",
    ])
    guard let line = program.readLine(), let port = UInt16(line) else {
      throw LoopbackError(text: "the TLS server did not start")
    }
    self.port = port
  }

  public func stop() { program.stop() }
}
