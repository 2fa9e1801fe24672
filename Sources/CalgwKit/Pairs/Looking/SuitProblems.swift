import CalDAVStorage
import SyncExecution
import SyncModel
import SyncPlanning

extension ReportedProblem {
  /// Fits the mend to the pair: the engine knows neither what kind its sides are of nor what the
  /// pair lets a person say later.
  mutating func suit(_ pair: PairConfiguration, in collection: String) {
    problem.suit(pair, item, in: collection)
  }

  /// The same with what is known of the item.
  mutating func suit(_ names: MendNames) {
    problem.suit(names)
    item.file = item.file ?? names.agreedFile
  }
}

extension PairConfiguration {
  /// The command that makes the next sync of a collection a first one. Where a pair has no name,
  /// it is the options that say which one is meant (`pasteableMend`).
  func forgetting(_ collection: String) -> String {
    name.hasPrefix("adhoc-")
      ? "`calgw forget`"
      : "`\(shellCommand("forget", argument: "\(name)/\(collection)"))`"
  }
}

extension ItemProblem {
  /// The same, with the item that has the problem.
  package mutating func suit(_ pair: PairConfiguration, _ item: ReportedItem, in collection: String)
  {
    hint = hint.replacing(PlanRefusal.forget, with: pair.forgetting(collection))
    switch code {
    case .readOnly: suitReadOnly(pair)
    case .massDelete where item.uid != nil: suitQuestion(pair)
    case .incomplete, .noUID, .severalUIDs, .notAFile, .unreadable, .tooLarge:
      suitFile(pair, item)
    case .duplicateUID: suitDuplicate(pair, item)
    case .refused, .unsupported, .brokenRemote, .collectionGone, .massDelete, .unguarded: break
    }
    if case .account = pair.local { suitServer() }
  }

  /// What says the same as another one, or belongs into it, is dealt with where it is: a file here,
  /// also one of the remote side, by commands.
  private mutating func suitDuplicate(_ pair: PairConfiguration, _ item: ReportedItem) {
    switch (item.onlySide, pair.local, pair.remote) {
    case (.local, .account, _):
      hint = hint.replacing(ItemProblem.takeFileAway, with: ItemProblem.deleteThere)
        .replacing(ItemProblem.importOccurrences, with: ItemProblem.putOccurrencesThere)
    case (.remote, _, .directory):
      hint = hint.replacing(
        ItemProblem.deleteThere,
        with: ItemProblem.takeFileAway.replacing("FILE", with: "OTHERFILE")
      ).replacing(
        ItemProblem.putOccurrencesThere,
        with: ItemProblem.importOccurrences.replacing("FILE", with: "OTHERFILE")
          .replacing("FOLDER", with: "OTHERFOLDER"))
    default: break
    }
  }

  /// Where the local side is a server, no file of it is here for a command to name.
  private mutating func suitServer() {
    hint = hint.replacing("here (`calgw delete FILE --span all`)", with: "on the local side")
      .replacing(" (`calgw move FILE PAIR/COLLECTION`)", with: "")
      .replacing(
        "or leave it here; `calgw check` says what is odd in its file",
        with: "or leave it on the local side"
      )
      .replacing("; `calgw check` says what is odd in its file", with: "")
  }

  /// Fits a mend that speaks of the file of the local side, or copies it, to where that is not
  /// there.
  package mutating func suit(_ names: MendNames) {
    if code == .brokenRemote, !names.wasHere { wasNeverHere() }
    if !names.hasLog, isOfText { hint = hintWithoutLog }
    guard !names.isFileThere, hint.contains(Self.copyOver) else { return }
    let mend = code == .notAFile ? "Put a file in its place" : "Correct that file"
    hint = "\(mend); or remove it, and the item is gone from both sides."
  }

  /// What is there may be all that there is of an item: it stays beside, where no sync sees it.
  private static let copyOver = "`cp --backup=numbered FILE OTHERFILE`"

  private mutating func suitReadOnly(_ pair: PairConfiguration) {
    let tail = ItemProblem.orMakeWritable(.remote)
    if case .subscription = pair.remote, hint.hasSuffix(tail) {
      hint = String(hint.dropLast(tail.count)) + "; a subscription takes none."
    }
    // The server says so, and may be wrong.
    if case .account = pair.remote, !pair.isReadOnly, !pair.triesWrites, hint.hasSuffix(tail) {
      hint = hint.dropLast(1) + "; or, if the account may write there, set read_only = false."
    }
    if pair.direction == .push, hint.contains("UID --take remote") {
      hint =
        "Make the remote side writable; or set direction = \"both\", and `calgw resolve UID"
        + " --take remote` undoes the change."
    }
  }

  /// Of a deletion that waits for a yes: a pair of one direction brings nothing back the other way,
  /// and nobody brings back what a side gives that takes nothing.
  private mutating func suitQuestion(_ pair: PairConfiguration) {
    guard let yes = yesToDeletion else { return }
    var isReadOnly = pair.isReadOnly
    if case .subscription = pair.remote { isReadOnly = true }
    switch pair.direction {
    case .both where !isReadOnly: break
    case .both, .pull:
      hint =
        "\(yes). To keep it, move it to another calendar (`calgw move FILE PAIR/COLLECTION`)."
    case .push:
      hint =
        "\(yes). To have it back, set direction = \"both\", and `calgw resolve UID --take remote`"
        + " brings it."
    }
  }

  /// Of a file that is no whole item.
  private mutating func suitFile(_ pair: PairConfiguration, _ item: ReportedItem) {
    // A pair that only pushes cannot do that.
    if pair.direction == .push {
      hint = String(hint.dropLast(offer.count))
        .replacing(Self.removeAndTakeRemote, with: Self.removeAndRestore)
    }
    if code == .incomplete, isOfText || hint.hasPrefix("correct it on the server"),
      let side = item.onlySide, case .account = pair.side(side)
    {
      hint = hintOnServer(pair, item, side)
      return
    }
    // A look names both files of an item. It has no file where the other side's text is broken.
    if item.uid != nil, item.file != nil, case .directory = pair.local { suitWarning(pair) }
    guard isOfText else { return }
    if code == .severalUIDs, let side = pair.serverSide(of: item) {
      hint = hintToSeparate(pair, item, side)
      return
    }
    if let uid = item.uid, let side = pair.serverSide(of: item) {
      hint = hintToCorrect(pair, uid, on: side)
    } else if item.file == nil, item.href != nil, case .directory = pair.remote {
      hint = otherFileHint(pair, item)
    } else if item.file == nil, item.href != nil, item.uid == nil {
      hint = hintOfUnshared
    } else if let uid = item.uid, code == .noUID {
      hint = hintWithUID(pair, uid)
    }
  }

  /// To take away a file of an item that both sides share does not delete the item everywhere:
  /// an edit there outlives that, and not every pair writes there.
  private mutating func suitWarning(_ pair: PairConfiguration) {
    let removal = removal(from: .local, in: pair)
    if removal.outcome == .deleted { return }
    hint = hint.replacing(
      "Taking it away \(Self.deletesThere)", with: "If you take it away, \(removal.words)"
    ).replacing(
      "to take it away alone \(Self.deletesThere)",
      with: "if you take it away alone, \(removal.words)")
  }

  /// The mend speaks of earlier versions of a file.
  private var isOfText: Bool { hint.contains("`calgw log FILE`") }

  /// What stands last where the remote side has the item of a broken file.
  private var offer: Substring {
    let found = hint.firstRange(of: " `calgw resolve UID --take remote` takes")
    return hint[(found?.lowerBound ?? hint.endIndex)...]
  }

  private var hintOfUnshared: String {
    let mend = code == .tooLarge ? "Make it smaller" : "Correct it"
    return "\(mend) where it is, or take it away there: both sides share nothing of it."
  }

  /// The server may have it whole, and something on the way have cut it: as long as its entity tag
  /// stays, a sync asks for it once a day, and for an item that a person names at once. One that
  /// both sides do not share has no name.
  private func hintOnServer(
    _ pair: PairConfiguration, _ item: ReportedItem, _ side: Side
  ) -> String {
    let again = "If it is whole there, it was cut on the way, and is looked at again within a day"
    guard item.uid != nil else {
      return side == .local ? "Correct it where it is. \(again)." : "\(hintOfUnshared) \(again)."
    }
    let canTake = pair.writes(to: side.opposite)
    let atOnce = canTake ? ", or at once by `calgw resolve UID --take \(side.rawValue)`" : ""
    return "\(again)\(atOnce). Else correct it there, or take it away there:"
      + " \(removal(from: side, in: pair).words)."
  }

  /// What a server has is no file that a command here could move.
  private func hintToSeparate(
    _ pair: PairConfiguration, _ item: ReportedItem, _ side: Side
  ) -> String {
    let mend =
      "Keep one item in it, and add each of the others by itself: on the server, with its web page"
      + " or another program."
    if item.uid == nil { return mend }
    return "\(mend) If you take it away there, \(removal(from: side, in: pair).words)."
  }

  /// A command here can neither write over what a server has that is no item, nor take it away.
  private func hintToCorrect(_ pair: PairConfiguration, _ uid: ItemID, on side: Side) -> String {
    let mend = code == .noUID ? "Put its \(lineOf(uid)) back" : String(mendOfText)
    return "\(mend) on the server, or take it away there: \(removal(from: side, in: pair).words)."
  }

  private func removal(from side: Side, in pair: PairConfiguration) -> Removal {
    Removal(from: side, elsewhere, in: pair)
  }

  private func lineOf(_ uid: ItemID) -> String {
    "line '\(visibleText("UID:\(uid.text)", limit: 200))'"
  }

  /// With any other UID, as `check --fix` would make one up, it would be a new item.
  private func hintWithUID(_ pair: PairConfiguration, _ uid: ItemID) -> String {
    let isGoneThere = hint.hasSuffix(Self.orOnlyRemove)
    let isDeletion = removal(from: .local, in: pair).outcome == .deleted
    let deletion = isDeletion ? ", and this one is deleted on the other side" : ""
    return
      "Put its \(lineOf(uid)) back below its BEGIN: under"
      + " any other UID it is a new item\(deletion); or restore it with `calgw log FILE` and"
      + " `calgw restore ID`\(isGoneThere ? Self.orOnlyRemove : ".")"
  }

  /// Where the log has nothing to bring back, as of a file that was never synced: what else there
  /// is to do.
  private var hintWithoutLog: String {
    if code == .incomplete { return "Correct it, or put a whole file in its place.\(offer)" }
    let rest = mendOfText
    if code == .notAFile { return "\(rest), or remove it." }
    return (rest.hasSuffix(".") ? String(rest) : String(rest) + ".") + offer
  }

  /// What the hint says first, without what the log offers.
  private var mendOfText: Substring {
    let offers = [
      ", or remove it and at once restore", ", or restore it with", "; or restore it with",
      " With the others out of it, `calgw log",
    ]
    let starts = offers.compactMap { hint.firstRange(of: $0)?.lowerBound }
    return hint[..<(starts.min() ?? hint.endIndex)]
  }

  /// The log brings files back on the local side alone.
  private func otherFileHint(_ pair: PairConfiguration, _ item: ReportedItem) -> String {
    guard item.uid != nil else {
      return "Correct that file, or put a whole one in its place."
    }
    return code == .notAFile
      ? "Remove it, and at once put the file of the local side in its place (\(Self.copyOver)):"
        + " if you take it away alone, \(removal(from: .remote, in: pair).words)."
      : "Correct that file, or put the one of the local side over it: \(Self.copyOver) keeps"
        + " what is there beside it."
  }
}

extension ReportedItem {
  /// The side that it is on as far as its names tell; nil where both have one.
  fileprivate var onlySide: Side? {
    switch (file, href) {
    case (nil, .some): .remote
    case (.some, nil): .local
    case (nil, nil), (.some, .some): nil
    }
  }
}

extension PairConfiguration {
  fileprivate func side(_ side: Side) -> SideConfiguration { side == .local ? local : remote }

  /// The side that an item of one side alone is on, where that is a server.
  fileprivate func serverSide(of item: ReportedItem) -> Side? {
    guard let side = item.onlySide, case .account = self.side(side) else { return nil }
    return side
  }
}
