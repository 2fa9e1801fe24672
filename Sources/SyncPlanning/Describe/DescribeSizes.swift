public import SyncModel

extension PropertyDifference {
  /// All that is said of a change of a text that is too large to be compared.
  public static func ofSizes(from old: ItemData, to new: ItemData) -> PropertyDifference {
    let (before, after) = (size(old.bytes.count), size(new.bytes.count))
    return PropertyDifference(
      component: "VCALENDAR", property: "", before: before, after: after,
      words: "changed; it is too large to be shown in detail (\(before) → \(after))")
  }

  /// For people: `5 bytes`, `4.7 MiB`.
  static func size(_ count: Int) -> String {
    guard count >= 1 << 20 else { return "\(count) bytes" }
    let tenths = count * 10 / (1 << 20)
    return "\(tenths / 10).\(tenths % 10) MiB"
  }
}
