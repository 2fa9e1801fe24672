/// Why two sides cannot be kept the same: they are one place, or one is a part of the other.
struct Overlap: Sendable {
  let message: String
  let hint: String
}

extension PairConfiguration {
  /// Nil where the sides are apart. Paths count as they are written.
  var overlap: Overlap? {
    guard case .directory(let here) = local else { return nil }
    switch remote {
    case .directory(let there): return overlapOfDirectories(here, there)
    case .file(let path): return overlapWithFile(path, in: here)
    case .account, .subscription: return nil
    }
  }

  /// The same pair with the paths that its own lead to: through links, and by `..`.
  var atRealPlaces: PairConfiguration {
    var pair = self
    pair.local = local.atRealPlace
    pair.remote = remote.atRealPlace
    return pair
  }

  private func overlapOfDirectories(_ here: String, _ there: String) -> Overlap? {
    // What one side locks, the other one would wait for.
    if here == there { return Overlap(sameDirectory: here) }
    for (inner, outer) in [(here, there), (there, here)] where isCollection(inner, of: outer) {
      return Overlap(
        message: "\(visibleText(inner, limit: 1000)) lies within"
          + " \(visibleText(outer, limit: 1000)), where it would be a calendar itself",
        hint: "name two directories that lie beside each other, or leave the inner one out of"
          + " `collections` (\"!NAME\")")
    }
    return nil
  }

  private func overlapWithFile(_ path: String, in folder: String) -> Overlap? {
    let start = folder == "/" ? folder : folder + "/"
    guard path.hasPrefix(start) else { return nil }
    let isBesideFolders = !path.dropFirst(start.count).contains("/")
    if isBesideFolders, case .collections = selection { return nil }
    return Overlap(
      message: "the file lies in the local directory, where it would be an item itself",
      hint: "put it beside the directory")
  }

  /// A directory is one of another's collections, or lies within one.
  private func isCollection(_ inner: String, of outer: String) -> Bool {
    let start = outer == "/" ? outer : outer + "/"
    guard inner.hasPrefix(start) else { return false }
    let name = String(inner.dropFirst(start.count).prefix { $0 != "/" })
    // Hidden folders are no collections.
    if name.hasPrefix(".") { return false }
    switch selection {
    case .calendar: return false
    case .asFound: return true
    case .collections(let rules): return CollectionRules(rules).select([name])
    }
  }
}

extension Overlap {
  init(sameDirectory path: String) {
    message = "both sides are the same directory, \(visibleText(path, limit: 1000))"
    hint = "name two different directories"
  }
}

extension SideConfiguration {
  fileprivate var atRealPlace: SideConfiguration {
    switch self {
    case .directory(let path): .directory(realPath(of: path))
    case .file(let path): .file(realPath(of: path))
    case .account, .subscription: self
    }
  }
}
