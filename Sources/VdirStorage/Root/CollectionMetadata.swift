import Glibc
public import SyncModel

/// What a metadata file holds.
enum MetadataContent: Sendable, Hashable {
  /// Nothing: there is no such file, or it is empty.
  case absent
  case value(String)
  /// Something that is no such value: why, and what to do, in words.
  case odd(String)
}

/// The files `displayname`, `color`, `description` and `order` of a folder, as vdir programs share
/// them.
extension OpenDirectory {
  /// In bytes. A name is a line and a description a paragraph, so a larger file is something else.
  fileprivate static func longest(_ key: MetadataKey) -> Int {
    key == .description ? 65_536 : 4096
  }

  /// Some editors begin a file of UTF-8 with it; it is no part of the text.
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Without white space at both ends. An odd metadata file is no error: the items are what counts.
  func metadata(_ key: MetadataKey) -> MetadataContent {
    guard let name = FileName(key.rawValue) else { return .absent }
    let content: FileContent
    do throws(FileError) {
      content = try read(name, limit: Self.longest(key))
    } catch {
      return Self.unread(key, error)
    }
    let blanks: Set<UInt8> = [9, 10, 11, 12, 13, 32]
    let mark = content.bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
    let start = content.bytes.dropFirst(mark).drop { blanks.contains($0) }
    guard let end = start.lastIndex(where: { !blanks.contains($0) }) else { return .absent }
    guard let text = String(validating: start[...end], as: UTF8.self) else {
      return .odd("it is not UTF-8; save it as UTF-8")
    }
    if let scalar = text.unicodeScalars.first(where: Self.isUnfit) {
      return .odd("it holds the control character \(Self.number(of: scalar)); take that out")
    }
    let shown = String(text.prefix(longestQuote)).debugDescription
    switch key {
    case .displayname, .description: return .value(text)
    case .color:
      return normalColor(text).map(MetadataContent.value)
        ?? .odd("\(shown) is no colour; write one as #RRGGBB or as a name of CSS")
    case .order:
      return Int(text).map { MetadataContent.value(String($0)) }
        ?? .odd("\(shown) is no whole number; write one")
    }
  }

  private static func unread(_ key: MetadataKey, _ error: FileError) -> MetadataContent {
    if error.isNotThere || error.isStopped { return .absent }
    switch error.code {
    case EFBIG: return .odd("it is larger than \(longest(key)) bytes; shorten it")
    case ELOOP, EISDIR, ENXIO: return .odd("it is no plain file; put one in its place")
    default: return .odd("it cannot be read (\(error.text)); make it readable, or remove it")
    }
  }

  /// XML, in which servers are told of it, cannot carry it in any spelling (XML 1.0 §2.2).
  private static func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 9, 10, 13: false
    case 0..<32, 0xFFFE, 0xFFFF: true
    default: false
    }
  }

  private static func number(of scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// Puts a value in the place of what a metadata file holds, durable once the folder is. One that
  /// could not be read again is not written.
  func writeMetadata(_ key: MetadataKey, _ value: String?, token: String) throws(FileError) {
    guard let name = FileName(key.rawValue), let value, !value.isEmpty,
      value.utf8.count <= Self.longest(key)
    else { return }
    let old = try statusIfThere(name)
    guard let draft = HiddenName.new(token: "\(token).\(key.rawValue)") else { return }
    let file = try create(draft, mode: old.map { $0.mode & 0o700 } ?? 0o666)
    do throws(FileError) {
      defer { files.close(file) }
      if let old { try? files.setMode(old.mode & 0o777, group: old.group, of: file) }
      try files.write(Array(value.utf8), to: file)
      try files.syncData(file)
    } catch {
      try? unlink(draft)
      throw error
    }
    try rename(draft, to: name)
  }

  /// Takes a metadata file away, for good once the folder is durable.
  func removeMetadata(_ key: MetadataKey) throws(FileError) {
    guard let name = FileName(key.rawValue) else { return }
    do throws(FileError) {
      try unlink(name)
    } catch {
      guard error.isNotThere else { throw error }
    }
  }
}

/// What is no value is shown up to here, in characters: nobody reads through a longer one.
private let longestQuote = 40

extension VdirRoot {
  /// A value that somebody changed since the folder was described is left alone, as is a file that
  /// holds something else; the answer shows it.
  public func setMetadata(
    _ values: [MetadataKey: String], of collection: CollectionDescription
  ) async throws(StorageError) -> MetadataOutcome {
    let storage = try openFolder(collection)
    var fates: [MetadataKey: MetadataFate] = [:]
    do throws(FileError) {
      let folder = storage.directory
      let token = freshToken()
      for key in MetadataKey.allCases {
        guard let value = values[key] else { continue }
        if let fate = folder.obstacle(to: value, of: key, after: collection[key]) {
          fates[key] = fate
        } else if value.isEmpty {
          try folder.removeMetadata(key)
        } else {
          try folder.writeMetadata(key, value, token: token)
        }
      }
      try folder.sync()
      let now = try describe(folder, name: storage.location.folder)
      for key in MetadataKey.allCases where fates[key] == nil {
        guard let value = values[key] else { continue }
        let written = key == .color ? normalColor(value) : value
        if now[key] ?? "" != written ?? "" { fates[key] = .overtaken }
      }
      return MetadataOutcome(now, fates: fates)
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

extension OpenDirectory {
  /// What keeps a value from being written; nil: nothing.
  ///
  /// - Parameter known: what the folder had when it was described.
  fileprivate func obstacle(
    to value: String, of key: MetadataKey, after known: String?
  ) -> MetadataFate? {
    switch metadata(key) {
    case .odd: return .overtaken
    case .absent: if known != nil { return .overtaken }
    case .value(let current): if current != known { return .overtaken }
    }
    let most = Self.longest(key)
    // It could not be read again.
    return value.utf8.count <= most ? nil : .refused("its file has \(most) bytes at most")
  }
}

extension FileError {
  /// What was to be opened as a directory is a symbolic link or a file.
  var isLinkOrFile: Bool { code == ELOOP || code == ENOTDIR }
}
