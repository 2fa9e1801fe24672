/// A TLS server on 127.0.0.1 that speaks HTTP/2 (RFC 9113) and gives every request status 204.
///
/// Every request but one in eight is answered at once; those wait for the next, so that answers
/// come in another order than the requests.
public final class HTTP2Server: Sendable {
  public let port: UInt16
  private let program: Program

  /// The server is a few lines of Python, since nothing in Debian's base does this.
  public static let canRun = ImpatientTLSServer.canRun

  private static let source = """
    import socket, ssl, struct, sys, threading
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    context.set_alpn_protocols(["h2"])
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)

    def frame(kind, flags, stream, payload=b""):
        length = struct.pack(">I", len(payload))[1:]
        return length + struct.pack(">BBI", kind, flags, stream) + payload

    def serve(session):
        stream = session.makefile("rwb")
        stream.read(24)  # the client's preface
        stream.write(frame(4, 0, 0))
        held, seen = [], 0
        while len(head := stream.read(9)) == 9:
            kind, flags, identifier = struct.unpack(">BBI", head[3:])
            stream.read(int.from_bytes(head[:3], "big"))
            if kind == 4 and not flags & 1:
                stream.write(frame(4, 1, 0))
            if kind in (0, 1) and flags & 1:
                seen += 1
                held.append(identifier)
                if seen % 8 != 1:
                    for each in reversed(held):
                        stream.write(frame(1, 5, each, bytes([0x89])))  # :status 204
                    held = []
            stream.flush()

    number = 0
    while True:
        try:
            session = context.wrap_socket(listener.accept()[0], server_side=True)
        except OSError:
            continue
        number += 1
        print("connection", number, flush=True)
        threading.Thread(target=serve, args=(session,), daemon=True).start()
    """

  public init(_ identity: TestCertificates.Identity) throws(LoopbackError) {
    program = try Program(["python3", "-c", Self.source, identity.certificate, identity.key])
    guard let line = program.readLine(), let port = UInt16(line) else {
      throw LoopbackError(text: "the HTTP/2 server did not start")
    }
    self.port = port
  }

  /// Ends the server and gives the connections it had.
  public func stopAndCountConnections() -> Int {
    program.stop()
    var count = 0
    while program.readLine() != nil { count += 1 }
    return count
  }
}
