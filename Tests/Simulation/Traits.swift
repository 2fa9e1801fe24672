import Glibc
package import TestSupport
import VdirStorage

/// How a simulated server or disk differs from a plain one, by the names of the catalogue.
struct Trait: Sendable {
  let name: String
  let title: String
  /// What shows that it is not only there: each of these is it. Where there is none, whoever plays
  /// it notes it.
  let acts: Set<ModelAct>
  let apply: @Sendable (inout ModelSwitches) -> Void

  static func named(_ name: String) -> Trait? { all.first { $0.name == name } }

  /// Of the disk; they are no switches of the server.
  static let disk: [(name: String, title: String)] = [
    ("C2.30", "names differ in letter case alone"),
    ("C2.31", "an accented name has two spellings"),
    ("C2.32", "times of files count in twos of seconds"),
    ("C2.33", "no exchange, no rename without replacing, no link"),
  ]

  /// calgw holds few texts at once, so that both sides give theirs in parts.
  static let littleMemory = (name: "C2.36", title: "texts come in parts")

  /// Each deletion is asked about before it reaches the other side.
  static let questions = "questions"

  /// Of some stories, besides those that were drawn.
  static let counter = Trait("C6.53", "the entity tag counts an item's writes", .countingTag) {
    $0.tagIsCounter = true
  }

  static let asynchronous = Trait("C6.54", "writes are done within three seconds", .lateWrite) {
    $0.writeLag = 3_000
    $0.lag = 3_000
  }

  static let attachments = Trait("C6.55", "attachments are dropped", .attachmentsDropped) {
    $0.dropsAttachments = true
  }

  static let comparison = Trait("C6.56", "reports of changes compare two states", .lifeUntold) {
    $0.comparesStates = true
  }

  static let ownUIDs = Trait("C6.57", "new items get UIDs of the server's own", .ownUID) {
    $0.makesUIDs = true
  }

  static let untoldAddresses = Trait("C6.15", "and forgets to say so", .ownAddress) { switches in
    switches.choosesNames = true
    switches.tellsNames = false
    switches.putTag = .none
  }

  static let formerTokens = Trait("C6.58", "the token of a former calendar is taken") {
    $0.tokenIsCount = true
  }

  static let all =
    drawn + [counter, asynchronous, attachments, comparison, ownUIDs, formerTokens]

  /// Those among which a story's are drawn.
  static let drawn: [Trait] = [
    Trait("C6.1", "no entity tag after PUT", .noTagAfterPut) { $0.putTag = .none },
    Trait("C6.2", "weak entity tags", .weakTag) { $0.tagForm = .weak },
    Trait("C6.3", "entity tags without quotes", .unquotedTag) { $0.tagForm = .unquoted },
    // Every other story has the latter.
    Trait("C6.4", "'-gzip' or '-br' in entity tags", .gzipTag, .brotliTag) { $0.tagForm = .gzip },
    Trait("C6.5", "a wrong entity tag after PUT", .wrongTagAfterPut) { $0.putTag = .wrong },
    Trait("C6.6", "a new entity tag at every read", .newTagAtRead) { $0.tagChangesOnRead = true },
    Trait("C6.7", "the entity tag is the second", .tagOfSecond) { $0.tagIsSecond = true },
    Trait("C6.8", "no entity tags in listings", .tagLeftOut) { $0.listsTags = false },
    Trait("C6.9", "texts are written anew", .reordered) { $0.rewritesOrder = true },
    Trait("C6.10", "extensions are dropped", .extensionsDropped) { $0.dropsExtensions = true },
    Trait("C6.11", "LAST-MODIFIED is added", .stamped) { $0.addsStamps = true },
    Trait("C6.12", "an alarm is added", .alarmAdded) { $0.addsAlarm = true },
    Trait("C6.14", "the server chooses the address", .ownAddress) { $0.choosesNames = true },
    untoldAddresses,
    Trait("C6.16", "one address in several spellings", .respelledAddress) {
      $0.hrefForm = .alternating
    },
    Trait("C6.17", "addresses with the host", .addressWithHost) { $0.hrefForm = .absolute },
    Trait("C6.18", "addresses named twice", .namedTwice) { $0.duplicatesHrefs = true },
    Trait("C6.19", "items that nobody asked for", .unsolicited, .stranger) { switches in
      switches.addsUnsolicited = true
      switches.listsStrangers = true
    },
    Trait("C6.20", "listed, and not there", .phantom) { $0.listsPhantom = true },
    Trait("C6.21", "changes show after three seconds", .lateListing) { $0.lag = 3_000 },
    Trait("C6.22", "changes show after three minutes", .lateListing) { $0.lag = 180_000 },
    Trait("C6.24", "no sync-collection", .noSyncCollection) { $0.hasSyncCollection = false },
    Trait("C6.25", "tokens expire after two changes", .tokenRefused, .listingForToken) {
      $0.tokenLifetime = 2
    },
    Trait("C6.26", "the token is the second", .tokenOfSecond) { $0.tokenIsSecond = true },
    Trait("C6.27", "the same token with 507", .sameToken) { switches in
      switches.pageSize = 2
      switches.repeatsToken = true
    },
    Trait("C6.28", "deletions are not told", .deletionUntold) { $0.forgetsDeletions = true },
    Trait("C6.29", "pages of two", .page, .sameToken) { $0.pageSize = 2 },
    Trait("C6.30", "the calendar's tag never changes", .sameCalendarTag) { switches in
      switches.hasSyncCollection = false
      switches.calendarTagIsConstant = true
    },
    Trait("C6.31", "If-None-Match is ignored", .ifNoneMatchIgnored) {
      $0.ignoresIfNoneMatch = true
    },
    Trait("C6.32", "If-Match is ignored", .ifMatchIgnored) { $0.ignoresIfMatch = true },
    Trait("C6.33", "a UID is stored once", .uidRefused) { $0.uidConflictStatus = 409 },
    Trait("C6.34", "a UID that is stored again moves", .uidMoved) { $0.movesUIDs = true },
    Trait("C6.35", "deleted names stay taken", .nameStaysTaken) { $0.trashBlocksNames = true },
    Trait("C6.36", "every write is refused", .writeRefused) { $0.refusesWrites = true },
    Trait("C6.37", "no tasks", .componentRefused) { $0.enforcesComponents = true },
    Trait("C6.38", "overrides become resources of their own", .split) { $0.splitsOverrides = true },
    Trait("C6.39", "nothing may be replaced", .replacementRefused) { $0.isImmutable = true },
    Trait("C6.42", "lines are cut off", .cutOff) { $0.truncatesAt = 32 },
    Trait("C6.43", "read-only, and says so", .readOnlyTold) { switches in
      switches.advertisesReadOnly = true
      switches.refusesWrites = true
    },
    Trait("C6.44", "no multiget", .noMultiget) { $0.hasMultiget = false },
    Trait("C6.45", "missing items are left out of a multiget", .leftOutOfMultiget) {
      $0.missingInMultiget = .omitted
    },
    Trait("C6.46", "one missing item fails a multiget", .multigetFailed) {
      $0.missingInMultiget = .wholeRequest
    },
    Trait("C6.47", "PUT is answered with 207", .multistatusAfterPut) {
      $0.answersPutWith207 = true
    },
    Trait("C6.48", "a lost token gives a listing without deletions", .listingForToken) { switches in
      switches.invalidTokenListsAll = true
      switches.tokenLifetime = 2
    },
    Trait("C6.49", "If-Match is ignored for DELETE", .deleteGuardIgnored) {
      $0.ignoresIfMatchOnDelete = true
    },
    Trait("C6.50", "definitions of time zones are replaced", .definitionsChanged) {
      $0.definitions = .replaced
    },
    Trait("C6.51", "definitions of time zones are dropped", .definitionsChanged) {
      $0.definitions = .dropped
    },
  ]

  private init(
    _ name: String, _ title: String, _ acts: ModelAct...,
    apply: @escaping @Sendable (inout ModelSwitches) -> Void
  ) {
    self.name = name
    self.title = title
    self.acts = Set(acts)
    self.apply = apply
  }
}

extension ModelSwitches {
  /// What it stores is not what it was sent.
  var changesTexts: Bool {
    rewritesOrder || dropsExtensions || dropsAttachments || addsStamps || addsAlarm
      || definitions != .kept || truncatesAt != nil || splitsOverrides
  }

  /// What others do right after a write of ours can be told from it, and a write over what they did
  /// is refused.
  var guardsWrites: Bool {
    tagForm != .weak && listsTags && !givesNoTagAfterPut && !ignoresIfMatch
  }

  /// It may be late with what it was sent: without guards, or where it takes away what it does not
  /// show yet, the moment in which others can be written over lasts as long as its delay
  /// (docs/reliability.md).
  var maySlowDown: Bool { guardsWrites && !movesUIDs }

  /// It keeps what it is sent, as and where it is sent, shows it at once, and its tags tell one
  /// version from another.
  var isFaithful: Bool {
    guardsWrites && putTag == .strong && !tagChangesOnRead && !tagIsSecond && !tagIsCounter
      && !ignoresIfNoneMatch && !ignoresIfMatchOnDelete && !changesTexts && !choosesNames
      && !movesUIDs && !makesUIDs && !hidesChanges
  }

  /// What it answers to a write says nothing of the version that it stored.
  var givesNoTagAfterPut: Bool { putTag == .none || answersPutWith207 }

  /// What changes shows some seconds later.
  var isLate: Bool { lag > 0 || writeLag > 0 }

  /// What others did does not show at once, so that calgw cannot reckon with it.
  var hidesChanges: Bool {
    lag > 0 || calendarTagIsConstant || tokenIsSecond || forgetsDeletions || invalidTokenListsAll
  }
}

extension Story {
  package func applyTraits(to switches: inout ModelSwitches) {
    for name in traits { Trait.named(name)?.apply(&switches) }
    // A proxy compresses as it likes best.
    if switches.tagForm == .gzip, chance.isMultiple(of: 2) { switches.tagForm = .brotli }
  }
}
