import ICalendar
public import SyncModel

extension CollectionSync {
  /// The item that a look has found; nil where there is none that can be synced.
  func item(_ outcome: ReadOutcome) -> ItemVersion? {
    guard case .found(let version, let data, let modified) = outcome.result else { return nil }
    return try? readItem(data, at: outcome.href, version: version, modified: modified).get()
  }

  /// Reads what a resource holds: an item, or the reason why it is none that can be synced.
  func readItem(_ data: ItemData, at href: Href, version: Version, modified: Instant?)
    -> Result<ItemVersion, ItemProblem>
  {
    if data.hasTooManyLines {
      return .failure(
        ItemProblem(
          .tooLarge, "'\(href.text)' has more than \(ItemData.mostLines) lines",
          hint: "Make it smaller\(Self.orRestore)"))
    }
    let tree = SyntaxTree(bytes: data.bytes)
    let object = CalendarObject(tree)
    let uids = object.uids
    if let problem = wholenessProblem(tree, href) { return .failure(problem.naming(uids)) }
    let nameless = object.componentsWithoutUID.first { Self.itemKinds.contains($0.kind) }
    if let nameless {
      let place = nameless.component.lineNumber.map { " in line \($0)" } ?? ""
      return .failure(
        ItemProblem(
          .noUID, "'\(href.text)' has a component without a UID\(place)",
          hint: "Add a line 'UID:' with a text that no other item has, below its BEGIN; or restore"
            + " it with `calgw log FILE` and `calgw restore ID`."
        ).naming(uids))
    }
    guard let uid = uids.first else {
      return .failure(
        ItemProblem(
          .incomplete, "'\(href.text)' holds no event, task or note",
          hint: "Put one into it\(Self.orRestore)"))
    }
    guard uids.count == 1 else { return .failure(severalUIDs(object, href).naming(uids)) }
    return .success(
      ItemVersion(
        href: href, uid: ItemID(bytes: uid), version: version,
        canonical: digest(canonicalForm(of: tree)), summary: object.summary,
        lastModified: object.lastModified.map(Instant.init(milliseconds:)), modified: modified,
        components: object.kinds))
  }

  private func severalUIDs(_ object: CalendarObject, _ href: Href) -> ItemProblem {
    let second = object.secondUID?.lineNumber.map { ", the second in line \($0)" } ?? ""
    // No command splits what has become one.
    let isFused = object.hasFusedComponents
    return ItemProblem(
      .severalUIDs,
      isFused
        ? "'\(href.text)' has a component with several UIDs\(second)"
        : "'\(href.text)' holds \(object.uids.count) items with different UIDs\(second)",
      hint: "Keep one item a file: "
        + (isFused ? "take the lines of the others out. " : "\(ItemProblem.splitFile). ")
        + "With the others out of it, `calgw log FILE` and `calgw restore ID` bring the last"
        + " version back.")
  }

  private static let orRestore =
    ", or restore it with `calgw log FILE` and `calgw restore ID`. Taking it away"
    + " \(ItemProblem.deletesThere)."

  /// The components that make an item (RFC 5545 §3.6); others need no UID.
  private static let itemKinds: Set = ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"]

  private func wholenessProblem(_ tree: SyntaxTree, _ href: Href) -> ItemProblem? {
    switch tree.wholeness {
    case .whole:
      nil
    case .empty:
      ItemProblem(
        .incomplete, "'\(href.text)' is empty",
        hint: "Restore it with `calgw log FILE` and `calgw restore ID`. Taking it away"
          + " \(ItemProblem.deletesThere).")
    case .cutOff(let line):
      ItemProblem(
        .incomplete, "'\(href.text)' is cut off: what begins in line \(line) has no end",
        hint: "Complete it, or restore it with `calgw log FILE` and `calgw restore ID`.")
    case .conflictMarker(let line):
      ItemProblem(
        .incomplete,
        "'\(href.text)' holds two versions that were not merged: a conflict marker is in line"
          + " \(line)",
        hint: "Keep the lines of one and take the markers out\(Self.orRestore)")
    case .notCalendar(let line):
      ItemProblem(
        .unreadable, "'\(href.text)' is no iCalendar text: see line \(line)",
        hint: "Correct it\(Self.orRestore)")
    case .strayEnd(let line):
      ItemProblem(
        .incomplete, "'\(href.text)' has an END in line \(line) that nothing begins",
        hint: "Correct it, or restore it with `calgw log FILE` and `calgw restore ID`.")
    case .tooLarge:
      ItemProblem(
        .tooLarge, "'\(href.text)' is too large to be read",
        hint: "Take out attachments\(Self.orRestore)")
    case .notUTF8(let line):
      ItemProblem(
        .unreadable, "'\(href.text)' is not UTF-8: see line \(line)",
        hint: "Convert it to UTF-8, for example with iconv\(Self.orRestore)")
    }
  }
}

extension ItemProblem {
  /// The same of a text with these UIDs.
  fileprivate func naming(_ uids: [[UInt8]]) -> ItemProblem {
    var problem = self
    problem.uids = uids.prefix(Self.mostUIDs).map(ItemID.init(bytes:))
    return problem
  }

  /// The commands that make a file of each item in one; as it is, it would be in their way.
  public static let splitFile =
    "`mv FILE FILE.old`, and at once `calgw import FILE.old --in FOLDER`"
}
