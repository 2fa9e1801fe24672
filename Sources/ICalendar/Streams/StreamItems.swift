extension CalendarStream {
  /// The text of an item, as a stream of its own; nil if there is none of that UID. Of a clash it
  /// has all components.
  public func text(of uid: [UInt8]) -> [UInt8]? {
    guard let parts = members[uid], let first = parts.first else { return nil }
    var text = Array("BEGIN:VCALENDAR".utf8) + lineEnd + frames[first.frame].head
    for zone in zonesNamed(in: parts) { text += bytes[zone.range] }
    // A copy of a component says nothing new.
    var seen: Set<ArraySlice<UInt8>> = []
    for part in parts where !part.isCopy {
      if parts.count > 1, !seen.insert(bytes[part.range]).inserted { continue }
      guard let (given, place) = part.givenUID else {
        text += bytes[part.range]
        continue
      }
      text += bytes[part.range.lowerBound..<place] + Array("UID:".utf8)
      text += TextValue(text: String(decoding: given, as: UTF8.self)).escaped + lineEnd
      text += withoutUID(part.range).dropFirst(place - part.range.lowerBound)
    }
    return text + Array("END:VCALENDAR".utf8) + lineEnd
  }

  /// A component that is to get a UID, without the lines of that name that it has.
  private func withoutUID(_ range: Range<Int>) -> [UInt8] {
    var tree = SyntaxTree(bytes: Array(bytes[range]))
    if let component = tree.root.components.first {
      try? tree.removeProperties(named: "UID", in: component.id)
    }
    return tree.bytes
  }

  /// Where the line of its UID starts, or the one that was made for it is to stand.
  func placeOfUID(in part: Part) -> Int? {
    if let (_, place) = part.givenUID { return place }
    let component = SyntaxTree(bytes: Array(bytes[part.range])).root.components.first
    guard let line = component?.line(named: "UID") else { return nil }
    return part.range.lowerBound + Int(line.record.start)
  }

  /// The VTIMEZONEs that components name, in the order of the text: those of their own VCALENDAR,
  /// else those of another.
  func zonesNamed(in parts: [Part]) -> [Zone] {
    var found: [[UInt8]: Zone] = [:]
    for part in parts {
      let own = frames[part.frame].zones
      for name in part.zones where found[name] == nil { found[name] = own[name] }
    }
    for part in parts {
      for name in part.zones where found[name] == nil { found[name] = zones[name] }
    }
    return found.values.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Finds the items whose components need two definitions of one name: those of their VCALENDARs
  /// differ.
  mutating func findZoneClashes() {
    guard frames.count > 1 else { return }
    for uid in uids {
      guard let parts = members[uid], parts.count > 1 else { continue }
      var uses = ZoneUses()
      for part in parts {
        for name in part.zones {
          guard let zone = frames[part.frame].zones[name] else { continue }
          uses.add(name, line: zone.line, variant: zone.variant)
        }
      }
      if !uses.clashes.isEmpty { zoneClashes[uid] = uses.clashes }
    }
  }

  // MARK: Size

  /// In bytes, of one VTIMEZONE. One that lists every change since 1970 has some 20 kB.
  public static let zoneLimit = 256 << 10
  /// In bytes, of all items as texts of their own: 50,000 of them, each with a time zone of 20 kB.
  /// They are made one after the other, so this bounds time and disk and no memory: a feed of
  /// 250 MB took 14 s of one core and 105 MB of memory.
  public static let itemsLimit = 1 << 30

  /// What makes a stream too large to be taken apart, whatever its own size: each item has its own
  /// copy of the time zones that it names.
  public enum Excess: Sendable, Hashable {
    /// Items name a VTIMEZONE of more than `zoneLimit`, which begins on this physical line.
    case zone(line: Int)
    /// The items have more than `itemsLimit` together.
    case items
  }

  /// Nil for a stream that may be taken apart.
  public var excess: Excess? {
    for uid in uids {
      if let zone = hugeZone(of: uid) { return zone }
    }
    return itemsSize > Self.itemsLimit ? .items : nil
  }

  /// The first VTIMEZONE of more than `zoneLimit` that an item names.
  public func hugeZone(of uid: [UInt8]) -> Excess? {
    let zones = zonesNamed(in: members[uid] ?? [])
    return zones.first { $0.range.count > Self.zoneLimit }.map { .zone(line: $0.line) }
  }

  /// In bytes, of all items as texts of their own.
  public var itemsSize: Int { uids.reduce(0) { $0 + size(of: $1) } }

  /// In bytes, of an item as a text of its own, but for the first and the last line; 0 where there
  /// is none of that UID.
  public func size(of uid: [UInt8]) -> Int {
    guard let parts = members[uid], let first = parts.first else { return 0 }
    let own = parts.reduce(frames[first.frame].head.count) { $0 + $1.range.count }
    return zonesNamed(in: parts).reduce(own) { $0 + $1.range.count }
  }
}

/// The kind of a component and its RECURRENCE-ID.
func identity(of component: ItemComponent) -> [UInt8] {
  Array(component.kind.utf8) + [ASCII.lineFeed] + (component.recurrenceID?.content ?? [])
}

/// The TZIDs that a component and those in it name, each once.
func zoneNames(of component: Component) -> [[UInt8]] {
  var names: [[UInt8]] = []
  var seen: Set<[UInt8]> = []
  func collect(_ component: Component) {
    component.forEachEntry { entry in
      switch entry {
      case .component(let inner): collect(inner)
      case .line(let line):
        // Most lines have no parameter at all.
        guard line.record.nameEnd != line.record.colon else { return }
        for value in line.parameter(named: "TZID")?.values ?? []
        where seen.insert(value).inserted {
          names.append(value)
        }
      }
    }
  }
  collect(component)
  return names
}
