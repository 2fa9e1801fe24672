import Synchronization

/// Something odd that a model server really did because of one of its switches. A switch that is on
/// and meets nothing to be odd about does none.
public enum ModelAct: Sendable, Hashable {
  // MARK: Tags
  /// The answer to a write without an entity tag, with a wrong one, or with 207.
  case noTagAfterPut, wrongTagAfterPut, multistatusAfterPut
  /// A tag of an item was given in this form.
  case weakTag, unquotedTag, gzipTag, brotliTag, tagOfSecond, countingTag
  /// Another tag than at the look before, of the same text.
  case newTagAtRead
  /// An item was listed without one.
  case tagLeftOut

  // MARK: What is stored
  /// A text was stored otherwise than it was sent.
  case reordered, extensionsDropped, attachmentsDropped, stamped, alarmAdded, cutOff
  case emptyTextAdded, attendeesFilledIn, authored
  case definitionsChanged
  /// It was stored elsewhere, in several resources, or under another UID.
  case ownAddress, split, ownUID

  // MARK: Listings
  case addressWithHost, respelledAddress, namedTwice, stranger, phantom
  /// An answer showed an earlier state of the calendar, or of an item.
  case lateListing, lateWrite
  /// The server told that it has no such report, or refused it.
  case noSyncCollection, noMultiget
  case unsolicited
  /// A multiget left a missing item out, or was refused because of it.
  case leftOutOfMultiget, multigetFailed
  /// The calendar's tag was given as before, and the calendar has changed since.
  case sameCalendarTag
  /// A token had expired: it was refused, or everything was listed.
  case tokenRefused, listingForToken
  case tokenOfSecond, sameToken, page, deletionUntold, lifeUntold

  // MARK: Writes
  /// A guard did not hold, and that was ignored.
  case ifNoneMatchIgnored, ifMatchIgnored, deleteGuardIgnored
  case uidRefused, uidMoved, nameStaysTaken, uidStaysTaken
  case writeRefused, componentRefused, replacementRefused
  /// The server told that nothing may be written.
  case readOnlyTold

  // MARK: On the way
  /// An answer ended early, and nothing said so.
  case cutUnnoticed
}

extension ModelServer {
  /// What it did so far because of its switches.
  public var acts: Set<ModelAct> { state.withLock { $0.acts } }
}

extension ModelServer.State {
  mutating func acted(_ act: ModelAct) { acts.insert(act) }

  /// An item's tag goes out.
  mutating func noteTag(of item: ModelWorld.Item) {
    switch switches.tagForm {
    case .quoted: break
    case .weak: acted(.weakTag)
    case .unquoted: acted(.unquotedTag)
    case .gzip: acted(.gzipTag)
    case .brotli: acted(.brotliTag)
    }
    if switches.tagIsCounter {
      acted(.countingTag)
    } else if switches.tagIsSecond {
      acted(.tagOfSecond)
    }
    if switches.tagChangesOnRead, item.reads > 1 { acted(.newTagAtRead) }
  }

  /// An answer with properties names an item.
  mutating func noteListed(_ name: [UInt8], _ item: ModelWorld.Item?) {
    noteAddress(name)
    if switches.duplicatesHrefs { acted(.namedTwice) }
    guard let item else { return }
    if switches.listsTags { noteTag(of: item) } else { acted(.tagLeftOut) }
  }

  /// An item's address goes out, as this answer spells it.
  mutating func noteAddress(_ name: [UInt8]) {
    switch switches.hrefForm {
    case .plain: break
    case .absolute: acted(.addressWithHost)
    case .alternating where answers.isMultiple(of: 2): break
    case .alternating, .reencoded:
      // Every such letter is encoded.
      if name.contains(UInt8(ascii: "e")) { acted(.respelledAddress) }
    }
  }

  /// A listing of everything has addresses that are no items of the calendar.
  mutating func noteOddAddresses() {
    if switches.listsStrangers { acted(.stranger) }
    if switches.listsPhantom { acted(.phantom) }
  }
}
