/// The bodies and headers of the requests that ask for properties.
package enum PropertyRequests {
  /// What tells an account's structure and describes a calendar, in one.
  package static let description = structure + texts

  /// The same without what people write.
  package static let structure: [XMLName] = [
    .dav("resourcetype"), .dav("current-user-privilege-set"), .dav("supported-report-set"),
    .dav("sync-token"), .dav("current-user-principal"), .caldav("calendar-home-set"),
    .caldav("supported-calendar-component-set"), .caldav("max-resource-size"),
    XMLName(.calendarServer, "getctag"), .dav("resource-id"), .dav("creationdate"),
  ]

  /// What people write of a calendar, or other programs of theirs.
  package static let texts: [XMLName] = [
    .dav("displayname"), XMLName(.apple, "calendar-color"), .caldav("calendar-description"),
    XMLName(.apple, "calendar-order"),
  ]

  /// Sets one property, or removes it where no value is given (RFC 4918 §9.2). One a request, so
  /// that the refusal of one is not that of all.
  package static func proppatch(_ url: WebURL, _ name: XMLName, _ value: [UInt8]?) -> DAVRequest {
    let body = XMLWriter.document(.dav("propertyupdate")) { writer in
      writer.element(.dav(value == nil ? "remove" : "set")) { update in
        update.element(.dav("prop")) { prop in
          if let value { prop.element(name, text: value) } else { prop.empty(name) }
        }
      }
    }
    return onNewConnection("PROPPATCH", url, body)
  }

  /// A rare request, after whose loss nobody looks: it is not trusted to a connection that the
  /// server may have left by now.
  fileprivate static func onNewConnection(_ method: String, _ url: WebURL, _ body: [UInt8])
    -> DAVRequest
  {
    var request = DAVRequest(method, url, headers: xml, body: body)
    request.wantsNewConnection = true
    return request
  }

  /// What a listing of items needs; the collection itself answers with its tokens.
  package static let listing: [XMLName] = [
    .dav("resourcetype"), .dav("getetag"), .dav("getcontenttype"),
  ]

  /// The same with the time of the last change of each.
  package static let listingWithTimes = listing + [.dav("getlastmodified")]

  /// RFC 4918 §9.1; `depth` is 0 or 1.
  package static func propfind(_ url: WebURL, depth: Int, _ names: [XMLName]) -> DAVRequest {
    let body = XMLWriter.document(.dav("propfind")) { writer in
      writer.element(.dav("prop")) { prop in
        for name in names { prop.empty(name) }
      }
    }
    return DAVRequest("PROPFIND", url, headers: xml + [HTTPHeader("Depth", "\(depth)")], body: body)
  }

  /// RFC 6578 §3.2; an empty token asks for everything. No limit is asked for, since servers cut
  /// at it without saying so.
  package static func syncCollection(_ url: WebURL, token: [UInt8]) -> DAVRequest {
    let body = XMLWriter.document(.dav("sync-collection")) { writer in
      writer.element(.dav("sync-token"), text: token)
      writer.element(.dav("sync-level"), text: [UInt8(ascii: "1")])
      writer.element(.dav("prop")) { $0.empty(.dav("getetag")) }
    }
    return DAVRequest("REPORT", url, headers: xml + [HTTPHeader("Depth", "0")], body: body)
  }

  /// RFC 4791 §7.9; `hrefs` are not empty and in the server's spelling. Without data it asks for
  /// the tags alone.
  package static func multiget(
    _ url: WebURL, hrefs: [[UInt8]], withData: Bool = true
  ) -> DAVRequest {
    let body = XMLWriter.document(.caldav("calendar-multiget")) { writer in
      writer.element(.dav("prop")) { prop in
        prop.empty(.dav("getetag"))
        guard withData else { return }
        prop.empty(.dav("getlastmodified"))
        prop.empty(.caldav("schedule-tag"))
        prop.empty(.caldav("calendar-data"))
      }
      for href in hrefs { writer.element(.dav("href"), text: href) }
    }
    return DAVRequest("REPORT", url, headers: xml + [HTTPHeader("Depth", "1")], body: body)
  }

  static var xml: [HTTPHeader] {
    [HTTPHeader("Content-Type", "application/xml; charset=utf-8")]
  }
}

/// What a new calendar shall be.
package struct CalendarProposal: Sendable {
  package var displayName: [UInt8]?
  /// `#rrggbb`.
  package var color: [UInt8]?
  /// Sorted; nil leaves the choice to the server.
  package var components: [String]?

  package init(displayName: [UInt8]?, color: [UInt8]?, components: [String]?) {
    self.displayName = displayName
    self.color = color
    self.components = components
  }

  /// RFC 4791 §5.3.1.
  package func makeCalendar(_ url: WebURL) -> DAVRequest {
    let body = XMLWriter.document(.caldav("mkcalendar")) { writer in
      writer.element(.dav("set")) { set in
        set.element(.dav("prop")) { properties(&$0) }
      }
    }
    return PropertyRequests.onNewConnection("MKCALENDAR", url, body)
  }

  /// RFC 5689 §3, for servers without MKCALENDAR.
  package func makeCollection(_ url: WebURL) -> DAVRequest {
    let body = XMLWriter.document(.dav("mkcol")) { writer in
      writer.element(.dav("set")) { set in
        set.element(.dav("prop")) { prop in
          prop.element(.dav("resourcetype")) { type in
            type.empty(.dav("collection"))
            type.empty(.caldav("calendar"))
          }
          properties(&prop)
        }
      }
    }
    return PropertyRequests.onNewConnection("MKCOL", url, body)
  }

  private func properties(_ prop: inout XMLWriter) {
    if let displayName { prop.element(.dav("displayname"), text: displayName) }
    if let color {
      // SOGo takes nothing but eight digits in upper case.
      let long = String(decoding: color, as: UTF8.self).uppercased() + "FF"
      prop.element(XMLName(.apple, "calendar-color"), text: Array(long.utf8))
    }
    if let components {
      prop.element(.caldav("supported-calendar-component-set")) { set in
        for kind in components { set.empty(.caldav("comp"), attributes: [("name", kind)]) }
      }
    }
  }
}
