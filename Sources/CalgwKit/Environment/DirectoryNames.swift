import Glibc

/// The names of what is in a directory, as bytes, without `.` and `..`; none where it cannot be
/// read.
func directoryNames(in directory: String) -> [[UInt8]] {
  guard let listing = opendir(directory) else { return [] }
  defer { closedir(listing) }
  var names: [[UInt8]] = []
  while let entry = readdir(listing) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
      Array(bytes.prefix { $0 != 0 })
    }
    if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
  }
  return names
}
