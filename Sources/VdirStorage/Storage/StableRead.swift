public import SyncModel

extension VdirStorage {
  /// How often a file is read that changes under the reader's eyes.
  private static let readAttempts = 4
  /// In milliseconds; an editor writes an item in less.
  private static let pauseBetweenReads: Int64 = 10

  public func read(_ batch: [Href]) async throws(StorageError) -> [ReadOutcome] {
    var outcomes: [ReadOutcome] = []
    outcomes.reserveCapacity(batch.count)
    var held = 0
    for href in batch {
      let result = try await readOne(href)
      if case .found(_, let data, _) = result {
        // The one that is too much is read again.
        if held > 0, data.bytes.count > access.bytesAtOnce - held { break }
        held += data.bytes.count
      }
      outcomes.append(ReadOutcome(href: href, result: result))
    }
    return outcomes
  }

  private func readOne(_ href: Href) async throws(StorageError) -> ReadOutcome.Result {
    // What is no file name cannot be there.
    guard let name = FileName(href.spelling) else { return .missing }
    var hasLookedAgain = false
    for attempt in 1...Self.readAttempts {
      let content: FileContent
      do throws(FileError) {
        content = try directory.read(name, limit: access.maxItemSize)
      } catch {
        if error.isNotThere {
          if hasLookedAgain { return .missing }
          hasLookedAgain = true
          continue
        }
        guard !error.concernsAll else {
          throw error.trouble("reading \(name.text) in", at: location.text)
        }
        return .problem(error.readProblem(name, limit: access.maxItemSize))
      }
      if content.isStable { return found(name, content) }
      if attempt < Self.readAttempts {
        await access.surroundings.pause(Self.pauseBetweenReads)
      }
    }
    return .problem(.incomplete(name, "is being written"))
  }

  private func found(_ name: FileName, _ content: FileContent) -> ReadOutcome.Result {
    // An editor that saves in place truncates first.
    guard !content.bytes.isEmpty else { return .problem(.incomplete(name, "is empty")) }
    return .found(
      Version(tag: content.after.fingerprint, digest: access.digest(content.bytes)),
      ItemData(bytes: content.bytes), modified: content.after.modifiedInstant)
  }
}
