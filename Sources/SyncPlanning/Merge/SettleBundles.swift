import ICalendar
import SyncModel

extension MergeDraft {
  /// Properties that say one thing together come from one side.
  mutating func settle(
    _ bundle: PropertyBundle, _ versions: BothSides<Versions>, _ occurrence: String?,
    isNew: Bool, _ handled: inout Set<[UInt8]>
  ) {
    // Of several texts, as a journal entry may have (RFC 5545 §3.6.3), each is one of its own.
    if !bundle.isTight, isRepeated(bundle.names[0], versions) { return }
    let deciding = bundle.isTight ? bundle.names : Array(bundle.names.prefix(1))
    let isTwoSided = Side.allCases.allSatisfy { side in
      deciding.contains { versions[side].changed($0) }
    }
    let unlike = bundle.names.filter { versions.local.form($0) != versions.remote.form($0) }
    guard isTwoSided, deciding.contains(where: unlike.contains) else {
      if !bundle.isTight { settleCompanions(bundle, versions, occurrence, &handled) }
      return
    }
    // Where nobody edited any of them, each is as it was before a server damaged it.
    let holders = isNew ? unlike.map { undamaged($0, versions) } : []
    let isOnlyDamaged = !holders.isEmpty && holders.allSatisfy { $0 != nil }
    for name in bundle.names {
      handled.insert(name)
      let holder = isOnlyDamaged ? undamaged(name, versions) ?? newer : newer
      if unlike.contains(name) {
        settle(name, versions, to: holder)
        if versions[holder.opposite].changed(name), !meanSame(name, versions) {
          lose(name, to: holder, occurrence, isByTime: !isOnlyDamaged)
        }
      } else {
        settleAsIs(name, versions)
      }
    }
  }

  /// What describes a text or a place goes with it: one side alone has put another one in its
  /// place, and the other side's program has but found out where the old one is, or has made HTML
  /// of it.
  private mutating func settleCompanions(
    _ bundle: PropertyBundle, _ versions: BothSides<Versions>, _ occurrence: String?,
    _ handled: inout Set<[UInt8]>
  ) {
    let first = bundle.names[0]
    let edited = Side.allCases.filter { side in
      Meaning.values(of: versions[side].baseGroups[first])
        != Meaning.values(of: versions[side].groups[first])
    }
    guard edited.count == 1, let holder = edited.first,
      isReplaced(first, versions[holder])
    else { return }
    let (own, other) = (versions[holder], versions[holder.opposite])
    for name in bundle.names.dropFirst()
    where other.changed(name) && other.form(name) != own.form(name) {
      // What describes the old one may well go.
      if other.lines(name).isEmpty, !own.changed(name) { continue }
      handled.insert(name)
      settle(name, versions, to: holder)
      lose(name, to: holder, occurrence, isByTime: false)
    }
  }

  private func isOfWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }

  /// There was something, and it is not only said more exactly: `Office (2nd floor)` is where the
  /// office is.
  private func isReplaced(_ name: [UInt8], _ versions: Versions) -> Bool {
    guard let old = versions.baseLines(name).first, !old.saysNothing else { return false }
    guard name.elementsEqual("LOCATION".utf8), let new = versions.lines(name).first,
      new.value.starts(with: old.value)
    else { return true }
    // A longer word is another one.
    return new.value.dropFirst(old.value.count).first.map(isOfWord) ?? true
  }
}
