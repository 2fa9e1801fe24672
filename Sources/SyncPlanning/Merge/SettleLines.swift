import ICalendar
import SyncModel

extension MergeDraft {
  /// Settles lines that are a set: those that either side added, without those that one removed.
  mutating func settleLines(
    _ name: [UInt8], _ versions: BothSides<Versions>, _ occurrence: String?
  ) {
    let isByValue =
      PropertySet.isToldByValue(name)
      && Side.allCases.allSatisfy { side in
        [versions[side].baseGroups[name], versions[side].groups[name]]
          .allSatisfy(SetLine.haveValuesOfTheirOwn)
      }
    if isByValue {
      settleByValue(name, versions, occurrence)
    } else {
      settleWholeLines(name, versions)
    }
  }

  /// A line is told by its value. Parameters say something of it: they go with it where a side took
  /// it off or put another one in its place, and else are joined one by one.
  private mutating func settleByValue(
    _ name: [UInt8], _ versions: BothSides<Versions>, _ occurrence: String?
  ) {
    let newer = self.newer
    var join = ParameterJoin(newer: newer)
    let merge = SetMerge<SetLine>(
      key: \.key, isSame: { $0.form == $1.form }, isEdit: { _, _ in false },
      join: { local, remote in
        var joined = join.join(local, remote)
        let speller = SetMerge<SetLine>.speller(local, remote, newer: newer) {
          $0.property.value == $1.property.value
        }
        if let speller {
          let model = joined[speller]
          joined[speller.opposite].spell(as: model)
        }
        return joined
      })
    let merged = merge.merge(
      versions.map {
        .init(
          base: SetLine.all($0.baseGroups[name], key: \.valueOfSet),
          text: SetLine.all($0.groups[name], key: \.valueOfSet))
      })
    settle(name, versions, as: merged.map { $0.map(\.newLine) })
    if join.hasLost { lose(name, to: newer, occurrence, isByTime: true) }
  }

  private mutating func settleWholeLines(_ name: [UInt8], _ versions: BothSides<Versions>) {
    let newer = self.newer
    let merge = SetMerge<FormedLine>(
      key: \.looseForm, isSame: { $0.form == $1.form }, isEdit: { _, _ in false },
      join: { local, remote in
        var joined = BothSides(local.text, remote.text)
        let speller = SetMerge<FormedLine>.speller(local, remote, newer: newer) {
          $0.form == $1.form
        }
        if let speller { joined[speller.opposite] = joined[speller] }
        return joined
      })
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

extension SetLine {
  /// Lines can be told by their values: no two have the same one, and each can be read.
  fileprivate static func haveValuesOfTheirOwn(_ group: PropertyGroups.Group?) -> Bool {
    let lines = FormedLine.all(group)
    let isReadable = lines.allSatisfy { formed in
      guard !formed.line.isDamaged, let property = formed.line.property else { return false }
      return Set(property.parameterNames).count == property.parameters.count
    }
    return isReadable && Set(lines.map(\.valueOfSet)).count == lines.count
  }
}
