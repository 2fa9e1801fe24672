public import SyncModel

/// What an import did with the items of a text, or would do.
public struct ImportReport: Sendable {
  /// What became of an item.
  public enum Action: String, Sendable, CaseIterable {
    case create
    case update
    /// The same content is there already.
    case unchanged
    /// It was left alone, and `reason` says why.
    case skip
  }

  /// An item of the text.
  public struct Entry: Sendable {
    public var uid: ItemID
    public var summary: String
    public var action: Action
    /// The file in the folder; nil where none was or would be written.
    public var file: ShownPath?
    /// Why it was left alone; empty otherwise.
    public var reason: String

    public init(
      uid: ItemID, summary: String, action: Action, file: ShownPath? = nil, reason: String = ""
    ) {
      self.uid = uid
      self.summary = summary
      self.action = action
      self.file = file
      self.reason = reason
    }
  }

  /// Where the items go.
  public let folder: EventFolder
  public var isDryRun: Bool
  /// In the order of the text.
  public var entries: [Entry] = []
  /// Components that are no items: of no known kind, and without a UID.
  public var leftOut = 0

  /// How many items that became of.
  public func count(_ action: Action) -> Int { entries.count { $0.action == action } }

  /// Something was left alone: status 1.
  public var needsAttention: Bool { count(.skip) > 0 }

  /// The machine-readable form: one line. Items that are there already are counted only.
  public var json: JSONValue {
    .object(
      ("calendar", .string(folder.calendar)), ("folder", .string(folder.pathText)),
      ("dryRun", .boolean(isDryRun)), ("created", .integer(count(.create))),
      ("updated", .integer(count(.update))), ("unchanged", .integer(count(.unchanged))),
      ("skipped", .integer(count(.skip))),
      ("items", .array(entries.filter { $0.action != .unchanged }.map(\.json))))
  }
}

extension ImportReport.Entry {
  fileprivate var json: JSONValue {
    .object(
      ("uid", .string(uid.text)), ("action", .string(action.rawValue)),
      ("file", .optional(file?.text)), ("fileEncoded", .ifTrue(file?.isEncoded ?? false)),
      ("summary", .string(summary)),
      ("reason", reason.isEmpty ? .null : .string(reason)))
  }
}
