import ICalendar
public import SyncModel

/// A text that was sent to a side, and what it tells of what is found there later. Servers make
/// their own of what they are given, people go on from it, and answers are lost or mixed up:
/// nothing but the three texts says what became of it.
///
/// | what is found | means |
/// |---|---|
/// | `means` what was sent | it arrived |
/// | is of one substance with it | it arrived, where nobody else can have put it there |
/// | says nothing else (`isAllSaid`) | the same, where it is new |
/// | is a trace of it | it arrived, and the server kept what it keeps of it |
/// | was gone on to from it | it arrived, and somebody edited it since |
/// | passes it by | it never came: somebody edited what was there before |
/// | swallowed it (`isSwallowed`) | the server kept nothing of it, and less of what it had |
/// | says more of attendees | it arrived, and the server has news of them (`unanswered`) |
///
/// Where none holds, what is found may be anybody's.
public struct SentText: Sendable {
  /// What was written.
  public let sent: ItemData
  let old: ItemData?
  let isRewritten: Bool
  let zones: ItemZones

  /// - Parameters:
  ///   - old: what it was to replace; nil where it is new, and where the journal has lost the text.
  ///   - isRewritten: The side may store something else than it is given.
  public init(_ sent: ItemData, over old: ItemData?, isRewritten: Bool, zones: ItemZones) {
    self.sent = sent
    self.old = old
    self.isRewritten = isRewritten
    self.zones = zones
  }

  /// A person sees the same.
  public func means(_ found: ItemData) -> Bool {
    zones.isSameContent(SyntaxTree(bytes: found.bytes), SyntaxTree(bytes: sent.bytes))
  }

  /// The server made its own of it, as servers do.
  public func isOfOneSubstance(with found: ItemData) -> Bool { haveOneSubstance(sent, found) }

  /// What is there is what the server made of ours, and not of what it had before.
  public func isTraced(in found: ItemData) -> Bool {
    if isTouchedOnly(found) || bearsTouch(found) { return true }
    guard isRewritten, let old else { return false }
    let trees = [old, sent, found].map(comparable)
    if isPartOnly(trees) { return true }
    // What servers drop and what they add, as alarms, are two things: an edit may be of either.
    return [essenceWithoutExtensions, substance].contains { view in
      let seen = trees.map(view)
      return seen[1] != nil && seen[0] != seen[1] && seen[1] == seen[2]
    }
  }

  /// Each property that the write changed, but for those that no server need keep and this one did
  /// not, is another one now than before it, and at least one is as it was written. What a server
  /// cut off begins as written, and is nobody's edit.
  public func wasGoneOnFrom(to found: ItemData) -> Bool {
    guard let old else { return false }
    let kept = remains(in: found, isInDoubt: true)
    let (written, now) = (changes(to: kept, since: old), changes(to: found, since: old))
    // Where the server left something out, that more is gone is no trace of ours: it may have left
    // that out as well, and an item that was made anew lacks all of it.
    let isWhole = kept == sent
    var isThere = false
    // What a new override lacks of its series is no change of its own: that may lack it now.
    for one in written where one.occurrence == nil || one.after != nil {
      guard let same = now.first(where: { $0.isOfTheSame(as: one) }) else { return false }
      if same.after == one.after {
        isThere = isThere || isWhole || one.after != nil
      } else if let cut = same.after, one.after?.hasPrefix(cut) ?? false {
        return false
      }
    }
    return isThere
  }

  /// What is there has nothing of what was sent, and has another title, text or time than there was
  /// before: somebody edited that, and the write never came. That servers do not make of one edit
  /// another holds for these alone, and not of overrides, which they may spell in another way.
  public func isPassedBy(_ found: ItemData) -> Bool {
    guard let old, !haveOneSubstance(sent, old), !haveOneSubstance(found, old),
      !haveOneSubstance(found, sent)
    else { return false }
    let (written, now) = (changes(to: sent, since: old), changes(to: found, since: old))
    return (written + now).allSatisfy { $0.occurrence == nil }
      && written.contains(where: \.isAPersons) && now.contains(where: \.isAPersons)
      && !written.contains { one in now.contains { $0.isOfTheSame(as: one) } }
  }

  /// What is there is what there was before, with fewer extensions and nothing else new: a server
  /// that drops what no server need keep was written to, and dropped all that was new as well.
  /// Taken for an edit there, it would take the extensions out of the folder.
  public func isSwallowed(by found: ItemData) -> Bool {
    guard isRewritten, let old else { return false }
    let (before, there) = (comparable(old), comparable(found))
    guard let former = essence(of: before), let now = essence(of: there), former != now,
      essenceWithoutExtensions(of: before) == essenceWithoutExtensions(of: there)
    else { return false }
    let lines = Set(former.split(separator: 0x0A))
    return now.split(separator: 0x0A).allSatisfy(lines.contains)
  }

  /// It says anew when the item is, which no server takes and leaves out: where nothing of it is
  /// there, it is not stored.
  public var isOfTime: Bool {
    guard let old else { return false }
    // A server may have made a DTEND of a DURATION, and the one that is missing is no change.
    return changes(to: sent, since: old).contains { one in
      one.occurrence == nil && one.before != nil && one.after != nil
        && ["DTSTART", "DTEND", "DUE", "DURATION"].contains(one.property)
    }
  }

  /// What both sides shared of it, where somebody went on from it: on a server without what servers
  /// by habit drop, and without what was new in it and no server need keep, if what is there now
  /// lacks it. Else what the server left out would be taken for that person's deletion, and go out
  /// of the folder with his edit.
  public func shared(with found: ItemData) -> ItemData { remains(in: found, isInDoubt: false) }

  // MARK: Comparing

  private func remains(in found: ItemData, isInDoubt: Bool) -> ItemData {
    guard isRewritten else { return sent }
    let tree = ICalendar.remains(
      of: SyntaxTree(bytes: sent.bytes), in: SyntaxTree(bytes: found.bytes),
      over: old.map { SyntaxTree(bytes: $0.bytes) }, isInDoubt: isInDoubt)
    return ItemData(bytes: tree.bytes)
  }

  /// A server that notes the time of a write stored ours: to send it once more would change nothing
  /// but that time, and tell every attendee again.
  private func isTouchedOnly(_ found: ItemData) -> Bool {
    guard let there = essence(of: comparable(found)) else { return false }
    return there == essence(of: comparable(sent))
  }

  /// It touched the item and changed nothing else, and what is there has the times and counters
  /// that it wrote: no other program gave it those. What a server dropped and added besides is its
  /// doing.
  private func bearsTouch(_ found: ItemData) -> Bool {
    guard isRewritten, let old, zones.haveOneEssence(comparable(old), comparable(sent)),
      haveOneSubstance(sent, found)
    else { return false }
    let trees = [old, sent, found].map { SyntaxTree(bytes: $0.bytes) }
    let written = ["LAST-MODIFIED", "DTSTAMP", "SEQUENCE", "CREATED"].filter {
      values(of: $0, in: trees[0]) != values(of: $0, in: trees[1])
    }
    // A counter alone may be somebody else's.
    guard written.contains("LAST-MODIFIED") || written.contains("DTSTAMP") else { return false }
    return written.allSatisfy { values(of: $0, in: trees[1]) == values(of: $0, in: trees[2]) }
  }

  /// What is there is the part of ours that a server keeps, and more than there was before.
  private func isPartOnly(_ trees: [SyntaxTree]) -> Bool {
    let kept = ICalendar.remains(of: trees[1], in: trees[2], over: trees[0], isInDoubt: true)
    guard let own = essence(of: kept), own == essence(of: trees[2]) else { return false }
    return substance(of: kept) != substance(of: trees[0])
  }

  private func haveOneSubstance(_ one: ItemData, _ other: ItemData) -> Bool {
    guard let own = substance(of: comparable(one)) else { return false }
    return own == substance(of: comparable(other))
  }

  func comparable(_ data: ItemData) -> SyntaxTree {
    zones.withoutRedundantDefinitions(SyntaxTree(bytes: data.bytes))
  }

  private func changes(to text: ItemData, since old: ItemData) -> [PropertyDifference] {
    describeChange(
      from: SyntaxTree(bytes: old.bytes), to: SyntaxTree(bytes: text.bytes), zones: zones)
  }
}

extension PropertyDifference {
  /// No server changes it by itself.
  fileprivate var isAPersons: Bool {
    [
      "SUMMARY", "DESCRIPTION", "LOCATION", "DTSTART", "DTEND", "DUE", "DURATION", "RRULE",
    ].contains(property)
  }

  fileprivate func isOfTheSame(as other: PropertyDifference) -> Bool {
    component == other.component && occurrence == other.occurrence && property == other.property
  }
}
