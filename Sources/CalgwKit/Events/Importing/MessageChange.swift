/// What a text that comes by mail does with the item that is there (iTIP, RFC 5546).
enum MessageChange: Equatable {
  /// It takes its place, as any text does.
  case replaces
  /// It changes single occurrences.
  case ofOccurrences
  case cancels
  /// It is left out, for a reason.
  case impossible(String)

  /// What a person is told of it before it is done.
  var deed: String {
    switch self {
    case .replaces: "it is there with another content"
    case .ofOccurrences: "it changes occurrences of what is there"
    case .cancels: "it cancels what is there"
    case .impossible(let reason): reason
    }
  }

  static let uninvited =
    "it cancels nothing that is there: it takes an attendee off the list (METHOD:CANCEL without"
    + " STATUS:CANCELLED), or is of another kind; delete the event if you do not take part"

  static let withoutSeries =
    "it has only single occurrences of a series (RECURRENCE-ID), and what is there does not repeat,"
    + " or is of another kind; import the whole series, or delete what is there first"
}
