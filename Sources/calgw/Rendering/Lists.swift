import CalgwKit

extension Console {
  /// Prints what is not in step in a pair.
  func show(_ report: StatusReport) {
    if isJSON {
      for item in report.items { print(item.json) }
    } else {
      showItems(of: report)
      if report.items.isEmpty, report.failures.isEmpty, !isQuiet {
        print("\(visibleText(report.pair)): nothing is pending")
      }
    }
    for notice in report.notices { note("note: \(explanation(notice))") }
    for failure in report.failures { self.report(failure) }
  }

  private func showItems(of report: StatusReport) {
    var place = ""
    for item in report.items {
      let own = report.place(of: item)
      if own != place { print(styled(own, .bold)) }
      place = own
      print("  " + line(of: item))
    }
  }

  private func line(of item: PendingEntry) -> String {
    let name = title(of: item.item)
    let sides = [(Side.local, item.local), (.remote, item.remote)]
      .filter { $0.1 != .unchanged }.map { "\($0.1.rawValue) on the \($0.0.rawValue) side" }
      .joined(separator: ", ")
    if let problem = item.problem {
      // Without an item it is about the whole collection, which stands above.
      let subject = name.isEmpty ? "" : "\(name): "
      let change = sides.isEmpty ? "" : "\(sides); "
      return styled("problem", .yellow)
        + "  \(subject)\(change)\(explanation(problem.message)) [\(problem.code.rawValue)]"
        + place(of: item.item, item.names, before: "\n           in: ") + changes(of: item)
        + "\n           do: \(advice(problem.hint, item.names))"
    }
    if let hint = item.valueMend {
      let reason =
        item.conflict == .neverAgreed
        ? "the sides differ in it, and never agreed on it" : words(for: .bothChanged)
      return styled("conflict", .yellow) + " the collection itself: \(reason)"
        + changes(of: item) + "\n           do: \(advice(hint))"
    }
    if let reason = item.conflict {
      return styled("conflict", .yellow) + " \(name): \(words(for: reason, item.occurrence))"
        + changes(of: item)
        + "\n           do: \(command("resolve", item.names.item ?? ""))"
    }
    return "\(name.isEmpty ? "the collection itself" : name): \(sides)" + changes(of: item)
  }

  /// What each side changed, or where they never agreed how they differ, a line each.
  private func changes(of item: PendingEntry) -> String {
    [
      ("local", item.localChanges), ("remote", item.remoteChanges),
      ("remote → local", item.unlikeness),
    ].flatMap { side, words in
      words.map { "\n    \(side): \(visibleText($0, limit: 200))" }
    }.joined()
  }

  /// Prints a line of the log, and with it the texts.
  /// - Parameter here: where the person is who reads it.
  func show(_ entry: HistoryReport.Entry, here: EventZone, withContent: Bool) {
    switch (entry, isJSON) {
    case (.version(let version), true): print(version.json(withContent: withContent))
    case (.version(let version), false): show(version, here: here, withContent: withContent)
    case (.value(let value), true): print(value.json(withContent: withContent))
    case (.value(let value), false): show(value, here: here, withContent: withContent)
    }
  }

  /// In characters: that of a description, which may be one line, has no more bytes in its file.
  private static let longestValue = 65_536

  private func show(_ value: ReplacedValue, here: EventZone, withContent: Bool) {
    print(
      "\(styled(visibleText(value.id), .bold))  \(here.words(for: value.change.time))"
        + "  \(visibleText(value.pair))/\(visibleText(value.collection))"
        + "  \(value.change.side.rawValue)  \(value.action.rawValue)  \(value.words)")
    guard withContent else { return }
    for (title, text) in [("before", value.change.before), ("after", value.change.after)] {
      show(
        text.map { ItemData(bytes: Array($0.utf8)) }, titled: title, lineLimit: Self.longestValue)
    }
  }

  private func show(_ version: KeptVersion, here: EventZone, withContent: Bool) {
    let item = ReportedItem(
      uid: version.entry.uid, file: nil, href: nil, summary: version.title ?? "")
    print(
      "\(styled(visibleText(version.id), .bold))  \(here.words(for: version.entry.time))"
        + "  \(visibleText(version.pair))/\(visibleText(version.collection))"
        + "  \(version.entry.side.rawValue)  \(version.entry.action.rawValue)"
        + "  \(title(of: item)): \(visibleText(version.entry.reason))")
    guard withContent else { return }
    show(version.before, titled: "before", isLost: version.isBeforeLost)
    show(version.after, titled: "after", isLost: version.isAfterLost)
  }

  /// Prints what went from a log.
  func show(_ pruned: PrunedLog) {
    if isJSON { return print(pruned.json) }
    if isQuiet { return }
    let name =
      (pruned.pair.map { visibleText($0) } ?? "edits")
      + (pruned.isFormer ? " (not in the configuration)" : "")
    let what =
      pruned.versions == 0
      ? "nothing is beyond the limits"
      : "\(plural(Int(pruned.versions), "version")) \(pruned.isDryRun ? "would go" : "removed")"
        + ", \(sizeInWords(pruned.bytes))"
    print("\(styled(name, .bold)): \(what)" + (pruned.isDryRun ? " (dry run)" : ""))
  }

  /// Every line quoted, so that no text from outside looks like one of ours.
  private func show(
    _ data: ItemData?, titled title: String, isLost: Bool = false, lineLimit: Int = 1000
  ) {
    guard let data else {
      // Nothing at all would say that it was new, or was deleted.
      return print("  \(title): \(isLost ? "lost (damaged in the journal)" : "nothing")")
    }
    let isText = String(validating: data.bytes, as: UTF8.self) != nil
    print("  \(title)\(isText ? "" : ", not UTF-8: --json has every byte"):")
    let text = String(decoding: data.bytes, as: UTF8.self)
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      print("  | \(visibleText(String(line), limit: lineLimit))")
    }
  }

  /// Prints a calendar of an account.
  func show(_ calendar: FoundCalendar) {
    if isJSON { return print(calendar.json) }
    var parts = [styled(visibleText(calendar.id), .bold)]
    if let name = calendar.displayName, name != calendar.id {
      parts.append("\"\(titleText(name, limit: 60))\"")
    }
    if let color = calendar.color { parts.append(visibleText(color)) }
    if let kinds = calendar.components { parts.append(kinds.joined(separator: ", ")) }
    if !calendar.isWritable { parts.append("read-only") }
    print("\(visibleText(calendar.account)): \(parts.joined(separator: "  "))")
  }
}

/// `812 bytes`, `12.3 kB`, `4.0 MB`.
func sizeInWords(_ bytes: Int64) -> String {
  if bytes < 1000 { return "\(bytes) byte\(bytes == 1 ? "" : "s")" }
  let (unit, name): (Int64, String) = bytes < 1_000_000 ? (1000, "kB") : (1_000_000, "MB")
  return "\(bytes / unit).\(bytes % unit / (unit / 10)) \(name)"
}
