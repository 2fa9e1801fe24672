import Glibc
import SyncModel

/// Putting a draft in its place, with a guard against whoever writes at the same time.
extension ItemWriter {
  /// Two programs that replace one file in turns for so long are not to be settled here.
  private static let exchangeAttempts = 16

  mutating func create(_ name: FileName, _ draft: Draft) throws(FileError) -> Settled {
    do throws(FileError) {
      let isGuarded = try moveIntoPlace(draft.name, to: name)
      return stored(name, draft, isUnguarded: !isGuarded)
    } catch {
      let isTaken = isTaken(draft, error)
      remove(draft.name)
      if error.code == EEXIST { return .changedMeanwhile }
      // After some errors nobody knows whether it was done.
      guard try isOurs(name, draft) else {
        if isTaken { return .changedMeanwhile }
        throw error
      }
      return Settled(result: .unknown(error.trouble("creating \(name.text) in", at: path)))
    }
  }

  /// Exchanges, then looks at what came out: only so can nothing come between look and write.
  mutating func replace(_ name: FileName, expecting: Version, with draft: Draft)
    throws(FileError) -> Settled
  {
    guard try isThere(name, expecting) else {
      remove(draft.name)
      return .changedMeanwhile
    }
    var aside = draft.name
    do throws(FileError) {
      // From here on the name says that somebody else's content may be in it.
      aside = try setAside(draft.name, of: name)
      try directory.exchange(aside, name)
    } catch {
      if error.operation == .exchange, error.isUnsupported {
        return try replaceUnguarded(name, expecting: expecting, with: draft, at: aside)
      }
      if error.operation != .exchange, isTaken(draft, error) { return .changedMeanwhile }
      // After some errors nobody knows whether it was done: only our own content may go.
      guard try isOurs(aside, draft) else {
        return Settled(result: .unknown(error.trouble("replacing \(name.text) in", at: path)))
      }
      remove(aside)
      guard error.isNotThere else { throw error }
      return .changedMeanwhile
    }
    do throws(FileError) {
      return try settleExchange(name, expecting: expecting, with: draft, aside: aside)
    } catch {
      return Settled(
        result: .unknown(error.trouble("replacing \(name.text) in", at: path)))
    }
  }

  /// What came out must be what was expected. If it is not, it goes back, and what comes out then
  /// must be what was put in, and so on: the newest content ends up in the item's place, and what
  /// it displaced stays aside.
  private func settleExchange(
    _ name: FileName, expecting: Version, with draft: Draft, aside: FileName
  ) throws(FileError) -> Settled {
    var expected: Seen = .content(expecting.digest)
    var put: Seen = .content(draft.digest)
    for attempt in 0..<Self.exchangeAttempts {
      let out = try look(aside)
      if out == expected {
        return attempt == 0 ? stored(name, draft) : .changedMeanwhile
      }
      // Our own file, which cannot be read now, stays aside, where the next run reads it.
      if let own = draft.status?.identity, out == .unreadable(own) { return .changedMeanwhile }
      do throws(FileError) {
        try directory.exchange(aside, name)
      } catch {
        // Deleted meanwhile: so it shall be, and the content stays aside for the history.
        guard error.isNotThere else { throw error }
        return .changedMeanwhile
      }
      (expected, put) = (put, out)
    }
    return .changedMeanwhile
  }

  /// For file systems that cannot exchange: looks, then renames. A second name keeps the old file,
  /// where there can be one, for who has it open.
  private mutating func replaceUnguarded(
    _ name: FileName, expecting: Version, with draft: Draft, at aside: FileName
  ) throws(FileError) -> Settled {
    let old = HiddenName.displaced(token: nextToken(), item: name, digest: digest)
    do throws(FileError) {
      if let old { try? directory.link(name, to: old) }
      guard try look(name) == .content(expecting.digest) else {
        if let old { remove(old) }
        remove(aside)
        return .changedMeanwhile
      }
      try directory.rename(aside, to: name)
    } catch {
      if let old { remove(old) }
      remove(aside)
      throw error
    }
    return stored(name, draft, isUnguarded: true)
  }

  /// The draft itself is gone before it was put anywhere: another calgw, which took it for one of a
  /// killed run, has removed it.
  private func isTaken(_ draft: Draft, _ error: FileError) -> Bool {
    error.isNotThere && (try? directory.statusIfThere(draft.name)) == .some(nil)
  }

  private func isOurs(_ name: FileName, _ draft: Draft) throws(FileError) -> Bool {
    guard let identity = draft.status?.identity else { return false }
    return try directory.statusIfThere(name)?.identity == identity
  }

  private func stored(_ name: FileName, _ draft: Draft, isUnguarded: Bool = false) -> Settled {
    // The rename gave it a new ctime. If anything else is new too, then somebody was faster, and
    // the tag would vouch for a content that was not seen.
    let status = try? directory.status(of: name)
    let isOurs =
      status?.identity == draft.status?.identity && status?.size == draft.status?.size
      && status?.modified == draft.status?.modified
    // Where the clock was set back since the scan, what was written just now looks older than that:
    // a save within the same tick would go unseen.
    let isInOrder = lastScan.map { status?.isSettled(before: $0) == false } ?? true
    let version = Version(
      tag: isOurs && isInOrder ? status?.fingerprint : nil, digest: draft.digest)
    return Settled(
      result: .stored(Href(name.bytes), version, modified: draft.status?.modifiedInstant),
      isUnguarded: isUnguarded)
  }
}
