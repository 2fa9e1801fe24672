public import SyncModel
import SyncPlanning

/// What a person can say to a conflict.
public enum ConflictChoice: String, Sendable, CaseIterable {
  case local, remote
  /// What both changed, property by property.
  case merged
  /// The local version stays, and the remote one becomes a second item with a new UID.
  case both
}

extension CollectionSync {
  /// Settles a conflict as a person said, by a run over this one item: what is replaced goes to
  /// the history, and an edit that comes between is planned anew. Where the version that holds is
  /// that the item is gone, that is the yes to its deletion on the other side, too.
  ///
  /// What cannot be done here (`choices`) is reported as the problem `read-only`. The remote
  /// version takes the place of a file that is broken, too.
  public func resolve(_ uid: ItemID, taking choice: ConflictChoice) async -> CollectionReport {
    var made = CollectionReport(name: name)
    if let problem = obstacle(to: choice) {
      let item = ReportedItem(uid: uid, file: nil, href: nil, summary: "")
      made.problems = [ReportedProblem(item: item, problem: problem)]
      return made
    }
    var mail = SentMail()
    var decided = options
    decided.only = [uid]
    // Who says it has perhaps mended why the side refused it.
    decided.offeredAgain = [uid]
    switch choice {
    case .local:
      decided.preferred[uid] = .local
      decided.confirmDeletion = consent(toDelete: uid, on: .remote)
    case .remote:
      decided.preferred[uid] = .remote
      decided.confirmDeletion = consent(toDelete: uid, on: .local)
    case .merged:
      decided.policy = .merge
      decided.sparesMail = false
    case .both:
      decided.preferred[uid] = .local
      do throws(SyncFailure) {
        mail = try await clearUpKilledRun()
        mail.count(in: &made)
        try await observe([.local, .remote], isAsked: true)
        let differing = try await recorded { () throws(JournalError) in
          try await journal.differing()
        }
        if let change = changeSinceShown(uid, matchItems(differing).items) {
          made.problems = [change]
          return made
        }
        guard let copy = try await copyRemote(uid) else { break }
        made.actions = [copy.action].compactMap(\.self)
        decided.only = [uid, copy.uid]
        decided.keptBoth = [uid]
      } catch {
        made.failure = error
        return made
      }
    }
    let sync = with(decided)
    // The copy that a dry run makes is in its journal alone.
    if !made.actions.isEmpty { return await sync.run(after: made, telling: mail) }
    let report = await sync.run(telling: mail)
    return await choice == .remote ? sync.takeRemoteOverBroken(uid, after: report) : report
  }

  /// Who names an item and the side that holds has said yes to this deletion, and to no other; nil
  /// where none is asked about.
  private func consent(toDelete uid: ItemID, on side: Side)
    -> (@Sendable (_ item: ReportedItem, _ side: Side) async -> Bool)?
  {
    guard let confirm = options.confirmDeletion else { return nil }
    return { item, target in
      if item.uid == uid, target == side { return true }
      return await confirm(item, target)
    }
  }

  // MARK: What can be said

  /// What can be said to a conflict in this pair: the version that holds has to be written to the
  /// other side, and what joins both to each.
  public var choices: [ConflictChoice] {
    ConflictChoice.allCases.filter { isPossible($0, options.pairDirection ?? options.direction) }
  }

  private func isPossible(_ choice: ConflictChoice, _ direction: SyncDirection) -> Bool {
    let readOnly = self.readOnly
    func takes(_ side: Side) -> Bool { direction.writes(to: side) && !readOnly.contains(side) }
    return switch choice {
    case .local: takes(.remote)
    case .remote: takes(.local)
    case .merged, .both: takes(.local) && takes(.remote)
    }
  }

  private func obstacle(to choice: ConflictChoice) -> ItemProblem? {
    let direction = options.direction
    if isPossible(choice, direction) { return nil }
    guard isPossible(.local, direction) || isPossible(.remote, direction) else {
      return ItemProblem(
        .readOnly, "neither side may be written to, so neither version can be taken",
        hint: "Change the pair so that one of its sides may be written to.")
    }
    let side = isPossible(.remote, direction) ? Side.remote : .local
    let why =
      switch direction {
      case .both: "the \(side.rawValue) side is read-only"
      case .pull: "this pair only pulls"
      case .push: "this pair only pushes"
      }
    return ItemProblem(
      .readOnly, "\(why), so nothing but the \(side.rawValue) version can be taken",
      hint: "`calgw resolve UID --take \(side.rawValue)` takes it, and the"
        + " \(side.opposite.rawValue) version stays in `calgw log`. Where that side has deleted it,"
        + " delete this version or move it to another calendar.")
  }
}
