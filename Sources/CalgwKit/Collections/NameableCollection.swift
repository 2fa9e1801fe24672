import SQLiteJournal
import SyncModel

/// What a command line may name as a collection of a pair.
protocol NameableCollection {
  /// As reports call it; what of its folder's name is not UTF-8 is U+FFFD there.
  var reportedName: String { get }
  /// The name of its folder; nil where it has none.
  var folderName: [UInt8]? { get }
}

extension Array where Element: NameableCollection {
  /// Those that a word of a command line means: what reports call so or, where nothing is called
  /// just so, whose folder has these bytes that are not UTF-8, typed as they are or as `%XX`.
  func named(_ word: String) -> [Element] { places(named: word).map { self[$0] } }

  /// The same for several words; one that means none is status 64.
  ///
  /// - Parameter verb: What the pair does not do with such a collection.
  func named(_ words: Set<String>, of pair: String, verb: String = "has") throws(RunFailure)
    -> [Element]
  {
    var chosen: Set<Int> = []
    for word in words.sorted() {
      let found = places(named: word)
      guard !found.isEmpty else {
        throw .usage(
          "pair \(pair) \(verb) no collection \"\(word)\"",
          hint: suggestion(for: word, among: map(\.reportedName), what: "collections"))
      }
      chosen.formUnion(found)
    }
    return chosen.sorted().map { self[$0] }
  }

  /// Those that a command works on; a name that means none is status 64.
  func named(by target: PairTarget, verb: String = "has") throws(RunFailure) -> [Element] {
    let found = try named(
      target.collections ?? target.alsoNamed, of: target.pair.name, verb: verb)
    return target.collections == nil ? self : found
  }

  private func places(named word: String) -> [Int] {
    let exact = indices.filter { self[$0].reportedName == word }
    guard exact.isEmpty, let bytes = typedName(word) else { return exact }
    let own = indices.filter { self[$0].folderName == bytes }
    guard own.isEmpty else { return own }
    let text = String(decoding: bytes, as: UTF8.self)
    return indices.filter { self[$0].folderName == nil && self[$0].reportedName == text }
  }
}

extension MatchedCollection: NameableCollection {
  var reportedName: String { name }

  var folderName: [UInt8]? {
    switch local {
    case .present(let found): found.href.spelling
    case .gone(let href), .given(let href, _): href.spelling
    case .missing, .unknown, .nobody: nil
    }
  }
}

extension EventFolder: NameableCollection {
  var reportedName: String { collection ?? "" }

  var folderName: [UInt8]? { path.split(separator: UInt8(ascii: "/")).last.map(Array.init) }
}

extension CollectionRecord: NameableCollection {
  var reportedName: String { identity.name }

  var folderName: [UInt8]? { folder }
}
