public import SyncModel

extension PropertyDifference {
  /// All that is said of a change of a text that is too large to be compared.
  public static func ofSizes(from old: ItemData, to new: ItemData) -> PropertyDifference {
    let (before, after) = (size(of: old), size(of: new))
    return PropertyDifference(
      component: "VCALENDAR", property: "", before: before, after: after,
      words: "changed; it is too large to be shown in detail (\(before) → \(after))")
  }

  private static func size(of text: ItemData) -> String {
    let count = text.bytes.count
    guard count >= 1 << 20 else { return "\(count) bytes" }
    let tenths = count * 10 / (1 << 20)
    return "\(tenths / 10).\(tenths % 10) MiB"
  }
}
