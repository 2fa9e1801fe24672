extension CalendarStream {
  /// Finds what is more than one item under one UID, and what only repeats another component but
  /// for its DTSTAMP.
  mutating func findClashes() {
    for uid in uids {
      guard let parts = members[uid], parts.count > 1 else { continue }
      let items = parts.indices.filter { Self.itemKinds.contains(parts[$0].kind) }
      var kinds: [String] = []
      var firsts: [Int] = []
      for index in items where !kinds.contains(parts[index].kind) {
        kinds.append(parts[index].kind)
        firsts.append(index)
      }
      var unlike: [Int] = []
      var meaning: [UInt8]?
      for index in items where parts[index].isMain {
        guard let first = unlike.first else {
          unlike.append(index)
          continue
        }
        let (one, other) = (parts[first].range, parts[index].range)
        if !bytes[one].elementsEqual(bytes[other]) {
          let expected = meaning ?? form(at: one)
          meaning = expected
          guard form(at: other) == expected else {
            unlike.append(index)
            continue
          }
        }
        members[uid]?[index].isCopy = true
      }
      if kinds.count > 1 { unlike = firsts }
      guard unlike.count > 1 else { continue }
      clashes[uid] = Clash(lines: unlike.map { parts[$0].line }, kinds: kinds)
    }
  }

  private func form(at range: Range<Int>) -> [UInt8] {
    canonicalForm(of: SyntaxTree(bytes: Array(bytes[range])))
  }
}
