import Foundation
import Glibc
import TestSupport
import Testing

/// A TLS server on 127.0.0.1 that lets in who has a certificate of the authority, or everybody, and
/// hands on what he asks to another server.
final class GuardedTLSServer: Sendable {
  let port: UInt16
  private let program: RunningProgram
  /// Kept, since it ends with its last owner.
  private let server: ScriptedServer

  /// A few lines of Python, since `openssl s_server` cannot hand anything on.
  private static let source = """
    import contextlib, socket, ssl, sys, threading
    port, certificate, key, authority, version, *needed = sys.argv[1:]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.load_verify_locations(authority)
    context.verify_mode = ssl.CERT_REQUIRED if needed else ssl.CERT_NONE
    context.maximum_version = ssl.TLSVersion[version]
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)

    def message(stream):
        head, length = b"", 0
        while line := stream.readline():
            head += line
            if line.lower().startswith(b"content-length:"):
                length = int(line[15:])
            if not line.strip():
                return head + stream.read(length)

    def serve(session):
        try:
            session.do_handshake()
        except OSError:
            # With bytes unread, an end would be a reset, and that may overtake the alert.
            with contextlib.suppress(OSError):
                session.shutdown(socket.SHUT_WR)
                while session.recv(65536):
                    pass
            return session.close()
        model = socket.create_connection(("127.0.0.1", int(port))).makefile("rwb")
        client = session.makefile("rwb")
        with contextlib.suppress(OSError):
            while request := message(client):
                model.write(request)
                model.flush()
                client.write(message(model))
                client.flush()

    while True:
        session = context.wrap_socket(
            listener.accept()[0], server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=serve, args=(session,), daemon=True).start()
    """

  /// - Parameters:
  ///   - version: the newest of TLS that it speaks, as Python calls it.
  ///   - identity: what it shows of itself; nil: the valid one.
  init(
    _ certificates: TestCertificates, version: String, asksForCertificate: Bool = true,
    showing identity: TestCertificates.Identity? = nil, before server: ScriptedServer
  ) throws {
    self.server = server
    let needed = asksForCertificate ? ["needed"] : []
    let identity = identity ?? certificates.valid
    program = try RunningProgram(
      [
        "/usr/bin/env", "python3", "-c", Self.source, "\(server.port)", identity.certificate,
        identity.key, certificates.authority, version,
      ] + needed, environment: ProcessInfo.processInfo.environment, directory: "/")
    port = try #require(program.readLine().flatMap { UInt16($0) })
  }

  deinit {
    program.send(SIGKILL)
    _ = program.finish()
  }
}
