extension SyntaxTree {
  /// The text as another item: every component but the time zones has this UID (RFC 5545 §3.8.4.7)
  /// in place of its own; all other lines keep their bytes.
  public func underUID(_ uid: [UInt8]) throws(EditRefusal) -> SyntaxTree {
    let property = Property(name: Array("UID".utf8), value: TextValue(bytes: uid).escaped)
    var copy = self
    for component in calendars.flatMap(\.components) where !component.isNamed("VTIMEZONE") {
      try copy.set(property, in: component.id)
    }
    return SyntaxTree(bytes: copy.bytes)
  }
}
