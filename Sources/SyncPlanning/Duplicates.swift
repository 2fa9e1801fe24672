import ICalendar
public import SyncModel

/// Resources of one side that hold items of one UID. Those that say the same as another one can go
/// without a loss; of the rest a person decides.
struct Duplicates: Sendable, Hashable {
  private let side: Side
  /// Of those that say the same the first is the one to keep.
  private let versions: [ItemVersion]
  private let displacing: Set<Href>

  /// So many of the others are named with each.
  private static let namedOthers = 3
  /// The texts of more that do not say the same are not looked at: no person puts them together.
  private static let mostUnlike = 100

  /// - Parameters:
  ///   - agreed: where the one is on which both sides agreed. Else the shortest name is the one to
  ///     keep: programs that copy a file put something into its name.
  ///   - displacing: where other items were, which go with what is there now.
  init(_ versions: [ItemVersion], on side: Side, agreed: Href?, displacing: Set<Href>) {
    func isToBeKept(_ one: ItemVersion, before other: ItemVersion) -> Bool {
      if (one.href == agreed) != (other.href == agreed) { return one.href == agreed }
      let isForeign = displacing.contains(one.href)
      if isForeign != displacing.contains(other.href) { return !isForeign }
      let lengths = (one.href.spelling.count, other.href.spelling.count)
      return lengths.0 == lengths.1 ? one.href < other.href : lengths.0 < lengths.1
    }
    self.side = side
    self.displacing = displacing
    self.versions = versions.sorted(by: isToBeKept)
  }

  /// In the order of their names.
  var troubles: [ItemTrouble] {
    let group = versions.sorted { $0.href < $1.href }
    let unlike = Set(self.unlike.map(\.href))
    return group.map { version in
      let others = names(of: group.filter { $0.href != version.href })
      // Each has its own title: that is how a person tells which one to keep.
      var trouble = ItemTrouble(
        uid: version.uid, side: side, href: version.href, summary: version.summary,
        problem: ItemProblem(
          .duplicateUID, "'\(version.href.text)' has the same UID as \(others)",
          hint: hint(for: version)))
      if (2...Self.mostUnlike).contains(unlike.count), unlike.contains(version.href) {
        trouble.duplicate = Duplicate(version: version, group: self)
      }
      return trouble
    }
  }

  /// Of those that say the same the one to keep.
  private var unlike: [ItemVersion] {
    var seen: Set<ContentDigest> = []
    return versions.filter { seen.insert($0.canonical).inserted }
  }

  private func names(of some: [ItemVersion]) -> String {
    let more = some.count - Self.namedOthers
    return some.prefix(Self.namedOthers).map { "'\($0.href.text)'" }.joined(separator: ", ")
      + (more > 0 ? " and \(more) more" : "")
  }

  private func hint(for version: ItemVersion) -> String {
    let alike = versions.filter { $0.canonical == version.canonical }
    if let kept = alike.first, kept.href != version.href {
      let sameness =
        kept.version.digest == version.version.digest ? "has the same bytes" : "says the same"
      let removal =
        displacing.contains(version.href)
        ? "how this one goes is told with the item that was here before"
        : side == .local ? ItemProblem.takeFileAway : ItemProblem.deleteThere
      return "It \(sameness) as '\(kept.href.text)', which is to stay: \(removal)."
    }
    return alike.count == versions.count
      ? "Keep this one: it says what the others say, and those can go."
      : "Keep one of them, or give the other a UID of its own."
  }

  /// The mend where some of them have nothing but single occurrences (RECURRENCE-ID): with a UID of
  /// its own such a one would be a second item at the time of an occurrence. Nil where that is not
  /// so, and where what is whole does not repeat: there is nothing that they could go into.
  fileprivate func hint(
    for version: ItemVersion, shares: [ContentDigest: SeriesShare]
  ) -> String? {
    let unlike = self.unlike.filter { $0.components == version.components }
    let whole = unlike.filter { shares[$0.version.digest] != .occurrences }
    let series = whole.filter { shares[$0.version.digest] == .series }
    // Where all have single occurrences alone, one of them takes in the others.
    guard let target = whole.isEmpty ? unlike.first : series.first else { return nil }
    let parts = unlike.filter {
      $0.href != target.href && shares[$0.version.digest] == .occurrences
    }
    if parts.contains(where: { $0.href == version.href }) {
      let place = series.count > 1 ? "one of the others" : "'\(target.href.text)'"
      let way =
        displacing.contains(version.href)
        ? "; how this one goes is told with the item that was here before"
        : ": " + (side == .local ? ItemProblem.importOccurrences : ItemProblem.putOccurrencesThere)
      return "It has only single occurrences of a series, and belongs into \(place)\(way)."
    }
    guard whole.count <= 1, !parts.isEmpty else { return nil }
    return parts.count == 1
      ? "\(names(of: parts)) has only single occurrences of a series, and belongs into this one."
      : "\(names(of: parts)) have only single occurrences of a series, and belong into this one."
  }
}

/// One of several resources of a UID that do not say the same.
struct Duplicate: Sendable, Hashable {
  var version: ItemVersion
  var group: Duplicates
}

extension ItemTrouble {
  /// The text that tells more about the mend of one of several resources of a UID; nil where
  /// nothing has to be told.
  public var textOfDuplicate: ContentDigest? { duplicate?.version.version.digest }

  /// With the mend of a series that is in several resources.
  ///
  /// - Parameter shares: what those of `textOfDuplicate` have of a series.
  public func mended(_ shares: [ContentDigest: SeriesShare]) -> ItemTrouble {
    guard let duplicate,
      let hint = duplicate.group.hint(for: duplicate.version, shares: shares)
    else { return self }
    var trouble = self
    trouble.problem.hint = hint
    return trouble
  }
}

/// What a text has of a series.
public enum SeriesShare: Sendable, Hashable {
  /// All of it: what repeats, perhaps with overrides.
  case series
  /// Single occurrences (RECURRENCE-ID), and nothing else.
  case occurrences
}

extension ItemData {
  /// Nil where nothing in it repeats.
  public var seriesShare: SeriesShare? {
    let object = CalendarObject(SyntaxTree(bytes: bytes))
    let main = object.mainComponents
    if main.isEmpty { return object.components.isEmpty ? nil : .occurrences }
    let recurs = main.contains { item in
      ["RRULE", "RDATE"].contains { item.component.line(named: $0) != nil }
    }
    return recurs || main.count < object.components.count ? .series : nil
  }
}

extension Differing {
  /// Where the resources of a side are of each UID that has several there, as far as is known: one
  /// of what both sides agreed on is there as long as nothing says otherwise.
  public func doubles(on side: Side) -> [[Href]] {
    SideView(side, self).doubledPlaces.map { places in places.filter { !$0.isVacated } }
  }
}

extension ItemProblem {
  /// How one of several files that say the same goes.
  public static let takeFileAway =
    "`mv --backup=numbered FILE FILE.old` takes this one away, and nothing is lost"
  /// The same of a resource that no command here can name.
  public static let deleteThere =
    "delete this one there, with another program, and nothing is lost"
  /// How the occurrences of one file come into the other one of their series. An import refuses to
  /// choose between several files.
  public static let importOccurrences =
    "`mv --backup=numbered FILE FILE.old` and, with one file of this UID left, `calgw import"
    + " FILE.old --in FOLDER --update` put them there; what they replace is in `calgw log`"
  /// The same of a resource that no command here can name.
  public static let putOccurrencesThere =
    "put them there, with another program, and delete this one"
}
