/// A TLS server on 127.0.0.1 that speaks HTTP/2 (RFC 9113) and gives every request status 204.
///
/// Every request but one in eight is answered at once; those wait for the next, so that answers
/// come in another order than the requests. Over HTTP/1.1, which it offers second, it answers each
/// request at once.
public final class HTTP2Server: Sendable {
  /// What becomes of each request over HTTP/2, and of none over HTTP/1.1.
  public enum Trouble: String, Sendable, CaseIterable {
    /// Its stream ends with an error before the answer.
    case resets
    /// It ends so within the body of the answer.
    case cuts
    /// Its connection ends, the first one once there are two requests on it.
    case ends
    /// Its stream is refused, and so not processed (RFC 9113 §8.7).
    case refuses
    /// Its stream ends with the error that asks for HTTP/1.1 (HTTP_1_1_REQUIRED).
    case demotes
    /// Its connection ends with an error (GOAWAY), and the request was not processed.
    case leaves
    /// It ends without one (NO_ERROR), and the request was not processed.
    case dismisses
    /// What comes is no frame.
    case babbles
  }

  public let port: UInt16
  private let program: Program

  /// The server is a few lines of Python, since nothing in Debian's base does this.
  public static let canRun = ImpatientTLSServer.canRun

  private static let source = """
    import socket, ssl, struct, sys, threading
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    context.set_alpn_protocols(["h2", "http/1.1"])
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)

    def frame(kind, flags, stream, payload=b""):
        length = struct.pack(">I", len(payload))[1:]
        return length + struct.pack(">BBI", kind, flags, stream) + payload

    def end(session):
        session.setblocking(False)
        try:
            session.unwrap()
        except OSError:
            pass
        session.shutdown(socket.SHUT_WR)
        kept.append(session)  # a reset would overtake the end

    errors = {"resets": 2, "cuts": 2, "refuses": 7, "demotes": 13}
    farewells = {"leaves": 1, "dismisses": 0}

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
            if kind in (0, 1) and flags & 1 and sys.argv[3] == "ends":
                held.append(identifier)
                if len(held) > 1 or number > 1:
                    return end(session)
            elif kind in (0, 1) and flags & 1 and sys.argv[3] in farewells:
                stream.write(frame(7, 0, 0, struct.pack(">II", 0, farewells[sys.argv[3]])))
                stream.flush()
                return end(session)
            elif kind in (0, 1) and flags & 1 and sys.argv[3] == "babbles":
                stream.write(bytes([255]) * 60)
            elif kind in (0, 1) and flags & 1 and sys.argv[3]:
                if sys.argv[3] == "cuts":
                    stream.write(frame(1, 4, identifier, bytes([0x88])))  # :status 200
                    stream.write(frame(0, 0, identifier, b"half"))
                stream.write(frame(3, 0, identifier, struct.pack(">I", errors[sys.argv[3]])))
            elif kind in (0, 1) and flags & 1:
                seen += 1
                held.append(identifier)
                if seen % 8 != 1:
                    for each in reversed(held):
                        stream.write(frame(1, 5, each, bytes([0x89])))  # :status 204
                    held = []
            stream.flush()

    def serve_old(session):
        stream = session.makefile("rwb")
        while stream.readline():
            length = 0
            while line := stream.readline().strip():
                name, value = line.split(b":", 1)
                if name.lower() == b"content-length":
                    length = int(value)
            stream.read(length)
            stream.write(b"HTTP/1.1 204 No Content\\r\\n\\r\\n")
            stream.flush()

    number, kept = 0, []
    while True:
        try:
            session = context.wrap_socket(listener.accept()[0], server_side=True)
        except OSError:
            continue
        number += 1
        print("connection", number, flush=True)
        act = serve if session.selected_alpn_protocol() == "h2" else serve_old
        threading.Thread(target=act, args=(session,), daemon=True).start()
    """

  public init(
    _ identity: TestCertificates.Identity, trouble: Trouble? = nil
  ) throws(LoopbackError) {
    program = try Program([
      "python3", "-c", Self.source, identity.certificate, identity.key, trouble?.rawValue ?? "",
    ])
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
