import ICalendar
import SyncModel

/// Elements of a set that both sides changed, with what makes two of them the same one.
struct SetMerge<Element> {
  let key: (Element) -> [UInt8]
  /// Whether two elements of one key mean the same.
  let isSame: (Element, Element) -> Bool
  /// Makes one of an element that both sides have, unlike: a result for each side. The bases are
  /// nil where the element is new.
  let join: (_ local: Version, _ remote: Version) -> BothSides<Element>

  /// An element in a side's base and text.
  struct Version {
    let base: Element?
    let text: Element
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
          && own.hasChanged(name, isSame)
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
      } else if own.hasChanged(name, isSame) || !other.bases.keys.contains(name) {
        // New or edited here, or never there.
        result.append(mine.text)
      }
    }
    for name in other.order where own.versions[name] == nil {
      guard let theirs = other.versions[name], other.hasChanged(name, isSame) else { continue }
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

    func hasChanged(_ name: Key, _ isSame: (Element, Element) -> Bool) -> Bool {
      guard let version = versions[name] else { return false }
      return version.base.map { !isSame($0, version.text) } ?? true
    }
  }
}

extension MergeDraft {
  /// Settles lines that are a set: those that either side added, without those that one removed.
  mutating func settleLines(_ name: [UInt8], _ versions: BothSides<Versions>) {
    let merge = SetMerge<FormedLine>(
      key: \.form, isSame: { $0.form == $1.form },
      join: { BothSides($0.text, $1.text) })
    let merged = merge.merge(
      versions.map {
        .init(
          base: FormedLine.all($0.baseGroups[name]), text: FormedLine.all($0.groups[name]))
      })
    settle(
      name, versions,
      as: merged.map { $0.map { SyntaxTree.NewLine.source($0.line.source) } })
  }
}
