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
      print("  " + title(of: item.entry.item, else: item.entry.problem?.message ?? ""))
      for line in lines(of: item) { print("    " + line) }
    }
    for failure in report.failures { self.report(failure) }
  }

  private func lines(of item: DiffEntry) -> [String] {
    if let problem = item.entry.problem {
      return [
        styled("problem", .yellow) + " \(visibleText(problem.message)) [\(problem.code.rawValue)]"
      ]
    }
    guard item.changes.isEmpty else { return item.changes.flatMap(lines) }
    return [(Side.local, item.entry.local), (.remote, item.entry.remote)]
      .filter { $0.1 != .unchanged }
      .map { side, change in
        change == .updated
          ? "changed on the \(side.rawValue) side, and nothing that counts"
          : "\(change.rawValue) on the \(side.rawValue) side"
      }
  }

  /// The words, and where they leave out the text itself, the text.
  private func lines(of difference: PropertyDifference) -> [String] {
    let day = difference.occurrence.map { "\(visibleText($0)): " } ?? ""
    let words = day + visibleText(difference.words, limit: 400)
    guard let before = difference.before, let after = difference.after,
      !difference.words.contains(before) || !difference.words.contains(after),
      before.contains(where: \.isNewline) || after.contains(where: \.isNewline)
        || before.count + after.count > 100
    else { return [words] }
    func quoted(_ text: String, _ mark: String, _ style: Style) -> [String] {
      text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
        styled("  \(mark) \(visibleText(String($0), limit: 400))", style)
      }
    }
    return [words] + quoted(before, "-", .red) + quoted(after, "+", .green)
  }

  /// Prints what each side changed in an item that is in conflict.
  func show(_ conflict: ConflictView) {
    let name = "\(visibleText(conflict.entry.pair))/\(visibleText(conflict.entry.collection))"
    var lines = ["\(styled(title(of: conflict.entry.item), .bold, onErrors: true))  in \(name)"]
    let differences = conflict.differences
    if differences.local.isEmpty, differences.remote.isEmpty {
      lines.append("  the local version has, against the remote one:")
      lines += differences.between.flatMap { self.lines(of: $0) }.map { "    " + $0 }
    } else {
      lines.append("  the local side changed:")
      lines += differences.local.flatMap { self.lines(of: $0) }.map { "    " + $0 }
      lines.append("  the remote side changed:")
      lines += differences.remote.flatMap { self.lines(of: $0) }.map { "    " + $0 }
    }
    note(lines.joined(separator: "\n"))
  }
}
