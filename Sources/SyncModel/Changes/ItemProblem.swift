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

  public var code: Code
  /// What is wrong and where, one sentence without a full stop.
  public var message: String
  /// What to do about it.
  public var hint: String

  public init(_ code: Code, _ message: String, hint: String) {
    self.code = code
    self.message = message
    self.hint = hint
  }

  /// What follows of a mend that names a way to bring a file back: what comes to mind first, to
  /// take it away alone, would be a deletion.
  public static let deletesThere = "deletes the item on the other side, where it was synced"
  /// The end of the mend where the other side does not have the item any more.
  public static let orOnlyRemove = "; or only remove it, and the item is gone from both sides."
  /// How the mend begins of a file that cannot be opened.
  public static let letItBeRead = "check the file's permissions and the disk"
  /// How the mend begins of a file that is too large to be read.
  public static let letItFit = "make it smaller, or "

  /// Nothing of the file was read, so what is in it cannot be kept.
  public var isUnread: Bool { hint.hasPrefix(Self.letItBeRead) || hint.hasPrefix(Self.letItFit) }

  /// How the message begins that a server lets no second item have a UID.
  public static let uidIsTaken = "the server has another item of this UID"

  /// The server takes the item once another one of its UID is gone.
  public var isOfUID: Bool { message.hasPrefix(Self.uidIsTaken) }

  /// A server that is kept from sending mail could not be kept from it with this change.
  public static let tellsAttendees = ItemProblem(
    .refused,
    "the server itself tells the attendees of what becomes of it, and would send them mail, which"
      + " invitations = \"never\" forbids",
    hint: "Make the change on the server, or run one sync with invitations = \"server\" in the"
      + " configuration.")
}
