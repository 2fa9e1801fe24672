import Testing
import WebDAV

/// Texts of an answer that are longer than the limit on texts: what the answer can do without is
/// dropped alone, and never kept beyond the limit.
@Suite struct LongTextTests {
  private static let names: [(name: String, property: XMLName)] = [
    ("D:displayname", .dav("displayname")), ("D:getetag", .dav("getetag")),
    ("D:getcontenttype", .dav("getcontenttype")), ("D:creationdate", .dav("creationdate")),
    ("D:getlastmodified", .dav("getlastmodified")), ("C:schedule-tag", .caldav("schedule-tag")),
    ("C:calendar-description", .caldav("calendar-description")),
    ("C:max-resource-size", .caldav("max-resource-size")),
    ("S:getctag", XMLName(.calendarServer, "getctag")),
    ("A:calendar-color", XMLName(.apple, "calendar-color")),
    ("A:calendar-order", XMLName(.apple, "calendar-order")),
  ]

  private func multistatus(_ content: String) -> String {
    "<D:multistatus xmlns:D='DAV:' xmlns:C='urn:ietf:params:xml:ns:caldav'"
      + " xmlns:S='http://calendarserver.org/ns/' xmlns:A='http://apple.com/ns/ical/'>"
      + content + "</D:multistatus>"
  }

  private func response(_ name: String, _ properties: String, status: Int = 200) -> String {
    "<D:response><D:href>/\(name)</D:href><D:propstat><D:prop>\(properties)</D:prop>"
      + "<D:status>HTTP/1.1 \(status) X</D:status></D:propstat></D:response>"
  }

  private let long = String(repeating: "1", count: 70_000)

  @Test(arguments: names.indices, [97, 4096, 100_000])
  func `a property that is too long spoils no other one, and no other resource`(
    index: Int, pieces: Int
  ) throws {
    let (name, property) = Self.names[index]
    let others = Self.names.filter { $0.name != name }.map { "<\($0.name)>1</\($0.name)>" }
    let answer = try parse(
      multistatus(
        response("a", "<\(name)>\(long)</\(name)>" + others.joined())
          + response("b", "<\(name)>1</\(name)>")), pieces: pieces)
    #expect(answer.responses.map { String(decoding: $0.href, as: UTF8.self) } == ["/a", "/b"])
    let odd = answer.responses[0].properties
    #expect(odd.tooLong == [property])
    let values: [[UInt8]?] = [
      odd.displayName, odd.entityTag, odd.contentType, odd.creationDate, odd.lastModified,
      odd.scheduleTag, odd.calendarDescription, odd.maxResourceSize.map { Array("\($0)".utf8) },
      odd.calendarTag, odd.color, odd.order,
    ]
    for (place, value) in values.enumerated() {
      #expect(value == (place == index ? nil : [UInt8(ascii: "1")]), "\(Self.names[place].name)")
    }
    #expect(answer.responses[1].properties.tooLong.isEmpty)
  }

  @Test func `the limit is one on what is read, however it is written`() throws {
    var limits = XMLLimits()
    limits.text = 100
    let x = String(repeating: "x", count: 98)
    for (text, isKept) in [
      ("\(x)yz", true), ("\(x)yzz", false), ("\(x)&amp;<![CDATA[<]]>", true),
      ("<![CDATA[\(x)]]>&lt;&#233;", false),
    ] {
      let answer = try parse(
        multistatus(response("a", "<D:displayname>\(text)</D:displayname>")), limits: limits)
      let properties = answer.responses[0].properties
      #expect(properties.tooLong.isEmpty == isKept)
      #expect(properties.displayName?.count == (isKept ? 100 : nil))
    }
  }

  @Test func `what the server does not give is not too long either`() throws {
    let name = "<D:displayname>\(long)</D:displayname>"
    let answer = try parse(multistatus(response("a", name, status: 404)))
    #expect(answer.responses[0].properties == DAVProperties())
  }

  @Test(arguments: [
    "<D:response><D:href>/a</D:href><D:status>HTTP/1.1 404 LONG</D:status></D:response>",
    "<D:sync-token>LONG</D:sync-token>", "PROPERTY<D:sync-token>LONG</D:sync-token>",
    "PROPERTY<C:calendar-home-set><D:href>LONG</D:href></C:calendar-home-set>",
    "PROPERTY<D:current-user-principal><D:href>LONG</D:href></D:current-user-principal>",
  ])
  func `what an answer needs, and is too long, makes it one of no use`(text: String) {
    let filled = text.replacing("LONG", with: long)
    let isProperty = filled.hasPrefix("PROPERTY")
    let content =
      isProperty ? response("a", String(filled.dropFirst("PROPERTY".count))) : filled
    let fault = #expect(throws: XMLFault.self) {
      _ = try parse(multistatus(content), pieces: 4096)
    }
    #expect(fault?.kind == .limit)
  }
}
