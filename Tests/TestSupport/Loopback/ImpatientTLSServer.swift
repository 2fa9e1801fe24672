/// A TLS server on 127.0.0.1 that answers one request a connection with status 204, keeps the
/// connection as HTTP/1.1 does, and then ends it in an orderly way as servers do with idle ones.
public final class ImpatientTLSServer: Sendable {
  public let port: UInt16
  private let program: Program

  /// The server is a few lines of Python, since `openssl s_server` cannot end a session first.
  public static let canRun = (try? Program(["python3", "-c", "import ssl"]))?.wait() == 0

  private static let source = """
    import socket, ssl, sys
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    kept = []
    while True:
        session = context.wrap_socket(listener.accept()[0], server_side=True)
        session.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        request = b""
        while b"\\r\\n\\r\\n" not in request:
            request += session.recv(65536)
        session.sendall(b"HTTP/1.1 204 No Content\\r\\n\\r\\n")
        sys.stdin.readline()
        session.setblocking(False)
        try:
            session.unwrap()
        except ssl.SSLWantReadError:
            pass
        kept.append(session)
        print("ended", flush=True)
    """

  public init(_ identity: TestCertificates.Identity) throws(LoopbackError) {
    program = try Program(["python3", "-c", Self.source, identity.certificate, identity.key])
    guard let line = program.readLine(), let port = UInt16(line) else {
      throw LoopbackError(text: "the TLS server did not start")
    }
    self.port = port
  }

  /// Ends the idle connection's TLS session and returns when the client's socket has that.
  public func endConnection() {
    program.write([0x0A])
    _ = program.readLine()
  }

  public func stop() { program.stop() }
}
