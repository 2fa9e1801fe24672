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
      guard let (made, place) = part.madeUID else {
        text += bytes[part.range]
        continue
      }
      text += bytes[part.range.lowerBound..<place] + Array("UID:".utf8)
      text += TextValue(text: String(decoding: made, as: UTF8.self)).escaped + lineEnd
      text += bytes[place..<part.range.upperBound]
    }
    return text + Array("END:VCALENDAR".utf8) + lineEnd
  }

  /// The VTIMEZONEs that components name, in the order of the text: those of their own VCALENDAR,
  /// else those of another.
  private func zonesNamed(in parts: [Part]) -> [Zone] {
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

  // MARK: Size

  /// In bytes, of one VTIMEZONE. One that lists every change since 1970 has some 20 kB.
  public static let zoneLimit = 256 << 10
  /// In bytes, of all items as texts of their own: 50,000 of them have 5 kB each, with their time
  /// zone.
  public static let itemsLimit = 256 << 20

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
    var size = 0
    for uid in uids {
      let parts = members[uid] ?? []
      for part in parts { size += part.range.count }
      if let first = parts.first { size += frames[first.frame].head.count }
      for zone in zonesNamed(in: parts) {
        guard zone.range.count <= Self.zoneLimit else { return .zone(line: zone.line) }
        size += zone.range.count
      }
      guard size <= Self.itemsLimit else { return .items }
    }
    return nil
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
