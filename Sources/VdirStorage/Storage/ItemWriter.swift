import SyncModel

/// Carries out batches of guarded writes in one folder.
///
/// Drafts are written under hidden names first, all of them are made durable together, then each is
/// put in place; the names are made durable once, before any outcome is told.
struct ItemWriter {
  let directory: OpenDirectory
  let path: String
  let digest: DigestFunction
  let maxItemSize: Int
  private let takesAnyName: Bool
  /// Tells this run's hidden names from those of a killed one.
  private let run: String
  private var counter = 0
  /// When the last listing of this run began; nil before the first one.
  var lastScan: Instant?
  /// What was to be deleted and was not there, of the last batch.
  var missing: [FileName] = []

  /// Each draft is open until its data is on disk (an error would be lost with the descriptor), and
  /// a process may have no more than 1024 files open, sockets and journals included.
  private static let draftsAtOnce = 64

  init(_ directory: OpenDirectory, at path: String, access: VdirAccess) {
    self.directory = directory
    self.path = path
    digest = access.digest
    maxItemSize = access.maxItemSize
    takesAnyName = access.takesAnyName
    run = String(access.surroundings.newUUID().filter(\.isHexDigit).prefix(8)).lowercased()
  }

  /// What became of a write.
  struct Settled {
    var result: WriteOutcome.Result
    var isUnguarded = false

    static let changedMeanwhile = Settled(result: .changedMeanwhile)
    static let removed = Settled(result: .removed)
  }

  /// A write on its way.
  enum Step {
    case settled(WriteOutcome.Result)
    case create(FileName, Draft)
    case replace(FileName, expecting: Version, with: Draft)
    case delete(FileName, expecting: Version)
  }

  mutating func carryOut(_ batch: [GuardedWrite]) -> [WriteOutcome] {
    missing = []
    var outcomes: [WriteOutcome] = []
    outcomes.reserveCapacity(batch.count)
    // Set once the rest of the batch cannot fare better.
    var hopeless: StorageError?
    var start = 0
    while start < batch.count {
      let group = batch[start..<min(start + Self.draftsAtOnce, batch.count)]
      start += group.count
      outcomes += carryOut(group: group, hopeless: &hopeless)
    }
    makeNamesDurable(&outcomes)
    return outcomes
  }

  /// Three passes: drafts on their way to the disk, drafts on disk, drafts in place. Where a pass
  /// finds that it is hopeless, what comes later in the order asked is given up.
  private mutating func carryOut(group: ArraySlice<GuardedWrite>, hopeless: inout StorageError?)
    -> [WriteOutcome]
  {
    var steps: [Step] = []
    for write in group { steps.append(step(for: write, hopeless: &hopeless)) }
    var found: StorageError?
    for index in steps.indices {
      if let found { steps[index] = givenUp(steps[index], found) }
      makeDurable(&steps[index], hopeless: &found)
    }
    hopeless = hopeless ?? found
    var outcomes: [WriteOutcome] = []
    found = nil
    for (write, step) in zip(group, steps) {
      let step = found.map { givenUp(step, $0) } ?? step
      outcomes.append(settle(write, step, hopeless: &found))
    }
    hopeless = hopeless ?? found
    return outcomes
  }

  /// Prepares a write: its draft is on its way to the disk when this is done.
  private mutating func step(for write: GuardedWrite, hopeless: inout StorageError?) -> Step {
    if let hopeless { return .settled(.failed(hopeless)) }
    guard let name = FileName(write.href.spelling), mayWrite(name) else {
      return .settled(.refused(.badName(write.href)))
    }
    do throws(FileError) {
      switch write {
      case .create(_, let data):
        if let problem = sizeProblem(name, data) { return .settled(.refused(problem)) }
        return .create(name, try draft(data, replacing: nil))
      case .replace(_, let expecting, let data):
        if let problem = sizeProblem(name, data) { return .settled(.refused(problem)) }
        guard let old = try directory.statusIfThere(name), old.kind == .regular else {
          return .settled(.changedMeanwhile)
        }
        return .replace(name, expecting: expecting, with: try draft(data, replacing: old))
      case .delete(_, let expecting): return .delete(name, expecting: expecting)
      }
    } catch {
      return .settled(failure(error, name, &hopeless))
    }
  }

  /// What calgw keeps for a moment is never an item, whoever names it.
  private func mayWrite(_ name: FileName) -> Bool {
    takesAnyName ? HiddenName(name) == nil : name.isItem
  }

  private func makeDurable(_ step: inout Step, hopeless: inout StorageError?) {
    do throws(FileError) {
      switch step {
      case .settled, .delete: return
      case .create(let name, let draft): step = .create(name, try finished(draft))
      case .replace(let name, let expecting, let draft):
        step = .replace(name, expecting: expecting, with: try finished(draft))
      }
    } catch {
      step = .settled(failure(error, nil, &hopeless))
    }
  }

  private mutating func settle(
    _ write: GuardedWrite, _ step: Step, hopeless: inout StorageError?
  ) -> WriteOutcome {
    do throws(FileError) {
      let settled =
        switch step {
        case .settled(let result): Settled(result: result)
        case .create(let name, let draft): try create(name, draft)
        case .replace(let name, let expecting, let draft):
          try replace(name, expecting: expecting, with: draft)
        case .delete(let name, let expecting): try delete(name, expecting: expecting)
        }
      return WriteOutcome(
        href: write.href, result: settled.result, isUnguarded: settled.isUnguarded)
    } catch {
      let name = FileName(write.href.spelling)
      if let name, case .delete = step, error.isOfOneFile { return locked(name, error) }
      if let name, case .replace = step, error.isOfOneFile { return locked(name, error) }
      return WriteOutcome(href: write.href, result: failure(error, name, &hopeless))
    }
  }

  private func locked(_ name: FileName, _ error: FileError) -> WriteOutcome {
    var outcome = WriteOutcome(
      href: Href(name.bytes), result: .refused(error.lockProblem(name)))
    outcome.isOfTheMoment = true
    return outcome
  }

  private func givenUp(_ step: Step, _ error: StorageError) -> Step {
    switch step {
    case .settled: return step
    case .create(_, let draft), .replace(_, _, let draft): drop(draft)
    case .delete: break
    }
    return .settled(.failed(error))
  }

  /// Nothing is done for certain before the folder is on disk.
  private func makeNamesDurable(_ outcomes: inout [WriteOutcome]) {
    guard outcomes.contains(where: \.result.mayHaveMovedNames) else { return }
    do throws(FileError) {
      try directory.sync()
    } catch {
      let trouble = error.trouble("writing the folder", at: path)
      for index in outcomes.indices where outcomes[index].result.isWritten {
        outcomes[index].result = .unknown(trouble)
      }
    }
  }

  private func failure(_ error: FileError, _ name: FileName?, _ hopeless: inout StorageError?)
    -> WriteOutcome.Result
  {
    let what = name.map { "writing \($0.text) in" } ?? "writing in"
    let trouble = error.trouble(what, at: path)
    if error.isDiskFull || error.concernsAll { hopeless = trouble }
    // Who is stopped in the middle of a call does not know whether it was done.
    return error.isStopped ? .unknown(trouble) : .failed(trouble)
  }

  private func sizeProblem(_ name: FileName, _ data: ItemData) -> ItemProblem? {
    guard data.bytes.count > maxItemSize else { return nil }
    return ItemProblem(
      .tooLarge, "\(name.text) is larger than \(maxItemSize) bytes",
      hint: "make it smaller where it comes from")
  }

  /// A token that no hidden name of this run has yet.
  mutating func nextToken() -> String {
    counter += 1
    return "\(run).\(counter)"
  }
}
