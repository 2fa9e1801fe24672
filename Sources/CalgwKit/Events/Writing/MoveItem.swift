import SyncModel
import VdirStorage

/// What a move did, or would do.
public struct MoveReport: Sendable {
  /// How the log says why an item left its folder.
  static let reason = "moved to "

  public var item: FoundItem
  public var destination: EventFolder
  /// The path of the file in the destination.
  public var file: ShownPath
  public var isDryRun: Bool

  /// The machine-readable form: one line.
  public var json: JSONValue {
    .object(
      ("uid", .string(item.uid.text)), ("from", .string(item.file.text)),
      ("file", .string(file.text)), ("fileEncoded", .ifTrue(file.isEncoded)),
      ("calendar", .string(destination.calendar)), ("summary", .string(item.summary)),
      ("dryRun", .boolean(isDryRun)))
  }
}

extension Gateway {
  /// Moves an item to another folder, with its UID and its content as they are.
  ///
  /// It is written there first and removed here second; a command that was killed in between is
  /// run again and goes on.
  /// - Parameters:
  ///   - target: a FILE, or a UID.
  ///   - place: what `--in` names.
  ///   - destination: `DIR` or `PAIR/COLLECTION`.
  public func move(
    _ target: String, in place: String?, to destination: String, isDryRun: Bool,
    notice: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws(RunFailure) -> MoveReport {
    let office = office(notice)
    let folder = try await office.finder.folders.folder(named: destination)
    // After a move that was killed half-way both have it.
    let item = try await office.finder.item(target, in: place, ratherThanIn: folder)
    guard item.folder.path != folder.path else {
      throw .usage(
        "the item is in \(folder.name) already", hint: "name another folder to move it to")
    }
    let there = try await office.counterpart(of: item, in: folder)
    let storage = try office.finder.folders.access.storage(folder)
    let planned = there ?? item.nameElsewhere(storage)
    var report = MoveReport(
      item: item, destination: folder, file: folder.shownPath(of: planned), isDryRun: isDryRun)
    let (access, failure) = (office.finder.folders.access, "the item cannot be moved")
    try access.checkWritable(item.folder, creating: false, failure)
    if isDryRun, there == nil { try access.checkWritable(folder, creating: true, failure) }
    if let warning = await warning(of: [item.data], into: folder) { notice(warning) }
    if isDryRun { return report }
    var copy: Href?
    if there == nil {
      let made = try await office.copy(item, as: planned, to: folder)
      report.file = folder.shownPath(of: made)
      copy = made
    }
    do throws(RunFailure) {
      try await office.remove(item, movedTo: folder)
    } catch {
      throw await office.failure(error, toRemove: item, movedTo: folder, as: copy)
    }
    return report
  }
}

extension EventOffice {
  /// The file in the destination that has the same item; nil where none has. Another content of the
  /// same UID is status 65.
  fileprivate func counterpart(of item: FoundItem, in folder: EventFolder)
    async throws(RunFailure) -> Href?
  {
    let files = try await finder.files(of: item.uid, in: folder)
    guard let file = files.first else { return nil }
    let other = try await finder.item(named: file, in: folder)
    guard files.count == 1, let other,
      bareForm(of: other.data, digest: liveDigest) == bareForm(of: item.data, digest: liveDigest)
    else {
      throw .badItem(
        "duplicate-uid",
        "\(folder.name) has an item \(item.uid.text) with another content already",
        hint: "compare \(item.file) with \(folder.pathText(of: file)), and delete one of them")
    }
    return file
  }

  fileprivate func remove(_ item: FoundItem, movedTo folder: EventFolder)
    async throws(RunFailure)
  {
    try await write(to: item.folder) { desk async throws(RunFailure) in
      let change = ItemChange.delete(item, reason: MoveReport.reason + folder.name)
      let outcomes = try await remembered { () throws(JournalError) in
        try await desk.carryOut([change])
      }
      try outcomes.first?.check("the item cannot be removed here", at: item.folder.name)
    }
  }

  /// Says why an item is still in its folder, and leaves all as it was: the copy would be a second
  /// event for whoever it is sent to.
  ///
  /// - Parameter copy: What this move has made; nil where the destination had the item before.
  fileprivate func failure(
    _ failure: RunFailure, toRemove item: FoundItem, movedTo folder: EventFolder, as copy: Href?
  ) async -> RunFailure {
    var failure = failure
    if let copy, await takeBack(copy, of: item, from: folder) {
      failure.message = "nothing was moved to \(folder.name): \(failure.message)"
    } else {
      failure.message =
        "the item is in \(folder.name) now, but was not removed here: \(failure.message)"
      failure.hint = failure.hint.replacing(JournalError.nothingChanged, with: "")
    }
    return failure
  }

  /// Removes a copy as long as nobody has touched it, and the item is where it was. Gives false
  /// where it stays, or nobody knows whether it is gone.
  private func takeBack(
    _ copy: Href, of item: FoundItem, from folder: EventFolder
  ) async -> Bool {
    guard let now = try? await finder.item(named: item.href, in: item.folder), now.uid == item.uid
    else { return false }
    let made = Version(tag: nil, digest: liveDigest(item.data.bytes))
    let change = ItemChange(
      item.uid, .delete(copy, expecting: made, old: item.data), reason: "its move here failed")
    let isGone = try? await write(to: folder) { desk async throws(RunFailure) -> Bool in
      if let outcomes = try? await desk.carryOut([change]) {
        return outcomes.first?.isDone ?? false
      }
      // Where the log takes nothing, the text is in its old folder all the same.
      return await desk.write(change).isDone
    }
    return isGone ?? false
  }

  /// Names are tried until one is free.
  private static let nameAttempts = 4

  fileprivate func copy(_ item: FoundItem, as href: Href, to folder: EventFolder)
    async throws(RunFailure) -> Href
  {
    try await write(to: folder) { desk async throws(RunFailure) in
      var outcome = ChangeOutcome.changedMeanwhile
      for attempt in 0...Self.nameAttempts {
        let name =
          attempt == 0 ? href : desk.storage.freshHref(for: item.uid, attempt: attempt - 1)
        let change = ItemChange(item.uid, .create(name, item.data), reason: "moved here")
        let outcomes = try await remembered { () throws(JournalError) in
          try await desk.carryOut([change])
        }
        outcome = outcomes.first ?? outcome
        if case .done(let href) = outcome { return href }
        guard outcome == .changedMeanwhile else { break }
      }
      try outcome.check("the item cannot be copied", at: folder.name)
      return href
    }
  }
}

extension FoundItem {
  /// Its own name, as long as that is an item's.
  fileprivate func nameElsewhere(_ storage: some Storage) -> Href {
    let isItem = FileName(href.spelling)?.isItem ?? false
    return isItem ? href : storage.freshHref(for: uid, attempt: 0)
  }
}
