extension FormedLine {
  var asItIs: SyntaxTree.NewLine { .source(line.source) }

  /// The line of a third text with the parameters that changed; the new line as it is where that
  /// text has the old one, or none, or where they cannot be told apart.
  static func carry(
    from old: FormedLine?, to new: FormedLine, onto other: FormedLine?
  ) -> SyntaxTree.NewLine {
    guard let old, let other, old.form != other.form, let before = old.line.property,
      let after = new.line.property, let there = other.line.property,
      [before, after, there].allSatisfy(\.hasEachParameterOnce)
    else { return new.asItIs }
    var line = there
    for name in after.parameterNames + before.parameterNames
    where before.values(of: name) != after.values(of: name) {
      line.set(name, to: after.values(of: name))
    }
    if before.value != after.value { line.value = after.value }
    if line == there { return other.asItIs }
    // What another program has written may be nothing that calgw would write.
    return (try? line.content()) == nil ? new.asItIs : .property(line)
  }
}

extension Property {
  var hasEachParameterOnce: Bool { Set(parameterNames).count == parameters.count }
}
