import ICalendar
import SyncModel

extension MergeDraft {
  /// Settles every property of a component that both sides changed. The frame of its schedule was
  /// looked at before. Where it `isNew`, the sides never agreed on it.
  mutating func settleProperties(
    _ versions: BothSides<Versions>, occurrence: String?, isNew: Bool = false,
    without dropped: Set<Moment> = []
  ) throws(MergeObstacle) {
    guard !versions.local.groups.hasBrackets, !versions.remote.groups.hasBrackets else {
      let isSame =
        canonicalForm(of: versions.local.text) == canonicalForm(of: versions.remote.text)
      guard isSame else { throw .unmergeable }
      return
    }
    var handled = Set(ScheduleSlot.allCases.filter(\.isFrame).flatMap(\.names))
    for bundle in PropertyBundle.all(of: ComponentIdentity(versions.local.text).kind) {
      settle(bundle, versions, occurrence, isNew: isNew, &handled)
    }
    var names: [[UInt8]] = []
    for side in Side.allCases {
      names += versions[side].groups.names + versions[side].baseGroups.names
    }
    for name in names where handled.insert(name).inserted {
      let isForced = !dropped.isEmpty && name.elementsEqual("EXDATE".utf8)
      if isForced {
        settleMoments(name, versions, without: dropped)
      } else if isNew, Side.allCases.contains(where: { onlySaysTheDefault(name, $0, versions) }) {
        leaveAsIs(name, versions)
      } else if versions.local.changed(name), versions.remote.changed(name) {
        if versions.local.form(name) == versions.remote.form(name) {
          settleAsIs(name, versions)
        } else if isNew, saySame(name, versions) {
          leaveAsIs(name, versions)
        } else {
          settle(name, versions, occurrence, isNew: isNew)
        }
      }
    }
  }

  /// A side says in words what holds on the other one, too.
  private func onlySaysTheDefault(
    _ name: [UInt8], _ side: Side, _ versions: BothSides<Versions>
  ) -> Bool {
    let lines = versions[side].lines(name)
    return versions[side.opposite].lines(name).isEmpty && !lines.isEmpty
      && lines.allSatisfy(\.saysTheDefault)
  }

  private func saySame(_ name: [UInt8], _ versions: BothSides<Versions>) -> Bool {
    let said = versions.map { LooseMeaning.of($0.groups[name]) }
    return said.local == said.remote
  }

  /// Both sides have one thing in two spellings, as an empty text and none: nothing gives way.
  /// Overrides are the same one by what RECURRENCE-ID means.
  func meanSame(_ name: [UInt8], _ versions: BothSides<Versions>) -> Bool {
    name.elementsEqual("RECURRENCE-ID".utf8)
      || Meaning.of(versions.local.groups[name]) == Meaning.of(versions.remote.groups[name])
  }

  /// Settles a property that both sides changed in unlike ways.
  private mutating func settle(
    _ name: [UInt8], _ versions: BothSides<Versions>, _ occurrence: String?, isNew: Bool
  ) {
    switch PropertyRule(name, isRepeated: isRepeated(name, versions)) {
    case .newer:
      let whole = isNew ? undamaged(name, versions) : nil
      let holder = whole ?? newer
      settle(name, versions, to: holder)
      if !meanSame(name, versions) { lose(name, to: holder, occurrence, isByTime: whole == nil) }
    case .highest: settle(name, versions, to: sideWithHighest(name, versions))
    case .latest: settle(name, versions, to: sideWithTime(name, versions, >))
    case .earliest: settle(name, versions, to: sideWithTime(name, versions, <))
    case .attendees: settleAttendees(name, versions, occurrence)
    case .words: settleWords(name, versions)
    case .moments: settleMoments(name, versions, without: [])
    case .lines: settleLines(name, versions, occurrence)
    }
  }

  func isRepeated(_ name: [UInt8], _ versions: BothSides<Versions>) -> Bool {
    Side.allCases.contains { versions[$0].isRepeated(name) }
  }

  mutating func lose(
    _ name: [UInt8], to winner: Side, _ occurrence: String?, isByTime: Bool
  ) {
    note(
      LostChange(
        name: String(decoding: name, as: UTF8.self), winner: winner, occurrence: occurrence,
        isByTime: isByTime))
  }

  /// The side that has whole lines of a name, where those of the other one cannot be read, or are
  /// cut off: a server has damaged them, and nobody edited them. Nil where both can, or neither.
  func undamaged(_ name: [UInt8], _ versions: BothSides<Versions>) -> Side? {
    let lines = versions.map { $0.lines(name) }
    guard !lines.local.isEmpty, !lines.remote.isEmpty else { return nil }
    let isDamaged = lines.map { $0.contains(where: \.isDamaged) }
    if isDamaged.local != isDamaged.remote { return isDamaged.local ? .remote : .local }
    guard lines.local.count == 1, lines.remote.count == 1 else { return nil }
    return Side.allCases.first { lines[$0.opposite][0].isCutOff(from: lines[$0][0]) }
  }

  private func sideWithHighest(_ name: [UInt8], _ versions: BothSides<Versions>) -> Side {
    func number(_ side: Side) -> Int {
      versions[side].lines(name).first
        .flatMap { Int(String(decoding: $0.value, as: UTF8.self)) } ?? -1
    }
    return number(.local) > number(.remote) ? .local : .remote
  }

  /// A side whose time cannot be read gives way to the other.
  private func sideWithTime(
    _ name: [UInt8], _ versions: BothSides<Versions>, _ precedes: (UTCDateTime, UTCDateTime) -> Bool
  ) -> Side {
    func time(_ side: Side) -> UTCDateTime? {
      versions[side].lines(name).first.flatMap { UTCDateTime($0.value) }
    }
    guard let local = time(.local) else { return .remote }
    guard let remote = time(.remote) else { return .local }
    return precedes(local, remote) ? .local : .remote
  }
}

extension ContentLine {
  /// It ends where a comma or a semicolon follows in the other: Radicale takes the rest of an
  /// unescaped value for another one, and leaves that out.
  fileprivate func isCutOff(from whole: ContentLine) -> Bool {
    let (value, all) = (value, whole.value)
    guard !value.isEmpty, all.count > value.count, all.starts(with: value) else { return false }
    return [0x2C, 0x3B].contains(all[value.count]) && value.last != 0x5C
  }
}
