import CalgwKit

extension Console {
  /// Prints how items differ, property by property.
  func show(_ report: DiffReport) {
    var place = ""
    for item in report.items {
      if isJSON {
        print(item.json)
        continue
      }
      let own = "\(visibleText(item.entry.pair))/\(visibleText(item.entry.collection))"
      if own != place { print(styled(own, .bold)) }
      place = own
      // Without an item it is about the whole collection, which stands above.
      let name = title(of: item.entry.item)
      if !name.isEmpty { print("  " + name) }
      for line in lines(of: item) { print("    " + line) }
    }
    for notice in report.notices { note("note: \(explanation(notice))") }
    for failure in report.failures { self.report(failure) }
  }

  /// What changed, then what stands in its way.
  private func lines(of item: DiffEntry) -> [String] {
    var lines = changes(of: item)
    if let reason = item.entry.conflict {
      lines += [
        styled("conflict", .yellow) + " \(words(for: reason, item.entry.occurrence))",
        "  do: \(mend("run `calgw resolve UID`", item.entry.names))",
      ]
    }
    guard let problem = item.entry.problem else { return lines }
    return lines + [
      styled("problem", .yellow) + " \(explanation(problem.message)) [\(problem.code.rawValue)]"
        + place(of: item.entry.item, item.entry.names, before: "\n        in: "),
      "  do: \(advice(problem.hint, item.entry.names))",
    ]
  }

  private func changes(of item: DiffEntry) -> [String] {
    if let remains = item.remains { return lines(of: remains) }
    guard item.changes.isEmpty else {
      let heading =
        item.entry.isUnmet
        ? ["on both sides, and never agreed on; \(Self.direction):"]
        : item.lacksRemote
          ? ["the remote version cannot be read; the local one since the last sync:"] : []
      return heading + item.changes.flatMap { lines(of: $0) }
    }
    if !item.remoteChanges.isEmpty {
      return ["changed on the remote side since the last sync:"]
        + item.remoteChanges.flatMap { lines(of: $0) }
    }
    return [(Side.local, item.entry.local), (.remote, item.entry.remote)]
      .filter { $0.1 != .unchanged }
      .map { side, change in
        change == .updated
          ? "changed on the \(side.rawValue) side, and nothing that counts"
          : "\(change.rawValue) on the \(side.rawValue) side"
      }
  }

  /// Where one side deleted an item, what the other one has of it.
  private func lines(of remains: DiffEntry.Remains) -> [String] {
    let (gone, left) = (remains.side.opposite.rawValue, remains.side.rawValue)
    let what = "deleted on the \(gone) side; the \(left) side has it"
    return remains.changes.isEmpty
      ? ["\(what), as it was at the last sync"]
      : ["\(what), changed since the last sync:"] + remains.changes.flatMap { lines(of: $0) }
  }

  /// So many lines of a row are shown: the question is to stay in sight.
  private static let linesOfARow = 12
  /// So many lines below one change: some screens, whatever a program wrote into an item.
  private static let linesOfAChange = 200
  private static let direction = "from the remote version to the local one"

  /// The words, and what they only count or leave out.
  private func lines(
    of difference: PropertyDifference, atMost most: Int = linesOfAChange
  ) -> [String] {
    let details = difference.details
    let shown = zip(details, details.visibleTexts(limit: 400)).map { detail, text -> String in
      switch detail.mark {
      case .removed: styled("  - \(text)", .red)
      case .added: styled("  + \(text)", .green)
      case .changed: "  \(text)"
      case .alike: styled("  …", .faint)
      }
    }
    return [visibleText(difference.words, limit: 400)]
      + cut(shown, atMost: most, indent: "  ")
  }

  private func cut(_ lines: [String], atMost most: Int, indent: String = "") -> [String] {
    guard lines.count > most else { return lines }
    return lines.prefix(most) + ["\(indent)… and \(plural(lines.count - most, "more line"))"]
  }

  /// Prints both versions of an item that is in conflict side by side, and what each side changed.
  func show(_ conflict: ConflictView) {
    let name = "\(visibleText(conflict.entry.pair))/\(visibleText(conflict.entry.collection))"
    var lines = ["\(styled(title(of: conflict.entry.item), .bold, onErrors: true))  in \(name)"]
    lines += sideBySide(conflict.versions.rows)
    func add(_ heading: String, _ texts: [String]) {
      if !texts.isEmpty { lines += ["  \(heading):"] + texts.map { "    " + $0 } }
    }
    add(
      Self.direction,
      conflict.versions.others.flatMap { self.lines(of: $0, atMost: Self.linesOfARow) })
    // The texts themselves stand side by side.
    func texts(_ differences: [PropertyDifference]) -> [String] {
      differences.map { visibleText($0.words, limit: 400) }
    }
    add("the local side changed", texts(conflict.differences.local))
    add("the remote side changed", texts(conflict.differences.remote))
    if let obstacle = conflict.obstacle {
      lines.append("  it cannot be merged: \(words(for: obstacle))")
    }
    if let merging = conflict.merging {
      let isUnmet = conflict.entry.isUnmet
      func heading(_ holder: Side) -> String {
        // Then the remote side holds.
        let isGuess = merging.isGuessed && holder == .remote
        return "of what both \(isUnmet ? "have unlike" : "changed"), (m)erged takes from the"
          + " \(holder.rawValue) side\(isGuess ? " (no time says which is newer)" : "")"
      }
      add(heading(.remote), texts(merging.local))
      add(heading(.local), texts(merging.remote))
      if merging.local.isEmpty, merging.remote.isEmpty {
        lines.append("  (m)erged keeps all that \(isUnmet ? "either has" : "both changed")")
      }
    }
    note(lines.joined(separator: "\n"))
  }

  /// What both versions say alike once, and the rest of each below the other.
  private func sideBySide(_ rows: [VersionComparison.Row]) -> [String] {
    let width = (rows.map(\.label.count).max() ?? 0) + 2
    var lines: [String] = []
    for row in rows {
      var label = row.label
      func add(_ side: String, _ texts: [String], unlike other: [String]) {
        let start = firstLineShown(of: texts, unlike: other, atMost: Self.linesOfARow)
        let visible = texts.indices.dropFirst(start).map { index in
          let twin = other.indices.contains(index) ? other[index] : ""
          return visibleText(texts[index], unlike: twin, limit: 1000)
        }
        let shown = (start > 0 ? ["…"] : []) + cut(visible, atMost: Self.linesOfARow)
        for (index, text) in (shown.isEmpty ? ["(nothing)"] : shown).enumerated() {
          let mark = padded(index == 0 ? side : "", columns: side.count)
          lines.append("  \(padded(label, columns: width))\(mark)\(text)")
          label = ""
        }
      }
      if row.isSame {
        add("", row.local, unlike: [])
      } else {
        add("local:  ", row.local, unlike: row.remote)
        add("remote: ", row.remote, unlike: row.local)
      }
    }
    return lines
  }
}
