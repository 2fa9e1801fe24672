import SyncModel

/// What the history says of a merge: names of properties and no contents.
///
/// - Parameter hasBase: both sides agreed on the item once, so each is known to have changed it.
func mergeReason(_ lost: [LostChange], _ times: EditTimes, hasBase: Bool) -> String {
  var reason = hasBase ? joined : joinedUnmet
  for winner in Side.allCases {
    var names: [String] = []
    for change in lost where change.winner == winner {
      let name = change.name.isEmpty ? "a line that cannot be read" : change.name
      if !names.contains(name) { names.append(name) }
    }
    if !names.isEmpty {
      reason += "\(conceded)\(names.joined(separator: ", ")) the \(winner) one holds"
    }
  }
  if lost.contains(where: \.isByTime), !times.areTelling { reason += ", since \(guessed)" }
  return reason
}

/// Whether a reason of an action says that something of a version gave way in a merge, or that a
/// version did although no time said which of the two is newer.
public func tellsWhatGaveWay(_ reason: String) -> Bool {
  [joined, joinedUnmet].contains { reason.hasPrefix($0 + conceded) } || reason.contains(guessed)
}

/// Whether a reason of an action says that an item was deleted on one side and edited on the other,
/// so that it came back.
public func tellsOfOutlivedDeletion(_ reason: String) -> Bool { reason.hasSuffix(outlived) }

let outlived = "survives the deletion"
private let joined = "both sides changed it: merged"
private let joinedUnmet = "the sides differ, and never agreed: merged"
private let conceded = "; of "
/// What a reason says where a time would have decided.
let guessed = "no time says which is newer"
