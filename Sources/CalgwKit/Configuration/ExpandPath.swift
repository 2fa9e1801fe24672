/// Why a path could not be expanded.
package struct PathExpansionError: Error, Hashable {
  var message: String
  var hint: String
}

/// Replaces a leading `~` by the home directory, and `$VAR` and `${VAR}` by the variable's value;
/// `$$` is a dollar sign. A relative path is taken from `directory`; nil: there is none.
package func expandPath(
  _ path: String, environment: ProcessEnvironment, relativeTo directory: String?
) throws(PathExpansionError) -> String {
  guard !path.unicodeScalars.contains(where: isEscape) else {
    throw PathExpansionError(
      message: "the path \(path) is not UTF-8",
      hint: "rename the folder, or name a link to it that has another name")
  }
  var rest = Substring(path)
  var expanded = ""
  if rest.first == "~" {
    rest = rest.dropFirst()
    guard rest.isEmpty || rest.first == "/" else {
      throw PathExpansionError(
        message: "\"~\" with a user's name is not expanded",
        hint: "write the whole path, or ~/ for your own home directory")
    }
    guard let home = environment.homeDirectory else {
      throw PathExpansionError(
        message: "\"~\" cannot be expanded: there is no home directory",
        hint: "set HOME, or write the whole path")
    }
    expanded = home
  }
  while let character = rest.first {
    rest = rest.dropFirst()
    guard character == "$" else {
      expanded.append(character)
      continue
    }
    if rest.first == "$" {
      expanded.append("$")
      rest = rest.dropFirst()
      continue
    }
    expanded += try expandVariable(&rest, environment: environment)
  }
  guard !expanded.isEmpty else {
    throw PathExpansionError(message: "the path is empty", hint: "write a path")
  }
  return try wholePath(expanded, from: directory)
}

/// The path from the root on; nothing in it is expanded.
func wholePath(_ path: String, from directory: String?) throws(PathExpansionError) -> String {
  if path.first == "/" { return normalPath(path) }
  guard let directory else {
    throw PathExpansionError(
      message: "the path \(visibleText(path)) is relative, and the working directory is gone",
      hint: "change to a directory that is there, or write the whole path")
  }
  return normalPath(directory + "/" + path)
}

/// Reads a variable's name after the dollar sign and gives its value.
private func expandVariable(
  _ rest: inout Substring, environment: ProcessEnvironment
) throws(PathExpansionError) -> String {
  let isBraced = rest.first == "{"
  if isBraced { rest = rest.dropFirst() }
  let name = String(rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
  rest = rest.dropFirst(name.count)
  guard !name.isEmpty, !isBraced || rest.first == "}" else {
    throw PathExpansionError(
      message: "\"$\" is not followed by a variable's name",
      hint: "write $NAME or ${NAME}, or $$ for a dollar sign")
  }
  if isBraced { rest = rest.dropFirst() }
  guard let value = environment.variables[name], !value.isEmpty else {
    throw PathExpansionError(
      message: "the environment variable \(name) is not set",
      hint: "set \(name), or write the path without it")
  }
  return value
}

/// The path without empty and `.` components and without a trailing slash; `..` stays, since it
/// may follow a symbolic link.
func normalPath(_ path: String) -> String {
  "/" + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
}
