/// The properties and functions that the types of some files declare, and what stands in no type.
struct Members {
  private struct Member {
    /// The last name of its type, without what that is nested in; nil in no type.
    let owner: String?
    let order: ElementOrder
    /// The last name of the type that it is, or gives.
    let type: String?
  }

  private var byName: [String: [Member]] = [:]
  private var bodies: [String: [TypeBody]] = [:]

  /// Knows none.
  private init() {}

  init(of files: [SourceFile]) {
    for file in files {
      let types = file.typeBodies
      bodies[file.path] = types
      add(file, -1, file.tokens.count, nil)
      for type in types { add(file, type.open, type.close, type.name) }
    }
  }

  /// What stands between two braces, and not deeper.
  private mutating func add(_ file: SourceFile, _ open: Int, _ close: Int, _ owner: String?) {
    var at = open + 1
    while at < close {
      if ["let", "var", "func"].contains(where: { file.isWord($0, at: at) }),
        let declared = file.declaration(at: at + 1)
      {
        byName[file.tokens[at + 1].text, default: []].append(member(file, declared, owner))
      }
      let opens = ["(", "[", "{"].contains { file.isSign($0, at: at) }
      at = opens ? file.closing(at) + 1 : at + 1
    }
  }

  private func member(
    _ file: SourceFile, _ declared: SourceFile.Declaration, _ owner: String?
  ) -> Member {
    switch declared {
    case .type(let at):
      Member(owner: owner, order: file.typeOrder(at: at), type: file.typeName(at: at))
    case .value(let at):
      Member(
        owner: owner, order: file.order(at: at, Self(), namesBefore: 1),
        type: file.typeName(ofValue: at, Self()))
    case .unsaid: Member(owner: owner, order: .hidden, type: nil)
    }
  }

  // MARK: Questions

  /// What a member of that type is; of any type, where that is not known and all say the same.
  func order(of name: String, in owner: String?) -> ElementOrder {
    same(of(name, owner).map(\.order)) ?? .hidden
  }

  /// What a name that stands alone is: a member of the type around it, else what is in no type.
  func order(ofBare name: String, in owner: String?) -> ElementOrder {
    same(bare(name, owner).map(\.order)) ?? .hidden
  }

  func type(of name: String, in owner: String?) -> String? {
    same(of(name, owner).map(\.type)) ?? nil
  }

  func type(ofBare name: String, in owner: String?) -> String? {
    same(bare(name, owner).map(\.type)) ?? nil
  }

  /// The innermost type that a token stands in.
  func type(around index: Int, in file: SourceFile) -> String? {
    bodies[file.path]?.last { $0.open < index && index < $0.close }?.name
  }

  private func of(_ name: String, _ owner: String?) -> [Member] {
    (byName[name] ?? []).filter { $0.owner != nil && (owner == nil || $0.owner == owner) }
  }

  private func bare(_ name: String, _ owner: String?) -> [Member] {
    let all = byName[name] ?? []
    let own = all.filter { $0.owner != nil && $0.owner == owner }
    return own.isEmpty ? all.filter { $0.owner == nil } : own
  }

  private func same<Value: Equatable>(_ values: [Value]) -> Value? {
    guard let first = values.first, values.allSatisfy({ $0 == first }) else { return nil }
    return first
  }
}

/// The body of a type or of an extension of it.
private struct TypeBody {
  let name: String
  /// The indexes of its braces.
  let open: Int
  let close: Int
}

extension SourceFile {
  /// In order, so that what is nested comes after what is around it.
  fileprivate var typeBodies: [TypeBody] {
    let keywords = ["struct", "class", "enum", "actor", "extension", "protocol"]
    return tokens.indices.compactMap { index in
      guard keywords.contains(where: { isWord($0, at: index) }), isTypeName(index + 1)
      else { return nil }
      let name = lastOfPath(index + 1)
      guard let open = first(from: name + 1, { $0.isSign("{") }) else { return nil }
      return TypeBody(name: tokens[name].text, open: open, close: closing(open))
    }
  }

  private func isTypeName(_ index: Int) -> Bool {
    guard tokens.indices.contains(index), tokens[index].kind == .word else { return false }
    return tokens[index].text.utf8.first.map { (0x41...0x5A).contains($0) } ?? false
  }

  /// `C` of `A.B.C`.
  private func lastOfPath(_ index: Int) -> Int {
    var last = index
    while isSign(".", at: last + 1), isTypeName(last + 2) { last += 2 }
    return last
  }

  fileprivate func typeName(at index: Int) -> String? {
    let start = typeStart(index)
    return isTypeName(start) ? tokens[lastOfPath(start)].text : nil
  }

  /// The type of what the name before the dot stands for.
  func owner(ofMember name: Int, _ members: Members, _ namesBefore: Int) -> String? {
    var at = name - 2
    while isSign("?", at: at) || isSign("!", at: at) { at -= 1 }
    while isSign(")", at: at), let open = enclosing(at) { at = open - 1 }
    guard tokens.indices.contains(at), tokens[at].kind == .word else { return nil }
    return typeName(ofName: at, members, namesBefore + 1)
  }

  private func typeName(
    ofName name: Int, _ members: Members, _ namesBefore: Int
  ) -> String? {
    let text = tokens[name].text
    guard namesBefore < namesInARow, !isElement(name) else { return nil }
    if text == "self" || text == "Self" { return members.type(around: name, in: self) }
    if isTypeName(name) { return text }
    if isSign(".", at: name - 1) {
      return members.type(of: text, in: owner(ofMember: name, members, namesBefore))
    }
    switch declaration(of: text, at: name) {
    case .type(let type): return typeName(at: type)
    case .value(let value): return typeName(ofValue: value, members, namesBefore + 1)
    case .unsaid: return nil
    case nil: return members.type(ofBare: text, in: members.type(around: name, in: self))
    }
  }

  fileprivate func typeName(
    ofValue start: Int, _ members: Members, _ namesBefore: Int = 1
  ) -> String? {
    var name = start
    while isWord("try", at: name) || isWord("await", at: name) { name += 1 }
    guard tokens.indices.contains(name), tokens[name].kind == .word else { return nil }
    while let next = member(after: endOfCall(name)) { name = next }
    return typeName(ofName: name, members, namesBefore)
  }
}
