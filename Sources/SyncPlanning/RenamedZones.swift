import ICalendar
import Recurrence
import SyncModel

extension SentText {
  /// What it was to replace says the same, but that it calls the time zone by another name of one
  /// clock, as servers do that know zones by the names of tzdata alone. Whether it was stored does
  /// not matter then: what is there is what they make of it.
  public var renamesZoneAlone: Bool {
    guard let old else { return false }
    let trees = [old, sent].map { SyntaxTree(bytes: $0.bytes) }
    let context = TimeContext(zones, trees)
    let parts = trees.compactMap { MainPart($0, context) }
    guard parts.count == trees.count,
      let there = parts[0].zone, let own = parts[1].zone, there != own,
      ScheduleSlot.areOnOneClock(parts[0].times, parts[1].times),
      ScheduleSlot.end.isSame(parts[0].times, parts[1].times),
      let renamed = Self.renamed(trees[1], from: own, to: there),
      let undefined = Self.renamed(trees[0], from: there, to: there)
    else { return false }
    guard let said = substance(of: renamed) else { return false }
    return said == substance(of: undefined)
  }

  /// A text with another name of a zone, and without definitions; nil where it cannot be edited.
  private static func renamed(_ tree: SyntaxTree, from own: [UInt8], to other: [UInt8])
    -> SyntaxTree?
  {
    var renamed = tree
    do throws(EditRefusal) {
      for component in tree.calendars.flatMap(\.components) {
        if component.isNamed("VTIMEZONE") {
          try renamed.remove(component.id)
          continue
        }
        for line in component.lines {
          guard var property = line.property,
            let index = property.parameters.firstIndex(where: { $0.isZone(own) })
          else { continue }
          property.parameters[index].values = [other]
          try renamed.replace(line.id, with: property)
        }
      }
    } catch {
      return nil
    }
    return renamed
  }
}

extension MainPart {
  /// The name of the zone in which it starts; nil where that is none.
  fileprivate var zone: [UInt8]? {
    component.line(named: "DTSTART")?.parameter(named: "TZID")?.values.first
  }
}

extension Parameter {
  fileprivate func isZone(_ zone: [UInt8]) -> Bool {
    values == [zone] && String(decoding: name, as: UTF8.self).uppercased() == "TZID"
  }
}
