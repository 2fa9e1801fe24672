import CalgwKit
import SyncModel
import TestSupport
import VdirStorage

/// A calendar of lines, which end with CRLF.
func calendarText(_ lines: String...) -> [UInt8] {
  let all = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//"] + lines + ["END:VCALENDAR", ""]
  return Array(all.joined(separator: "\r\n").utf8)
}

/// An item as if it had been found in a folder.
func foundItem(_ text: [UInt8]) throws -> FoundItem {
  let item = try ItemText(text, file: "a.ics")
  return FoundItem(
    folder: EventFolder(path: Array("/vdir".utf8), pair: nil, collection: nil),
    href: Href("a.ics"), uid: item.uid, data: ItemData(bytes: text),
    version: Version(tag: nil, digest: sha256(text)), modified: nil, object: item.object)
}
