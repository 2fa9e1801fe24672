public import SyncModel

/// What an edit or a deletion did, or would do.
public struct EditReport: Sendable {
  /// What became of the item.
  public enum Action: String, Sendable, CaseIterable {
    case update
    case delete
    /// It says already what it was to say.
    case none
  }

  public var item: FoundItem
  public var action: Action
  /// What differs, by component and property; empty for a deletion.
  public var changes: [LineDifference] = []
  /// The new series of a split: its UID and the path of its file.
  public var created: (uid: ItemID, file: ShownPath)?
  /// What the new series says otherwise than the whole did.
  public var createdChanges: [LineDifference] = []
  /// What the edit did beyond what it was asked for.
  public var notes: [String] = []
  public var isDryRun: Bool

  /// Of an edit that changes nothing.
  public static func nothing(of item: FoundItem, isDryRun: Bool) -> EditReport {
    EditReport(item: item, action: .none, isDryRun: isDryRun)
  }

  /// The machine-readable form: one line.
  public var json: JSONValue {
    .object(
      ("uid", .string(item.uid.text)), ("file", .string(item.file.text)),
      ("fileEncoded", .ifTrue(item.file.isEncoded)), ("summary", .string(item.summary)),
      ("action", .string(action.rawValue)),
      ("changes", .array(changes.map(\.json))),
      (
        "created",
        created.map {
          .object(
            ("uid", .string($0.uid.text)), ("file", .string($0.file.text)),
            ("fileEncoded", .ifTrue($0.file.isEncoded)),
            ("changes", .array(createdChanges.map(\.json))))
        } ?? .null
      ),
      ("notes", .array(notes.map { .string($0) })), ("dryRun", .boolean(isDryRun)))
  }
}
