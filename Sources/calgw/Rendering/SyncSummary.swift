import CalgwKit

extension Console {
  /// Prints what a run did with a pair.
  func show(_ report: PairReport) {
    if isJSON {
      print(report.json(withActions: isVerbose))
    } else {
      for collection in report.collections { show(collection, of: report) }
      if report.collections.isEmpty, report.failures.isEmpty, !isQuiet {
        print("\(report.pair): no collection")
      }
    }
    for notice in report.notices + (isQuiet ? [] : report.remarks) {
      note("note: \(mend(notice))")
    }
    if !isJSON, !isQuiet { show(report.concessions, of: report.pair) }
    for failure in report.failures { self.report(failure) }
  }

  /// So many are named; the log has all of them.
  private static let namedConcessions = 5

  private func show(_ concessions: [Concession], of pair: String) {
    if concessions.isEmpty { return }
    var lines = concessions.prefix(Self.namedConcessions).map { one in
      let place = "\(visibleText(pair))/\(visibleText(one.collection))"
      return "note: \(title(of: one.item)) in \(place): \(visibleText(one.reason, limit: 400))"
    }
    let rest = concessions.count - lines.count
    if rest > 0 { lines.append("note: of \(plural(rest, "more item")) something gave way") }
    lines.append(
      "  do:    `\(command("log"))` has what gave way, and `\(command("restore", "ID"))` brings it"
        + " back")
    note(lines.joined(separator: "\n"))
  }

  /// Prints what came up in a report after it was shown.
  func showNews(of report: PairReport, since shown: PairReport) {
    for notice in report.notices.dropFirst(shown.notices.count) {
      note("note: \(mend(notice))")
    }
    for failure in report.failures where !shown.failures.contains(failure) { self.report(failure) }
  }

  private func show(_ collection: CollectionReport, of report: PairReport) {
    let name = report.place(of: collection.name)
    // What was done is done, whatever failed afterwards.
    let wasMade = report.collectionActions[collection.name]?.made != nil
    let wasWritten = collection.pulled.total + collection.pushed.total > 0
    if collection.failure == nil || (wasMade || wasWritten) && !report.isDryRun, !isQuiet {
      print(
        "\(styled(name, .bold)): \(summary(of: collection, in: report))"
          + (report.isDryRun ? " (dry run: nothing was changed)" : ""))
    }
    if isVerbose || report.isDryRun, !isQuiet {
      for action in collection.actions { print("  " + line(of: action)) }
    }
    // What needs a person is no result: it goes where errors go.
    for conflict in collection.conflicts {
      show(conflict, of: collection.name, in: report)
    }
    show(report.valueConflicts[collection.name] ?? [], in: collection.name, of: report)
    for problem in collection.problems {
      show(problem, in: name, report.names(of: problem.item, in: collection.name))
    }
  }

  private func summary(of collection: CollectionReport, in report: PairReport) -> String {
    func counts(_ counts: WriteCounts, _ direction: String) -> String? {
      let parts = [
        (counts.created, "new"), (counts.updated, "changed"), (counts.deleted, "deleted"),
      ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      return parts.isEmpty ? nil : "\(direction) \(parts.joined(separator: ", "))"
    }
    let own = report.collectionActions[collection.name]
    var parts = [
      own?.made.map { phrase(for: $0, isDryRun: report.isDryRun) },
      counts(collection.pulled, "down:"), counts(collection.pushed, "up:"),
    ].compactMap { $0 }
    if collection.merged > 0 { parts.append("\(collection.merged) merged") }
    parts += phrases(for: own?.carried ?? [], isDryRun: report.isDryRun)
    // A note of the run says why, and that the next one tries again.
    let unwritten = report.unwrittenValues[collection.name] ?? []
    for side in Side.allCases {
      let keys = unwritten.filter { $0.side == side }.map(\.key.rawValue)
      if keys.isEmpty { continue }
      let way = side == .local ? "could not come down" : "could not go up"
      parts.append(styled("\(keys.joined(separator: ", ")) \(way)", .yellow))
    }
    if parts.isEmpty { parts.append("nothing to do") }
    if collection.failure != nil { parts.append(styled("not finished", .yellow)) }
    parts += phrases(for: report.questions[collection.name] ?? AwaitedAnswers())
    let conflicts =
      collection.conflicts.count + (report.valueConflicts[collection.name] ?? []).count
    if conflicts > 0 { parts.append(styled(plural(conflicts, "conflict"), .yellow)) }
    if !collection.problems.isEmpty {
      parts.append(styled(plural(collection.problems.count, "problem"), .yellow))
    }
    return parts.joined(separator: "; ")
  }

  /// What the run would ask, where a dry run tells somebody who can answer.
  private func phrases(for questions: AwaitedAnswers) -> [String] {
    let (deletions, invitations) = (questions.deletions, questions.invitations)
    var phrases: [String] = []
    if deletions > 0 { phrases.append("asks before it deletes \(plural(deletions, "item"))") }
    if invitations > 0 {
      phrases.append("asks before it uploads \(plural(invitations, "item")) with attendees")
    }
    return phrases.map { styled($0, .yellow) }
  }

  private func phrase(for made: MadeCollection, isDryRun: Bool) -> String {
    "\(isDryRun ? "would make" : "made") the \(made.isFolder ? "folder" : "calendar")"
      + " \(titleText(made.name, limit: 60)) on the \(made.side.rawValue) side"
  }

  /// Which values went which way, and what they replaced.
  private func phrases(for carried: [CarriedValue], isDryRun: Bool) -> [String] {
    func shown(_ text: String) -> String {
      text.isEmpty ? "none" : "\"\(titleText(text, limit: 60))\""
    }
    return Side.allCases.flatMap { side in
      carried.filter { $0.side == side }.map { one in
        // From the log nothing comes down: it is set here.
        let isSet = one.isPutBack && side == .local
        let way =
          switch (side, isDryRun) {
          case (.local, false): isSet ? "came back" : "came down"
          case (.local, true): isSet ? "would come back" : "would come down"
          case (.remote, false): "went up"
          case (.remote, true): "would go up"
          }
        let before = one.before.map { shown($0) + " → " } ?? ""
        return "\(one.key.rawValue) \(way): \(before)\(shown(one.value))"
      }
    }
  }

  private func line(of action: ReportedAction) -> String {
    let text: String =
      switch (action.kind, action.side) {
      case (.record, _): "same on both sides:"
      case (.forget, _): "gone from both sides:"
      case (.create, let side): "create on the \(side.rawValue) side:"
      case (.update, let side): "change on the \(side.rawValue) side:"
      case (.delete, let side): "delete on the \(side.rawValue) side:"
      case (.merge, let side): "merge on the \(side.rawValue) side:"
      }
    let reason = action.reason.isEmpty ? "" : ": " + visibleText(action.reason)
    return "\(text) \(title(of: action.item))" + styled(reason, .faint)
  }

  private func show(
    _ conflict: ReportedConflict, of collection: String, in report: PairReport
  ) {
    let names = report.names(of: conflict.item, in: collection)
    var reason = words(for: conflict.reason, conflict.occurrence)
    var mend = ""
    if report.leavesMerges, conflict.reason == .bothChanged, !conflict.choices.isEmpty {
      reason = "both sides changed it, and a \(report.direction.rawValue) settles nothing"
      mend = "run `\(command("sync"))`, which goes by the pair's policy; or "
    }
    let item = names.item ?? ""
    let resolve = command("resolve", item)
    // What stands behind `--` is no option.
    let behind = item.hasPrefix("-") ? " before the --" : ""
    mend +=
      conflict.choices.isEmpty
      ? "neither side may be written to; change the pair so that one of them may"
      : "run `\(resolve)`, on a terminal or with --take \(list(of: conflict.choices))\(behind);"
        + " what gives way stays in `\(command("log"))`"
    note(
      "\(styled("conflict:", .yellow, onErrors: true)) \(title(of: conflict.item))\n"
        + "  where: \(report.place(of: collection))\n"
        + "  why:   \(reason)\n"
        + "  do:    \(mend)")
  }

  /// Prints which names and colours of a collection wait for a person.
  private func show(_ conflicts: [ValueConflict], in collection: String, of report: PairReport) {
    if conflicts.isEmpty { return }
    func shown(_ text: String?) -> String {
      text.map { "\"\(titleText($0, limit: 60))\"" } ?? "none"
    }
    let values = conflicts.map { one in
      "\(one.key.rawValue) \(shown(one.local)) here and \(shown(one.remote)) there"
    }
    let reason =
      conflicts.allSatisfy(\.isUnmet)
      ? "the sides differ in it, and never agreed on it" : "both sides changed it"
    let hint = ValueConflict.mend(conflicts, pair: report.pair, collection: collection)
    note(
      "\(styled("conflict:", .yellow, onErrors: true)) the collection itself\n"
        + "  where: \(report.place(of: collection))\n"
        + "  why:   \(reason): \(values.joined(separator: "; "))\n"
        + "  do:    \(advice(hint))")
  }

  /// What a person can say to a conflict: `local, remote or both`.
  private func list(of choices: [ConflictChoice]) -> String {
    let names = choices.map(\.rawValue)
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }

  /// Prints what an item waits for that is in no conflict.
  func showProblem(of entry: PendingEntry) {
    guard let problem = entry.problem else { return }
    show(
      ReportedProblem(item: entry.item, problem: problem),
      in: "\(visibleText(entry.pair))/\(visibleText(entry.collection))", entry.names)
  }

  private func show(_ problem: ReportedProblem, in collection: String, _ names: MendNames) {
    // Without an item it is about the whole collection.
    let item = title(of: problem.item)
    let file = place(of: problem.item, names, before: ", ")
    let whereabouts = item.isEmpty ? "" : "  where: \(collection)\(file)\n"
    note(
      "\(styled("problem:", .yellow, onErrors: true)) \(item.isEmpty ? collection : item)\n"
        + whereabouts
        + "  why:   \(explanation(problem.problem.message)) [\(problem.problem.code.rawValue)]\n"
        + "  do:    \(advice(problem.problem.hint, names))")
  }

  /// Where an item is whose place on the remote side is meant: two directories may have files of
  /// one name. Empty for any other, and where that side is no directory.
  func place(of item: ReportedItem, _ names: MendNames, before lead: String) -> String {
    guard item.file == names.agreedFile, item.href != nil, let file = names.otherFile else {
      return ""
    }
    return "\(lead)\(visibleText(file, limit: 1000)) on the remote side"
  }
}

/// A conflict's reason for people.
/// - Parameter occurrence: that it is about; nil where it is about the item as a whole.
func words(for reason: ReportedConflict.Reason, _ occurrence: String? = nil) -> String {
  switch reason {
  case .bothChanged: "both sides changed it, and nothing says which one holds"
  case .neverAgreed: "both sides have it with unlike content and never agreed on it"
  case .schedule:
    "it cannot be merged: " + words(for: occurrence.map(MergeObstacle.occurrence) ?? .schedule)
  case .kind: "it cannot be merged: \(words(for: MergeObstacle.kind))"
  case .tooLarge: "it cannot be merged: \(words(for: MergeObstacle.tooLarge))"
  }
}

/// Why two versions cannot be merged, for people.
func words(for obstacle: MergeObstacle) -> String {
  switch obstacle {
  case .schedule:
    "the sides differ in its start, end or rule, or in those of one occurrence, and nothing says"
      + " which of the two the rest fits"
  case .occurrence(let occurrence):
    "the sides differ in its occurrence of \(occurrence), as in its start or end, and nothing says"
      + " which of the two the rest fits"
  case .kind:
    "it is of another kind on each side (an event, a task or a note), and an item has one alone"
  case .tooLarge:
    "a version of it has more text than is compared property by property (4 MiB, or 50,000 lines)"
  case .unmergeable:
    "a version of it is not built as one whole item, or what came out would not be"
  }
}

/// `1 conflict`, `2 conflicts`.
func plural(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// What a person knows an item by: its title in quotes, then file, address or UID.
/// Empty for what is about no item.
func title(of item: ReportedItem) -> String {
  let name =
    item.file.map { visibleText($0.text) } ?? item.href.map { visibleText($0.text) }
    ?? item.uid.map { visibleText($0.text) }
  let summary = item.summary.isEmpty ? nil : "\"\(visibleText(item.summary, limit: 60))\""
  switch (summary, name) {
  case (let summary?, let name?): return "\(summary) (\(name))"
  case (let summary?, nil): return summary
  case (nil, let name?): return name
  case (nil, nil): return ""
  }
}
