public import EventEditing
public import SyncModel

/// Why a query, a change or a commit was not done. It never has credentials or contents of items in
/// it.
public enum EventStoreError: Error, Sendable, Hashable {
  /// A query for more days than `EventPredicate.longestRange`.
  case rangeTooLong(days: Int)
  /// More occurrences than `EventStore.resultLimit` are in the range.
  case tooManyEvents
  /// The store has no calendar of that id.
  case unknownCalendar(String)
  /// Nothing may be written into that calendar.
  case readOnly(calendar: String)
  /// There is no such event, or it was never saved.
  case notFound(EventIdentifier?)
  /// The item was changed or removed since the event was read, not by this store: nothing is
  /// written. Read it again, make the change on what is there now, and save that.
  case changedMeanwhile(EventIdentifier)
  /// The change is none that can be made; nothing is staged.
  case refused(EditError)
  /// A reminder cannot be written: its ACTION has other characters than letters, digits and `-`.
  case badReminder
  /// The clock of this machine is not in the years 0 to 9999.
  case badClock
  /// A calendar as a whole could not be read.
  case storage(calendar: String, StorageError)
  /// These changes of a commit were not written; all others were.
  case notWritten([CommitFailure])
}

/// A change of a commit that was not written, or of which nobody knows.
public struct CommitFailure: Sendable, Hashable {
  /// Why.
  public enum Reason: Sendable, Hashable {
    /// Something else was there: it is as the other program left it.
    case changedMeanwhile
    /// The side refuses the item.
    case refused(ItemProblem)
    /// The side is in trouble and nothing was written. The change stays staged for the next commit.
    case failed(StorageError)
    /// The answer was lost: it may or may not be written. The next query looks.
    case unknown(StorageError)
    /// The new series of a split, or its counterpart, was not written, so this was not either.
    case heldBack
  }

  /// The item.
  public var item: EventIdentifier
  public var reason: Reason

  public init(item: EventIdentifier, reason: Reason) {
    self.item = item
    self.reason = reason
  }
}

/// An item of a calendar that holds no event that can be shown, and why.
public struct UnreadableItem: Sendable, Hashable {
  public var calendar: String
  public var href: Href
  public var problem: ItemProblem

  public init(calendar: String, href: Href, problem: ItemProblem) {
    self.calendar = calendar
    self.href = href
    self.problem = problem
  }
}

extension EventStoreError: CustomStringConvertible {
  /// What is wrong and what to do, for people, without a full stop.
  public var description: String {
    switch self {
    case .rangeTooLong(let days):
      "a query is for at most \(EventPredicate.longestRange) days and not \(days); "
        + "ask for one part after the other"
    case .tooManyEvents:
      "more than \(EventStore.resultLimit) occurrences are in that range; ask for a shorter one"
    case .unknownCalendar(let id): "the store has no calendar \(id)"
    case .readOnly(let id): "nothing may be written into the calendar \(id)"
    case .notFound(let id):
      id.map { "there is no event \($0)" } ?? "the event was never saved"
    case .changedMeanwhile(let id):
      "\(id) was changed by somebody else since it was read, so nothing was written; read it again"
    case .refused(let error): error.description
    case .badReminder: "the action of a reminder is a word, as DISPLAY"
    case .badClock: "the clock of this machine is not in the years 0 to 9999; set it"
    case .storage(let id, let error):
      "the calendar \(id) cannot be read: \(error.message)"
        + (error.why.isEmpty ? "" : ": \(error.why)")
    case .notWritten(let failures):
      "not written: " + failures.map { "\($0.item) (\($0.reason))" }.joined(separator: ", ")
    }
  }
}

extension CommitFailure.Reason: CustomStringConvertible {
  /// For people, without a full stop.
  public var description: String {
    switch self {
    case .changedMeanwhile: "it was changed by somebody else in the same moment"
    case .refused(let problem): problem.message
    case .failed(let error): error.message
    case .unknown(let error): "it may be written or not: \(error.message)"
    case .heldBack: "the other part of the series could not be written"
    }
  }
}
