/// Why an item is left alone on both sides, in words and with the mend.
public struct ItemProblem: Sendable, Hashable, Error {
  /// The codes that scripts rely on.
  public enum Code: String, Sendable, CaseIterable {
    case incomplete
    case noUID = "no-uid"
    case severalUIDs = "several-uids"
    case duplicateUID = "duplicate-uid"
    case notAFile = "not-a-file"
    case unreadable
    case tooLarge = "too-large"
    case refused
    case readOnly = "read-only"
    case unsupported
    case brokenRemote = "broken-remote"
    case collectionGone = "collection-gone"
    case massDelete = "mass-delete"
    case unguarded
  }

  /// What a later run knows a problem by that it does more about than to tell it, whatever the
  /// words of the release that wrote it down.
  public enum Cause: String, Sendable, CaseIterable {
    /// The server has another item of this UID, and takes this one once that one is gone.
    case uidIsTaken = "uid-is-taken"
    /// The server refused the new item, and did not say why: it may have another one of this UID.
    case uidMayBeTaken = "uid-may-be-taken"
    /// The server had no room for it, and may have some once something is deleted.
    case outOfRoom = "out-of-room"
    /// A server that is kept from sending mail could not be kept from it with this change.
    case tellsAttendees = "tells-attendees"
    /// The item has more bytes than the server named as the most that it takes, and was not sent.
    case exceedsLimit = "exceeds-limit"
    /// The item's text is one that calgw would not read back from a server, and was not sent.
    case unfitText = "unfit-text"
    /// The item is on both sides, and only values that a server did not take keep them apart.
    case keptFormer = "kept-former"
    /// Something that the other side does not give may be the item, however that is edited
    /// meanwhile.
    case mayBeUnread = "may-be-unread"
    /// The server gave what was sent a UID of its own. It holds for a resource, whatever is edited
    /// in it.
    case twin
  }

  /// What the other side made of an item meanwhile that is broken on one.
  public enum Elsewhere: Sendable, Hashable {
    case edited, gone
  }

  public var code: Code
  /// What is wrong and where, one sentence without a full stop.
  public var message: String
  /// What to do about it.
  public var hint: String
  /// Nil where it is only told.
  public var cause: Cause?
  /// The UIDs that stand in the text, where that was read and is no item; at most `mostUIDs`.
  public var uids: [ItemID] = []
  /// Nil where the other side has it as both agreed on it, or nobody knows.
  public var elsewhere: Elsewhere?
  /// More UIDs are not kept of one text.
  public static let mostUIDs = 1000

  public init(_ code: Code, _ message: String, hint: String, cause: Cause? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
    self.cause = cause
  }

  /// What follows of a mend that names a way to bring a file back: what comes to mind first, to
  /// take it away alone, would be a deletion.
  public static let deletesThere = "deletes the item on the other side, where it was synced"
  /// The end of the mend of what cannot become a file again.
  public static let removeAndRestore =
    "remove it and at once restore the item with `calgw log FILE` and `calgw restore ID`: to take"
    + " it away alone \(deletesThere)"
  /// The same where the remote side has changed the item: the version that the log has would be
  /// written over that.
  public static let removeAndTakeRemote =
    "remove it, and at once take what the remote side has with `calgw resolve UID --take remote`."
  /// The end of the mend where the other side does not have the item any more.
  public static let orOnlyRemove = "; or only remove it, and the item is gone from both sides."
  /// How the mend begins of a file that cannot be opened.
  public static let letItBeRead = "check the file's permissions and the disk"
  /// How the mend begins of a file that is too large to be read.
  public static let letItFit = "make it smaller, or "

  /// Nothing of the file was read, so what is in it cannot be kept.
  public var isUnread: Bool { hint.hasPrefix(Self.letItBeRead) || hint.hasPrefix(Self.letItFit) }

  private static func ending(limit: Int) -> String { ", and the server takes \(limit)" }

  /// The item has more bytes than a server says that it takes (RFC 4791 §5.2.5), and was not sent.
  public static func exceeding(limit: Int, bytes: Int) -> ItemProblem {
    ItemProblem(
      .tooLarge, "the item has \(bytes) bytes\(ending(limit: limit))",
      hint: "remove large attachments from the item; it is sent once the server takes as much",
      cause: .exceedsLimit)
  }

  /// The item was not sent because of this very limit that the server named.
  public func isOf(limit: Int) -> Bool {
    cause == .exceedsLimit && message.hasSuffix(Self.ending(limit: limit))
  }

  /// A server that is kept from sending mail could not be kept from it with this change.
  public static let tellsAttendees = ItemProblem(
    .refused,
    "the server itself tells the attendees of what becomes of it, and would send them mail, which"
      + " invitations = \"never\" forbids",
    hint: "Make the change on the server, or run one sync with invitations = \"server\" in the"
      + " configuration.",
    cause: .tellsAttendees)
}
