import Glibc

extension ProcessEnvironment {
  /// The configuration for a command that needs none: an empty one where none is named and there
  /// is none at the default place. There may be no place for a state.
  public func loadConfigurationIfAny(from named: String?) throws(ConfigurationError)
    -> Configuration
  {
    let isNamed = named != nil || !(variables["CALGW_CONFIG"] ?? "").isEmpty
    if !isNamed {
      let file = try? Configuration.defaultFile(self)
      guard let file, access(file, F_OK) == 0 || errno != ENOENT && errno != ENOTDIR else {
        return Configuration(
          file: nil, stateDirectory: Configuration.defaultStateIfAny(self), accounts: [],
          pairs: [])
      }
    }
    return try readConfiguration(from: named)
  }
}
