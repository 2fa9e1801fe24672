/// The UIDs that the components of a stream get that have none.
///
/// One whose name no other component has got goes by that name alone. Of several unlike ones each
/// goes by a name that is made of all that it says, so that it has the same one in whatever order
/// they come, and whether or not the others are there. Those that have one name even so are
/// numbered. Copies, byte for byte, have one name.
struct MadeNames {
  private(set) var ofText: [ArraySlice<UInt8>: [UInt8]] = [:]

  /// - Parameter naming: gives the name of a component; `isShared` says that another one has the
  ///   name that it gives where that is false.
  init(in calendars: [Component], of bytes: [UInt8], by naming: CalendarStream.Naming) {
    var taken: Set<[UInt8]> = []
    var order: [[UInt8]] = []
    var alike: [[UInt8]: [(text: ArraySlice<UInt8>, item: ItemComponent)]] = [:]
    var seen: Set<ArraySlice<UInt8>> = []
    for component in calendars.flatMap(\.components) where !component.isNamed("VTIMEZONE") {
      let item = ItemComponent(component)
      if let uid = item.uid, isUTF8(uid) {
        taken.insert(uid)
        continue
      }
      guard CalendarStream.itemKinds.contains(item.kind), let range = component.sourceRange,
        seen.insert(bytes[range]).inserted
      else { continue }
      let name = naming(item, false)
      if alike[name] == nil { order.append(name) }
      alike[name, default: []].append((bytes[range], item))
    }
    for name in order {
      let members = alike[name] ?? []
      if members.count == 1, taken.insert(name).inserted {
        ofText[members[0].text] = name
        continue
      }
      for member in members.sorted(by: { $0.text.lexicographicallyPrecedes($1.text) }) {
        let own = naming(member.item, true)
        var name = own
        var number = 1
        while !taken.insert(name).inserted {
          number += 1
          name = own + Array("-\(number)".utf8)
        }
        ofText[member.text] = name
      }
    }
  }
}
