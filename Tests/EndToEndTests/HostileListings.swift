import TestSupport

/// Listings that mean harm (PITFALLS E1 and E3, by number).
extension HostileServerTests.Attack {
  static let listings: [Self] = documents + sizes + withoutEnd + redirects + answers

  private static func multistatus(_ body: [UInt8]) -> [ServerStep] {
    [.answer(207, headers: ["Content-Type": "application/xml; charset=utf-8"], body: body)]
  }

  private static func multistatus(_ body: String) -> [ServerStep] { multistatus(Array(body.utf8)) }

  private static func wrapped(_ content: String) -> [ServerStep] {
    multistatus("<D:multistatus xmlns:D='DAV:'>\(content)</D:multistatus>")
  }

  private static let response =
    "<D:response><D:href>/calendars/alice/bad/x.ics</D:href><D:propstat><D:prop><D:getetag>"
    + "\"1\"</D:getetag></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"

  /// Without a length, the same again and again.
  private static func endless(_ beginning: String, _ piece: String) -> [ServerStep] {
    endless(
      head: "207 Multi-Status\r\nContent-Type: application/xml\r\n\r\n" + beginning, piece)
  }

  /// What follows `HTTP/1.1 `, and then the same again and again.
  static func endless(head: String, _ piece: String) -> [ServerStep] {
    // A piece of about 64 KiB, so that sending costs little.
    let repeated = String(repeating: piece, count: max(1, (64 << 10) / max(1, piece.utf8.count)))
    return [.send("HTTP/1.1 " + head), .sendForever(Array(repeated.utf8))]
  }

  private static let documents: [Self] = [
    Self("E1.1 entities of entities") { _, _ in
      let entities = (1...9).map {
        "<!ENTITY e\($0) '\(String(repeating: "&e\($0 - 1);", count: 10))'>"
      }
      return multistatus(
        "<!DOCTYPE x [<!ENTITY e0 'lol'>\(entities.joined())]>"
          + "<D:multistatus xmlns:D='DAV:'>&e9;</D:multistatus>")
    },
    Self("E1.1 one long entity, many times") { _, _ in
      let long = String(repeating: "x", count: 100_000)
      let uses = String(repeating: "&e;", count: 10_000)
      return multistatus(
        "<!DOCTYPE x [<!ENTITY e '\(long)'>]><D:multistatus xmlns:D='DAV:'>\(uses)"
          + "</D:multistatus>")
    },
    Self("E1.2 an entity from a file and one from a server") { _, spy in
      multistatus(
        "<!DOCTYPE x [<!ENTITY f SYSTEM 'file:///etc/passwd'><!ENTITY u SYSTEM '\(spy.url)'>]>"
          + "<D:multistatus xmlns:D='DAV:'>&f;&u;</D:multistatus>")
    },
    Self("E1.2 a parameter entity from a server") { _, spy in
      multistatus(
        "<!DOCTYPE x [<!ENTITY % p SYSTEM '\(spy.url)p.dtd'> %p;]>"
          + "<D:multistatus xmlns:D='DAV:'/>")
    },
    Self("E1.2 declarations from a server") { _, spy in
      multistatus("<!DOCTYPE x SYSTEM '\(spy.url)x.dtd'><D:multistatus xmlns:D='DAV:'/>")
    },
    Self("E1.2 declarations from a server, by a public name") { _, spy in
      multistatus(
        "<!DOCTYPE x PUBLIC '-//x//y//EN' '\(spy.url)x.dtd'><D:multistatus xmlns:D='DAV:'/>")
    },
    Self("E1.3 elements within elements") { _, _ in
      wrapped(String(repeating: "<D:x>", count: 100_000))
    },
    Self("E1.3 a million attributes") { _, _ in
      wrapped("<D:x " + (0..<1_000_000).map { "a\($0)=''" }.joined(separator: " ") + "/>")
    },
    Self("E1.3 an attribute of 10 MB") { _, _ in
      wrapped("<D:x a='" + String(repeating: "x", count: 10_000_000) + "'/>")
    },
    Self("E1.4 UTF-16") { _, _ in
      multistatus([0xFF, 0xFE] + "<D:multistatus xmlns:D='DAV:'/>".utf8.flatMap { [$0, 0] })
    },
    Self("E1.4 another declared encoding") { _, _ in
      multistatus("<?xml version='1.0' encoding='UTF-7'?><D:multistatus xmlns:D='DAV:'/>")
    },
    Self("E1.4 NUL") { _, _ in wrapped("<D:x>\u{0}</D:x>") },
    Self("E1.4 half of a pair of UTF-16") { _, _ in
      wrapped("<D:sync-token>&#xD800;</D:sync-token>")
    },
    Self("E1.4 half of a pair of UTF-16, in UTF-8") { _, _ in
      let (before, after) = ("<D:multistatus xmlns:D='DAV:'><D:sync-token>", "</D:sync-token>")
      return multistatus(
        Array(before.utf8) + [0xED, 0xA0, 0x80] + Array("\(after)</D:multistatus>".utf8))
    },
    Self("E1.5 another default namespace") { _, _ in
      multistatus("<multistatus xmlns='urn:evil'/>")
    },
    Self("E1.5 markup within an address", [1]) { _, _ in
      let more = "<![CDATA[</D:href><D:href>/calendars/alice/bad/y.ics]]>"
      return wrapped(response.replacing("/x.ics", with: "/x.ics\(more)"))
    },
    Self("E1.5 an unknown prefix") { _, _ in multistatus("<Q:multistatus><Q:response/>") },
    Self("E1.5 two roots") { _, _ in
      multistatus("<D:multistatus xmlns:D='DAV:'/><D:multistatus xmlns:D='DAV:'/>")
    },
  ]

  private static let many = (0...100_000).map {
    response.replacing("/x.ics", with: "/\($0).ics")
  }.joined()

  /// So many items at addresses so long.
  private static func addressed(_ count: Int, bytes: Int) -> String {
    let path = String(repeating: "x", count: bytes)
    return (0..<count).map { response.replacing("/x.ics", with: "/\($0)\(path).ics") }.joined()
  }

  private static let sizes: [Self] = [
    Self("E1.3 responses without end") { _, _ in
      endless("<D:multistatus xmlns:D='DAV:'>", response)
    },
    Self("E1.3 more resources than memory is given to") { _, _ in wrapped(many) },
    Self("E3.25 addresses of 4 kB") { _, _ in wrapped(addressed(15_000, bytes: 4_000)) },
    Self("E3.25 addresses of 60 kB", [1]) { _, _ in wrapped(addressed(1_000, bytes: 60_000)) },
    Self("E3.25 blanks without end") { _, _ in
      endless("<D:multistatus xmlns:D='DAV:'>", "    \n")
    },
    Self("E3.25 a tag without end") { _, _ in
      endless("<D:multistatus xmlns:D='DAV:' ", "x")
    },
    Self("E3.25 100,000 headers") { _, _ in
      let headers = (0..<100_000).map { "X-\($0): y\r\n" }.joined()
      return [.send("HTTP/1.1 207 Multi-Status\r\n\(headers)\r\n")]
    },
    Self("E3.25 a header of 1 MB") { _, _ in
      [
        .send(
          "HTTP/1.1 207 X\r\nX: " + String(repeating: "y", count: 1_000_000) + "\r\n\r\n")
      ]
    },
    Self("E3.25 a body that swells as it is unpacked") { _, _ in
      let head = "HTTP/1.1 207 X\r\nContent-Type: application/xml\r\nContent-Encoding: gzip\r\n\r\n"
      return [.send(Array(head.utf8) + CompressionBomb.head), .sendForever(CompressionBomb.zeros)]
    },
    Self("a compressed body that ends too early") { _, _ in
      let text = "<D:multistatus xmlns:D='DAV:'>\(response)</D:multistatus>"
      let bytes = text.utf8.count - "</D:multistatus>".utf8.count
      return [
        .answer(
          207, headers: ["Content-Type": "application/xml", "Content-Encoding": "gzip"],
          body: CutGzip.beginning(of: text, bytes: bytes))
      ]
    },
    Self("E3.25 a compressed body with nothing in it") { _, _ in
      [
        .answer(
          207, headers: ["Content-Type": "application/xml", "Content-Encoding": "gzip"],
          body: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0])
      ]
    },
  ]

  /// What has no end, wherever it stands.
  private static let withoutEnd: [Self] = [
    Self("E1.1 a DOCTYPE") { _, _ in endless("<!DOCTYPE x [", "<!ENTITY a 'b'>") },
    Self("E1.3 a text") { _, _ in
      endless("<D:multistatus xmlns:D='DAV:'><D:sync-token>", "x")
    },
    Self("E1.3 a comment") { _, _ in endless("<D:multistatus xmlns:D='DAV:'><!--", "x") },
    Self("E1.5 CDATA") { _, _ in
      endless("<D:multistatus xmlns:D='DAV:'><D:x><![CDATA[", "x")
    },
    Self("E3.25 a status line") { _, _ in endless(head: "207 ", "y") },
    Self("E3.25 a header") { _, _ in endless(head: "207 X\r\nX: ", "y") },
    Self("E3.25 interim answers") { _, _ in
      endless(head: "103 X\r\nLink: </x>\r\n\r\n", "HTTP/1.1 103 X\r\nLink: </x>\r\n\r\n")
    },
    Self("E3.25 trailers") { _, _ in
      endless(head: "207 X\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "X-A: b\r\n")
    },
    Self("E3.25 the page of a failure") { _, _ in
      endless(head: "500 X\r\nContent-Type: text/html\r\n\r\n", "yyyyyyy\n")
    },
    Self("E3.25 the reasons of a refusal") { _, _ in
      endless(
        head: "403 X\r\nContent-Type: application/xml\r\n\r\n<D:error xmlns:D='DAV:'>", "<D:x/>")
    },
    Self("E3.25 the page of a sign-in") { _, _ in
      endless(head: "401 X\r\nWWW-Authenticate: Basic realm=\"x\"\r\n\r\n", "yyyyyyy\n")
    },
    Self("E3.17 the page of a redirect") { request, _ in
      endless(head: "302 X\r\nLocation: \(request.target)\(request.number)/\r\n\r\n", "yyyyyyy\n")
    },
  ]

  /// What has no end where the text of an item is asked for.
  static let texts: [Self] = [
    text("E4.28 lines", "X-A:b\r\n"), text("E4.28 a line", "b"),
    text("E4.28 components", "BEGIN:X\r\n"),
    Self("E3.25 what swells as it is unpacked", [1]) { request, _ in
      let status = request.method == "GET" ? 200 : 207
      let head =
        "HTTP/1.1 \(status) X\r\nETag: \"1\"\r\nContent-Type: application/xml\r\n"
        + "Content-Encoding: gzip\r\n\r\n"
      return [.send(Array(head.utf8) + CompressionBomb.head), .sendForever(CompressionBomb.zeros)]
    },
  ]

  /// Alone, and in the answer to a question for many.
  private static func text(_ name: String, _ piece: String) -> Self {
    Self(name, [1]) { request, _ in
      let begin = "BEGIN:VCALENDAR\r\nX-A:"
      if request.method == "GET" {
        return endless(head: "200 X\r\nETag: \"1\"\r\n\r\n" + begin, piece)
      }
      return endless(
        "<D:multistatus xmlns:D='DAV:' xmlns:C='urn:ietf:params:xml:ns:caldav'><D:response>"
          + "<D:href>/calendars/alice/bad/a.ics</D:href><D:propstat><D:prop>"
          + "<D:getetag>\"1\"</D:getetag><C:calendar-data>" + begin, piece)
    }
  }

  private static let redirects: [Self] =
    [301, 302, 303, 307, 308].map { status in
      Self("E3.16 a redirect \(status) to another server", [1, 76, 77], redirectsToSpy: true) {
        request, spy in
        [.answer(status, headers: ["Location": spy.url + "stolen\(request.number)"])]
      }
    }
    + [
      "file:///etc/passwd", "data:text/xml,<x/>", "http://alice@127.0.0.1:1/", "https:///x",
      "http://127.0.0.1%2Fevil.example/", "//\u{430}pple.example/",
    ].map { target in
      Self("E3.16 a redirect to \(target)", [69, 76, 77]) { _, _ in
        [.answer(307, headers: ["Location": target])]
      }
    } + [
      Self("E3.17 a redirect to itself") { request, _ in
        [.answer(308, headers: ["Location": request.target])]
      },
      Self("E3.17 a redirect to ever other places") { request, _ in
        [.answer(302, headers: ["Location": "/calendars/alice/bad/\(request.number)/"])]
      },
      Self("E3.18 a target with a line break", [69, 76]) { _, _ in
        [.send("HTTP/1.1 307 X\r\nLocation: /a\rSet-Cookie: x=y\r\nContent-Length: 0\r\n\r\n")]
      },
    ]

  private static let answers: [Self] = [
    Self("E5.40 an error with control characters") { _, _ in
      [.answer(500, body: "\u{1B}]0;owned\u{7}\u{1B}[2J" + String(repeating: "A", count: 100_000))]
    },
    Self("no HTTP at all") { _, _ in [.send("SSH-2.0-OpenSSH_9.2\r\n"), .close] },
    Self("silence", [69], timeout: "2s") { _, _ in [.silence] },
    Self("a reset", [69]) { _, _ in [.reset] },
  ]
}
