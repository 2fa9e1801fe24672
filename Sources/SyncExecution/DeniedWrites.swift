import ICalendar
import SyncModel
import SyncPlanning

/// Writes that were answered with a success, and did not happen: some servers take a write and drop
/// it, and proxies have mixed up answers. To believe it would undo a person's edit, or delete his
/// new item, with the next run.
extension SyncRun {
  /// What a look says of such a write. Nil where it may have happened.
  ///
  /// - Parameter ours: over what was there before, as far as that is needed.
  func denial(of place: Place, _ ours: SentText, by outcome: ReadOutcome) -> IntentOutcome? {
    let tag = place.stored.version.tag
    switch (place.write.write, outcome.result) {
    case (.replace(_, let expecting, _), .found(let version, let found, _)):
      guard isUntouched(place, version) else {
        let isAnothers = tag == nil && ours.isPassedBy(found)
        return isAnothers ? .lookAgain : nil
      }
      // A server that drops all that was new has what it had before, and was not asleep: to send it
      // again would do so in every run. Another tag shows it, unless no server drops such a thing.
      if let now = version.tag {
        let isAwake = !place.isRestless && (expecting.tag.map { $0 != now } ?? false)
        // The answer was that to another request; or each look gets a new tag, and nobody knows.
        let isStrange = tag.map { !$0.names(sameAs: now) } ?? false
        if isAwake, !isStrange, !ours.isOfTime { return nil }
        if isStrange, !isAwake { return .nothingWritten }
      }
      return ours.isOfOneSubstance(with: found) || ours.renamesZoneAlone ? nil : .nothingWritten
    case (.create, _), (.replace, .problem), (.replace, .missing), (.delete, _): return nil
    }
  }

  /// Such a write as the problem that it is, by what the look shows in its place.
  func notStored(_ place: Place, _ ours: SentText, by outcome: ReadOutcome) -> ItemProblem? {
    guard case .found(let version, let found, _) = outcome.result else { return nil }
    let side = place.write.intent.side
    return isUntouched(place, version)
      ? .keptWhole(
        ours.unlikeNames(in: found), by: side, atComma: ours.sent.isCutAtComma(in: found))
      : .notStored(on: side, isSeen: true)
  }

  /// What was to be replaced is there still, byte for byte, and is not what was sent.
  private func isUntouched(_ place: Place, _ seen: Version) -> Bool {
    guard case .replace(_, let expecting, let data) = place.write.write else { return false }
    return seen.digest == expecting.digest && sync.digest(data.bytes) != expecting.digest
  }

  /// Where a look shows what was to be replaced under another tag, and the next look shows it under
  /// yet another: such tags tell nothing.
  func restless(
    _ part: [ReadOutcome], _ places: [Href: Place], on side: Side
  ) async throws(SyncFailure) -> Set<Href> {
    var tags: [Href: EntityTag] = [:]
    for outcome in part {
      guard let place = places[outcome.href], case .found(let version, _, _) = outcome.result,
        case .replace(_, let expecting, _) = place.write.write, isUntouched(place, version),
        let tag = version.tag, tag != expecting.tag
      else { continue }
      tags[outcome.href] = tag
    }
    if tags.isEmpty { return [] }
    let again = try await on(side) { [sync] () throws(StorageError) in
      try await sync.storage(side).readAll(tags.keys.sorted())
    }
    let steady = again.filter { outcome in
      guard case .found(let version, _, _) = outcome.result else { return false }
      return version.tag == tags[outcome.href]
    }
    return Set(tags.keys).subtracting(steady.map(\.href))
  }
}

extension ItemData {
  /// What was made of it has one of its texts up to a comma or semicolon without a backslash before
  /// it (RFC 5545 §3.3.11): Radicale takes what follows for another value, and drops it.
  fileprivate func isCutAtComma(in found: ItemData) -> Bool {
    let trees = [self, found].map { SyntaxTree(bytes: $0.bytes) }
    return ["SUMMARY", "DESCRIPTION", "LOCATION", "COMMENT", "CONTACT"].contains { name in
      let values = trees.map { tree in
        tree.calendars.flatMap(\.components).flatMap { $0.lines(named: name) }.map(\.value)
      }
      let kept = Set(values[1])
      return values[0].contains { value in
        !kept.contains(value) && (upToBareComma(value).map { kept.contains($0) } ?? false)
      }
    }
  }

  private func upToBareComma(_ value: [UInt8]) -> [UInt8]? {
    var isEscaped = false
    for (index, byte) in value.enumerated() {
      if !isEscaped, byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") {
        return Array(value[..<index])
      }
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
    }
    return nil
  }
}
