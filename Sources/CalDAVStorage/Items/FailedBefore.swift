public import SyncModel
import WebDAV

/// Items at which the server failed in an earlier run, and that nothing has changed since.
///
/// A multiget asks for all of them again. Of those that it fails at once more a few are asked for
/// by GET as well: the others would be answered the same, by one request each in every run.
struct FailedBefore: Sendable {
  /// In a run; with no more in trouble nobody asks whose trouble it is (`Tolerance`).
  private static let mostTried = 3

  /// By the keys of their paths.
  private(set) var items: Set<[UInt8]> = []
  /// The statuses with which multigets failed at them in this run.
  private var statuses: [[UInt8]: Int] = [:]
  /// Those that GET is tried with.
  private var tried: Set<[UInt8]> = []

  init(_ items: Set<[UInt8]> = []) { self.items = items }

  /// - Parameter status: nil where the item was given.
  mutating func note(_ status: Int?, at key: [UInt8]) {
    guard items.contains(key) else { return }
    statuses[key] = status.flatMap { $0 >= 500 ? $0 : nil }
  }

  /// With what the server failed at an item that GET is not tried with; nil: it is.
  mutating func statusInstead(of key: [UInt8]) -> Int? {
    guard items.contains(key), let status = statuses[key] else { return nil }
    if tried.count < Self.mostTried { tried.insert(key) }
    return tried.contains(key) ? nil : status
  }

  /// Whether GET gave one of those that it was tried with, and others were not asked for: then it
  /// is tried with all of them.
  mutating func isRefuted(by given: [[UInt8]]) -> Bool {
    guard given.contains(where: tried.contains) else { return false }
    let hasLeftOut = statuses.count > tried.count
    self = FailedBefore()
    return hasLeftOut
  }
}

extension CalDAVStorage {
  public func noteUnread(_ hrefs: [Href]) async {
    let keys = hrefs.compactMap { address($0)?.pathKey }
    withRunMemory { $0.failedBefore = FailedBefore(Set(keys)) }
  }

  /// Keeps in mind at which of those items a multiget failed, and at which no more.
  func noteFailures(_ responses: [DAVResponse], from source: WebURL) {
    if withRunMemory({ $0.failedBefore.items.isEmpty }) { return }
    for response in responses {
      guard let named = try? client.resolve(response.href, from: source, of: url) else { continue }
      let key = known(named).pathKey
      let isGiven = response.properties.calendarData != nil
      let status = isGiven ? nil : response.failure ?? response.failedStatus
      withRunMemory { $0.failedBefore.note(status, at: key) }
    }
  }

  /// What a multiget said of an item that is not asked for by GET; nil: it is.
  func lookInstead(of address: WebURL) -> Look? {
    guard let status = withRunMemory({ $0.failedBefore.statusInstead(of: address.pathKey) }) else {
      return nil
    }
    return .problem(.answered(status, for: address.shown), status: status)
  }

  /// Whether items are to be read anew, since GET gives what no multiget does.
  func isRefuted(_ looks: [Look?], at addresses: [WebURL?]) -> Bool {
    var given: [[UInt8]] = []
    for case (.found?, let address?) in zip(looks, addresses) { given.append(address.pathKey) }
    return withRunMemory { [given] run in run.failedBefore.isRefuted(by: given) }
  }
}
