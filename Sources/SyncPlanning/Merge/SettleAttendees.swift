import ICalendar
import SyncModel

extension MergeDraft {
  /// Unites attendees by address. One that both sides changed is joined parameter by parameter.
  mutating func settleAttendees(
    _ name: [UInt8], _ versions: BothSides<Versions>, _ occurrence: String?
  ) {
    var join = ParameterJoin(newer: newer)
    let merge = SetMerge<SetLine>(
      key: \.key, isSame: { $0.form == $1.form }, isEdit: ParameterJoin.isEdit,
      join: { join.join($0, $1) })
    let lists = versions.map {
      BaseAndText(
        base: SetLine.all($0.baseGroups[name], key: \.line.attendeeAddress),
        text: SetLine.all($0.groups[name], key: \.line.attendeeAddress))
    }
    let merged = merge.merge(lists)
    for side in merge.survivors(lists) { lose(name, to: side, occurrence, isByTime: false) }
    settle(name, versions, as: merged.map { $0.map(\.newLine) })
    if join.hasLost { lose(name, to: newer, occurrence, isByTime: true) }
  }
}
