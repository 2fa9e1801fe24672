/// What a collection says of itself beside its items.
public enum MetadataKey: String, Sendable, Hashable, CaseIterable {
  case displayname
  case color
  case description
  /// Its place among the calendars of a list, a whole number.
  case order
}

extension CollectionDescription {
  /// A value; nil where it is not set.
  public subscript(key: MetadataKey) -> String? {
    get {
      switch key {
      case .displayname: displayName
      case .color: color
      case .description: calendarDescription
      case .order: order
      }
    }
    set {
      switch key {
      case .displayname: displayName = newValue
      case .color: color = newValue
      case .description: calendarDescription = newValue
      case .order: order = newValue
      }
    }
  }
}

/// A collection after values of it were to be set.
public struct MetadataOutcome: Sendable, Hashable {
  public var collection: CollectionDescription
  /// Of values that are not as they were to be. One that is missing here was taken, and the side
  /// shows it at most in a form of its own.
  public var fates: [MetadataKey: MetadataFate]
  /// Of values that failed since the side itself does, which may be because of them: why they would
  /// be refused then.
  public var doubts: [MetadataKey: String]

  public init(
    _ collection: CollectionDescription, fates: [MetadataKey: MetadataFate] = [:],
    doubts: [MetadataKey: String] = [:]
  ) {
    self.collection = collection
    self.fates = fates
    self.doubts = doubts
  }
}

/// What became of a value that a side was to have and has not.
public enum MetadataFate: Sendable, Hashable {
  /// It is refused, and so it would be the next time: why.
  case refused(String)
  /// It was not taken this time, and may be another time.
  case failed(StorageError)
  /// The side took it and made something else of it, which is more than another form.
  case replaced
  /// The side says that it took it, and still shows what it had before: it may show it later.
  case notShown
  /// Somebody changed the value meanwhile, and it was left alone.
  case overtaken
}

/// The one form in which colours are compared: `#rrggbb`, or `#rrggbbaa` for one that is not
/// opaque.
///
/// Reads `#RGB`, `#RGBA`, `#RRGGBB` and `#RRGGBBAA` (CSS Color Module Level 4, section 5.2), with
/// or without the `#`, and the names of CSS, as RFC 7986 §5.9 has them. Nil for anything else.
public func normalColor(_ text: String) -> String? {
  let lowered = text.lowercased()
  let digits = Array((lowered.hasPrefix("#") ? String(lowered.dropFirst()) : lowered).utf8)
  let isHex = digits.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }
  switch (isHex, digits.count) {
  case (true, 6), (true, 8): return withoutFullAlpha(digits)
  case (true, 3), (true, 4): return withoutFullAlpha(digits.flatMap { [$0, $0] })
  default: return NamedColors.values[lowered].map { "#" + $0 }
  }
}

/// Servers add an alpha of FF to what has none.
private func withoutFullAlpha(_ digits: [UInt8]) -> String {
  let isOpaque = digits.dropFirst(6).allSatisfy { $0 == UInt8(ascii: "f") }
  return "#" + String(decoding: isOpaque ? digits.prefix(6) : digits[...], as: UTF8.self)
}

/// `#rrggbb` of any colour, as where no alpha can be kept; nil for what is none.
public func opaqueColor(_ text: String) -> String? {
  normalColor(text).map { String($0.prefix(7)) }
}
