/// One of the two places that a pair keeps the same.
public enum Side: String, Sendable, Hashable, CaseIterable, Comparable {
  case local
  case remote

  /// The other one.
  public var opposite: Side {
    switch self {
    case .local: .remote
    case .remote: .local
    }
  }

  public static func < (left: Side, right: Side) -> Bool { left == .local && right == .remote }
}
