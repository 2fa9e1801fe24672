/// The namespaces that CalDAV is made of.
package enum XMLNamespace: String, Sendable, Hashable {
  case dav = "DAV:"
  case caldav = "urn:ietf:params:xml:ns:caldav"
  case calendarServer = "http://calendarserver.org/ns/"
  case apple = "http://apple.com/ns/ical/"
  /// Any other one, or none.
  case other = ""
}

/// An element's name.
package struct XMLName: Sendable, Hashable {
  package let namespace: XMLNamespace
  package let local: String

  package init(_ namespace: XMLNamespace, _ local: String) {
    self.namespace = namespace
    self.local = local
  }

  /// No two names of one spelling are common that differ in their namespace.
  package func hash(into hasher: inout Hasher) { hasher.combine(local) }

  package static func dav(_ local: String) -> XMLName { XMLName(.dav, local) }
  package static func caldav(_ local: String) -> XMLName { XMLName(.caldav, local) }
}

/// An attribute without its namespace.
package struct XMLAttribute: Sendable, Hashable {
  package let name: String
  package let value: [UInt8]
}
