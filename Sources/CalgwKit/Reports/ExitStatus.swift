/// The exit statuses of calgw (CONTRACT, "Exit status").
public enum ExitStatus: Int32, Sendable, CaseIterable {
  case success = 0
  /// Done, but some items need attention.
  case attention = 1
  case usage = 64
  case badInput = 65
  case missingInput = 66
  case unreachable = 69
  case cannotCreate = 73
  case io = 74
  case tryLater = 75
  case protocolBroken = 76
  case denied = 77
  case configuration = 78
  case hungUp = 129
  case interrupted = 130
  case terminated = 143

  /// From the one that hides all others to the one that any other hides.
  private static let bySeverity: [ExitStatus] = [
    .interrupted, .terminated, .hungUp, .io, .cannotCreate, .configuration, .denied,
    .protocolBroken, .unreachable, .tryLater, .usage, .missingInput, .badInput, .attention,
    .success,
  ]

  /// The status of a whole of which these are the parts.
  public static func combined(_ statuses: some Sequence<ExitStatus>) -> ExitStatus {
    let present = Set(statuses)
    return bySeverity.first { present.contains($0) } ?? .success
  }
}
