import Testing
import WebDAV

/// PITFALLS E1: each is refused, by its kind, without effect.
@Suite struct HostileXMLTests {
  private func kind(_ body: [UInt8], limits: XMLLimits = XMLLimits()) -> XMLFault.Kind? {
    do {
      _ = try parse(body, pieces: 4096, limits: limits)
      return nil
    } catch { return (error as? XMLFault)?.kind }
  }

  private func kind(_ body: String, limits: XMLLimits = XMLLimits()) -> XMLFault.Kind? {
    kind(Array(body.utf8), limits: limits)
  }

  private func wrap(_ content: String) -> String {
    "<D:multistatus xmlns:D='DAV:'>\(content)</D:multistatus>"
  }

  @Test(arguments: [
    "<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;&a;'>]>",
    "<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>",
    "<!DOCTYPE x [<!ENTITY % p SYSTEM 'http://127.0.0.1:1/p.dtd'> %p;]>",
    "<!DOCTYPE x SYSTEM 'http://127.0.0.1:1/x.dtd'>", "<!DOCTYPE x PUBLIC '-//x' '/etc/passwd'>",
    "<!DOCTYPE x>", "<!DOCTYPE html>",
  ])
  func `a DOCTYPE is refused`(doctype: String) {
    let body =
      doctype + "<D:multistatus xmlns:D='DAV:'><D:sync-token>&a;</D:sync-token>"
      + "</D:multistatus>"
    #expect(kind(body) == .doctype)
  }

  @Test func `an entity that nobody declared is refused`() {
    #expect(kind(wrap("<D:sync-token>&secret;</D:sync-token>")) == .illFormed)
  }

  @Test func `a DOCTYPE without end is refused early`() {
    let endless = "<!DOCTYPE x [" + String(repeating: "<!ENTITY a 'b'>", count: 100_000)
    let fault = kind(endless)
    #expect(fault == .limit || fault == .doctype)
  }

  @Test func `nesting has a limit`() {
    let deep = String(repeating: "<D:x>", count: 100_000)
    #expect(kind("<D:multistatus xmlns:D='DAV:'>" + deep) == .limit)
    let fine = String(repeating: "<D:x>", count: 63) + String(repeating: "</D:x>", count: 63)
    #expect(kind(wrap(fine)) == nil)
  }

  @Test func `attributes have a limit`() {
    let many = (0..<5000).map { "a\($0)=''" }.joined(separator: " ")
    #expect(kind(wrap("<D:x \(many)/>")) == .limit)
    let spaces = (0..<100).map { "xmlns:n\($0)='u:\($0)'" }.joined(separator: " ")
    #expect(kind(wrap("<D:x \(spaces)/>")) == .limit)
  }

  @Test(arguments: [
    "<D:x a='", "<!--", "<", "<D:", "<?pi ", "<D:x ",
  ])
  func `a tag or comment of megabytes has a limit`(start: String) {
    let body = "<D:multistatus xmlns:D='DAV:'>" + start + String(repeating: "x", count: 10 << 20)
    let fault = kind(body)
    #expect(fault == .limit || fault == .illFormed)
  }

  @Test func `a text has a limit`() {
    let long = String(repeating: "x", count: 100_000)
    #expect(kind(wrap("<D:sync-token>\(long)</D:sync-token>")) == .limit)
  }

  @Test func `a document has a limit`() {
    var limits = XMLLimits()
    limits.document = 10_000
    let body = wrap(String(repeating: "<D:x>text</D:x>", count: 1000))
    #expect(kind(body, limits: limits) == .limit)
  }

  @Test func `responses have a limit`() {
    var limits = XMLLimits()
    limits.responses = 1000
    let one = "<D:response><D:href>/a</D:href></D:response>"
    #expect(kind(wrap(String(repeating: one, count: 1000)), limits: limits) == nil)
    #expect(kind(wrap(String(repeating: one, count: 1001)), limits: limits) == .limit)
  }

  @Test func `addresses have a limit, all together`() {
    var limits = XMLLimits()
    limits.addresses = 1000
    let one = "<D:response><D:href>/a234567</D:href><D:href>/b</D:href></D:response>"
    #expect(kind(wrap(String(repeating: one, count: 100)), limits: limits) == nil)
    #expect(kind(wrap(String(repeating: one, count: 101)), limits: limits) == .limit)
  }

  @Test func `only UTF-8 is taken`() {
    let text = wrap("")
    let utf16 = Array(text.utf16)
    let big = utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    let little = utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    #expect(kind([0xFE, 0xFF] + big) == .encoding)
    #expect(kind([0xFF, 0xFE] + little) == .encoding)
    #expect(kind(big) == .encoding)
    #expect(kind(little) == .encoding)
    #expect(kind("+ADw-D:multistatus xmlns:D='DAV:'/>") == .encoding)
    #expect(kind([0x4C, 0x6F, 0xA7, 0x94]) == .encoding)
    #expect(kind([0xEF, 0xBB, 0xBF] + Array(text.utf8)) == nil)
    #expect(kind("\r\n " + text) == nil)
  }

  @Test(arguments: ["UTF-16", "UTF-7", "ISO-8859-1", "windows-1252", "EBCDIC-CP-US", "utf-32"])
  func `another declared encoding is refused`(name: String) {
    let body = "<?xml version=\"1.0\" encoding=\"\(name)\"?>" + wrap("")
    let fault = kind(body)
    #expect(fault == .encoding || fault == .illFormed)
  }

  @Test(arguments: [
    [0x00], [0x01], [0x08], [0x0B], [0x1F], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xFF], [0xC3],
    [0xEF, 0xBF, 0xBE], [0xF4, 0x90, 0x80, 0x80],
  ])
  func `bytes that XML cannot hold are refused`(bytes: [UInt8]) {
    let head = Array("<D:multistatus xmlns:D='DAV:'><D:sync-token>".utf8)
    let tail = Array("</D:sync-token></D:multistatus>".utf8)
    let fault = kind(head + bytes + tail)
    #expect(fault == .illFormed || fault == .encoding)
  }

  @Test(arguments: [
    "&#0;", "&#8;", "&#xD800;", "&#xFFFE;", "&#1114112;", "&#55357;", "&#56832;", "&#55357;x",
    "&#56832;&#55357;", "&#55357;&#55357;", "&#55357;&#65;", "&#55357;&#56832", "&#55357;&amp;",
  ])
  func `a reference to no character is refused`(reference: String) {
    #expect(kind(wrap("<D:sync-token>\(reference)</D:sync-token>")) == .illFormed)
  }

  /// SOGo writes the names of calendars so.
  @Test(arguments: [
    ("&#55357;&#56832; Party", "\u{1F600} Party"), ("a&#xD83D;&#xde00;", "a\u{1F600}"),
    ("&#55348;&#56606;&#00055357;&#56832;&#53;", "\u{1D11E}\u{1F600}5"),
    ("&amp;#55357; &#38;#5 &#233;&#x41;", "&#55357; &#5 \u{E9}A"),
  ])
  func `two halves of a UTF-16 pair are one character, wherever they are cut`(
    reference: String, character: String
  ) throws {
    let body = Array(wrap("<D:sync-token>\(reference)</D:sync-token>").utf8)
    for pieces in 1...body.count {
      #expect(try parse(body, pieces: pieces).syncToken == Array(character.utf8))
    }
  }

  @Test(arguments: [
    "<E:multistatus xmlns:D='DAV:'/>", "<D:multistatus/>", "<multistatus/>",
    "<D:multistatus xmlns:D='DAV:'><x:y/></D:multistatus>",
    "<D:multistatus xmlns:D='DAV:'></D:multistatus><D:multistatus xmlns:D='DAV:'/>",
    "<D:multistatus xmlns:D='DAV:'></D:other>", "<D:multistatus xmlns:D='DAV:'></D:multistatus>x",
    "<D:multistatus xmlns:D='DAV:'><a></b></D:multistatus>", "<html><body/></html>", "", "   ",
    "<D:multistatus xmlns:D='dav:'/>", "{\"error\":1}", "<D:error xmlns:D='DAV:'/>",
  ])
  func `what is no multistatus is refused`(body: String) {
    #expect(kind(body) != nil)
  }

  /// Servers in PHP send a line break that one of their files begins or ends with.
  @Test(arguments: ["\n", "\r\n\t ", String(repeating: "\n", count: 512)])
  func `blanks before the XML declaration are passed over, wherever they are cut`(
    blanks: String
  ) throws {
    let document = "<?xml version='1.0' encoding='utf-8'?>" + wrap("<D:sync-token>t</D:sync-token>")
    let body = Array((blanks + document).utf8)
    for pieces in [1, 7, body.count] {
      #expect(try parse(body, pieces: pieces).syncToken == Array("t".utf8))
    }
  }

  @Test(arguments: [String(repeating: "\n", count: 513), "<!-- a comment -->"])
  func `what else stands before the XML declaration is named`(opening: String) throws {
    let body = opening + "<?xml version='1.0'?>" + wrap("")
    let fault = try #require(throws: XMLFault.self) { _ = try parse(body) }
    #expect(fault.kind == .illFormed)
    #expect(fault.message.contains("something stands before <?xml"), "\(fault.message)")
  }

  @Test func `a namespace under another prefix, or as the default, is the same`() throws {
    for body in [
      "<multistatus xmlns='DAV:'><sync-token>t</sync-token></multistatus>",
      "<x:multistatus xmlns:x='DAV:'><y:sync-token xmlns:y='DAV:'>t</y:sync-token></x:multistatus>",
    ] {
      #expect(try parse(body).syncToken == Array("t".utf8))
    }
  }
}
