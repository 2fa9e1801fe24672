import Glibc
import ICalendar

extension Gateway {
  /// The texts of an item that editors wrote and that went nowhere, since calgw was killed
  /// meanwhile or could not put them in place; one that is open in an editor just now is among
  /// them.
  public func leftCopies(of item: FoundItem) -> [String] {
    let above = EditMemory.directory(in: configuration.stateDirectory)
    var paths: [String] = []
    for copy in fileNames(in: above) where copy.hasPrefix(EditorCopy.prefix) {
      let directory = "\(above)/\(copy)"
      // An editor puts its own files beside it.
      for name in fileNames(in: directory) where name.hasSuffix(".ics") {
        let path = "\(directory)/\(name)"
        guard let bytes = try? readInput(path), bytes != item.data.bytes,
          CalendarObject(SyntaxTree(bytes: bytes)).uids.contains(item.uid.bytes)
        else { continue }
        paths.append(path)
      }
    }
    return paths.sorted()
  }
}

/// The names in a directory; none where it cannot be read.
private func fileNames(in directory: String) -> [String] {
  guard let listing = opendir(directory) else { return [] }
  defer { closedir(listing) }
  var names: [String] = []
  while let entry = readdir(listing) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
      Array(bytes.prefix { $0 != 0 })
    }
    names.append(String(decoding: name, as: UTF8.self))
  }
  return names
}
