import CalDAVStorage
import SQLiteJournal
import SyncExecution
import SyncModel
import SyncPlanning
import VdirStorage

extension CollectionOpener {
  /// A collection that was there and is not any more is never made again by itself.
  func gone(_ collection: MatchedCollection) async -> CollectionReport? {
    if let report = await goneFromServers(collection) { return report }
    var report = CollectionReport(name: collection.name)
    let forget = forgetting(collection.name)
    if case .gone(VdirRoot.itself) = collection.local, pair.local.isDirectory {
      report.problems = [wasDirectory(collection.name, forget: forget)]
      return report
    }
    if case .gone(let href) = collection.local, pair.local.isDirectory {
      var (what, anew) = ("is gone", "run \(forget)")
      if case .directory(let root, _) = pair.local, let instead = await root.stands(at: href) {
        what += "; in its place is \(instead)"
        anew = "take that away, run \(forget)"
      }
      report.failure = .storage(
        .local,
        StorageError(
          .vanished, "the folder \(pair.local.path)/\(href.text) \(what)",
          hint: "put it back, or "
            + (sayWhich(collection.name, .local)
              ?? "\(anew) and sync to have it made anew; to do without it,"
              + " \(leavingOut(collection))")))
      return report
    }
    for side in Side.allCases {
      let counterpart = side == .local ? collection.local : collection.remote
      var former: Href?
      if case .gone(let href) = counterpart { former = href }
      let unseen = mayBeUnseen(collection.name, on: side, at: former)
      switch counterpart {
      case .present, .missing: continue
      case .gone(let href):
        if let trouble = pair.listing.unanswered[side]?[collection.name] {
          report.failure = .storage(side, await mayBeThere(collection, href, side, trouble))
        } else if let other = refusedCollection(collection, href, side) ?? unseen {
          report.problems = [other]
        } else {
          report.problems = [await collectionGone(collection, href, side)]
        }
      case .unknown(let text):
        let unknown = nobodyCalled(text, collection.name, side, forget: forget)
        report.problems = [unseen ?? unknown]
      case .nobody(let text):
        let elsewhere = mayBeUnseen(collection.name, on: side.opposite)
        // Of one that is known still none is made by itself.
        let isKnown = (try? await pair.store.collection(named: collection.name)) != nil
        report.problems = [
          unseen ?? elsewhere ?? nobody(text, for: collection.name, forget: isKnown ? forget : nil)
        ]
      case .given(let href, let folder):
        report.problems = [given(href, to: folder, collection.name, side)]
      }
      return report
    }
    return nil
  }

  /// The command that is the way out.
  func forgetting(_ collection: String) -> String { pair.target.pair.forgetting(collection) }

  private func collectionGone(
    _ collection: MatchedCollection, _ href: Href, _ side: Side
  ) async -> ReportedProblem {
    ReportedProblem(
      item: ReportedItem(uid: nil, file: nil, href: href, summary: ""),
      problem: ItemProblem(
        .collectionGone,
        "the \(side.rawValue) collection \(href.text) is gone; its counterpart is left alone",
        hint: await mendOfGone(collection, side)))
  }

  /// A calendar that may be a known one under another address gets no counterpart on a server:
  /// all that is in it would be sent there a second time, with whatever mail that causes. Nil for
  /// any other.
  func mayBeKnown(_ calendar: CollectionDescription, on side: Side) -> ReportedProblem? {
    guard pair.side(side.opposite).isServer,
      let lookalike = pair.listing.lookalikes[side]?[calendar.identity],
      !isGivenAway(lookalike.former, on: side.opposite)
    else { return nil }
    let (name, former) = (lookalike.name, lookalike.former.name)
    let mapping =
      side == .local
      ? "{ \(tomlKey(name)) = \(tomlString(lookalike.former.remote.text)) }"
      : "{ \(tomlKey(former)) = \(tomlString(calendar.href.text)) }"
    return ReportedProblem(
      item: ReportedItem(uid: nil, file: nil, href: calendar.href, summary: ""),
      problem: ItemProblem(
        .collectionGone,
        "\(name) on the \(side.rawValue) side holds most of what \(former) had, which is gone"
          + " there: it may be \(former) under another address, and is left alone",
        hint: "write \(mapping) into the pair's `collections` if it is, and"
          + " \(tomlString("!NAME")) for others that are to be left out; or run"
          + " \(forgetting(former)) and sync to have all made anew"))
  }

  /// A mapping has given what a known collection has on a side to another one.
  private func isGivenAway(_ former: KnownCollection, on side: Side) -> Bool {
    let href = side == .local ? former.local : former.remote
    return pair.collections.contains { collection in
      let counterpart = side == .local ? collection.local : collection.remote
      guard collection.name != former.name, case .present(let there) = counterpart else {
        return false
      }
      return there.href == href
    }
  }

  private func nobodyCalled(
    _ text: String, _ collection: String, _ side: Side, forget: String
  ) -> ReportedProblem {
    var setting = "`collections` maps \(collection) to \(tomlString(text))"
    if case .calendar = pair.target.pair.selection { setting = "`calendar` is \(tomlString(text))" }
    let making = isFolderName(text) ? ", or run \(forget) and sync to have it made" : ""
    return ReportedProblem(
      item: ReportedItem(uid: nil, file: nil, href: nil, summary: ""),
      problem: ItemProblem(
        .collectionGone,
        "\(setting), and the \(side.rawValue) side has no such collection; \(collection) is left"
          + " alone",
        hint: "write the id, display name or path of one that is there (see `calgw discover`)"
          + making))
  }

  /// Whether a collection is there cannot be said, where some of its side was not shown; nil where
  /// all was.
  ///
  /// - Parameters:
  ///   - former: where it was in earlier runs; nil where nobody knows of any place.
  ///   - others: where it may be besides.
  ///   - ways: what a person can do beside seeing to it that all is shown.
  func mayBeUnseen(
    _ collection: String, on side: Side, at former: Href? = nil, among others: [UnseenPlace] = [],
    or ways: [String] = []
  ) -> ReportedProblem? {
    let places =
      (pair.listing.unseen[side] ?? []) + placesElsewhere(collection, at: former, on: side) + others
    if places.isEmpty { return nil }
    let words = places.map(\.words).joined(separator: "; ")
    let hint = (mends(of: places) + ways).joined(separator: "; or ")
    return ReportedProblem(
      item: ReportedItem(uid: nil, file: nil, href: nil, summary: ""),
      problem: ItemProblem(
        .brokenRemote,
        "the \(side.rawValue) side does not show all of its calendars (\(words)), and"
          + " \(collection) may be one of those; it is left alone, and none is made",
        hint: hint))
  }

  /// What a person can do who does not want to wait until a side shows all: the folder may need
  /// nothing of what is hidden.
  func waysWithout(_ collection: MatchedCollection) -> [String] {
    var ways = ["make the calendar on the server's own pages, and it is found by its name"]
    // A mapping asks for it, whatever else is excluded.
    if case .collections = pair.target.pair.selection, collection.mapping == nil {
      ways.append("\(leavingOut(collection)) to leave it out")
    }
    return ways
  }

  /// Some run of the pair may make collections on the remote side.
  var makesRemotes: Bool {
    pair.remote.makesCollections && !options.readOnly.contains(.remote)
      && pair.target.pair.direction.writes(to: .remote)
  }

  /// A folder gets no counterpart, and the one that the configuration names for it is not there;
  /// empty where it names none, or nobody looked.
  func namedInVain(_ collection: MatchedCollection) -> [ReportedProblem] {
    if pair.remote.isRemembered { return [] }
    var name = collection.mapping?.remote
    if case .calendar(let text) = pair.target.pair.selection, text != "." { name = text }
    guard let name else { return [] }
    let unseen = mayBeUnseen(collection.name, on: .remote)
    return [unseen ?? nobody(name, for: collection.name)]
  }

  /// - Parameter forget: the command after which one is made; nil where none is needed.
  private func nobody(
    _ text: String, for collection: String, forget: String? = nil
  ) -> ReportedProblem {
    var key = "collections"
    if case .calendar = pair.target.pair.selection { key = "calendar" }
    let names = pair.listing.remoteNames
    let shown = names.prefix(8).map { "\"\($0)\"" }.joined(separator: ", ")
    let more = names.count > 8 ? " and \(names.count - 8) more" : ""
    let there = names.isEmpty ? "has none" : "has \(shown)\(more)"
    let isMade = makesRemotes && !isAddress(text)
    let first = forget.map { "run \($0) and " } ?? ""
    let making =
      isMade ? ", or \(first)put an item into the folder \(collection) to have one made" : ""
    return ReportedProblem(
      item: ReportedItem(uid: nil, file: nil, href: nil, summary: ""),
      problem: ItemProblem(
        .collectionGone,
        "`\(key)` names \"\(text)\", and there is no such collection: the remote side \(there)",
        hint: "write the id, display name or path of one that is there (see `calgw discover`)"
          + making))
  }

  /// To forget it is no mend: all that is in it would go into a new collection, a second time.
  private func given(
    _ href: Href, to folder: String, _ collection: String, _ side: Side
  ) -> ReportedProblem {
    ReportedProblem(
      item: ReportedItem(uid: nil, file: nil, href: href, summary: ""),
      problem: ItemProblem(
        .collectionGone,
        "\(collection) is no longer synced: the \(side.rawValue) collection \(href.text) goes to"
          + " \(folder) now; what is in \(collection) is left as it is",
        // The mapping holds it where the name that is left out is that of the other side, too.
        hint:
          "write { \(tomlKey(folder)) = \(tomlString(href.text)) } and"
          + " \(tomlString("!\(collection)")) into the pair's `collections` to leave it out, remove"
          + " \(collection), or map it to another one"))
  }

  /// A server's calendar that went away while the run was on is that problem too, and no failure.
  /// A file that went away is a failure all the same.
  func translateVanished(_ report: CollectionReport) -> CollectionReport {
    guard case .storage(let side, var error)? = report.failure, error.kind == .vanished else {
      return report
    }
    var report = report
    if pair.side(side).isDirectory {
      if case .stream = pair.side(side) {
        let forget = forgetting(report.name)
        error.hint = "put it back, or run \(forget) and sync to have it made anew"
        report.failure = .storage(side, error)
      }
      return report
    }
    report.failure = nil
    let why = error.why.isEmpty ? "" : ": \(error.why)"
    let item = ReportedItem(uid: nil, file: nil, href: nil, summary: "")
    report.problems.append(
      ReportedProblem(
        item: item,
        problem: ItemProblem(
          .collectionGone, error.message + why, hint: error.hint)))
    return report
  }

  /// As `translateVanished`, and with mends that can be followed in this pair.
  func translate(_ report: CollectionReport) -> CollectionReport {
    var report = translateVanished(report)
    for index in report.problems.indices {
      report.problems[index].suit(pair.target.pair, in: report.name)
    }
    report.nameItems(in: pair.target.pair)
    return report
  }
}
