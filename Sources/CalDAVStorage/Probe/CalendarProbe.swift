public import SyncModel

/// What a server did with a calendar that was made to find that out.
public struct CalendarProbe: Sendable, Hashable {
  /// What names a version in the answer to a write (RFC 9110 §8.8.3).
  public enum TagOfWrite: String, Sendable, CaseIterable {
    case strong, weak, none
  }

  /// What one try showed. An answer that is an error of another kind shows nothing of it.
  public enum Trial: Sendable, Hashable {
    case holds
    case fails
    /// Why it is not known.
    case untried(String)

    static let notReached = untried("it was not come to")
  }

  /// How long a write was waited for until it showed.
  public struct Wait: Sendable, Hashable {
    /// Nothing where it showed at once.
    public var milliseconds: Int64 = 0
    /// It did not show by then either.
    public var isVain = false

    /// It is longer than a run waits for what it wrote.
    public var isLong: Bool {
      isVain || milliseconds > CalDAVStorage.latePauses.reduce(0, +)
    }
  }

  /// No calendar was made: it was one that an earlier probe could not remove.
  public var isInLeftover = false
  public var tagOfWrite = TagOfWrite.none
  /// What was stored is what was sent, byte for byte.
  public var keepsBytes = Trial.notReached
  /// A second creation at one address is refused (`If-None-Match: *`).
  public var guardsCreation = Trial.notReached
  /// A replacement of an older version is refused (`If-Match`).
  public var guardsReplacement = Trial.notReached
  /// A deletion of an older version is refused (`If-Match`).
  public var guardsDeletion = Trial.notReached
  /// An event that is made anew with another text has another entity tag than the first.
  public var tagsOfItsOwn = Trial.notReached
  /// A listing after a write shows it, and nothing else: right after it, or after `waitForListing`.
  public var listsWrites = Trial.notReached
  /// Until the event could be read.
  public var waitForText = Wait()
  /// Until a listing showed it.
  public var waitForListing = Wait()
  /// Nil: it is removed again.
  public var left: LeftCalendar?

  init() {}
}

/// A calendar of a probe that could not be removed again.
public struct LeftCalendar: Sendable, Hashable {
  /// As a person needs it to remove it.
  public var address: String
  /// Why it could not be removed.
  public var reason: String
  /// False where nobody knows whether it was made at all.
  public var isCertain: Bool
  /// Nothing shows that it is the probe's, so it was not to be removed.
  public var mayBeOfOthers = false
  /// It was seen under names that do not show whose it is (`isLeftByProbe`): a sync takes it for a
  /// calendar as any other.
  public var looksLikeAnyOther = false
}

/// Why a probe showed nothing.
public struct ProbeFailure: Error, Sendable, Hashable {
  public var cause: StorageError
  /// What is there still.
  public var left: LeftCalendar?
}
