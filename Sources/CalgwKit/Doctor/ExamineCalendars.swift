import CalDAVStorage
import SyncModel
import SyncPlanning

extension PairConfiguration {
  /// A sync of the pair looks into a calendar of its account.
  fileprivate func takes(_ calendar: CollectionDescription) -> Bool {
    switch selection {
    case .collections(let rules):
      let asked = CollectionRules(rules)
      return asked.select(calendar.names)
        || asked.maps.contains { calendar.answers(to: $0.remote) }
    case .calendar(let text): return calendar.answers(to: text)
    case .asFound: return true
    }
  }
}

/// The calendars of an account: what may be done with each, and what the server can do.
extension AccountWay {
  mutating func examineCalendars(of pairs: [PairConfiguration], _ gateway: Gateway) async {
    guard broken == nil, !isStopped, let connection else { return }
    let own = pairs.filter { $0.accounts.contains(account.name) }
    let writes = own.contains { $0.direction != .pull && !$0.isReadOnly }
    for calendar in calendars {
      do throws(StorageError) {
        // What its home says of it does not tell whether it answers, nor whether it does so as
        // that says. One that is not synced need not.
        if own.contains(where: { $0.takes(calendar) }) {
          _ = try await connection.account.open(calendar).listChanges(since: nil)
        }
        let abilities = try await connection.account.abilities(of: calendar)
        tell(calendar, abilities, isWritten: writes)
      } catch {
        tell(RunFailure(error, place: ""), .calendar)
      }
      if isStopped { return }
    }
    for pair in own {
      tellUnmatched(pair)
      await examineChoice(of: pair, gateway)
    }
  }

  private mutating func tell(
    _ calendar: CollectionDescription, _ abilities: CalendarAbilities, isWritten: Bool
  ) {
    var facts = [calendar.isReadOnly ? "read-only" : Self.rights(without: abilities.forbidden)]
    if let kinds = calendar.components { facts.append(kinds.sorted().joined(separator: ", ")) }
    facts.append(
      abilities.listsDeltas
        ? "lists changes (sync-collection)"
        : abilities.hasContentTag ? "has a tag of its content (CTag)" : "no way to list changes")
    if abilities.hasMultiget { facts.append("many items in one answer (multiget)") }
    if let size = abilities.largestItem { facts.append("items of at most \(size) bytes") }
    // Of a name of any length enough is shown that the facts behind it are, too.
    let name = calendar.displayName.map { visibleText($0, limit: 60) } ?? calendar.name
    let title = name == calendar.name ? name : "\(calendar.name) (\"\(name)\")"
    let text = "\(title): \(facts.joined(separator: "; "))"
    if calendar.isReadOnly, isWritten {
      tell(
        .warning, .calendar, text,
        hint: "local edits stay here: ask its owner for the right to write, or set "
          + "direction = \"pull\" for a pair of its own; where the server is wrong about it, "
          + "read_only = false in the pair has calgw try")
    } else if !abilities.forbidden.isEmpty, isWritten {
      tell(
        .warning, .calendar, text,
        hint: "what may not be done there is told as a problem of each item: ask its owner for the "
          + "right to write")
    } else if !abilities.listsDeltas, !abilities.hasContentTag {
      tell(
        .warning, .calendar, text,
        hint: "every sync lists all of it; a newer version of the server may help")
    } else {
      tell(.ok, .calendar, text)
    }
  }

  private static func rights(without forbidden: Set<CalendarAbilities.Right>) -> String {
    guard !forbidden.isEmpty else { return "may be written" }
    func words(_ rights: [CalendarAbilities.Right], _ joint: String) -> String {
      rights.map { right in
        switch right {
        case .add: "added"
        case .change: "changed"
        case .remove: "removed"
        }
      }.joined(separator: joint)
    }
    let all = CalendarAbilities.Right.allCases
    let may = words(all.filter { !forbidden.contains($0) }, " and ")
    let mayNot = words(all.filter { forbidden.contains($0) }, " or ")
    return "items may be \(may), not \(mayNot)"
  }

  /// Names in `collections` that no calendar has: a slip of the pen is seen here first.
  private mutating func tellUnmatched(_ pair: PairConfiguration) {
    guard case .collections(let rules) = pair.selection, pair.remote == .account(account.name)
    else { return }
    let asked = CollectionRules(rules)
    let mapped = asked.maps.map(\.remote).filter { text in
      !calendars.contains { $0.answers(to: text) }
    }
    var told: Set<String> = []
    let names = Set(calendars.flatMap(\.names))
    for wanted in asked.asked(butNotIn: names) + mapped where told.insert(wanted).inserted {
      tell(
        .warning, .collections,
        "pair \(pair.name) names \"\(wanted)\", and no calendar is called so",
        hint: advice(for: wanted, in: pair))
    }
  }

  /// What to write in place of a name that no calendar has, and what a sync does until then.
  func advice(for wanted: String, in pair: PairConfiguration) -> String {
    let outlook = outlook(of: pair, wanted)
    guard !calendars.isEmpty else { return "the account shows no calendar; \(outlook)" }
    let suggestion = suggestion(
      for: wanted, among: calendars.flatMap(\.names), what: "calendars")
    return "\(suggestion) (\(outlook))"
  }

  /// What the next sync does with a folder that no calendar belongs to.
  private func outlook(of pair: PairConfiguration, _ wanted: String) -> String {
    if isAddress(wanted) { return "a path or URL makes none there" }
    if pair.isReadOnly || !pair.direction.writes(to: .remote) {
      return "the pair makes none there"
    }
    guard showsAll else {
      return "it may be one that the account does not show, so none is made until it shows all"
    }
    if case .calendar = pair.selection {
      return "where the folder has an item, the next sync makes one there"
    }
    return "for a local folder of that name one is made there by the next sync"
  }
}
