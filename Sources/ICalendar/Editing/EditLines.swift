extension SyntaxTree {
  /// Sets a property of a component: its first line of that name is rewritten and any others of
  /// the name are removed; where there is none, a line is added in front of the sub-components.
  ///
  /// A line that says the same already keeps its bytes. All other lines keep theirs. A new line
  /// ends as the text's lines do, and is folded at characters' borders after 75 octets (RFC 5545
  /// §3.1).
  public mutating func set(
    _ property: Property, in component: Component.ID
  ) throws(EditRefusal) {
    let content = try property.content()
    guard isPresent(component) else { throw .notFound }
    // Identities and not views: a view that is kept would make each change copy the tree.
    let lines = storage.linesInside(component.index) { $0.isNamed(property.name) }
    guard let first = lines.first else {
      try insert(property, in: component)
      return
    }
    let isSame = storage.withContent(of: storage.lines[Int(first.index)]) {
      $0.elementsEqual(content)
    }
    if !isSame { try replace(first, with: property) }
    for line in lines.dropFirst() { try remove(line) }
  }

  /// Replaces one line by another.
  public mutating func replace(
    _ line: ContentLine.ID, with property: Property
  ) throws(EditRefusal) {
    guard isPresent(line) else { throw .notFound }
    guard !storage.isDeepBracket(line.index) else { throw .notWhole }
    let component = storage.lines[Int(line.index)].component
    try insert(text: text(of: property), in: component, after: line.index)
    try unlink(from: line.index, through: line.index, in: component)
  }

  /// Adds a line to a component: after one of its lines, or else in front of its sub-components.
  public mutating func insert(
    _ property: Property, in component: Component.ID, after line: ContentLine.ID? = nil
  ) throws(EditRefusal) {
    let text = try text(of: property)
    guard isPresent(component) else { throw .notFound }
    var place = storage.lastOwnLine(in: component.index)
    if let line {
      guard isPresent(line), storage.lines[Int(line.index)].component == component.index else {
        throw .notFound
      }
      place = line.index
    }
    try insert(text: text, in: component.index, after: place)
  }

  /// Removes a line, with its line end.
  public mutating func remove(_ line: ContentLine.ID) throws(EditRefusal) {
    guard isPresent(line) else { throw .notFound }
    guard !storage.isDeepBracket(line.index) else { throw .notWhole }
    let component = storage.lines[Int(line.index)].component
    try unlink(from: line.index, through: line.index, in: component)
  }

  /// Removes all lines of a name from a component; the case of letters does not count.
  public mutating func removeProperties(
    named name: String, in component: Component.ID
  ) throws(EditRefusal) {
    guard isPresent(component) else { throw .notFound }
    for line in storage.linesInside(component.index, where: { $0.isNamed(name) }) {
      try remove(line)
    }
  }

  /// A line that is put into a tree.
  package enum NewLine: Sendable, Hashable {
    /// As it stands in some text, with folds and its line end.
    case source([UInt8])
    case property(Property)
  }

  /// Puts lines into the place of others of the same component, or in front of its sub-components
  /// where there are none. Copied lines keep their folds and get the text's line ends.
  package mutating func replace(
    _ old: [ContentLine.ID], by new: [NewLine], in component: Component.ID
  ) throws(EditRefusal) {
    guard isPresent(component) else { throw .notFound }
    if !new.isEmpty {
      var text: [UInt8] = []
      for line in new {
        switch line {
        case .source(let source): text += withLineEnds(source, storage.lineEnd)
        case .property(let property): text += try self.text(of: property)
        }
      }
      let place = old.first?.index ?? storage.lastOwnLine(in: component.index)
      try insert(text: text, in: component.index, after: place)
    }
    for line in old { try remove(line) }
  }

  private func text(of property: Property) throws(EditRefusal) -> [UInt8] {
    let content = try property.content()
    var text: [UInt8] = []
    let ending = storage.lineEnd
    content.withUnsafeBufferPointer { Folding.append($0, ending: ending, to: &text) }
    return text
  }
}

extension TreeStorage {
  /// The identities of those lines of a component that fit.
  fileprivate func linesInside(
    _ component: UInt32, where fits: (ContentLine) -> Bool
  ) -> [ContentLine.ID] {
    Component(storage: self, index: component).lines.filter(fits).map(\.id)
  }
}
