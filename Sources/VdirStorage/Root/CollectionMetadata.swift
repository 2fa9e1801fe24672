import Glibc
import SyncModel

/// The files `displayname` and `color` of a folder, as vdir programs share them.
extension OpenDirectory {
  /// In bytes. A name is a line, so a larger file is something else.
  private static let longestMetadata = 4096

  /// Nil where there is none, it is empty, or it is no UTF-8.
  var displayName: String? { metadata("displayname") }

  /// `#RRGGBB` in lower case; the alpha of `#RRGGBBAA` is cut off. Nil for anything else.
  var color: String? { metadata("color").flatMap(normalColor) }

  /// Without white space at both ends. A missing or odd metadata file is no error: the items are
  /// what counts.
  private func metadata(_ kind: String) -> String? {
    guard let name = FileName(kind), let content = try? read(name, limit: Self.longestMetadata)
    else { return nil }
    let blanks: Set<UInt8> = [9, 10, 11, 12, 13, 32]
    let start = content.bytes.drop { blanks.contains($0) }
    let end = start.lastIndex { !blanks.contains($0) }
    guard let end else { return nil }
    return String(validating: start[...end], as: UTF8.self)
  }

  /// Creates a metadata file, durable when this is done.
  func writeMetadata(_ kind: String, _ value: String) throws(FileError) {
    guard let name = FileName(kind) else { return }
    let file = try create(name, mode: 0o666)
    defer { files.close(file) }
    try files.write(Array(value.utf8), to: file)
    try files.syncData(file)
  }
}

extension VdirRoot {
  func writeMetadata(_ proposal: CollectionProposal, into folder: OpenDirectory)
    throws(FileError)
  {
    if let name = proposal.displayName, !name.isEmpty {
      try folder.writeMetadata("displayname", name)
    }
    if let color = proposal.color.flatMap(normalColor) {
      try folder.writeMetadata("color", color)
    }
    try folder.sync()
  }
}

private func normalColor(_ text: String) -> String? {
  let digits = text.utf8.dropFirst()
  let isHex = digits.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
  guard text.utf8.first == UInt8(ascii: "#"), isHex, [6, 8].contains(digits.count) else {
    return nil
  }
  return String(text.prefix(7)).lowercased()
}

extension FileError {
  /// What was to be opened as a directory is a symbolic link or a file.
  var isLinkOrFile: Bool { code == ELOOP || code == ENOTDIR }
}
