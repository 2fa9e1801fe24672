/// A request as a `ScriptedServer` got it.
public struct ReceivedRequest: Sendable {
  /// The first request of the server is number 0.
  public let number: Int
  /// The first connection is number 0.
  public let connection: Int
  public let method: String
  public let target: String
  /// The head as it came, with its last empty line.
  public let head: [UInt8]
  public let body: [UInt8]

  init(number: Int, connection: Int, head: [UInt8], body: [UInt8]) {
    self.number = number
    self.connection = connection
    self.head = head
    self.body = body
    let first = head.prefix { $0 != 0x0D }.split(separator: 0x20)
    method = first.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
    target = first.dropFirst().first.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// The values of all headers of a name, compared without case, as bytes.
  public func values(of name: String) -> [[UInt8]] {
    head.split(separator: 0x0A).dropFirst().compactMap { line in
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
        String(decoding: line[..<colon], as: UTF8.self).lowercased() == name.lowercased()
      else { return nil }
      return Array(line[colon...].dropFirst().drop { $0 == 0x20 }.prefix { $0 != 0x0D })
    }
  }

  /// The value of the one header of a name; nil if there is none or more than one.
  public func header(_ name: String) -> String? {
    let found = values(of: name)
    return found.count == 1 ? found.first.map { String(decoding: $0, as: UTF8.self) } : nil
  }
}
