import ICalendar
import Recurrence
import SyncModel

/// An item of a text that may hold many, as a text of its own.
package struct SplitItem: Sendable {
  package var uid: ItemID
  package var data: ItemData
  var summary: String
  /// The item had no UID; this one was made from its title, its start and the calendar.
  package var isUIDMade: Bool
  /// It has no main component: it says something of single occurrences alone.
  var isOfOccurrences = false
  /// The METHOD of the text, in upper case (RFC 5546 §1.4); empty where there is none.
  var method = ""

  /// Why a message is no version of an item, and put nowhere; nil where it is one (RFC 5546 §3).
  ///
  /// - Parameter isKnown: an item of its UID is there.
  func whyLeftOut(isKnown: Bool) -> String? {
    switch method {
    // It holds the attendee who sent it alone.
    case "REPLY", "REFRESH", "COUNTER", "DECLINECOUNTER":
      "it is an attendee's answer (METHOD:\(method)), and not the event"
    // In the place of the series it would be all that is left of it.
    case "ADD" where isKnown && !isOfOccurrences:
      "it adds an occurrence to the series that is there (METHOD:ADD), and is not the series"
    case "CANCEL" where !isKnown:
      "it cancels what is not there (METHOD:CANCEL)"
    default: nil
    }
  }
}

/// What has one UID and cannot be made a text of its own.
package struct SplitRefusal: Error {
  package var uid: ItemID
  var summary: String
  /// Without a full stop.
  package var reason: String
}

/// Splits a text into its items: the components of one UID together, in their order, with those
/// VTIMEZONEs of their own VCALENDARs that they name.
///
/// Each component keeps its lines byte for byte. What belongs to a calendar as a whole (METHOD, its
/// name, its colour) is left out: RFC 4791 §4.1 forbids METHOD in what is stored.
package struct CalendarSplitter {
  private let tree: SyntaxTree
  private let digest: DigestFunction
  /// What the items go to, for UIDs that have to be made.
  private let calendar: String
  private var order: [ItemID] = []
  private var members: [ItemID: [Component]] = [:]
  private var made: Set<ItemID> = []
  private var methods: [ItemID: String] = [:]
  private let zones: CalendarZones
  private var head: [Property] = []
  /// Components that are no items: without a UID, and of a kind that is not known.
  private(set) var leftOut = 0

  package init(_ tree: SyntaxTree, calendar: String, digest: @escaping DigestFunction) {
    self.tree = tree
    self.calendar = calendar
    self.digest = digest
    zones = CalendarZones(tree)
    for calendar in tree.calendars {
      if head.isEmpty { head = Self.head(of: calendar) }
      let method = calendar.line(named: "METHOD")?.value ?? []
      for component in calendar.components {
        add(component, String(decoding: method, as: UTF8.self).uppercased())
      }
    }
  }

  private static let headNames = ["VERSION", "PRODID", "CALSCALE"]

  private static func head(of calendar: Component) -> [Property] {
    var head = headNames.compactMap { calendar.line(named: $0)?.property }
    if !head.contains(where: { $0.isNamed("PRODID") }) {
      head.insert(Property("PRODID", value: productID), at: 0)
    }
    if !head.contains(where: { $0.isNamed("VERSION") }) {
      head.insert(Property("VERSION", value: "2.0"), at: 0)
    }
    return head
  }

  private mutating func add(_ component: Component, _ method: String) {
    if component.isNamed("VTIMEZONE") { return }
    let item = ItemComponent(component)
    let uid: ItemID
    if let bytes = item.uid {
      uid = ItemID(bytes: bytes)
    } else if Self.itemKinds.contains(item.kind) {
      uid = madeUID(for: item)
      made.insert(uid)
    } else {
      leftOut += 1
      return
    }
    if members[uid] == nil {
      order.append(uid)
      methods[uid] = method
    }
    members[uid, default: []].append(component)
  }

  static let itemKinds: Set = ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"]

  /// The same for the same title, start and calendar, so that a second import makes no second
  /// event. Unlike components that share all three get a number each.
  private func madeUID(for item: ItemComponent) -> ItemID {
    let base = compositeUID(of: item, calendar: calendar, digest: digest)
    /// A calendar with more events of one title at one time has other troubles.
    let limit = 1000
    for number in 1...limit {
      let uid = ItemID(number == 1 ? base : "\(base)-\(number)")
      guard let others = members[uid], others.contains(where: { $0.bytes != item.component.bytes })
      else { return uid }
    }
    return ItemID("\(base)-\(hexadecimal(digest(item.component.bytes).bytes.prefix(8)))")
  }

  // MARK: The items

  /// The items in the order of the text.
  package func items() -> [Result<SplitItem, SplitRefusal>] {
    order.map { uid in
      func refusal(_ reason: String) -> Result<SplitItem, SplitRefusal> {
        let titles = (members[uid] ?? []).lazy.compactMap { ItemComponent($0).summary?.text }
        return .failure(SplitRefusal(uid: uid, summary: titles.first ?? "", reason: reason))
      }
      let clashes = zones.clashes(of: members[uid] ?? [])
      if let clash = clashes.first(where: { !ZoneCatalog.system.isKnown($0.name) }) {
        return refusal("\(clash.message); \(ZoneClash.mend)")
      }
      let components = withoutCopies(members[uid] ?? [])
      if let reason = whyNoItem(components) { return refusal(reason) }
      do throws(EditRefusal) {
        return .success(try item(uid, of: components))
      } catch {
        return refusal("it cannot be taken out of the text whole")
      }
    }
  }

  private func item(_ uid: ItemID, of components: [Component]) throws(EditRefusal) -> SplitItem {
    var text = SyntaxTree(bytes: Array("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n".utf8))
    guard let root = text.calendars.first?.id else { throw .notFound }
    for property in head { try text.insert(property, in: root) }
    for zone in zones.named(by: components) { try text.insert(zone, in: root) }
    for component in components {
      let id = try text.insert(component, in: root)
      if made.contains(uid) {
        try text.removeProperties(named: "UID", in: id)
        try text.insert(Property("UID", text: uid.text), in: id)
      }
    }
    let object = CalendarObject(text)
    return SplitItem(
      uid: uid, data: ItemData(bytes: text.bytes), summary: object.summary,
      isUIDMade: made.contains(uid), isOfOccurrences: object.components.allSatisfy(\.isOverride),
      method: methods[uid] ?? "")
  }
}

/// The UID that an item without one gets: the same for the same title, start and calendar.
func compositeUID(of item: ItemComponent, calendar: String, digest: DigestFunction) -> String {
  let start = item.component.line(named: "DTSTART") ?? item.component.line(named: "DUE")
  let id = item.recurrenceID?.content ?? []
  let key = [item.summary?.bytes ?? [], start?.content ?? [], id, Array(calendar.utf8)]
  return "calgw-" + hexadecimal(digest(Array(key.joined(separator: [0]))).bytes.prefix(16))
}

/// Who made a text (RFC 5545 §3.7.3).
let productID = "-//calgw//calgw \(calgwVersion)//EN"

extension Property {
  fileprivate func isNamed(_ text: String) -> Bool {
    name.count == text.utf8.count
      && String(decoding: name, as: UTF8.self).uppercased() == text
  }
}

/// The canonical form of an item by itself: without time zones, whose texts differ between
/// programs, and in a frame of its own, so that what surrounds it does not count.
func bareForm(of data: ItemData, digest: @escaping DigestFunction) -> [UInt8] {
  var splitter = CalendarSplitter(SyntaxTree(bytes: data.bytes), calendar: "", digest: digest)
  return splitter.bareForm()
}

extension CalendarSplitter {
  fileprivate mutating func bareForm() -> [UInt8] {
    head = []
    guard case .success(let item)? = items().first else { return canonicalForm(of: tree) }
    let text = SyntaxTree(bytes: item.data.bytes)
    return canonicalForm(of: text) { $0.isNamed("VTIMEZONE") }
  }
}
