import ICalendar
import SyncModel

/// What a text holds that is no item, or more than one: it is left alone where it is.
extension StreamStorage {
  /// Stands in listings for all that has no UID. An item may have the UID that people see here, but
  /// it is UTF-8, so that none has one with the key's last byte.
  static let nameless: Href = {
    let words = Array("(no UID)".utf8)
    return Href(spelling: words, key: words + [0xFF])
  }()

  /// Stands in listings for what shows that something of the text is lost; no item's, as above.
  static let damaged: Href = {
    let words = Array("(damaged)".utf8)
    return Href(spelling: words, key: words + [0xFF])
  }()

  /// So many lines are named; a person goes on from there.
  private static let linesNamed = 5

  /// What has no UID; nil where everything has one.
  func nameless(in stream: CalendarStream) -> (Version, ItemProblem)? {
    guard let first = stream.nameless.first else { return nil }
    let places = words(for: stream.nameless.map(\.line))
    let what = stream.nameless.count == 1 ? "a component" : "components"
    let uid = stream.nameless.contains(where: \.hasOddUID) ? "a UID in UTF-8" : "a UID"
    let problem = ItemProblem(
      .noUID,
      "\(source.name) has \(what) without \(uid) in \(places), so that nobody can tell what is gone"
        + " from it",
      hint: "Add a line 'UID:' with a text that no other item has, below its BEGIN: the UID that it"
        + " had, if it lost it. Until then nothing counts as deleted there.")
    return (version(of: first.bytes), problem)
  }

  /// What shows that something of the text is lost; nil where nothing does.
  func damage(in stream: CalendarStream) -> (Version, ItemProblem)? {
    guard let first = stream.damages.first else { return nil }
    var lines: [Int] = []
    for damage in stream.damages where lines.last != damage.line { lines.append(damage.line) }
    let places = lines.count > 1 ? " (all: \(words(for: lines)))" : ""
    let problem = ItemProblem(
      .incomplete,
      "\(source.name) is damaged: \(first.words)\(places), so that nobody can tell what is gone"
        + " from it",
      hint: (source.isReadOnly
        ? "Tell whoever gives it out." : "Correct it there, or put the file back from a copy.")
        + " Until then nothing counts as deleted there, and the rest is synced.")
    return (version(of: Array(problem.message.utf8)), problem)
  }

  /// Why what is there under a UID is more or less than an item; nil where nothing shows that.
  private func harm(to uid: [UInt8], in stream: CalendarStream) -> ItemProblem? {
    guard let damage = stream.damage(of: uid) else { return nil }
    return ItemProblem(
      damage.kind == .severalUIDs ? .severalUIDs : .incomplete,
      "\(source.name) does not have it whole: \(damage.words)",
      hint: source.isReadOnly
        ? "Tell whoever gives it out; what was read of it before is kept."
        : "Correct it there, or put the file back from a copy. Until then the item is left alone on"
          + " both sides.")
  }

  /// Why what is there under a UID cannot be synced; nil where it can, or nothing is there.
  func problem(of uid: [UInt8], in stream: CalendarStream) -> ItemProblem? {
    if let problem = clash(of: uid, in: stream) { return problem }
    let lines = stream.linesNotUTF8(of: uid)
    if lines.isEmpty { return nil }
    return ItemProblem(
      .unreadable,
      "\(source.name) has text of it that is not UTF-8, in \(words(for: lines))",
      hint: "Write the text there in UTF-8, and leave the rest of the file as it is. Until then"
        + " the item is left alone on both sides.")
  }

  /// Why what is there under a UID is no item, also not to be read; nil where it is one, or nothing
  /// is there.
  func clash(of uid: [UInt8], in stream: CalendarStream) -> ItemProblem? {
    if let problem = harm(to: uid, in: stream) { return problem }
    guard let clash = stream.clashes[uid] else { return zoneClash(of: uid, in: stream) }
    let places = words(for: clash.lines)
    let what =
      clash.kinds.count > 1
      ? "a \(clash.kinds.joined(separator: " and a ")) with one UID"
      : "\(clash.lines.count) items with one UID that are not the same"
    return ItemProblem(
      .duplicateUID, "\(source.name) has \(what), in \(places)",
      hint: source.isReadOnly
        ? "Tell whoever gives it out; what was read of it before is kept."
        : "Keep one of them, or give the other a UID of its own.")
  }

  /// A name of the time zone database means the same whatever its definitions say.
  private func zoneClash(of uid: [UInt8], in stream: CalendarStream) -> ItemProblem? {
    let clash = stream.zoneClashes[uid]?.first { !options.isKnownZone($0.name) }
    return clash.map {
      ItemProblem(
        .unsupported, "\(source.name) has no one item under this UID: \($0.message)",
        hint: source.isReadOnly
          ? "Tell whoever gives it out; what was read of it before is kept."
          : ZoneClash.advice)
    }
  }

  private func words(for lines: [Int]) -> String {
    let named = lines.prefix(Self.linesNamed).map(String.init).joined(separator: ", ")
    let rest = lines.count - Self.linesNamed
    return (lines.count == 1 ? "line " : "lines ") + named + (rest > 0 ? " and \(rest) more" : "")
  }
}

extension CalendarStream.Damage {
  /// What is wrong, for people.
  fileprivate var words: String {
    switch kind {
    case .unreadable: "line \(line) is no line of a calendar"
    case .zeroByte: "line \(line) has bytes of value zero, as a failing disk leaves them"
    case .misplaced: "what begins in line \(line) may not stand there"
    case .severalUIDs: "one component has two UIDs, the second in line \(line)"
    case .fused: "two components have become one, the second seems to begin before line \(line)"
    }
  }
}

extension ZoneClash {
  /// The mend as the sentence of an item's problem.
  static let advice = mend.prefix(1).uppercased() + mend.dropFirst() + "."
}
