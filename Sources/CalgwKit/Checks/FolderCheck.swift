import ICalendar
import SyncModel
import SyncPlanning

/// What was found in one file of a folder.
struct FolderCheck {
  let href: Href
  var findings: [CheckedFile.Finding]
  var uids: [[UInt8]] = []
  /// What it names as other parts of its series.
  var siblings: Set<ItemID> = []

  /// Nil for a file that is gone.
  init?(_ outcome: ReadOutcome) {
    href = outcome.href
    let start = TextPosition(startOf: 1)
    switch outcome.result {
    case .missing: return nil
    case .problem(let problem):
      let code: CheckCode =
        switch problem.code {
        case .notAFile: .notAFile
        case .incomplete: .emptyFile
        case .tooLarge: .tooLarge
        default: .unreadable
        }
      findings = [.init(finding: CheckFinding(code, message: problem.message, at: start))]
    case .found(_, let data, _):
      let tree = SyntaxTree(bytes: data.bytes)
      findings = ItemMender.findings(in: tree)
      let object = CalendarObject(tree)
      uids = object.uids
      siblings = SyncPlanning.siblings(in: object)
      if let second = object.secondUID {
        findings.append(
          .init(finding: CheckFinding(.severalUIDs, severity: .error, at: second.position)))
      }
    }
  }

  /// With the other files of the folder that have the same UID, and those that have the same
  /// occurrences of a series.
  func report(twins: [[UInt8]: [Href]], doubled: [Href: Href], folder: [UInt8]) -> CheckedFile {
    var findings = findings
    if let other = doubled[href] {
      let part = CheckFinding(
        .doubledPart,
        message: "\(nameText(other.spelling).text) has occurrences of the same series at the same "
          + "times: it was split twice, or came back from before a split",
        at: TextPosition(startOf: 1))
      findings.insert(.init(finding: part), at: 0)
    }
    for uid in uids {
      guard let other = twins[uid]?.first(where: { $0 != href }) else { continue }
      let twin = CheckFinding(
        .duplicateUID, message: "\(nameText(other.spelling).text) has the same UID",
        at: TextPosition(startOf: 1))
      findings.insert(.init(finding: twin), at: 0)
    }
    let slash = folder.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
    return CheckedFile(path: folder + slash + href.spelling, findings: findings)
  }
}
