import Glibc
import WebDAV

/// A word of the command line as text, without loss: `String` holds UTF-8 alone, and a file may be
/// called by any bytes.
///
/// A byte that is not UTF-8 travels as two noncharacters, U+FDD0 and up for its higher four bits,
/// U+FDE0 and up for its lower ones. Unicode (§23.7) has them for the inside of programs, so that
/// no text has them; of one that does their bytes are escaped, too.
public func argumentText(_ word: [UInt8]) -> String {
  spelled(word, where: { !isEscape($0) }) { byte in
    let values = [0xFDD0 + UInt32(byte >> 4), 0xFDE0 + UInt32(byte & 15)]
    return String(String.UnicodeScalarView(values.compactMap { Unicode.Scalar($0) }))
  }
}

/// What the bytes of a word travel as that are not UTF-8.
func isEscape(_ scalar: Unicode.Scalar) -> Bool { (0xFDD0...0xFDEF).contains(scalar.value) }

/// The bytes that were typed.
private func typedBytes(_ text: String) -> [UInt8] {
  var bytes: [UInt8] = []
  for scalar in text.unicodeScalars {
    let bits = UInt8(scalar.value & 15)
    switch scalar.value {
    case 0xFDD0...0xFDDF: bytes.append(bits << 4)
    case 0xFDE0...0xFDEF where !bytes.isEmpty: bytes[bytes.count - 1] |= bits
    default: bytes += String(scalar).utf8
    }
  }
  return bytes
}

/// The path that a word of a command line means: what was typed or, where nothing is called so, the
/// name that `nameText` writes so, as every report does where a name is not UTF-8.
package func typedPath(_ text: String) -> [UInt8] {
  let typed = typedBytes(text)
  if isThere(typed) { return typed }
  // Reports give the name of a file alone, or all of its path.
  let start = typed.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
  let name = named(by: Array(typed[start...])).map { Array(typed[..<start]) + $0 }
  let others = [name, named(by: typed)].compactMap { $0 }
  return others.first(where: isThere) ?? others.first ?? typed
}

/// The name that is not UTF-8 which a word of a command line may mean, by its bytes or as
/// `nameText` writes it; nil where it means none.
func typedName(_ word: String) -> [UInt8]? {
  let typed = typedBytes(word)
  return String(validating: typed, as: UTF8.self) == nil ? typed : named(by: typed)
}

/// The name that is not UTF-8 of which this is the text; nil where there is none.
private func named(by text: [UInt8]) -> [UInt8]? {
  let name = PercentCoding.decoded(text)
  let (spelling, isEncoded) = nameText(name)
  return isEncoded && spelling.utf8.elementsEqual(text) ? name : nil
}

/// Something has this path, be it a link that leads nowhere.
func isThere(_ path: [UInt8]) -> Bool {
  var status = stat()
  return lstat(cPath(path), &status) == 0
}

/// The directory that a path's file is in, and the file's name.
func parts(of path: [UInt8]) -> (directory: [UInt8], name: [UInt8]) {
  guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else {
    return ([UInt8(ascii: ".")], path)
  }
  return (Array(path[...slash]), Array(path[(slash + 1)...]))
}

/// A path as the C library takes it.
func cPath(_ path: [UInt8]) -> [CChar] { path.map { CChar(bitPattern: $0) } + [0] }
