import SyncModel

/// Chooses the name of the folder for a remote collection: its id if that is
/// `[A-Za-z0-9._-]{1,64}` and no UUID, else made from its display name; unlike all that are taken.
/// An id that others of its account have, too, tells nothing (Google calls each calendar `events`):
/// the display name goes before it.
package func folderName(
  for collection: CollectionDescription, among listed: [CollectionDescription], taken: Set<String>
) -> String {
  let id = collection.name
  let isOwn = namesFolder(collection, among: listed)
  let base = isOwn ? id : slug(collection.displayName ?? "") ?? slug(id) ?? "calendar"
  if !isTaken(base, taken) { return base }
  // A numbered name is found at the latest after as many steps as there are names.
  for number in 2...(taken.count + 2) {
    let name = String(base.utf8.prefix(56)) ?? base
    let numbered = "\(name)-\(number)"
    if !isTaken(numbered, taken) { return numbered }
  }
  return base
}

/// The order in which new calendars get their folders' names: first those whose ids are the names,
/// so that none gets what another one is called by, then the others. The server's order, which may
/// be another one each time, does not count.
func namingOrder(
  of collections: [CollectionDescription], among listed: [CollectionDescription]
) -> [CollectionDescription] {
  let sorted = collections.sorted { $0.identity.utf8.lexicographicallyPrecedes($1.identity.utf8) }
  return sorted.filter { namesFolder($0, among: listed) }
    + sorted.filter { !namesFolder($0, among: listed) }
}

/// A collection's id is the name of its folder.
func namesFolder(
  _ collection: CollectionDescription, among listed: [CollectionDescription]
) -> Bool {
  let id = collection.name
  guard isPlainComponent(id), id.first != ".", !isUUID(id) else { return false }
  let isShared = listed.contains { $0.name == id && $0.identity != collection.identity }
  return !isShared || slug(collection.displayName ?? "") == nil
}

/// Names that differ in case alone are one on some file systems.
private func isTaken(_ name: String, _ taken: Set<String>) -> Bool {
  let lowered = name.lowercased()
  return taken.contains { $0.lowercased() == lowered }
}

/// `8-4-4-4-12` hexadecimal digits, or the same 32 without hyphens.
func isUUID(_ text: String) -> Bool {
  let parts = text.split(separator: "-", omittingEmptySubsequences: false)
  let lengths = parts.map(\.utf8.count)
  guard lengths == [8, 4, 4, 4, 12] || lengths == [32] else { return false }
  return parts.allSatisfy { $0.utf8.allSatisfy { isHexDigit($0) } }
}

private func isHexDigit(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
    UInt8(ascii: "A")...UInt8(ascii: "F"):
    true
  default: false
  }
}

/// A display name as a folder's name: letters and digits of any script in lower case, everything
/// else a hyphen; at most 64 bytes; nil where nothing is left.
func slug(_ text: String) -> String? {
  var slug = ""
  for character in nameAsTyped(text).lowercased() {
    let isKept = character.isLetter || character.isNumber
    if isKept {
      guard slug.utf8.count + String(character).utf8.count <= 64 else { break }
      slug.append(character)
    } else if let last = slug.last, last != "-", slug.utf8.count < 64 {
      slug.append("-")
    }
  }
  while slug.last == "-" { slug.removeLast() }
  return slug.isEmpty ? nil : slug
}
