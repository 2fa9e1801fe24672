import Glibc
public import SyncModel

/// The files `displayname`, `color`, `description` and `order` of a folder, as vdir programs share
/// them.
extension OpenDirectory {
  /// In bytes. A name is a line and a description a paragraph, so a larger file is something else.
  private static func longest(_ key: MetadataKey) -> Int {
    key == .description ? 65_536 : 4096
  }

  /// Without white space at both ends; nil where there is no such file, it is empty, or holds
  /// something else. A missing or odd metadata file is no error: the items are what counts.
  func metadata(_ key: MetadataKey) -> String? {
    guard let name = FileName(key.rawValue),
      let content = try? read(name, limit: Self.longest(key))
    else { return nil }
    let blanks: Set<UInt8> = [9, 10, 11, 12, 13, 32]
    let start = content.bytes.drop { blanks.contains($0) }
    let end = start.lastIndex { !blanks.contains($0) }
    guard let end, let text = String(validating: start[...end], as: UTF8.self) else { return nil }
    switch key {
    case .color: return normalColor(text)
    case .order: return Int(text).map(String.init)
    case .displayname, .description: return text
    }
  }

  /// Puts a value in the place of what a metadata file holds, durable once the folder is. What is
  /// there and is no such value, or no plain file, is left alone.
  func writeMetadata(_ key: MetadataKey, _ value: String?, token: String) throws(FileError) {
    guard let name = FileName(key.rawValue), let value, !value.isEmpty else { return }
    let old = try statusIfThere(name)
    if let old, old.kind != .regular || (old.size > 0 && metadata(key) == nil) { return }
    guard let draft = HiddenName.new(token: "\(token).\(key.rawValue)") else { return }
    let file = try create(draft, mode: 0o666)
    do throws(FileError) {
      defer { files.close(file) }
      if let old { try? files.setMode(old.mode & 0o777, of: file) }
      try files.write(Array(value.utf8), to: file)
      try files.syncData(file)
    } catch {
      try? unlink(draft)
      throw error
    }
    try rename(draft, to: name)
  }
}

extension VdirRoot {
  /// A value that somebody changed since the folder was described is left alone, and the answer
  /// shows it.
  public func setMetadata(
    _ values: [MetadataKey: String], of collection: CollectionDescription
  ) async throws(StorageError) -> CollectionDescription {
    let storage = try openFolder(collection)
    do throws(FileError) {
      let folder = storage.directory
      let token = freshToken()
      for key in MetadataKey.allCases {
        guard let value = values[key], folder.metadata(key) == collection[key] else { continue }
        try folder.writeMetadata(key, value, token: token)
      }
      try folder.sync()
      return try describe(folder, name: storage.location.folder)
    } catch {
      throw error.trouble("writing the names of the folder", at: storage.location.text)
    }
  }

  func writeMetadata(_ proposal: CollectionProposal, into folder: OpenDirectory)
    throws(FileError)
  {
    let token = freshToken()
    try folder.writeMetadata(.displayname, proposal.displayName, token: token)
    try folder.writeMetadata(.color, proposal.color.flatMap(normalColor), token: token)
    try folder.sync()
  }

  private func freshToken() -> String {
    String(access.surroundings.newUUID().filter(\.isHexDigit).prefix(8)).lowercased()
  }
}

extension FileError {
  /// What was to be opened as a directory is a symbolic link or a file.
  var isLinkOrFile: Bool { code == ELOOP || code == ENOTDIR }
}
