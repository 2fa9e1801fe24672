import SyncModel
import SyncPlanning

/// A side may name an item, and at an address that is not asked for, beside the calendar or on
/// another host, while nothing is where it was: the calendar has moved by halves, or what stands
/// before the server writes its addresses anew. That is no deletion of the item, nor a reason to
/// send it to its former address once more.
extension CollectionSync {
  /// A plan without what would follow from the absence of items that a server lists elsewhere
  /// under their names, each of which is named, but of those that a person has decided about.
  func holdListedElsewhere(_ plan: Plan, _ items: [DifferingItem], _ differing: Differing) -> Plan {
    var elsewhere: [Side: [ArraySlice<UInt8>: Href]] = [:]
    for seen in differing.observations where storage(seen.side).traits.keepsAddresses {
      guard case .obstructed = seen.state else { continue }
      elsewhere[seen.side, default: [:]][seen.href.stem] = seen.href
    }
    if elsewhere.isEmpty { return plan }
    var held: [ItemID: ItemTrouble] = [:]
    for item in items where options.preferred[item.uid] == nil {
      guard case .agreed(let base, let local, let remote) = item.state else { continue }
      for (side, change) in [(Side.local, local), (.remote, remote)] {
        let was = base[side].href
        guard case .deleted = change, let there = elsewhere[side]?[was.stem],
          there.folder != was.folder, let version = item.version(on: side.opposite)
        else { continue }
        held[item.uid] = ItemTrouble(
          uid: item.uid, side: side.opposite, href: version.href, summary: version.summary,
          problem: .listedElsewhere(there, on: side))
      }
    }
    var plan = plan
    plan.actions.removeAll { action in
      guard let trouble = held[action.uid] else { return false }
      plan.problems.append(trouble)
      return true
    }
    return plan
  }
}

extension Href {
  /// The address without its last part.
  fileprivate var folder: ArraySlice<UInt8> {
    key[..<(key.lastIndex(of: UInt8(ascii: "/")) ?? key.startIndex)]
  }
}

extension ItemProblem {
  fileprivate static func listedElsewhere(_ there: Href, on side: Side) -> ItemProblem {
    ItemProblem(
      .refused,
      "nothing is where the \(side.rawValue) side had it, and that side lists it at"
        + " '\(there.text)', where calgw does not ask for it",
      hint: "See whether the calendar has another address by now (`calgw discover`), or tell the"
        + " server's operator; `calgw resolve UID --take \(side.opposite.rawValue)` sends it to"
        + " its former place, and `--take \(side.rawValue)` deletes it here, too.")
  }
}
