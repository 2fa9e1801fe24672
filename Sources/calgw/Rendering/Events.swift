import CalgwKit

extension Console {
  /// Prints an item for people. Every line but the title is indented, so that no text from outside
  /// looks like one of ours.
  func show(_ details: ItemDetails) {
    print(styled(visibleText(details.title.isEmpty ? "(no title)" : details.title), .bold))
    let width = (details.rows.map(\.label.count).max() ?? 0) + 2
    for row in details.rows {
      for (index, line) in row.lines.enumerated() {
        let label = index == 0 ? row.label : ""
        let gap = String(repeating: " ", count: width - label.count)
        print("  \(label)\(gap)\(visibleText(line, limit: 1000))")
      }
    }
  }

  /// Prints what an import did.
  func show(_ report: ImportReport) {
    if isJSON { return print(report.json) }
    for entry in report.entries where entry.action == .skip {
      note(
        "\(styled("skipped:", .yellow, onErrors: true)) \(name(of: entry)): "
          + visibleText(entry.reason))
    }
    if report.leftOut > 0 {
      note("left out: \(plural(report.leftOut, "component")) of no known kind and without a UID")
    }
    guard !isQuiet else { return }
    if isVerbose || report.isDryRun {
      for entry in report.entries where entry.action == .create || entry.action == .update {
        print("\(entry.action == .create ? "new" : "replaced"): \(name(of: entry))")
      }
    }
    let counts: [(ImportReport.Action, String)] = [
      (.create, "new"), (.update, "replaced"), (.unchanged, "there already"),
      (.skip, "left alone"),
    ]
    let words = counts.compactMap { action, word in
      let count = report.count(action)
      return count == 0 ? nil : "\(count) \(word)"
    }
    let verb = report.isDryRun ? "would import" : "imported"
    print("\(verb) into \(visibleText(report.folder.name)): \(words.joined(separator: ", "))")
  }

  private func name(of entry: ImportReport.Entry) -> String {
    let uid = visibleText(entry.uid.text)
    return entry.summary.isEmpty ? uid : "\"\(visibleText(entry.summary, limit: 60))\" (\(uid))"
  }

  /// Prints what a move did.
  func show(_ report: MoveReport) {
    if isJSON { return print(report.json) }
    guard !isQuiet else { return }
    let title = report.item.summary.isEmpty ? report.item.uid.text : "\"\(report.item.summary)\""
    let verb = report.isDryRun ? "would move" : "moved"
    print("\(verb) \(visibleText(title)) to \(visibleText(report.destination.name))")
    print("  \(visibleText(report.file.text, limit: 1000))")
  }
}

extension Console {
  /// Prints what an edit or a deletion did, property by property.
  func show(_ report: EditReport) {
    for text in report.notes where !isQuiet { note("note: " + visibleText(text, limit: 1000)) }
    if isJSON { return print(report.json) }
    guard !isQuiet else { return }
    let would = report.isDryRun ? "would be " : ""
    let title = report.item.summary.isEmpty ? report.item.uid.text : "\"\(report.item.summary)\""
    let name = visibleText(title, limit: 80)
    switch report.action {
    case .none: print("\(name): nothing to change")
    case .delete: print("\(name): \(would)deleted")
    case .update: print("\(name): \(would)changed")
    }
    guard report.isDryRun || isVerbose || report.action == .update else { return }
    // The number of the revision says nothing to a person.
    for change in report.changes where change.property != "SEQUENCE" { show(change) }
    if let created = report.created {
      // The name of a file that is not made is drawn anew by the run that makes it.
      let place = "in \(visibleText(created.file.text, limit: 1000))"
      print("new series \(report.isDryRun ? "would be in a file of its own" : place)")
      for change in report.createdChanges { show(change) }
    }
  }

  private func show(_ change: LineDifference) {
    let component = change.component.split(separator: " ").dropFirst().joined(separator: " ")
    let suffix = component.isEmpty ? "" : "  (\(visibleText(component)))"
    if change.property == "BEGIN" {
      for line in change.before { print(styled("  - \(visibleText(line))", .red)) }
      for line in change.after { print(styled("  + \(visibleText(line))", .green)) }
      return
    }
    for line in change.before where !change.after.contains(line) {
      print(styled("  - \(visibleText(line, limit: 500))", .red) + suffix)
    }
    for line in change.after where !change.before.contains(line) {
      print(styled("  + \(visibleText(line, limit: 500))", .green) + suffix)
    }
  }
}
