import SyncModel
import WebDAV

/// The items that a multistatus about a collection names.
struct Members {
  var present: [ListedItem] = []
  var gone: [Href] = []
  /// The server holds back more (507 for the collection, RFC 6578 §3.6).
  var isTruncated = false
  /// The answer says that the collection itself is not there.
  var collectionIsGone = false
  /// The status with which it keeps the collection itself back: what it names is not all.
  var failure: Int?
  /// When those changed of which the server says it, in milliseconds since 1970.
  var changed: [Href: Int64] = [:]
  /// Something is named in a way that nobody can make out.
  var hasUnnamed = false
  /// Something is beside the calendar on its own server, or the calendar has another path there.
  var hasNeighbours = false

  /// The answer says that the collection that it is about is not there, or may not be seen.
  var deniesCollection: Bool { collectionIsGone || failure != nil }

  private var places: [Href: Int] = [:]
  private var goneSeen: Set<Href> = []
  private let collection: WebURL
  private let alias: WebURL?
  private let source: WebURL
  private let home: String
  private let client: DAVClient

  /// - Parameters:
  ///   - alias: another path of the collection, whose members are known by the collection's.
  ///   - source: the address that answered, which relative hrefs are relative to.
  ///   - client: knows which other origins are the account's.
  init(
    _ responses: [DAVResponse], of collection: WebURL, alias: WebURL?, from source: WebURL,
    home: String, client: DAVClient
  ) {
    self.collection = collection
    self.alias = alias
    self.source = source
    self.home = home
    self.client = client
    for response in responses { take(response) }
    // Named as there and as gone: absence needs proof.
    let there = places
    gone = gone.filter { there[$0] == nil }
  }

  private mutating func take(_ response: DAVResponse) {
    if response.status == 507 {
      isTruncated = true
      return
    }
    hasUnnamed = hasUnnamed || response.href.isEmpty
    let address: WebURL
    do throws(HrefError) {
      address = try client.resolve(response.href, from: source, of: collection)
    } catch {
      unusable(response, at: Href(response.href), "its address is not usable: \(error.reason)")
      return
    }
    if [collection, source, alias].contains(where: { $0.map(address.isSameCollection) ?? false }) {
      collectionIsGone = collectionIsGone || response.isGone
      failure = failure ?? response.failure
      return
    }
    let ours = alias.flatMap { address.moved(from: $0, to: collection) } ?? address
    guard collection.isParent(of: ours) else {
      hasNeighbours = hasNeighbours || address.origin == collection.origin
      let shown = ServerWords.safe(response.href, hiding: client.secrets)
      let href = RemoteCalendar.href(address, home: home)
      unusable(response, at: href, "its address \(shown) is not in the calendar")
      return
    }
    // Of what is gone, a slash at the end does not say that it was a collection: some servers end
    // each such address in one. Of a sub-collection that is gone no item is known.
    let member = response.isGone ? ours.withoutEndingSlash : ours
    guard Self.isItem(response, member) else { return }
    let href = RemoteCalendar.href(member, home: home)
    if response.isGone {
      note(gone: href)
    } else if response.isSuccess,
      let problem = ItemProblem.ofTag(in: response.properties, address.shown)
    {
      add(ListedItem(href: href, tag: Self.unasked, problem: problem))
    } else if response.isSuccess {
      add(ListedItem(href: href, tag: EntityTag(received: response.properties.entityTag)))
      if let time = response.properties.lastModified.flatMap(HTTPDate.milliseconds) {
        changed[href] = max(time, changed[href] ?? time)
      }
    } else {
      let problem = ItemProblem(
        .brokenRemote,
        "the server lists \(href.text) with status \(response.status ?? 0)",
        hint: ItemProblem.mend(of: response.status))
      add(ListedItem(href: href, tag: nil, problem: problem))
    }
  }

  /// Types of what is no calendar item for sure. Others, as application/octet-stream, say nothing:
  /// reading shows what such a resource is, as where no type is given.
  private static let otherTypes = [
    "image/", "audio/", "video/", "font/", "text/html", "text/css", "text/xml", "text/vcard",
    "text/x-vcard", "application/xml", "application/json", "application/pdf", "application/zip",
  ]

  /// Sub-collections are left out, and what is something else by its type; a text, by its name.
  private static func isItem(_ response: DAVResponse, _ address: WebURL) -> Bool {
    if response.properties.resourceType?.contains(.collection) ?? false { return false }
    if address.path.last == UInt8(ascii: "/") { return false }
    guard let type = response.properties.contentType else { return true }
    let text = String(decoding: type, as: UTF8.self).lowercased()
    if text.hasPrefix("text/calendar") { return true }
    let name = String(decoding: address.lastSegment, as: UTF8.self).lowercased()
    if name.hasSuffix(".ics") { return true }
    if text.hasPrefix("text/plain") { return ![".txt", ".md"].contains(where: name.hasSuffix) }
    return !otherTypes.contains(where: text.hasPrefix)
  }

  /// What cannot be asked for is named, and left alone, until it is said to be gone.
  private mutating func unusable(_ response: DAVResponse, at href: Href, _ why: String) {
    if response.isGone { note(gone: href) }
    guard response.isSuccess else { return }
    let problem = ItemProblem(
      .brokenRemote, "the server lists an item that calgw does not ask for: \(why)",
      hint: "tell the server's operator; the item stays as it is")
    // With a tag it is not asked for again, which would only give the problem in other words; with
    // one that no server gives it is, once its address can be used.
    add(ListedItem(href: href, tag: Self.unasked, problem: problem))
  }

  private mutating func note(gone href: Href) {
    if goneSeen.insert(href).inserted { gone.append(href) }
  }

  static let unasked = EntityTag(received: Array("\"unasked\"".utf8))

  /// Duplicates are one; if their tags differ, which one holds is not known.
  private mutating func add(_ item: ListedItem) {
    guard let place = places[item.href] else {
      places[item.href] = present.count
      present.append(item)
      return
    }
    if present[place].tag != item.tag { present[place].tag = nil }
  }
}

extension WebURL {
  /// A member of a collection as an item is named: without one slash at the end of its path.
  fileprivate var withoutEndingSlash: WebURL {
    guard path.last == UInt8(ascii: "/") else { return self }
    return WebURL(
      scheme: scheme, host: host, port: port, path: Array(path.dropLast()), query: query)
  }
}
