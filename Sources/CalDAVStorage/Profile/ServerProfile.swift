public import SyncModel
import WebDAV

/// What a server was found to do and not to do, each with the exchange that showed it last.
///
/// Nothing of it is configured: every answer that tells something is taken down, and one that says
/// otherwise replaces what was known.
public struct ServerProfile: Sendable, Hashable {
  /// Something that the protocol promises and not every server keeps.
  public enum Capability: String, Sendable, CaseIterable {
    /// Lists what changed since a token (RFC 6578).
    case syncCollection = "sync-collection"
    /// Says in that list what was deleted.
    case deletionsInChanges = "deletions-in-changes"
    /// Gives many items at once (RFC 4791 §7.9).
    case multiget = "multiget"
    /// Says in that report when an item changed.
    case timesInMultiget = "times-in-multiget"
    /// Has a tag for the content of a calendar (CTag).
    case calendarTag = "calendar-tag"
    /// That tag moves with what calgw writes.
    case movesCalendarTag = "moves-calendar-tag"
    /// Says which kinds of components a calendar takes (RFC 4791 §5.2.3).
    case componentSets = "component-sets"
    /// Takes items up to some size (RFC 4791 §5.2.5).
    case sizeLimit = "size-limit"
    /// Gives entity tags, in listings or with the items.
    case entityTags = "entity-tags"
    /// Entity tags are strong, and so can guard a write.
    case strongTags = "strong-tags"
    /// Entity tags stand in quotes (RFC 9110 §8.8.3).
    case quotedTags = "quoted-tags"
    /// No two items have one entity tag, so that a tag that comes again stands for one text.
    case ownTags = "own-tags"
    /// The answer to a PUT has a strong entity tag.
    case tagAfterPut = "tag-after-put"
    /// What was written shows at once.
    case promptWrites = "prompt-writes"
    /// Stores what it is sent byte by byte, but for line ends.
    case keepsBytes = "keeps-bytes"
    /// Stores an item under the name that it is given.
    case keepsNames = "keeps-names"
    /// Refuses a PUT whose `If-Match` does not hold.
    case ifMatch = "if-match"
    /// Refuses a DELETE whose `If-Match` does not hold.
    case ifMatchOnDelete = "if-match-on-delete"
    /// Refuses a PUT with `If-None-Match: *` where something is.
    case ifNoneMatch = "if-none-match"
    /// Gives items with an organizer a Schedule-Tag (RFC 6638 §3.2.10).
    case scheduleTag = "schedule-tag"
    /// Makes calendars by MKCALENDAR (RFC 4791 §5.3.1).
    case makeCalendar = "mkcalendar"
    /// Moves an item to another calendar (MOVE, RFC 4918 §9.9).
    case moves = "move"
    /// Refuses a second item of one UID in a calendar (RFC 4791 §5.3.2.1).
    case uniqueUIDs = "unique-uids"
    /// A listing names every item that is there, new ones at once.
    case wholeListings = "whole-listings"
    /// Asks for the password by Digest (RFC 7616).
    case digestLogin = "digest-login"
    /// Speaks HTTP/2 without errors of that protocol's own (RFC 9113 §5.4).
    case http2 = "http-2"
    /// Answers as many requests at once as are made: it asks nobody to wait (RFC 6585 §4), and does
    /// not refuse connections or give 423 beside other requests again and again.
    case unthrottled
    /// Answers several requests at once at all.
    case parallel
  }

  /// Whether a server has a capability, and how that showed.
  public struct Finding: Sendable, Hashable {
    public var holds: Bool
    /// As `PUT /alice/work/x.ics`, without credentials and contents.
    public var request: String
    /// As `204 without ETag`.
    public var answer: String
    public var time: Instant
    /// Bytes of the item that a limit to sizes showed with.
    public var size: Int?
    /// What one run saw that says otherwise, and may have been chance.
    public var doubts: [String]?

    public init(
      holds: Bool, request: String, answer: String, time: Instant, size: Int? = nil,
      doubts: [String]? = nil
    ) {
      self.holds = holds
      self.request = request
      self.answer = answer
      self.time = time
      self.size = size
      self.doubts = doubts
    }
  }

  /// What is known; a capability that is not in it never showed.
  public private(set) var findings: [Capability: Finding] = [:]

  public init() {}

  /// What is known of one capability; nil where it never showed.
  public subscript(capability: Capability) -> Finding? { findings[capability] }

  /// Takes down what an answer shows. The same again keeps the first evidence for a day, so that a
  /// run without news leaves the profile as it was; a doubt ends with it.
  public mutating func learn(_ capability: Capability, _ finding: Finding) {
    if isNews(capability, holds: finding.holds, at: finding.time) { findings[capability] = finding }
  }

  /// Whether what an answer shows at a time would be taken down.
  func isNews(_ capability: Capability, holds: Bool, at time: Instant) -> Bool {
    guard let known = findings[capability], known.holds == holds, known.doubts == nil else {
      return true
    }
    return time.milliseconds &- known.time.milliseconds >= Self.renewal
  }

  /// So many cases of one doubt are kept.
  static let mostDoubts = 20

  /// Takes down of what a contradiction was seen, each once, and of many the first ones.
  mutating func doubt(_ capability: Capability, _ cases: [String]) {
    var named: Set<String> = []
    let doubts = cases.filter { named.insert($0).inserted }
    findings[capability]?.doubts = Array(doubts.prefix(Self.mostDoubts))
  }

  /// Takes what another profile of the same server has later evidence for.
  public mutating func merge(_ other: ServerProfile) {
    findings.merge(other.findings) { own, theirs in
      own.time.milliseconds >= theirs.time.milliseconds ? own : theirs
    }
  }

  /// A report that a server does not have is asked for again after so long: servers are upgraded.
  /// A week in milliseconds.
  static let lifetime: Int64 = 7 * 86_400_000
  /// Evidence is renewed after a day, in milliseconds.
  private static let renewal: Int64 = 86_400_000

  /// It was lacking when it was last tried, and that is not long ago.
  func lacks(_ capability: Capability, at now: Instant) -> Bool {
    guard let finding = findings[capability], !finding.holds else { return false }
    return (now.milliseconds &- finding.time.milliseconds).magnitude < Self.lifetime.magnitude
  }

  // MARK: As text

  /// A line a finding, to be kept.
  public var encoded: [UInt8] {
    let lines = Capability.allCases.compactMap { capability -> [UInt8]? in
      guard let finding = findings[capability] else { return nil }
      return FieldCoding.encode([
        ("capability", Array(capability.rawValue.utf8)),
        ("holds", Array((finding.holds ? "yes" : "no").utf8)),
        ("time", Array("\(finding.time.milliseconds)".utf8)),
        ("request", Array(finding.request.utf8)), ("answer", Array(finding.answer.utf8)),
        ("size", finding.size.map { Array("\($0)".utf8) }),
        ("doubts", finding.doubts.map { Array($0.joined(separator: "\n").utf8) }),
      ])
    }
    return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }

  /// Reads what `encoded` gave; what it does not know is left out.
  public init(encoded: [UInt8]) {
    for line in encoded.split(separator: UInt8(ascii: "\n")) {
      let fields = FieldCoding.decode(Array(line)).mapValues { String(decoding: $0, as: UTF8.self) }
      guard let capability = fields["capability"].flatMap(Capability.init),
        let time = fields["time"].flatMap({ Int64($0) })
      else { continue }
      findings[capability] = Finding(
        holds: fields["holds"] == "yes", request: fields["request"] ?? "",
        answer: fields["answer"] ?? "", time: Instant(milliseconds: time),
        size: fields["size"].flatMap { Int($0) },
        doubts: fields["doubts"].map { $0.split(separator: "\n").map(String.init) })
    }
  }
}
