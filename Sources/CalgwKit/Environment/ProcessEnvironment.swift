import FoundationEssentials
import Glibc

/// What a run takes from the process it runs in: variables, directories, the user.
public struct ProcessEnvironment: Sendable {
  public var variables: [String: String]
  /// Nil where it is gone.
  public var workingDirectory: String?

  public init(variables: [String: String], workingDirectory: String?) {
    self.variables = variables
    self.workingDirectory = workingDirectory
  }

  /// This process's.
  public static var live: ProcessEnvironment {
    let here = FileManager.default.currentDirectoryPath
    return ProcessEnvironment(
      variables: ProcessInfo.processInfo.environment,
      workingDirectory: here.first == "/" ? here : nil)
  }

  /// What a path means that was typed where the process runs.
  func absolutePath(_ path: String) throws(PathExpansionError) -> String {
    try wholePath(path, from: workingDirectory)
  }

  /// For a program that runs elsewhere: what names a file by a relative path names it by a whole
  /// one.
  var variablesAnywhere: [String: String] {
    var variables = variables
    if let file = variables["CALGW_CONFIG"], !file.isEmpty, let path = try? absolutePath(file) {
      variables["CALGW_CONFIG"] = path
    }
    return variables
  }

  /// `$HOME`, else what the user database says.
  public var homeDirectory: String? {
    if let home = variables["HOME"], home.first == "/" { return home }
    var entry = passwd()
    var result: UnsafeMutablePointer<passwd>?
    /// As large as any entry of a sane user database.
    var buffer = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(geteuid(), &entry, &buffer, buffer.count, &result) == 0, result != nil,
      let directory = entry.pw_dir
    else { return nil }
    return String(cString: directory)
  }

  /// A directory of the XDG base directory specification: the variable if it is absolute, else
  /// the place below the home directory.
  func baseDirectory(_ variable: String, below: String) -> String? {
    if let directory = variables[variable], directory.first == "/" { return normalPath(directory) }
    return homeDirectory.map { normalPath($0 + "/" + below) }
  }
}
