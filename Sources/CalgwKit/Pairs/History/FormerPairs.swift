import Glibc
import SQLiteJournal

/// Pairs that are in the configuration no more, or under another name: their journals stay in the
/// state directory, and with them all that was replaced while they were there.
extension Gateway {
  /// Such a pair has left a log.
  public var hasFormerPairs: Bool { !formerPairs.isEmpty }

  /// There is a pair of this name, or its log.
  public func hasLog(ofPair name: String) -> Bool {
    configuration.pairs.contains { $0.name == name }
      || isPlainComponent(name) && PairStore.isJournal(opener.databasePath(of: name))
  }

  /// Their names, sorted. Pairs without a configuration are none of them, and whoever asks for one
  /// means that one alone.
  var formerPairs: [String] {
    if configuration.isAdhoc { return [] }
    return journalNames(in: configuration.stateDirectory).filter { name in
      !name.hasPrefix("adhoc-") && !configuration.pairs.contains { $0.name == name }
        && PairStore.isJournal(opener.databasePath(of: name))
    }
  }

  /// The pairs that have a log: those of the configuration in its order, then the former ones.
  var loggedPairs: [String] {
    configuration.pairs.map(\.name).filter(hasJournal) + formerPairs
  }

  /// It has one, or nobody lets us see whether it has: the opening then says so.
  func hasJournal(_ name: String) -> Bool {
    access(opener.databasePath(of: name), F_OK) == 0 || ![ENOENT, ENOTDIR].contains(errno)
  }

  /// Why nothing can be done with a pair that a version's id names.
  func unknownPair(_ name: String, of number: LogNumber) -> RunFailure {
    guard hasLog(ofPair: name) else {
      return .usage(
        "there is no pair \"\(name)\"",
        hint: suggestion(for: name, among: configuration.pairs.map(\.name), what: "pairs"))
    }
    let backAsItWas =
      name.hasPrefix("adhoc-")
      ? "give the --local and --remote that it was synced with"
      : "write [pair.\(name)] back into the configuration, with the sides that it had"
    return .usage(
      "the pair \(name) of this version is not in the configuration, so nobody knows where it goes",
      hint: "\(backAsItWas); or take \(number.textFromLog(ofPair: name))")
  }
}

extension LogNumber {
  /// Where to take from what no pair brings back, and what to do with it.
  fileprivate func textFromLog(ofPair name: String) -> String {
    switch self {
    case .version:
      "the text from `calgw log --content \(name)`, and put it into a calendar with `calgw import`"
    case .value: "the value from `calgw log --content \(name)`, and set it yourself"
    }
  }
}

/// The names of the pairs whose journals may be in a directory, sorted.
private func journalNames(in directory: String) -> [String] {
  let suffix = ".sqlite"
  return directoryNames(in: directory).compactMap { bytes in
    let file = String(decoding: bytes, as: UTF8.self)
    guard file.hasSuffix(suffix) else { return nil }
    let name = String(file.dropLast(suffix.count))
    return isPlainComponent(name) && name.first != "." ? name : nil
  }.sorted()
}
