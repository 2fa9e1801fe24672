import CurlTransport
import Testing
import WebDAV

@Suite struct ResponseHeadTests {
  private func head(_ lines: [String], maxBytes: Int = 1000, maxLines: Int = 20) -> (
    head: ResponseHead, fault: ResponseHead.Fault?
  ) {
    var head = ResponseHead(maxBytes: maxBytes, maxLines: maxLines)
    for line in lines {
      let fault = Array("\(line)\r\n".utf8).withUnsafeBytes { head.take($0) }
      if let fault { return (head, fault) }
    }
    return (head, nil)
  }

  @Test func `a head is final at its empty line and not before`() {
    #expect(head(["HTTP/1.1 200 OK", "A: b"]).head.final == nil)
    #expect(
      head(["HTTP/1.1 200 OK", "A: b", ""]).head.final
        == HTTPResponseHead(status: 200, headers: [HTTPHeader("A", "b")]))
  }

  @Test func `an interim head is never final`() {
    #expect(head(["HTTP/1.1 100 Continue", ""]).head.final == nil)
  }

  @Test func `a later head replaces the one before`() {
    let lines = ["HTTP/1.1 401 No", "A: 1", "", "HTTP/2 207 ", "B: 2", ""]
    #expect(
      head(lines).head.final == HTTPResponseHead(status: 207, headers: [HTTPHeader("B", "2")]))
  }

  @Test func `a folded line belongs to the header before it`() {
    let lines = ["HTTP/1.1 200 OK", "A: 1", "  2", "\t3", ""]
    #expect(head(lines).head.final?.values(of: "a") == [Array("1 2 3".utf8)])
  }

  @Test func `lines that are no headers are passed over`() {
    let lines = ["HTTP/1.1 200 OK", " folded", "no colon", ": no name", "a b: c", "A: b", ""]
    #expect(head(lines).head.final?.headers == [HTTPHeader("A", "b")])
  }

  @Test func `limits hold over all heads of an exchange`() {
    let lines = ["HTTP/1.1 401 No", "A: 1", "", "HTTP/1.1 200 OK", "B: 2", ""]
    #expect(head(lines, maxLines: 4).fault == nil)
    #expect(head(lines, maxLines: 3).fault == .tooManyLines)
    // 17 + 6 + 2 bytes twice, line ends included.
    #expect(head(lines, maxBytes: 50).fault == nil)
    #expect(head(lines, maxBytes: 49).fault == .tooManyBytes)
  }

  @Test(arguments: [
    ("Digest realm=\"a\"", true), ("digest realm=\"a\"", true), ("Basic realm=\"a\"", false),
    ("Basic realm=\"a\", Digest realm=\"a\"", true), ("Negotiate", false),
    ("Basic realm=\"a\",Digest realm=\"a\"", true), (",Basic realm=\"a\",,  Digest realm=a", true),
    ("Digest\trealm=\"a\"", true), ("Basic realm=\", digest nonce=a\"", false),
  ])
  func `a challenge for Digest is seen among others`(value: String, isSeen: Bool) {
    let lines = ["HTTP/1.1 401 No", "WWW-Authenticate: \(value)", ""]
    #expect(head(lines).head.challengesForDigest == isSeen)
    #expect((head(lines).head.challenges > 0) == isSeen)
  }

  @Test(arguments: [
    ("Digest realm=\"a\", nonce=\"Ab,1\"", String?.some("Ab,1")),
    ("Digest Nonce=ab, realm=\"a\"", "ab"),
    ("Basic realm=\"a\", Digest nonce=\"\"", ""), ("Digest realm=\"a\"", nil),
    ("Basic realm=\"nonce=a\", nonce=b,Digest cnonce=c,nonce = \"d\\\"e\"", "d\"e"),
  ])
  func `the nonce of a challenge is known`(value: String, nonce: String?) {
    let lines = ["HTTP/1.1 401 No", "WWW-Authenticate: \(value)", ""]
    #expect(head(lines).head.nonce == nonce.map { Array($0.utf8) })
  }
}
