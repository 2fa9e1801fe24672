import Testing
import WebDAV

/// Parses a body in pieces of a size, as a network gives it.
func parse(
  _ body: [UInt8], pieces: Int = 7, limits: XMLLimits = XMLLimits()
) throws -> Multistatus {
  let sink = MultistatusSink(limits: limits)
  for start in stride(from: 0, to: body.count, by: pieces) {
    let piece = body[start..<min(start + pieces, body.count)]
    guard piece.withUnsafeBytes({ sink.receive($0) }) else { break }
  }
  return try sink.result()
}

func parse(
  _ body: String, pieces: Int = 7, limits: XMLLimits = XMLLimits()
) throws -> Multistatus {
  try parse(Array(body.utf8), pieces: pieces, limits: limits)
}

@Suite struct MultistatusTests {
  private let rich = """
    <?xml version="1.0" encoding="utf-8"?>
    <!-- a server's comment -->
    <multistatus xmlns="DAV:" xmlns:x="urn:ietf:params:xml:ns:caldav"
      xmlns:cs="http://calendarserver.org/ns/" xmlns:ic="http://apple.com/ns/ical/">
      <response>
        <href> /cal/w&#xF6;rk/ </href>
        <propstat><prop>
          <resourcetype><collection/><x:calendar/><cs:subscribed/></resourcetype>
          <displayname>A &amp; <![CDATA[<B>]]></displayname>
          <sync-token>urn:1</sync-token><cs:getctag>"7"</cs:getctag>
          <ic:calendar-color>#FF0000FF</ic:calendar-color>
          <x:supported-calendar-component-set><x:comp name="VEVENT"/><x:comp name='vtodo'/>
          </x:supported-calendar-component-set>
          <x:max-resource-size> 10000 </x:max-resource-size>
          <current-user-privilege-set><privilege><read/></privilege><privilege><write/></privilege>
          </current-user-privilege-set>
          <supported-report-set><supported-report><report><sync-collection/></report>
          </supported-report></supported-report-set>
          <current-user-principal><href>/p/</href></current-user-principal>
          <x:calendar-home-set><href>/h1/</href><href>/h2/</href></x:calendar-home-set>
        </prop><status>HTTP/1.1 200 OK</status></propstat>
        <propstat><prop><getetag>"not this"</getetag></prop>
          <status>HTTP/1.1 404 Not Found</status></propstat>
      </response>
      <response>
        <href>/cal/a.ics</href>
        <propstat><prop><getetag>"a1"</getetag>
          <x:calendar-data>BEGIN:VCALENDAR&#13;
    X:&lt;/D:multistatus&gt; ]]&gt; &amp;
    END:VCALENDAR
    </x:calendar-data></prop><status>HTTP/1.1 200 OK</status></propstat>
      </response>
      <response><href>/cal/b.ics</href><href>/cal/c.ics</href><status>HTTP/1.1 404 Gone</status>
        <error><x:no-uid-conflict><href>/cal/d.ics</href></x:no-uid-conflict></error></response>
      <sync-token> urn:2 </sync-token>
    </multistatus>
    """

  @Test(arguments: [1, 2, 7, 100, 100_000])
  func `a multistatus is read whatever its pieces are`(pieces: Int) throws {
    let multistatus = try parse(rich, pieces: pieces)
    #expect(multistatus.syncToken == Array("urn:2".utf8))
    #expect(multistatus.responses.count == 4)
    let collection = multistatus.responses[0]
    let properties = collection.properties
    #expect(collection.href == Array("/cal/w\u{F6}rk/".utf8))
    #expect(properties.resourceType == [.collection, .calendar, .other])
    #expect(properties.displayName == Array("A & <B>".utf8))
    #expect(properties.syncToken == Array("urn:1".utf8))
    #expect(properties.calendarTag == Array("\"7\"".utf8))
    #expect(properties.color == Array("#FF0000FF".utf8))
    #expect(properties.components == ["VEVENT", "VTODO"])
    #expect(properties.maxResourceSize == 10000)
    #expect(properties.privileges == ["read", "write"])
    #expect(properties.reports == ["sync-collection"])
    #expect(properties.principal == Array("/p/".utf8))
    #expect(properties.homeSets == [Array("/h1/".utf8), Array("/h2/".utf8)])
    #expect(properties.entityTag == nil)
    #expect(collection.failedStatus == 404)
    let item = multistatus.responses[1].properties
    #expect(item.entityTag == Array("\"a1\"".utf8))
    #expect(
      item.calendarData
        == Array("BEGIN:VCALENDAR\r\nX:</D:multistatus> ]]> &\nEND:VCALENDAR\n".utf8))
    #expect(multistatus.responses[2].isGone && multistatus.responses[3].isGone)
    #expect(multistatus.responses[3].href == Array("/cal/c.ics".utf8))
    #expect(multistatus.responses[2].preconditions == ["no-uid-conflict"])
  }

  @Test func `a body cut off anywhere is never taken for a whole one`() {
    let bytes = Array(rich.utf8)
    for count in 0..<bytes.count {
      #expect(throws: XMLFault.self, "cut after \(count) bytes") {
        _ = try parse(Array(bytes[..<count]), pieces: 512)
      }
    }
  }

  @Test(arguments: ["<!-- between -->", "<![CDATA[]]>", "<?target data?>"])
  func `what stands within an href does not cut it`(noise: String) throws {
    let multistatus = try parse(
      "<D:multistatus xmlns:D='DAV:'><D:response><D:href>/a\(noise)b</D:href>"
        + "<D:status>HTTP/1.1 404 X</D:status></D:response></D:multistatus>")
    #expect(multistatus.responses[0].href == Array("/ab".utf8))
  }

  @Test func `an address that is too long to be asked for names nothing`() throws {
    let long = "/" + String(repeating: "x", count: 4095)
    let hrefs = ["\(long)", "\(long)x", "/b"].map { "<D:href>\($0)</D:href>" }.joined()
    let multistatus = try parse(
      "<D:multistatus xmlns:D='DAV:'><D:response>\(hrefs)"
        + "<D:status>HTTP/1.1 404 X</D:status></D:response></D:multistatus>")
    #expect(multistatus.responses.map(\.href) == [Array(long.utf8), [], Array("/b".utf8)])
  }

  @Test func `a property of another namespace is another property`() throws {
    let multistatus = try parse(
      """
      <D:multistatus xmlns:D="DAV:" xmlns:E="urn:evil"><D:response><D:href>/a</D:href>
      <D:propstat><D:prop><E:getetag>"x"</E:getetag><getetag>"y"</getetag></D:prop>
      <D:status>HTTP/1.1 200 OK</D:status></D:propstat>
      <E:href>/evil</E:href><E:status>HTTP/1.1 404 X</E:status></D:response></D:multistatus>
      """)
    #expect(multistatus.responses == [DAVResponse(href: Array("/a".utf8))])
  }

  @Test(arguments: [
    "<D:response><D:status>HTTP/1.1 200 OK</D:status></D:response>",
    "<D:response><D:href> </D:href></D:response>",
  ])
  func `a response that names nothing spoils no other`(response: String) throws {
    let multistatus = try parse(
      "<D:multistatus xmlns:D='DAV:'>\(response)<D:response><D:href>/a</D:href></D:response>"
        + "</D:multistatus>")
    #expect(multistatus.responses.map(\.href) == [[], Array("/a".utf8)])
  }

  @Test(arguments: [
    "<D:response><D:href>/a</D:href><D:status>fine</D:status></D:response>",
    "<D:response><D:href>/a</D:href><D:status>HTTP/1.1 999 X</D:status></D:response>",
  ])
  func `a response that says too little spoils the whole`(response: String) {
    #expect(throws: XMLFault.self) {
      _ = try parse("<D:multistatus xmlns:D='DAV:'>\(response)</D:multistatus>")
    }
  }

  /// By the status of a response, or those of its propstats.
  @Test(
    arguments: [
      (200, [], nil), (204, [], nil), (404, [], nil), (410, [], nil), (418, [], nil),
      (403, [], 403), (401, [], 401), (500, [], 500), (301, [], 301),
      (nil, [], nil), (nil, [200], nil), (nil, [404], nil), (nil, [200, 404], nil),
      (nil, [200, 403], nil), (nil, [500, 200], nil), (nil, [403], 403), (nil, [404, 403], 403),
      (nil, [503, 404], 503), (nil, [401, 500], 401),
    ] as [(Int?, [Int], Int?)])
  func `a resource that the server keeps back is not one without properties`(
    status: Int?, propstats: [Int], failure: Int?
  ) throws {
    func line(_ status: Int) -> String { "<D:status>HTTP/1.1 \(status) X</D:status>" }
    let parts = propstats.map { "<D:propstat><D:prop><D:x/></D:prop>\(line($0))</D:propstat>" }
    let response = try parse(
      "<D:multistatus xmlns:D='DAV:'><D:response><D:href>/a</D:href>"
        + (status.map(line) ?? parts.joined()) + "</D:response></D:multistatus>"
    ).responses[0]
    #expect(response.failure == failure)
  }

  @Test func `data that is too long is dropped alone`() throws {
    var limits = XMLLimits()
    limits.item = 100
    func item(_ name: String, _ count: Int) -> String {
      """
      <D:response><D:href>/\(name)</D:href><D:propstat><D:prop>
      <C:calendar-data>\(String(repeating: "x", count: count))</C:calendar-data></D:prop>
      <D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>
      """
    }
    let multistatus = try parse(
      "<D:multistatus xmlns:D='DAV:' xmlns:C='urn:ietf:params:xml:ns:caldav'>"
        + item("a", 100) + item("b", 101) + item("c", 1) + "</D:multistatus>", limits: limits)
    let data = multistatus.responses.map { $0.properties.calendarData?.count }
    #expect(data == [100, nil, 1])
    #expect(multistatus.responses.map(\.properties.isTooLarge) == [false, true, false])
  }
}
