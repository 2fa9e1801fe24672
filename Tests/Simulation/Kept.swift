import SyncModel
import TestSupport
import VdirStorage

extension World {
  /// Whether a version can still be had: on a side, or in a history. Byte for byte, else by what it
  /// means.
  func isKept(_ bytes: [UInt8]) -> Bool { isKept(bytes, among: everywhere) }

  private func isKept(_ bytes: [UInt8], among places: [[UInt8]]) -> Bool {
    if places.contains(bytes) || places.contains(ItemText.wire(bytes)) { return true }
    let meaning = ItemText.meaning(bytes)
    return places.contains { ItemText.meaning($0) == meaning }
  }

  func isInHistory(_ bytes: [UInt8]) -> Bool {
    let state = journal.state
    let digest = sha256(bytes)
    if state.contents[digest] != nil, state.history.contains(where: { $0.entry.before == digest }) {
      return true
    }
    // An answer that was cut off in its last line break is whole.
    let text = ItemText.trimmed(bytes)
    return state.history.contains { kept in
      kept.entry.before.flatMap { state.contents[$0] }.map { ItemText.trimmed($0.bytes) == text }
        ?? false
    }
  }

  func isOnServer(_ bytes: [UInt8]) -> Bool {
    let text = ItemText.wire(bytes)
    return server.items(in: World.calendar).values.contains { ItemText.wire($0) == text }
  }

  /// All that lies in folders, on the server and in histories. A draft keeps nothing: it is a copy
  /// of what the journal had when it was made, and the next run removes it.
  private var everywhere: [[UInt8]] {
    var found: [[UInt8]] = []
    for folder in [World.folder, "/home/ann/away", OtherClient.folder] {
      for (name, file) in files.contents(of: folder) where !name.isDraft { found.append(file.data) }
    }
    for path in [World.calendar, World.calendarElsewhere] {
      found += server.items(in: path).values
    }
    for state in [journal.state, other.journalState] {
      for recorded in state.history {
        if let before = recorded.entry.before, let text = state.contents[before] {
          found.append(text.bytes)
        }
      }
    }
    return found
  }

  /// A person threw away what held a version: it is not calgw's to keep.
  func excuseWhatIsGone() {
    let places = everywhere
    oracle.excuse { !isKept($0.bytes, among: places) }
  }

  /// What was brought back lies elsewhere than where it was saved first. Once the history that had
  /// it is gone, it is there alone, and who saves over it there gives it up.
  ///
  /// - Parameter concerns: by the side and the name where it was saved.
  func rehomeWhatIsElsewhere(_ concerns: (Side, String) -> Bool = { _, _ in true }) {
    let here = files.contents(of: World.folder).filter { !$0.key.isDraft }
      .map { (Oracle.Place(side: .local, name: $0.key.text), $0.value.data) }
    let there = server.items(in: World.calendar).map {
      (Oracle.Place(side: .remote, name: String(decoding: $0.key, as: UTF8.self)), $0.value)
    }
    let places = (here + there).sorted { ($0.0.side, $0.0.name) < ($1.0.side, $1.0.name) }
    var moves: [(from: Oracle.Place, to: Oracle.Place)] = []
    for (side, name, save) in oracle.alive
    where concerns(side, name) && !isInHistory(save.bytes) {
      let place = Oracle.Place(side: side, name: name)
      let homes = places.filter { isKept(save.bytes, among: [$0.1]) }.map(\.0)
      guard !homes.contains(place) else { continue }
      guard let home = homes.first(where: { $0.side == side }) ?? homes.first else { continue }
      moves.append((place, home))
    }
    oracle.rehome(moves)
  }

  /// A person had it brought back, and the history of that went with the journal: what the server
  /// made of it is what there is.
  private func isKeptAsStored(_ bytes: [UInt8], among places: [[UInt8]]) -> Bool {
    guard hasJournalRestores, let uid = ItemText.uid(bytes), oracle.worded.contains(uid) else {
      return false
    }
    return isKept(server.rewritten(ItemText.wire(bytes)), among: places)
  }

  /// NoLoss: every version that a person saved and did not give up can still be had.
  func checkNothingIsLost(_ when: String) {
    let places = everywhere
    for (side, name, save) in oracle.alive where !isKept(save.bytes, among: places) {
      if isKeptAsStored(save.bytes, among: places) { continue }
      violate("NoLoss", "\(side.rawValue) \(save.label) ('\(name)') is nowhere any more \(when)")
      oracle.excuse { $0 == save }
    }
  }
}
