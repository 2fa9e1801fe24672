/// What a listing names and nobody may ask for, as an address outside the calendar: nothing of it
/// was ever given, so it may be any item.
extension EntityTag {
  /// Stands for the tag of such, so that it is not asked for in each run. No server gives it.
  public static let unasked = EntityTag(bytes: Array("\"unasked\"".utf8))
  /// The same of what a listing named beside all that was known on its side: it is none of that.
  public static let unaskedBystander = EntityTag(bytes: Array("\"unasked-bystander\"".utf8))

  /// It is one of the two.
  public var isUnasked: Bool { self == .unasked || self == .unaskedBystander }
}
