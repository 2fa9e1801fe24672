import ICalendar

extension Gateway {
  /// The texts of an item that editors wrote and that went nowhere, since calgw was killed
  /// meanwhile or could not put them in place; one that is open in an editor just now is among
  /// them.
  public func leftCopies(of item: FoundItem) -> [String] {
    let above = EditMemory.directory(in: configuration.stateDirectory)
    var paths: [String] = []
    for copy in texts(in: above) where copy.hasPrefix(EditorCopy.prefix) {
      let directory = "\(above)/\(copy)"
      // An editor puts its own files beside it.
      for name in texts(in: directory) where name.hasSuffix(".ics") {
        let path = "\(directory)/\(name)"
        guard let bytes = try? readInput(path), bytes != item.data.bytes,
          CalendarObject(SyntaxTree(bytes: bytes)).uids.contains(item.uid.bytes)
        else { continue }
        paths.append(path)
      }
    }
    return paths.sorted()
  }

  private func texts(in directory: String) -> [String] {
    directoryNames(in: directory).map { String(decoding: $0, as: UTF8.self) }
  }
}
