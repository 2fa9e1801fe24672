public import SyncModel

extension ItemProblem {
  /// A new item of the other side waits, since this one lists something that it does not give, or
  /// that is no item.
  ///
  /// - Parameter isEndless: It waits however long that takes, and not for a day alone.
  public static func mayBeUnread(
    _ there: Href, on side: Side, isEndless: Bool
  ) -> ItemProblem {
    ItemProblem(
      .refused,
      "it waits until '\(there.text)' on the \(side.rawValue) side can be read: it may be it",
      hint: "Look at that one there: once it can be read or is gone, the next sync goes on with"
        + " this one\(isEndless ? "" : ", after a day in any case"); `calgw resolve UID --take"
        + " \(side.opposite.rawValue)` sends it at once.",
      cause: .mayBeUnread)
  }

  /// A new item of the other side waits, since its UID stands in what is here, and no item.
  public static func isNamed(in there: Href, on side: Side) -> ItemProblem {
    ItemProblem(
      .refused,
      "it waits until '\(there.text)' on the \(side.rawValue) side is one whole item, or gone: its"
        + " UID stands in that",
      hint: "Correct that one there, or take it away there, and run the sync again; `calgw resolve"
        + " UID --take \(side.opposite.rawValue)` sends this one all the same.",
      cause: .mayBeUnread)
  }
}

/// A server gives items UIDs of its own.
extension ItemProblem {
  /// What was sent as one item is there as another one.
  public static func twin(_ twin: ItemVersion, of own: ItemID, on side: Side) -> ItemProblem {
    // What it cuts off it would take whole if it were shorter.
    let another =
      own.bytes.starts(with: twin.uid.bytes)
      ? "; or delete '\(twin.href.text)' on the \(side.rawValue) side, and give the item a short"
        + " UID of letters" : ""
    return ItemProblem(
      .refused,
      "the server gives items UIDs of its own: what was sent as '\(own.text)' is"
        + " '\(twin.uid.text)' there, and calgw cannot keep the two in step",
      hint: "Delete the item on the \(side.opposite.rawValue) side, and the server's comes with"
        + " the next sync\(another).",
      cause: .twin)
  }
}
