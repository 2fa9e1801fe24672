/// A password or token. It shows itself to nobody: its description, its mirror and its debug
/// description are all a placeholder.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public let bytes: [UInt8]

  public init(bytes: [UInt8]) { self.bytes = bytes }

  public var description: String { "(secret)" }
  public var debugDescription: String { "(secret)" }
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Where a secret comes from.
public enum SecretSource: Sendable, Hashable {
  /// A program and its arguments, run without a shell; its output is the secret.
  case command([String])
  /// An environment variable.
  case environment(String)
  /// A file, absolute.
  case file(String)
  /// The desktop's keyring, by the name of the service.
  case keyring(String)
  /// The secret itself, in the configuration.
  case literal(Secret)
}
