import SyncModel

/// How much may go wrong at single items of a calendar in one run, before it is no matter of those
/// items any more.
///
/// | at the GET of an item | it is the item's own where | after |
/// |---|---|---|
/// | it leads nowhere; 5xx | items are given | |
/// | it breaks off, or hangs | items are given, and the calendar answers | `longestWaiting`: skip |
/// | 401 | the calendar lets the user in | `mostRefusals`, and those under way by then: skip |
/// | 429 and 503 without end | the calendar answers, and it is so again | `mostBusy`: end |
///
/// *Skip*: what no multiget gives is not asked for, and named. *End*: it is the server's trouble,
/// and the run tries again later.
///
/// Items are given: for `mostBeforeAny` of them that is assumed. Where nothing was given by then, a
/// look at others has to show it, or it is the server's trouble as well. A multiget that meets such
/// an item comes to nothing; so none asks for one that was in trouble.
struct Tolerance: Sendable {
  /// What went wrong with the request for one item.
  enum Trouble: Sendable {
    /// The answer leads nowhere, or says that the server failed.
    case noUse
    /// The connection ended, or nothing came in time, after so many milliseconds.
    case brokenOff(Int64)
    /// The server refused the user.
    case refused
    /// The server asked to wait until that was no use any more.
    case busy
  }

  /// Whose trouble it is.
  enum Verdict: Sendable {
    case own
    /// Nobody knows yet: the item is to be asked for once more.
    case later
    /// Nobody knows before something is given, of other items than those that were in trouble. A
    /// look at the calendar begins.
    case unclear(troubled: Set<[UInt8]>)
    case server
  }

  private static let mostBeforeAny = 3
  /// In milliseconds, of all items together: five that nothing comes of within the usual timeout.
  private static let longestWaiting: Int64 = 150_000
  /// Whoever goes on being refused locks his account on many servers.
  private static let mostRefusals = 3
  /// Where more are answered so, it is no matter of what they hold.
  private static let mostBusy = 3
  /// Each multiget that comes to nothing may have been waited for in vain.
  private static let mostBrokenMultigets = 4

  /// Something of the calendar was read.
  var hasGiven = false
  /// The server has refused the user at the calendar itself: nothing is asked any more.
  var end: StorageError?
  /// Multigets that came to nothing, while the server answered other requests.
  var brokenMultigets = 0
  /// Items for which the server refused the user.
  var refusals = 0
  /// A look at the calendar is under way, which tells whose trouble it is. Meanwhile no item is
  /// asked for.
  private(set) var isInDoubt = false
  /// The items that were in trouble, by the keys of their paths.
  private(set) var troubled: Set<[UInt8]> = []
  private var waited: Int64 = 0
  private var busy: Set<[UInt8]> = []

  mutating func judge(_ trouble: Trouble, at key: [UInt8]) -> Verdict {
    troubled.insert(key)
    switch trouble {
    case .noUse: break
    case .brokenOff(let milliseconds):
      waited += min(max(0, milliseconds), Self.longestWaiting)
    case .refused: return .own
    case .busy:
      let isFirst = busy.insert(key).inserted
      return busy.count > Self.mostBusy ? .server : isFirst ? .later : .own
    }
    if hasGiven || troubled.count <= Self.mostBeforeAny { return .own }
    return beginDoubt() ? .unclear(troubled: troubled) : .later
  }

  /// False where a look at the calendar is under way already; else one begins.
  mutating func beginDoubt() -> Bool {
    if isInDoubt { return false }
    isInDoubt = true
    return true
  }

  /// - Parameter error: what the look met.
  mutating func endDoubt(_ error: StorageError? = nil) {
    isInDoubt = false
    if error?.kind == .denied { end = error }
  }

  var asksByMultiget: Bool { brokenMultigets < Self.mostBrokenMultigets }

  /// Why no item is asked for by itself any more; nil where items are.
  var whyNoneIsAsked: String? {
    if waited >= Self.longestWaiting { return "too many other items were waited for in vain" }
    if refusals >= Self.mostRefusals { return "the server refused the user for other items" }
    return nil
  }
}
