extension Configuration {
  /// Variables of the environment as a hook gets them: without those that the configuration takes
  /// secrets from, and without the logins of proxies. What a hook starts, and whoever may look at
  /// its processes, has no use for a password.
  package func withoutSecrets(_ variables: [String: String]) -> [String: String] {
    let sources = accounts.flatMap(\.secrets)
    var variables = variables
    for case .environment(let name) in sources { variables[name] = nil }
    for (name, value) in variables where name.lowercased().hasSuffix("_proxy") {
      variables[name] = Self.withoutLogin(value)
    }
    return variables
  }

  /// The URL of a proxy, which may come without its scheme, without user and password.
  private static func withoutLogin(_ url: String) -> String {
    let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
    guard let end = url[start...].lastIndex(of: "@") else { return url }
    return String(url[..<start] + url[url.index(after: end)...])
  }
}
