extension Array {
  /// What is not in another list, or not as often there.
  func surplus<Key: Hashable>(over other: [Element], by key: (Element) -> Key) -> [Element] {
    var left = Dictionary(other.map { (key($0), 1) }, uniquingKeysWith: +)
    return filter { element in
      let name = key(element)
      guard let count = left[name], count > 0 else { return true }
      left[name] = count - 1
      return false
    }
  }
}
