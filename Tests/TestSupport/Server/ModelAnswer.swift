import WebDAV

/// An answer of the model server.
struct ModelAnswer {
  var status: Int
  var headers: [HTTPHeader]
  var body: [UInt8]

  init(_ status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A refusal with an element in `DAV:error`, if one is named.
  static func refusal(_ status: Int, _ element: XMLName? = nil) -> ModelAnswer {
    guard let element else { return ModelAnswer(status) }
    return ModelAnswer(
      status, headers: [HTTPHeader("Content-Type", "application/xml")],
      body: XMLWriter.document(.dav("error")) { $0.empty(element) })
  }

  /// A refusal in words, as sabre/dav gives them.
  static func refusal(_ status: Int, _ words: String) -> ModelAnswer {
    let body =
      "<d:error xmlns:d=\"DAV:\" xmlns:s=\"http://sabredav.org/ns\">"
      + "<s:message>\(words)</s:message></d:error>"
    return ModelAnswer(
      status, headers: [HTTPHeader("Content-Type", "application/xml")], body: Array(body.utf8))
  }

  static func multistatus(_ content: (inout XMLWriter) -> Void) -> ModelAnswer {
    ModelAnswer(
      207, headers: [HTTPHeader("Content-Type", "application/xml; charset=utf-8")],
      body: XMLWriter.document(.dav("multistatus"), content))
  }
}

extension XMLWriter {
  mutating func response(_ href: [UInt8], status: Int) {
    element(.dav("response")) { response in
      response.element(.dav("href"), text: href)
      response.element(.dav("status"), text: Array("HTTP/1.1 \(status) Status".utf8))
    }
  }

  mutating func response(
    _ href: [UInt8], asked: [XMLName], _ values: [XMLName: (inout XMLWriter) -> Void]
  ) {
    element(.dav("response")) { response in
      response.element(.dav("href"), text: href)
      let found = asked.map { ($0, values[$0]) }
      response.propstat(found.filter { $0.1 != nil }, status: 200)
      response.propstat(found.filter { $0.1 == nil }, status: 404)
    }
  }

  private mutating func propstat(
    _ values: [(XMLName, ((inout XMLWriter) -> Void)?)], status: Int
  ) {
    guard !values.isEmpty else { return }
    element(.dav("propstat")) { propstat in
      propstat.element(.dav("prop")) { prop in
        for (name, write) in values { prop.element(name) { write?(&$0) } }
      }
      propstat.element(.dav("status"), text: Array("HTTP/1.1 \(status) Status".utf8))
    }
  }
}
