package import SyncModel
private import Synchronization
package import WebDAV

/// What the calendars of an account learn of their server, together.
package final class ServerMemory: Sendable {
  private struct State {
    var profile: ServerProfile
    var scheduleTags: ScheduleTags
    var writtenTags: WrittenTags
    var barren: BarrenHome?
    var isRefusing = false
    var listingsInVain = 0
    var hasSilentReports = false
    var makingPause: MakingPause?
    /// What this run was the first to doubt.
    var doubted: Set<ServerProfile.Capability> = []
  }

  /// A time in which no calendar is to be made, in milliseconds.
  private struct MakingPause {
    let length: Int64
    /// Since 1970.
    let end: Int64
  }

  /// A home set in which no calendar is made, whatever it is, and the answers that showed it.
  struct BarrenHome: Sendable {
    let home: WebURL
    let answers: MakingRefusal
  }

  private let state: Mutex<State>
  private let secrets: KnownSecrets
  private let now: @Sendable () -> Instant

  /// - Parameter secrets: what is not taken down as evidence, should a server send it back.
  package init(
    _ learned: CalDAVAccount.Learned?, hiding secrets: KnownSecrets,
    now: @escaping @Sendable () -> Instant
  ) {
    self.secrets = secrets
    self.now = now
    state = Mutex(
      State(
        profile: learned?.profile ?? ServerProfile(),
        scheduleTags: ScheduleTags(encoded: learned?.scheduleTags ?? []),
        writtenTags: WrittenTags(encoded: learned?.writtenTags ?? [])))
  }

  package var learned: CalDAVAccount.Learned {
    state.withLock { state in
      CalDAVAccount.Learned(
        profile: state.profile, scheduleTags: state.scheduleTags.encoded,
        writtenTags: state.writtenTags.encoded)
    }
  }

  // MARK: Capabilities

  func lacks(_ capability: ServerProfile.Capability) -> Bool {
    let now = now()
    return state.withLock { $0.profile.lacks(capability, at: now) }
  }

  /// It was lacking when it was last tried, however long ago: what guards against a loss is not
  /// believed in by the mere passing of time.
  func ignores(_ capability: ServerProfile.Capability) -> Bool {
    state.withLock { $0.profile[capability]?.holds == false }
  }

  /// It was there when it was last tried.
  func knows(_ capability: ServerProfile.Capability) -> Bool {
    state.withLock { $0.profile[capability]?.holds == true }
  }

  /// How it was when it was last tried; nil where it never showed.
  func finding(_ capability: ServerProfile.Capability) -> ServerProfile.Finding? {
    state.withLock { $0.profile[capability] }
  }

  /// How many requests at once a run begins with.
  var beginning: Pace.Beginning {
    if lacks(.parallel) { return .alone }
    return lacks(.unthrottled) ? .slow : .full
  }

  /// The words are made only where they are kept: each of many thousand items shows what nearly all
  /// of them show, and to look for secrets in a tag takes some microseconds.
  package func learn(
    _ capability: ServerProfile.Capability, _ holds: Bool, _ request: @autoclosure () -> String,
    _ answer: @autoclosure () -> String, size: Int? = nil
  ) {
    let time = now()
    guard state.withLock({ $0.profile.isNews(capability, holds: holds, at: time) }) else { return }
    let finding = ServerProfile.Finding(
      holds: holds, request: request(), answer: answer(), time: time, size: size)
    state.withLock { $0.profile.learn(capability, finding) }
  }

  /// What contradicts a capability that was there when it was last tried, and may be chance. The
  /// second run that sees it of something else believes it, unless an answer in between showed the
  /// capability to be there.
  ///
  /// - Parameter cases: what it was seen of.
  func doubt(
    _ capability: ServerProfile.Capability, of cases: [String], _ request: String,
    _ answer: String
  ) {
    let time = now()
    state.withLock { state in
      guard let known = state.profile[capability], known.holds else { return }
      guard let doubts = known.doubts, !state.doubted.contains(capability) else {
        state.profile.doubt(capability, (known.doubts ?? []) + cases)
        state.doubted.insert(capability)
        return
      }
      if cases.allSatisfy(doubts.contains) { return }
      // Of more than are kept nobody can tell whether this one was among them: the next run may.
      guard doubts.count < ServerProfile.mostDoubts else {
        state.profile.doubt(capability, cases)
        state.doubted.insert(capability)
        return
      }
      state.profile.learn(
        capability,
        ServerProfile.Finding(holds: false, request: request, answer: answer, time: time))
    }
  }

  /// An item was stored: one as large as what was refused for its size says that the limit is gone.
  func learn(stored size: Int, _ request: String, _ status: Int) {
    let limit = state.withLock { $0.profile[.sizeLimit] }
    guard let limit, limit.holds, let refused = limit.size, size >= refused else { return }
    learn(.sizeLimit, false, request, "\(status) to \(size) bytes")
  }

  /// What an entity tag shows, as received.
  package func learn(tag bytes: [UInt8]?, _ request: String) {
    guard let bytes, let tag = EntityTag(received: bytes) else { return }
    learn(.strongTags, tag.isStrong, request, "ETag \(shown(bytes))")
    let isWeak = tag.bytes.starts(with: "W/".utf8)
    learn(
      .quotedTags, isWeak || tag.bytes.first == UInt8(ascii: "\""), request,
      "ETag \(shown(bytes))")
  }

  /// Known in the run that found it out: each further calendar need not be asked for.
  var barrenHome: BarrenHome? {
    get { state.withLock { $0.barren } }
    set { state.withLock { $0.barren = newValue } }
  }

  /// In this run it refused again to make a calendar that an earlier one was refused.
  var isRefusing: Bool {
    get { state.withLock { $0.isRefusing } }
    set { state.withLock { $0.isRefusing = newValue } }
  }

  /// What is left of the time in which the server makes no other calendar, in milliseconds; nil: it
  /// may be asked for one.
  var makingPause: Int64? {
    let now = now().milliseconds
    guard let pause = state.withLock({ $0.makingPause }), pause.end > now else { return nil }
    return min(pause.length, pause.end - now)
  }

  /// It asked to wait so long before it makes another calendar.
  func pauseMaking(for wait: Int64) {
    let end = now().milliseconds + wait
    state.withLock { $0.makingPause = MakingPause(length: wait, end: end) }
  }

  /// Calendars in a row, in this run, that could not be listed after a report of changes that had
  /// no answer.
  var listingsInVain: Int { state.withLock { $0.listingsInVain } }

  /// In this run a calendar could be listed after such a report: those of the other calendars would
  /// only take as long.
  var hasSilentReports: Bool { state.withLock { $0.hasSilentReports } }

  func noteListing(isInVain: Bool) {
    state.withLock { state in
      state.listingsInVain = isInVain ? state.listingsInVain + 1 : 0
      if !isInVain { state.hasSilentReports = true }
    }
  }

  // MARK: CTags

  func note(_ tag: [UInt8], writtenUnderIn calendar: String) {
    state.withLock { $0.writtenTags.note(tag, of: calendar) }
  }

  func takeTagWrittenUnder(in calendar: String) -> [UInt8]? {
    state.withLock { $0.writtenTags.take(of: calendar) }
  }

  // MARK: Schedule-Tags

  func note(scheduleTag: [UInt8]?, of content: ContentDigest, _ request: String) {
    guard let tag = EntityTag(received: scheduleTag), tag.isStrong else { return }
    state.withLock { $0.scheduleTags[content] = tag.bytes }
    learn(.scheduleTag, true, request, "Schedule-Tag \(shown(tag.bytes))")
  }

  /// A tag as evidence; what the server gets back has all of it.
  func shown(_ tag: [UInt8]) -> String { ServerWords.safe(tag, hiding: secrets) }

  func scheduleTag(of content: ContentDigest) -> [UInt8]? {
    state.withLock { $0.scheduleTags[content] }
  }
}

/// The Schedule-Tags of items with an organizer (RFC 6638 §3.2.10), by the digests of the contents
/// that they came with.
struct ScheduleTags: Sendable, Hashable {
  /// Contents whose tag is kept; the longest known go first.
  private static let most = 2000

  private var tags: [ContentDigest: [UInt8]] = [:]
  private var order: [ContentDigest] = []

  subscript(content: ContentDigest) -> [UInt8]? {
    get { tags[content] }
    set {
      if tags[content] == nil { order.append(content) }
      tags[content] = newValue
      if order.count > Self.most { tags[order.removeFirst()] = nil }
    }
  }

  /// A line an item, to be kept.
  var encoded: [UInt8] {
    let lines = order.map { content in
      FieldCoding.encode([("content", content.bytes), ("tag", tags[content])])
    }
    return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }

  init(encoded: [UInt8]) {
    for line in encoded.split(separator: UInt8(ascii: "\n")).suffix(Self.most) {
      let fields = FieldCoding.decode(Array(line))
      guard let content = fields["content"], content.count == 32, let tag = fields["tag"] else {
        continue
      }
      self[ContentDigest(bytes: content)] = tag
    }
  }
}
