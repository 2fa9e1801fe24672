import SyncModel

extension JournalState {
  /// Puts an agreement in the place of the one of its UID.
  ///
  /// Rules: an observation that says what is now agreed is settled. A resource belongs to one
  /// agreement, and the later one has it: the other is dropped, and what it held on the other side
  /// is looked at again. `gone` is news of an agreement only, and what both sides shared at a
  /// vacated place is gone from there.
  mutating func put(_ new: Agreement) {
    var agreement = new
    agreement.local.uid = new.uid
    agreement.remote.uid = new.uid
    let places = Side.allCases.map { Place($0, agreement[$0].href) }
    let evicted = places.compactMap { holders[$0] }.filter { $0 != new.uid }
      .compactMap { take($0) }
    let old = take(new.uid)
    agreements[new.uid] = agreement
    for place in places { holders[place] = new.uid }

    if let old { for side in Side.allCases { release(Place(side, old[side].href)) } }
    for other in evicted {
      for side in Side.allCases { lookAgain(at: other[side], on: side) }
    }
    for side in Side.allCases {
      settle(agreement[side], on: side, comesHere: old?[side].href != agreement[side].href)
      let place = Place(side, agreement[side].href)
      if agreement[side].href.isVacated, observations[place] == nil {
        let href = agreement[side].href
        let taker = observations[Place(side, href.address)]
        write(
          Observation(
            side: side, href: href, state: .gone, since: taker?.since, missed: taker?.missed))
      }
    }
  }

  /// Forgets an agreement; what is still there on a side stays observed.
  mutating func remove(_ uid: ItemID) {
    guard let old = take(uid) else { return }
    for side in Side.allCases { release(Place(side, old[side].href)) }
  }

  private mutating func take(_ uid: ItemID) -> Agreement? {
    guard let old = agreements.removeValue(forKey: uid) else { return nil }
    for side in Side.allCases { holders[Place(side, old[side].href)] = nil }
    return old
  }

  private mutating func release(_ place: Place) {
    if holders[place] == nil, observations[place]?.state == .gone { observations[place] = nil }
  }

  private mutating func lookAgain(at item: ItemVersion, on side: Side) {
    let place = Place(side, item.href)
    guard holders[place] == nil else { return }
    if let seen = observations[place] {
      if seen.state == .gone { observations[place] = nil }
    } else {
      write(Observation(side: side, href: item.href, state: .unread(item.version.tag)))
    }
  }

  /// When the former holder of the place went is not known of this one.
  private mutating func settle(_ item: ItemVersion, on side: Side, comesHere: Bool) {
    let place = Place(side, item.href)
    guard let seen = observations[place] else { return }
    if seen.shows(item.version) {
      observations[place] = nil
    } else if comesHere, !item.href.isVacated {
      observations[place]?.missed = nil
    }
  }
}

extension Observation {
  /// What was seen is this version, as far as it can be told.
  func shows(_ version: Version) -> Bool {
    switch state {
    case .read(let item): item.version.digest == version.digest
    case .unread(let tag): tag != nil && tag == version.tag
    case .obstructed, .gone: false
    }
  }

  /// What was seen is what the effect was guarded by, so that it is no news once it succeeded.
  func isOvertaken(by effect: Intent.Effect) -> Bool {
    switch effect {
    case .create: state == .gone
    case .replace(_, let expecting, _): shows(expecting)
    case .delete(_, let expecting): state == .gone || shows(expecting)
    }
  }
}
