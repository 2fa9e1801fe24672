/// What a server says of a principal that is asked for its calendar homes: the body of a 207.
///
/// - Parameters:
///   - place: of the principal.
///   - homes: their addresses.
public func principalText(at place: String = "/", homes: [String]) -> String {
  let hrefs = homes.map { "<D:href>\($0)</D:href>" }.joined()
  return "<D:multistatus xmlns:D='DAV:' xmlns:C='urn:ietf:params:xml:ns:caldav'><D:response>"
    + "<D:href>\(place)</D:href><D:propstat><D:prop><D:resourcetype><D:principal/>"
    + "</D:resourcetype><C:calendar-home-set>\(hrefs)</C:calendar-home-set></D:prop>"
    + "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>"
}
