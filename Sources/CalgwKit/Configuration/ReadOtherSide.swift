import VdirStorage

/// Reads a table `remote`: a directory, a file, or a subscription.
func readRemote(_ table: TableReader, in context: ReadingContext) throws(ConfigurationError)
  -> SideConfiguration
{
  let given = KnownKeys.remote.filter(table.has)
  guard given.count < 2 else {
    throw table.error(
      given[1], "a side is one thing: \(given.joined(separator: " and ")) exclude each other",
      hint: "keep one of them")
  }
  if table.has("ics") { return .subscription(try readSubscription(table)) }
  if table.has("file") {
    let hint = "write the path of a file that ends in .ics"
    _ = try table.requiredString("file", hint: hint)
    guard let path = try table.path("file", in: context) else {
      throw table.error("file", "missing key", hint: hint)
    }
    guard let name = path.split(separator: "/").last, isItemName(name) else {
      throw table.error(
        "file", "the file's name does not end in .ics, or begins with a dot", hint: hint)
    }
    return .file(path)
  }
  _ = try table.requiredString("local", hint: "write the path of a directory")
  guard let path = try table.path("local", in: context) else {
    throw table.error("local", "missing key", hint: "write the path of a directory")
  }
  return .directory(path)
}

/// As the vdir adapter sees it.
private func isItemName(_ name: Substring) -> Bool {
  hasItemEnding(name.utf8) && name.utf8.count > 4 && !name.hasPrefix(".")
}

/// The URL of a subscription; webcal: is how calendar programs write https:.
private func readSubscription(_ table: TableReader) throws(ConfigurationError) -> String {
  let text = try table.requiredString(
    "ics", hint: "write the address of the calendar, https://HOST/PATH.ics")
  var url = text
  for scheme in ["webcal://", "webcals://"] where text.lowercased().hasPrefix(scheme) {
    url = "https://" + text.dropFirst(scheme.count)
  }
  var isPlainHTTP = false
  do {
    try checkServerURL(url, allowsPlainHTTP: true)
    isPlainHTTP = true
    try checkServerURL(url, allowsPlainHTTP: false)
  } catch {
    // A subscription has none of the keys that an account has.
    if isPlainHTTP {
      throw table.error(
        "ics", "the URL is plain http: anybody on the way could change it", hint: "write https://")
    }
    let hint =
      url.contains("@")
      ? "remove what stands before the @; a subscription has no sign-in" : error.hint
    throw table.error("ics", error.message, hint: hint)
  }
  return url
}
