public import SyncModel

extension ItemProblem {
  /// A new item of the other side waits, since this one lists something that it does not give, or
  /// that is no item.
  public static func mayBeUnread(_ there: Href, on side: Side) -> ItemProblem {
    ItemProblem(
      .refused,
      "\(beginning)'\(there.text)' on the \(side.rawValue) side can be read: it may be it",
      hint: "Run the sync again, and look at that one there; `calgw resolve UID --take"
        + " \(side.opposite.rawValue)` sends this one all the same.")
  }

  private static let beginning = "it waits until "

  /// It holds for the item, however that is edited meanwhile.
  public var isOfUnread: Bool { message.hasPrefix(Self.beginning) }
}
