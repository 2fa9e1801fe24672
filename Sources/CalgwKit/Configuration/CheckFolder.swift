import SyncModel
import VdirStorage
import WebDAV

extension SideConfiguration {
  /// What a calendar in one text is called by its address; nil where the side is none.
  var nameByAddress: String? {
    switch self {
    case .file(let path): stem(of: path)
    case .subscription(let url): feedName(url)
    case .directory, .account: nil
    }
  }
}

/// What the address of a feed calls it; its host where there is no path.
func feedName(_ url: String) -> String {
  guard let address = try? WebURL(absolute: url) else { return "calendar" }
  return address.lastSegment.isEmpty ? address.host : stem(of: address.lastName)
}

/// The last part of a path without its ending.
func stem(of path: String) -> String {
  let name = String(path.split(separator: "/").last ?? "calendar")
  let isCalendar = hasItemEnding(name.utf8) && name.utf8.count > 4
  return isCalendar ? String(name.dropLast(4)) : name
}

/// Refuses a calendar in one text that shares its folder with another one only because their
/// addresses end in one name: the events of each would go into the other, or be edits of it.
func checkFolder(
  of pair: PairConfiguration, beside others: [PairConfiguration], _ reader: TableReader
) throws(ConfigurationError) {
  guard let name = pair.unnamedFolder,
    let other = others.first(where: {
      $0.unnamedFolder == name && $0.local.isSamePlace(as: pair.local)
    })
  else { return }
  let folder =
    switch pair.local {
    case .directory(let path): "the folder \(path == "/" ? "" : path)/\(name)"
    case .account(let account): "the calendar \(name) of the account \(account)"
    case .file, .subscription: name
    }
  func naming(_ folder: String) -> String { "{ \(tomlKey(folder)) = \(tomlString(name)) }" }
  throw reader.error(
    "remote",
    "the pairs \(other.name) and \(pair.name) would share \(folder), since both addresses end in"
      + " that name",
    hint: "give this one another, as collections = [\(naming(pair.name))]; or write"
      + " [\(naming(name))] in both if they are meant to share it")
}

extension SideConfiguration {
  /// Two paths may lead to one directory: through a link, or by `..`.
  fileprivate func isSamePlace(as other: SideConfiguration) -> Bool {
    guard case .directory(let one) = self, case .directory(let two) = other else {
      return self == other
    }
    return realPath(of: one) == realPath(of: two)
  }
}

extension PairConfiguration {
  /// The name of the folder of a calendar in one text that has it from its address alone; nil where
  /// the pair names the folder, or leaves the calendar out.
  fileprivate var unnamedFolder: String? {
    guard let name = remote.nameByAddress, case .collections(let rules) = selection else {
      return nil
    }
    var path = name
    if case .file(let whole) = remote { path = whole }
    let calendar = CollectionDescription(href: Href(path), name: name, identity: path)
    let asked = CollectionRules(rules)
    let isNamed = asked.maps.contains { calendar.answers(to: $0.remote) }
    return !isNamed && asked.select([name]) ? name : nil
  }
}
