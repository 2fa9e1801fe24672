import SyncModel
import WebDAV

extension CollectionProposal {
  /// What is to go into it, as far as that is known.
  private var needed: Set<String> { kinds.isEmpty ? components ?? [] : kinds }

  /// The kinds to ask for, widest first: many a server refuses a mixed calendar (iCloud, Zimbra),
  /// or one of the kinds. Nil leaves the choice to the server, which then gives events for sure:
  /// rather that than nothing where there are events, and what it does not take is named, item by
  /// item. Without events it would be a calendar that takes nothing.
  package var componentSets: [Set<String>?] {
    guard let components else { return [nil] }
    let hasEvents = needed.contains("VEVENT") || needed.isEmpty
    var sets = [components]
    if hasEvents {
      // Events alone, too: a server of one kind a calendar may take a request without kinds for one
      // of several.
      sets += [
        components.intersection(["VEVENT", "VTODO"]).union(kinds), kinds,
        needed.intersection(["VEVENT"]),
      ]
    } else {
      // To-dos before journals: more servers have them.
      sets += [needed] + needed.sorted(by: >).map { Set([$0]) }
    }
    var asked: Set<Set<String>> = []
    var result: [Set<String>?] = sets.filter { !$0.isEmpty && asked.insert($0).inserted }
    if hasEvents { result.append(nil) }
    return result
  }

  /// Throws where nothing that is to go into a calendar can.
  func check(_ made: CollectionDescription) throws(StorageError) {
    guard let taken = made.components, !needed.isEmpty, taken.isDisjoint(with: needed) else {
      return
    }
    throw StorageError(
      .cannotCreate, "it takes none of what is to go into it",
      why: "the server was asked for \(Self.words(needed)) and made one for \(Self.words(taken))",
      hint: "remove it there, and \(wayOut)")
  }

  /// That it cannot be made.
  func failure(at home: WebURL) -> String {
    "the calendar “\(name)” cannot be made at \(home.shown)"
  }

  /// What a person can do where none can be made.
  var wayOut: String {
    let isUsual = needed.isEmpty || needed.contains("VEVENT")
    let kind = isUsual ? "" : " as one that takes \(Self.words(needed))"
    return "make it on the server's own pages\(kind), then run `calgw discover`"
  }

  private static func words(_ kinds: Set<String>) -> String {
    kinds.sorted().joined(separator: ", ")
  }
}

extension CalendarProposal {
  /// As it is asked for, but for the kinds.
  init(_ proposal: CollectionProposal) {
    self.init(
      displayName: Array((proposal.displayName ?? proposal.name).utf8),
      color: proposal.color.map { Array($0.utf8) }, components: nil)
  }
}
