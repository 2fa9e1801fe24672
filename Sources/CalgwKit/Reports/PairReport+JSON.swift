import StreamStorage
import SyncExecution
import SyncModel
import SyncPlanning

extension PairReport {
  /// The machine-readable form (CONTRACT, "Machine-readable forms"): one line.
  public func json(withActions: Bool) -> JSONValue {
    .object(
      ("pair", .string(pair)), ("direction", .string(direction.rawValue)),
      ("dryRun", .boolean(isDryRun)), ("status", .integer(Int64(status.rawValue))),
      ("error", gravestFailure?.json ?? .null),
      (
        "collections",
        .array(
          collections.map { collection in
            collection.namingFiles(in: folders[collection.name]).json(
              withActions: withActions || isDryRun, collectionActions[collection.name],
              valueConflicts[collection.name] ?? [], unwrittenValues[collection.name] ?? [])
          })
      ),
      ("requests", .integer(traffic.requests)), ("bytesIn", .integer(traffic.bytesIn)),
      ("bytesOut", .integer(traffic.bytesOut)), ("seconds", .thousandths(elapsed.milliseconds)))
  }
}

extension RunFailure {
  /// `{"code","message","hint"}`; the cause is part of the message.
  public var json: JSONValue {
    .object(
      ("code", .string(code)),
      ("message", .string(why.isEmpty ? message : "\(message): \(why)")),
      ("hint", .string(hint)))
  }
}

extension ReportedItem {
  /// The same with the whole path of its file.
  func namingFile(in folder: EventFolder?) -> ReportedItem {
    guard let folder, let file else { return self }
    var item = self
    item.file = Href(folder.filePath(of: file))
    return item
  }
}

extension CollectionReport {
  fileprivate func namingFiles(in folder: EventFolder?) -> CollectionReport {
    guard let folder else { return self }
    var report = self
    for index in conflicts.indices {
      report.conflicts[index].item = conflicts[index].item.namingFile(in: folder)
    }
    for index in problems.indices {
      report.problems[index].item = problems[index].item.namingFile(in: folder)
    }
    for index in actions.indices {
      report.actions[index].item = actions[index].item.namingFile(in: folder)
    }
    return report
  }

  fileprivate func json(
    withActions: Bool, _ own: CollectionActions?, _ values: [ValueConflict],
    _ unwritten: [UnwrittenValue]
  ) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init(name: "name", value: .string(name)),
      .init(name: "pulled", value: pulled.json),
      .init(name: "pushed", value: pushed.json),
      .init(name: "merged", value: .integer(merged)),
      .init(name: "unchanged", value: .integer(unchanged)),
      .init(name: "invitations", value: .integer(invitations)),
      .init(name: "conflicts", value: .array(conflicts.map(\.json))),
      .init(name: "problems", value: .array(problems.map(\.json))),
    ]
    members += own?.jsonMembers ?? []
    if !values.isEmpty {
      members.append(.init(name: "metadataConflicts", value: .array(values.map(\.json))))
    }
    if !unwritten.isEmpty {
      members.append(.init(name: "metadataPending", value: .array(unwritten.map(\.json))))
    }
    if withActions {
      members.append(.init(name: "actions", value: .array(actions.map(\.json))))
    }
    return .object(members)
  }
}

extension WriteCounts {
  fileprivate var json: JSONValue {
    .object(
      ("created", .integer(created)), ("updated", .integer(updated)),
      ("deleted", .integer(deleted)))
  }
}

/// The members that name an item; `fileEncoded` is there where the file's name is not UTF-8.
func itemMembers(_ item: ReportedItem, withSummary: Bool) -> [JSONValue.Member] {
  let file = item.file.map { nameText($0.spelling) }
  var members: [JSONValue.Member] = [
    .init(name: "uid", value: .optional(item.uid?.text)),
    .init(name: "file", value: .optional(file?.text)),
  ]
  if file?.isEncoded == true {
    members.append(.init(name: "fileEncoded", value: .boolean(true)))
  }
  // What stands there for no item is a title for people.
  let href = item.href.flatMap { StreamStorage.standsForNoItem($0) ? nil : $0 }
  members.append(.init(name: "href", value: .optional(href.map { nameText($0.spelling).text })))
  if withSummary { members.append(.init(name: "summary", value: .string(item.summary))) }
  return members
}

/// Which occurrences a conflict is about, where it is about some.
func occurrenceMember(_ occurrence: String?) -> [JSONValue.Member] {
  guard let occurrence else { return [] }
  return [.init(name: "occurrence", value: .string(occurrence))]
}

extension ReportedConflict {
  var json: JSONValue {
    .object(
      itemMembers(item, withSummary: true)
        + [.init(name: "reason", value: .string(reason.rawValue))]
        + occurrenceMember(occurrence))
  }
}

extension ReportedProblem {
  fileprivate var json: JSONValue {
    .object(
      itemMembers(item, withSummary: false) + [
        .init(name: "code", value: .string(problem.code.rawValue)),
        .init(name: "message", value: .string(problem.message)),
        .init(name: "hint", value: .string(problem.hint)),
      ])
  }
}

extension ReportedAction {
  fileprivate var json: JSONValue {
    .object(
      [
        .init(name: "action", value: .string(kind.rawValue)),
        .init(name: "side", value: .string(side.rawValue)),
      ] + itemMembers(item, withSummary: true))
  }
}
