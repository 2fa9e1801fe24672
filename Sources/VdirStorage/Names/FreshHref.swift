package import SyncModel

/// Chooses the file name of a new item: its UID where that is safe everywhere, else its digest.
///
/// The name need not be free: whoever creates the file must not replace one, and asks for the next
/// attempt if it is taken.
package func freshFileName(for uid: ItemID, attempt: Int, digest: DigestFunction) -> [UInt8] {
  let fingerprint = hex(digest(uid.bytes).bytes)
  var stem = isSafeStem(uid.bytes) ? uid.bytes : Array("calgw-".utf8) + fingerprint
  if attempt > 0 { stem += Array("-".utf8) + fingerprint.prefix(8) }
  if attempt > 1 { stem += Array("-\(attempt)".utf8) }
  return stem + FileName.itemEnding
}

/// In bytes. Leaves room for the ending, for an attempt's suffix, and for the prefix of a hidden
/// name within the 255 bytes of a file name.
private let longestStem = 200

/// Only ASCII letters, digits, `_`, `.`, `-`, `@`, `+`: no separator, nothing that a shell, a
/// command line, another file system or a normalisation takes for something else. Most UIDs hold
/// an `@`, and a folder of digests is none that a person can work in.
private func isSafeStem(_ uid: [UInt8]) -> Bool {
  guard let first = uid.first, uid.count <= longestStem else { return false }
  guard first != UInt8(ascii: "."), first != UInt8(ascii: "-") else { return false }
  guard uid.allSatisfy(isSafe), FileName(uid + FileName.itemEnding)?.isItem == true else {
    return false
  }
  let base = uid.prefix { $0 != UInt8(ascii: ".") }.map(upperCased)
  return !reservedBases.contains(base)
}

private func isSafe(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"):
    true
  case UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "@"),
    UInt8(ascii: "+"):
    true
  default: false
  }
}

private func upperCased(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 32 : byte
}

/// Device names of Windows, whatever their ending: a vdir may lie on a share or a stick.
private let reservedBases: Set<[UInt8]> = Set(
  (["CON", "PRN", "AUX", "NUL"] + (1...9).flatMap { ["COM\($0)", "LPT\($0)"] })
    .map { Array($0.utf8) })
