import CalDAVStorage
import SyncModel

/// What a run has to tell of the listings of both sides.
struct PairListing: Sendable {
  /// Where there may be more collections than are listed.
  var unseen: [Side: [UnseenPlace]] = [:]
  /// By the names of known collections that are not listed: why nobody could look at their
  /// addresses, so that none is gone for sure.
  var unanswered: [Side: [String: StorageError]] = [:]
  /// By the names of collections, the calendars that earlier runs asked for and did not see.
  var asked: [Side: [String: UnansweredMaking]] = [:]
  /// The ids of the remote side's.
  var remoteNames: [String] = []
  /// By their identities.
  var lookalikes: [Side: [String: Lookalike]] = [:]
  /// The names of collections that are met as for the first time at a place of another name.
  var anew: Set<String> = []
  /// Files that are in no collection.
  var strays: [Side: StrayFiles] = [:]
  /// The addresses of calendars that a probe had to leave, and that the pair would take else.
  var probes: [Side: [String]] = [:]
  /// What is to be said of the URL that was given where the calendars are others than it has.
  var besides: String?

  /// What a person may know of it.
  var remarks: [String] {
    let places = besides.map { lapse in
      "\(lapse): all calendars are synced that its server has for the account, a folder each; if"
        + " one calendar was meant, give its URL"
    }
    return [places].compactMap { $0 } + Side.allCases.compactMap { strays[$0]?.remark }
  }

  /// What may be a collection that is gone from a side, as a person calls it.
  func names(like collection: String, on side: Side) -> [String] {
    (lookalikes[side] ?? [:]).values.filter { $0.former.name == collection }.map(\.name).sorted()
  }
}

/// A collection that holds most of what a known one had that is gone from its side: it may be that
/// one, and nobody can say so but a person.
struct Lookalike: Sendable {
  let name: String
  let former: KnownCollection
}

/// Files that look like items and lie beside the folders of a directory.
struct StrayFiles: Sendable {
  let folder: String
  let names: [String]
  /// What makes the folder itself the one collection.
  let remedy: String

  /// So many are named.
  private static let named = 3

  /// Nil where there are none.
  var remark: String? {
    if names.isEmpty { return nil }
    let more = names.count - Self.named
    let text = names.prefix(Self.named).joined(separator: ", ")
    return "\(text)\(more > 0 ? " and \(more) more" : "") in \(folder)"
      + " \(names.count == 1 ? "is" : "are") in no collection and not synced: move"
      + " \(names.count == 1 ? "it" : "them") into one of its folders; or, where the folder is"
      + " itself the one collection, \(remedy)"
  }
}
