import ICalendar
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// What holds of every merge, over random items and edits.
@Suite struct MergeLawTests {
  /// An event; of three seeds one makes a to-do of it, and one a journal entry.
  private func made(_ seed: UInt64) -> SyntaxTree {
    let event = String(decoding: makeEvent(number: Int(seed % 12), seed: seed), as: UTF8.self)
    let (kind, end) = [("VEVENT", "DTEND"), ("VTODO", "DUE"), ("VJOURNAL", "X-END")][Int(seed % 3)]
    let text = event.replacing("VEVENT", with: kind).replacing("DTEND", with: end)
    return SyntaxTree(bytes: Array(text.utf8))
  }

  private func joined(
    _ base: SyntaxTree?, _ local: SyntaxTree, _ remote: SyntaxTree, newer: Side = .local
  ) -> MergedTexts? {
    let outcome = merge(
      base: base.map { BothSides($0, $0) }, local: local, remote: remote,
      times: MergeCase.times(newer: newer.rawValue))
    guard case .merged(let texts) = outcome else { return nil }
    return texts
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func form(_ bytes: [UInt8]) -> [UInt8] { canonicalForm(of: SyntaxTree(bytes: bytes)) }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `what one side changed is what comes out, byte for byte`(seed: UInt64) {
    var edits = RandomEdits(seed: seed)
    let base = made(seed)
    let edited = edits.edited(base)
    let same = edits.rewritten(base)
    if form(edited.bytes) == form(base.bytes) { return }
    #expect(joined(base, edited, base)?.local == edited.bytes)
    #expect(joined(base, edited, same)?.remote == edited.bytes)
    #expect(joined(base, base, edited)?.local == edited.bytes)
    #expect(joined(base, same, edited)?.remote == edited.bytes)
    #expect(joined(base, edited, edited)?.local == edited.bytes)
    #expect(joined(nil, edited, edited)?.remote == edited.bytes)
  }

  @Test(arguments: 0..<80 as Range<UInt64>)
  func `each change of one side alone is in what comes out`(seed: UInt64) throws {
    var edits = RandomEdits(seed: seed &+ 5000)
    let base = made(seed)
    let (local, remote) = (edits.edited(base), edits.edited(base))
    // Schedules change by single dates alone here, so there is nothing to ask a person.
    let merged = try #require(joined(base, local, remote), "seed \(seed)")
    let result = SyntaxTree(bytes: merged.local)
    #expect(merged.remote == merged.local)
    #expect(result.wholeness == .whole)
    #expect(CalendarObject(result).uids == CalendarObject(base).uids)
    let parts = [base, local, remote, result].map(groups)
    for key in parts[0].keys {
      let (old, here, there, new) = (parts[0][key], parts[1][key], parts[2][key], parts[3][key])
      if here == old { #expect(new == there, "\(key), seed \(seed)") }
      if there == old { #expect(new == here, "\(key), seed \(seed)") }
    }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `merging again what came out gives the same`(seed: UInt64) throws {
    var edits = RandomEdits(seed: seed &+ 9000)
    let base = seed % 5 == 0 ? nil : made(seed)
    let (local, remote) = (edits.edited(made(seed)), edits.edited(made(seed)))
    let merged = try #require(joined(base, local, remote), "seed \(seed)")
    let result = SyntaxTree(bytes: merged.local)
    // As after a run that was stopped between its two writes, whichever came first.
    let first = try #require(joined(base, result, remote, newer: .local))
    let second = try #require(joined(base, local, result, newer: .remote))
    #expect(text(first.local) == text(merged.local), "seed \(seed)")
    #expect(text(form(second.remote)) == text(form(merged.local)), "seed \(seed)")
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `it does not matter which side is called local`(seed: UInt64) throws {
    var edits = RandomEdits(seed: seed &+ 7000)
    let base = made(seed)
    let (one, other) = (edits.edited(base), edits.edited(base))
    let forth = try #require(joined(base, one, other, newer: .local))
    let back = try #require(joined(base, other, one, newer: .remote))
    // The order within a set is that of the local side.
    #expect(sortedLines(forth.local) == sortedLines(back.local), "seed \(seed)")
    let lost = { (texts: MergedTexts) in Set(texts.lost.map { "\($0.name) \($0.occurrence ?? "")" })
    }
    #expect(lost(forth) == lost(back))
  }

  @Test(arguments: 0..<80 as Range<UInt64>)
  func `broken texts are refused or joined, and never stop the program`(seed: UInt64) {
    var edits = RandomEdits(seed: seed &+ 11_000)
    let base = made(seed)
    let texts = (0..<3).map { _ in
      edits.random.oneIn(2) ? edits.broken(edits.edited(base)) : edits.edited(base)
    }
    if let merged = joined(texts[0], texts[1], texts[2]) {
      #expect(
        SyntaxTree(bytes: merged.local).wholeness == .whole || merged.local == texts[1].bytes
          || merged.local == texts[2].bytes)
    }
    _ = joined(nil, texts[1], texts[2])
  }

  /// The canonical lines of every property of every component.
  private func groups(_ tree: SyntaxTree) -> [String: [UInt8]] {
    var result: [String: [UInt8]] = [:]
    for (index, component) in tree.calendars.flatMap(\.components).enumerated() {
      let groups = PropertyGroups(of: component)
      for name in groups.names where groups[name]?.canonical.isEmpty == false {
        result["\(index) \(String(decoding: name, as: UTF8.self))"] = groups[name]?.canonical
      }
    }
    return result
  }

  private func sortedLines(_ bytes: [UInt8]) -> [[UInt8]] {
    form(bytes).split(separator: 0x0A).flatMap { line in
      // Words of a list are lines of their own.
      line.starts(with: "CATEGORIES:".utf8)
        ? line.split { $0 == 0x2C || $0 == 0x3A }.map { Array($0) } : [Array(line)]
    }.sorted { $0.lexicographicallyPrecedes($1) }
  }
}
