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
    if last != "..", rest.last == "..", isMissing(candidate) {
      rest.removeLast()
      return realPath(of: "/" + (parts + rest.reversed()).joined(separator: "/"))
    }
    rest.append(last)
  }
}

/// Nothing is there, not even a link that leads nowhere: `..` behind it leads back to where it is
/// going to be.
private func isMissing(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) != 0 && errno == ENOENT
}
