/// Elements of one text by what makes them the same ones in another, in their order. Equal ones are
/// told apart by their number.
struct Keyed<Element> {
  struct Key: Hashable {
    let bytes: [UInt8]
    let number: Int
  }

  private(set) var order: [Key] = []
  private var elements: [Key: Element] = [:]

  init(_ elements: [Element], by identity: (Element) -> [UInt8]) {
    var counts: [[UInt8]: Int] = [:]
    for element in elements {
      let bytes = identity(element)
      let key = Key(bytes: bytes, number: counts[bytes, default: 0])
      counts[bytes] = key.number + 1
      order.append(key)
      self.elements[key] = element
    }
  }

  subscript(key: Key) -> Element? { elements[key] }

  /// There is one that is the same, whatever its number.
  func hasOne(like key: Key) -> Bool { elements[Key(bytes: key.bytes, number: 0)] != nil }
}
