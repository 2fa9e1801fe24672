import Glibc
import SyncModel

/// Moving files aside and into place.
extension ItemWriter {
  /// What is under a name, as far as it can be compared.
  enum Seen: Hashable {
    case content(ContentDigest)
    /// It changed while it was read.
    case unstable(FileIdentity)
    /// No plain file, or one that cannot be read.
    case unreadable(FileIdentity?)
  }

  /// Moves the file aside, then looks at it: if it is not the expected one, it goes back.
  mutating func delete(_ name: FileName, expecting: Version) throws(FileError) -> Settled {
    guard try directory.statusIfThere(name) != nil else { return absent(name) }
    guard try isThere(name, expecting) else { return .changedMeanwhile }
    let aside: FileName
    do throws(FileError) {
      aside = try setAside(name, of: name)
    } catch {
      if error.isNotThere { return absent(name) }
      // After some errors nobody knows whether it was done. Forgotten, it would look like a
      // person's deletion.
      if error.isStopped || (try? directory.statusIfThere(name)) != nil { throw error }
      return Settled(result: .unknown(error.trouble("deleting \(name.text) in", at: path)))
    }
    do throws(FileError) {
      if try look(aside) == .content(expecting.digest) { return .removed }
      _ = try moveIntoPlace(aside, to: name)
    } catch {
      // Created anew meanwhile: what was moved aside stays there for the history.
      if error.code != EEXIST {
        return Settled(
          result: .unknown(error.trouble("deleting \(name.text) in", at: path)))
      }
    }
    return .changedMeanwhile
  }

  private mutating func absent(_ name: FileName) -> Settled {
    missing.append(name)
    return .removed
  }

  /// A first look that touches nothing; what follows looks again.
  func isThere(_ name: FileName, _ expecting: Version) throws(FileError) -> Bool {
    guard let status = try directory.statusIfThere(name), status.kind == .regular else {
      return false
    }
    if status.fingerprint == expecting.tag { return true }
    return try look(name) == .content(expecting.digest)
  }

  /// Throws only what concerns every file: what cannot be read is not what was expected.
  func look(_ name: FileName) throws(FileError) -> Seen {
    do throws(FileError) {
      let content = try directory.read(name, limit: maxItemSize)
      return content.isStable
        ? .content(digest(content.bytes)) : .unstable(content.after.identity)
    } catch {
      if error.isStopped { throw error }
      return .unreadable(try? directory.status(of: name).identity)
    }
  }

  /// Renames to a hidden name that says which item the content belongs to.
  mutating func setAside(_ name: FileName, of item: FileName) throws(FileError) -> FileName {
    var isShort = false
    for _ in 0..<Self.nameAttempts {
      let token = nextToken()
      guard
        let aside = HiddenName.displaced(
          token: token, item: item, digest: digest, isShort: isShort)
      else { break }
      do throws(FileError) {
        try renameToFree(name, to: aside)
        return aside
      } catch {
        if error.code == ENAMETOOLONG, !isShort {
          isShort = true
        } else if error.code != EEXIST {
          throw error
        }
      }
    }
    throw FileError(.renameNoReplace, EEXIST)
  }

  /// A name with this run's token is free for certain, so a plain rename will do where the file
  /// system knows no other.
  private func renameToFree(_ name: FileName, to aside: FileName) throws(FileError) {
    do throws(FileError) {
      try directory.files.renameNoReplace(name, to: aside, in: directory.descriptor)
    } catch {
      guard error.isUnsupported else { throw error }
      guard try directory.statusIfThere(aside) == nil else { throw FileError(.rename, EEXIST) }
      try directory.rename(name, to: aside)
    }
  }

  /// Gives a hidden file an item's name; `EEXIST` if that is taken. Gives false if that could be
  /// looked at only, and not be made one step with the rename.
  func moveIntoPlace(_ hidden: FileName, to name: FileName) throws(FileError) -> Bool {
    do throws(FileError) {
      try directory.files.renameNoReplace(hidden, to: name, in: directory.descriptor)
      return true
    } catch {
      guard error.isUnsupported else { throw error }
    }
    do throws(FileError) {
      try directory.link(hidden, to: name)
      remove(hidden)
      return true
    } catch {
      if [EEXIST, ENOENT, ENOSPC, EDQUOT].contains(error.code) || error.isStopped { throw error }
    }
    guard try directory.statusIfThere(name) == nil else { throw FileError(.rename, EEXIST) }
    try directory.rename(hidden, to: name)
    return false
  }
}

extension WriteOutcome.Result {
  /// The name is there or gone, and its folder is yet to be made durable.
  var isWritten: Bool {
    switch self {
    case .stored, .removed: true
    case .changedMeanwhile, .refused, .unknown, .failed: false
    }
  }

  /// Also what was set aside and put back has to be where it was after a power cut.
  var mayHaveMovedNames: Bool {
    switch self {
    case .stored, .removed, .changedMeanwhile, .unknown: true
    case .refused, .failed: false
    }
  }
}

extension ItemProblem {
  static func badName(_ href: Href) -> ItemProblem {
    ItemProblem(
      .unsupported, "\(href.text.debugDescription) cannot be the name of an item",
      hint: "an item's file is named *.ics and is not hidden")
  }
}
