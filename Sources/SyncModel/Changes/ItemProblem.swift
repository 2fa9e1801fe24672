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

  /// How the message begins that a server lets no second item have a UID.
  public static let uidIsTaken = "the server has another item of this UID"

  /// A server that is kept from sending mail could not be kept from it with this change.
  public static let tellsAttendees = ItemProblem(
    .refused,
    "the server itself tells the attendees of what becomes of it, and would send them mail, which"
      + " invitations = \"never\" forbids",
    hint: "Make the change on the server, or run one sync with invitations = \"server\" in the"
      + " configuration.")
}
