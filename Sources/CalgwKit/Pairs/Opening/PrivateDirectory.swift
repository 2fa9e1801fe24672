import Glibc

/// Makes a directory and those above it that are missing, for its owner alone. What is there
/// already is left as it is; with `mustBeOwn` another user's is refused.
func makePrivateDirectory(_ path: String, mustBeOwn: Bool = true) throws(RunFailure) {
  var made = ""
  for part in path.split(separator: "/") {
    made += "/" + part
    if mkdir(made, 0o700) != 0, errno != EEXIST {
      let code = errno
      // Above a directory that is there, a parent may be closed to us.
      if access(made, F_OK) == 0 { continue }
      throw RunFailure(
        .cannotCreate, code: "cannot-create", message: "the directory \(made) cannot be made",
        why: SystemError(code).text,
        hint: "make it by hand, or choose another place")
    }
  }
  var status = stat()
  guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
    throw RunFailure(
      .cannotCreate, code: "cannot-create", message: "\(path) is no directory",
      hint: "remove it, or choose another place")
  }
  guard !mustBeOwn || status.st_uid == geteuid() else {
    throw RunFailure(
      .denied, code: "foreign-state", message: "\(path) belongs to another user",
      hint: "use a state directory of your own (state_dir in the configuration)")
  }
}
