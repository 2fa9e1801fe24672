/// The properties of a resource that calgw asks for, as far as the server gave them (status 2xx).
package struct DAVProperties: Sendable, Hashable {
  /// What a resource is (RFC 4918 §15.9), as far as it matters here.
  package struct ResourceType: OptionSet, Sendable, Hashable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let collection = ResourceType(rawValue: 1)
    package static let calendar = ResourceType(rawValue: 2)
    package static let principal = ResourceType(rawValue: 4)
    package static let scheduling = ResourceType(rawValue: 8)
    /// A subscription, a proxy group, an address book: nothing to synchronise.
    package static let other = ResourceType(rawValue: 16)
  }

  package var resourceType: ResourceType?
  /// As received, trimmed; never empty.
  package var entityTag: [UInt8]?
  /// RFC 6638 §10.1.
  package var scheduleTag: [UInt8]?
  package var contentType: [UInt8]?
  package var lastModified: [UInt8]?
  package var displayName: [UInt8]?
  package var color: [UInt8]?
  package var calendarDescription: [UInt8]?
  package var order: [UInt8]?
  package var calendarTag: [UInt8]?
  package var syncToken: [UInt8]?
  /// RFC 5842 §3.1.
  package var resourceID: [UInt8]?
  /// RFC 4918 §15.1, as received.
  package var creationDate: [UInt8]?
  package var maxResourceSize: Int?
  package var components: Set<String>?
  package var privileges: Set<String>?
  package var reports: Set<String>?
  package var principal: [UInt8]?
  /// Nobody is signed in there (RFC 5397 §3).
  package var isForGuests = false
  package var homeSets: [[UInt8]] = []
  package var calendarData: [UInt8]?
  /// The data was longer than the limit on items, and was dropped.
  package var isTooLarge = false
  /// Those whose texts were longer than the limit on texts, and were dropped.
  package var tooLong: Set<XMLName> = []

  package init() {}

  /// Takes over what another propstat of the same response gives, or another answer about the same
  /// resource.
  package mutating func merge(_ other: DAVProperties) {
    resourceType = other.resourceType ?? resourceType
    entityTag = other.entityTag ?? entityTag
    scheduleTag = other.scheduleTag ?? scheduleTag
    contentType = other.contentType ?? contentType
    lastModified = other.lastModified ?? lastModified
    displayName = other.displayName ?? displayName
    color = other.color ?? color
    calendarDescription = other.calendarDescription ?? calendarDescription
    order = other.order ?? order
    calendarTag = other.calendarTag ?? calendarTag
    syncToken = other.syncToken ?? syncToken
    resourceID = other.resourceID ?? resourceID
    creationDate = other.creationDate ?? creationDate
    maxResourceSize = other.maxResourceSize ?? maxResourceSize
    components = other.components ?? components
    privileges = other.privileges ?? privileges
    reports = other.reports ?? reports
    principal = other.principal ?? principal
    isForGuests = isForGuests || other.isForGuests
    homeSets += other.homeSets
    calendarData = other.calendarData ?? calendarData
    isTooLarge = isTooLarge || other.isTooLarge
    tooLong.formUnion(other.tooLong)
  }
}

/// One resource's part of a multistatus (RFC 4918 §14.24).
package struct DAVResponse: Sendable, Hashable {
  /// As received, trimmed.
  package var href: [UInt8]
  /// The response's own status; nil where it has propstats.
  package var status: Int?
  package var properties = DAVProperties()
  /// The first status of a propstat that is no 2xx; 424, which says that it failed with another one
  /// (RFC 4918 §11.4), where there is nothing else.
  package var failedStatus: Int?
  /// The first one that says more than that properties are not there, where no propstat is a 2xx.
  package var deniedStatus: Int?
  /// The names of the elements in `DAV:error`.
  package var preconditions: [String] = []

  package init(href: [UInt8], status: Int? = nil) {
    self.href = href
    self.status = status
  }

  /// The resource is not there, or not any more: 404, 410, and 418, which Infomaniak sends.
  package var isGone: Bool { status.map(Self.gone.contains) ?? false }
  package static let gone = [404, 410, 418]
  /// The server says nothing against this resource.
  package var isSuccess: Bool { status.map { (200...299).contains($0) } ?? true }
  /// The status with which the server keeps the resource back, or fails at it: then nothing is
  /// known of it. Nil for a success, and for what is gone.
  package var failure: Int? {
    guard let status else { return deniedStatus }
    return isSuccess || isGone ? nil : status
  }
}

/// A whole multistatus, proved complete.
package struct Multistatus: Sendable, Hashable {
  package var responses: [DAVResponse] = []
  /// The token of a sync-collection report (RFC 6578 §6.2).
  package var syncToken: [UInt8]?
  /// The server's clock as it answered, in milliseconds since 1970; nil where it did not say.
  package var date: Int64?

  package init() {}
}
