import ICalendar
import SyncModel

/// Elements of a set that both sides changed, with what makes two of them the same one.
struct SetMerge<Element> {
  let key: (Element) -> [UInt8]
  /// Whether two elements of one key mean the same.
  let isSame: (Element, Element) -> Bool
  /// Whether a side that made the second of the first has edited it, so that it stays where the
  /// other side removed it.
  let isEdit: (Element, Element) -> Bool
  /// Makes one of an element that both sides have, unlike: a result for each side. The bases are
  /// nil where the element is new.
  let join: (_ local: Version, _ remote: Version) -> BothSides<Element>

  /// An element in a side's base and text.
  struct Version {
    let base: Element?
    let text: Element
  }

  /// Whose spelling of an element both sides get where they have it in two: that of the side that
  /// alone gave it another one, and where both did that of the newer one. Nil where neither did:
  /// each keeps its own.
  static func speller(
    _ local: Version, _ remote: Version, newer: Side, isSame: (Element, Element) -> Bool
  ) -> Side? {
    if isSame(local.text, remote.text) { return nil }
    let isRespelt = BothSides(local, remote).map { version in
      version.base.map { !isSame($0, version.text) } ?? true
    }
    switch (isRespelt.local, isRespelt.remote) {
    case (true, true): return newer
    case (true, false): return .local
    case (false, true): return .remote
    case (false, false): return nil
    }
  }

  /// What both sides shall have: their own elements in their own order, then those of the other.
  ///
  /// What one side removed goes, unless the other changed it: the edit survives the removal.
  func merge(_ lists: BothSides<BaseAndText<[Element]>>) -> BothSides<[Element]> {
    let local = Index(lists.local, key)
    let remote = Index(lists.remote, key)
    var joined: [Key: BothSides<Element>] = [:]
    for name in local.order {
      guard let here = local.versions[name], let there = remote.versions[name] else { continue }
      joined[name] =
        isSame(here.text, there.text)
        ? BothSides(here.text, there.text)
        : join(here, there)
    }
    return BothSides(
      elements(of: local, with: remote, joined) { $0.local },
      elements(of: remote, with: local, joined) { $0.remote })
  }

  /// The sides whose edits of an element survived that the other side removed it.
  func survivors(_ lists: BothSides<BaseAndText<[Element]>>) -> [Side] {
    let indices = lists.map { Index($0, key) }
    return Side.allCases.filter { side in
      let (own, other) = (indices[side], indices[side.opposite])
      return own.order.contains { name in
        own.bases[name] != nil && other.bases[name] != nil && other.versions[name] == nil
          && own.isEdited(name, isEdit)
      }
    }
  }

  private func elements(
    of own: Index, with other: Index, _ joined: [Key: BothSides<Element>],
    _ side: (BothSides<Element>) -> Element
  ) -> [Element] {
    var result: [Element] = []
    for name in own.order {
      guard let mine = own.versions[name] else { continue }
      if let both = joined[name] {
        result.append(side(both))
      } else if own.isEdited(name, isEdit) || !other.bases.keys.contains(name) {
        // New or edited here, or never there.
        result.append(mine.text)
      }
    }
    for name in other.order where own.versions[name] == nil {
      guard let theirs = other.versions[name], other.isEdited(name, isEdit) else { continue }
      result.append(theirs.text)
    }
    return result
  }

  /// Equal elements of one list are told apart by their number.
  private struct Key: Hashable {
    let bytes: [UInt8]
    let number: Int
  }

  private struct Index {
    var order: [Key] = []
    var versions: [Key: Version] = [:]
    var bases: [Key: Element] = [:]

    init(_ lists: BaseAndText<[Element]>, _ key: (Element) -> [UInt8]) {
      var counts: [[UInt8]: Int] = [:]
      for element in lists.base { bases[Self.next(key(element), &counts)] = element }
      counts = [:]
      for element in lists.text {
        let name = Self.next(key(element), &counts)
        order.append(name)
        versions[name] = Version(base: bases[name], text: element)
      }
    }

    private static func next(_ bytes: [UInt8], _ counts: inout [[UInt8]: Int]) -> Key {
      let number = counts[bytes, default: 0]
      counts[bytes] = number + 1
      return Key(bytes: bytes, number: number)
    }

    /// It is new, or was edited.
    func isEdited(_ name: Key, _ isEdit: (Element, Element) -> Bool) -> Bool {
      guard let version = versions[name] else { return false }
      return version.base.map { isEdit($0, version.text) } ?? true
    }
  }
}
