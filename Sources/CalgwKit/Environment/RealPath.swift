import Glibc

/// The path with every symbolic link resolved; for what is not there yet, that of the nearest
/// directory above with the rest appended.
package func realPath(of path: String) -> String {
  var rest: [Substring] = []
  var parts = path.split(separator: "/")
  while true {
    let candidate = "/" + parts.joined(separator: "/")
    if let resolved = realpath(candidate, nil) {
      defer { free(resolved) }
      return normalPath(
        String(cString: resolved) + "/" + rest.reversed().joined(separator: "/"))
    }
    guard let last = parts.popLast() else { return normalPath(path) }
    rest.append(last)
  }
}
