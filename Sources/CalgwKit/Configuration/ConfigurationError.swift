/// What is wrong with the configuration, where, and how to mend it: exit status 78.
public struct ConfigurationError: Error, Sendable, Hashable {
  /// One sentence without a full stop; never a secret.
  public var message: String
  /// Nil where there is no file, as for a missing one in the default places.
  public var file: String?
  public var position: SourcePosition?
  /// The key with its table, as `pair.home.conflict`.
  public var key: String?
  /// What to do about it.
  public var hint: String

  public init(
    _ message: String, file: String? = nil, position: SourcePosition? = nil, key: String? = nil,
    hint: String
  ) {
    self.message = message
    self.file = file
    self.position = position
    self.key = key
    self.hint = hint
  }

  /// File, line, column and key as far as they are known: `config.toml:3:1, key pair.home.x`.
  public var place: String {
    var place = file ?? ""
    if let position {
      place += ":\(position.line)"
      if position.column > 0 { place += ":\(position.column)" }
    }
    if let key { place += place.isEmpty ? "key \(key)" : ", key \(key)" }
    return place
  }
}
