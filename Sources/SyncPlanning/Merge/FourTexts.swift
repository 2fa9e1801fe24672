import SyncModel

/// The last text that each side had when both agreed.
public struct MergeBase<Text: Sendable>: Sendable {
  public var local: Text
  public var remote: Text

  public init(local: Text, remote: Text) {
    self.local = local
    self.remote = remote
  }
}

/// One thing for each side.
struct BothSides<Value> {
  var local: Value
  var remote: Value

  init(_ local: Value, _ remote: Value) {
    self.local = local
    self.remote = remote
  }

  subscript(side: Side) -> Value {
    get { side == .local ? local : remote }
    set { if side == .local { local = newValue } else { remote = newValue } }
  }

  func map<Other>(_ change: (Value) -> Other) -> BothSides<Other> {
    BothSides<Other>(change(local), change(remote))
  }
}

extension BothSides: Sendable where Value: Sendable {}

/// What one side had when both agreed, and what it has: two texts, or what stands in them.
struct BaseAndText<Value> {
  var base: Value
  var text: Value
}
