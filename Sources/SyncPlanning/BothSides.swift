public import SyncModel

/// One thing for each side.
public struct BothSides<Value> {
  public var local: Value
  public var remote: Value

  public init(_ local: Value, _ remote: Value) {
    self.local = local
    self.remote = remote
  }

  /// What one side has.
  public subscript(side: Side) -> Value {
    get { side == .local ? local : remote }
    // In place: a list that grows is not copied each time.
    _modify {
      switch side {
      case .local: yield &local
      case .remote: yield &remote
      }
    }
  }

  func map<Other>(_ change: (Value) -> Other) -> BothSides<Other> {
    BothSides<Other>(change(local), change(remote))
  }
}

extension BothSides: Sendable where Value: Sendable {}
extension BothSides: Equatable where Value: Equatable {}
extension BothSides: Hashable where Value: Hashable {}
