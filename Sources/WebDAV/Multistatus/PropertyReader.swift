/// Reads the properties within one `DAV:prop`, element by element.
struct PropertyReader {
  private(set) var properties = DAVProperties()

  /// What to do with the text of an element.
  enum TextUse {
    case none
    /// An address or a token, without which the answer says too little.
    case essential
    /// Dropped alone if too long.
    case short
    /// Calendar data: long, and dropped alone if too long.
    case item
  }

  /// How the text of the element at the end of `path` is to be taken; `path` begins below `prop`.
  static func textUse(_ path: ArraySlice<XMLName>) -> TextUse {
    guard let property = path.first else { return .none }
    if path.count == 1 {
      if property == .caldav("calendar-data") { return .item }
      if property == .dav("sync-token") { return .essential }
      return textProperties.contains(property) ? .short : .none
    }
    return path.count == 2 && path.last == .dav("href") && hrefProperties.contains(property)
      ? .essential : .none
  }

  private static let ctag = XMLName(.calendarServer, "getctag")
  /// An account has one, or a few with shared calendars.
  private static let mostHomeSets = 100
  private static let color = XMLName(.apple, "calendar-color")
  private static let order = XMLName(.apple, "calendar-order")
  private static let textProperties: Set<XMLName> = [
    .dav("getetag"), .dav("getcontenttype"), .dav("getlastmodified"), .dav("displayname"),
    .dav("sync-token"), ctag, color, .caldav("max-resource-size"), order,
    .caldav("calendar-description"), .caldav("schedule-tag"), .dav("creationdate"),
  ]
  private static let hrefProperties: Set<XMLName> = [
    .dav("current-user-principal"), .caldav("calendar-home-set"), .dav("resource-id"),
  ]

  /// Takes the start of the element at the end of `path`.
  mutating func start(_ path: ArraySlice<XMLName>, _ attributes: [XMLAttribute]) {
    guard let property = path.first, let name = path.last else { return }
    switch (property, path.count) {
    case (.dav("resourcetype"), 1): properties.resourceType = properties.resourceType ?? []
    case (.dav("resourcetype"), 2): properties.resourceType?.formUnion(Self.resourceType(name))
    case (.caldav("supported-calendar-component-set"), 1):
      properties.components = properties.components ?? []
    case (.caldav("supported-calendar-component-set"), 2):
      guard name == .caldav("comp"), let kind = attributes.first(where: { $0.name == "name" })
      else { return }
      properties.components?.insert(String(decoding: kind.value, as: UTF8.self).uppercased())
    case (.dav("current-user-principal"), 2):
      if name == .dav("unauthenticated") { properties.isForGuests = true }
    case (.dav("current-user-privilege-set"), 1):
      properties.privileges = properties.privileges ?? []
    case (.dav("current-user-privilege-set"), 3): properties.privileges?.insert(name.local)
    case (.dav("supported-report-set"), 1): properties.reports = properties.reports ?? []
    case (.dav("supported-report-set"), 4): properties.reports?.insert(name.local)
    default: return
    }
  }

  private static func resourceType(_ name: XMLName) -> DAVProperties.ResourceType {
    switch name {
    case .dav("collection"): .collection
    case .dav("principal"): .principal
    case .caldav("calendar"): .calendar
    case .caldav("schedule-inbox"), .caldav("schedule-outbox"): .scheduling
    default: .other
    }
  }

  /// Takes the text of the element at the end of `path`; nil if it was too long.
  mutating func text(_ path: ArraySlice<XMLName>, _ text: [UInt8]?) {
    guard let property = path.first else { return }
    if property == .caldav("calendar-data") {
      properties.calendarData = text
      properties.isTooLarge = text == nil
      return
    }
    guard let text else {
      properties.tooLong.insert(property)
      return
    }
    let trimmed = text.trimmed
    let value = trimmed.isEmpty ? nil : trimmed
    switch property {
    case .dav("getetag"): properties.entityTag = value
    case .caldav("schedule-tag"): properties.scheduleTag = value
    case .dav("getcontenttype"): properties.contentType = value
    case .dav("getlastmodified"): properties.lastModified = value
    case .dav("displayname"): properties.displayName = value
    case .dav("sync-token"): properties.syncToken = value
    case Self.ctag: properties.calendarTag = value
    case Self.color: properties.color = value
    case Self.order: properties.order = value
    case .caldav("calendar-description"): properties.calendarDescription = value
    case .caldav("max-resource-size"):
      properties.maxResourceSize = value.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
        .flatMap { $0 > 0 ? $0 : nil }
    case .dav("resource-id"): properties.resourceID = value
    case .dav("creationdate"): properties.creationDate = value
    case .dav("current-user-principal"): properties.principal = value
    case .caldav("calendar-home-set"):
      if let value, properties.homeSets.count < Self.mostHomeSets {
        properties.homeSets.append(value)
      }
    default: return
    }
  }
}

extension [UInt8] {
  /// Without blanks and line ends at both ends.
  package var trimmed: [UInt8] {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    guard let first = firstIndex(where: { !isBlank($0) }),
      let last = lastIndex(where: { !isBlank($0) })
    else { return [] }
    return Array(self[first...last])
  }
}
