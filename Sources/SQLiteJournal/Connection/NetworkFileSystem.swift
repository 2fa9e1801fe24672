import Glibc

/// The directory is on a network file system, where the memory that the users of a write-ahead log
/// share does not work. Where it cannot be told, it is not.
func isOnNetwork(_ directory: String) -> Bool {
  var info = stat()
  guard stat(directory, &info) == 0 else { return false }
  let device = UInt64(info.st_dev)
  let major = ((device >> 8) & 0xFFF) | ((device >> 32) & ~0xFFF)
  let minor = (device & 0xFF) | ((device >> 12) & ~0xFF)
  return fileSystem(of: "\(major):\(minor)", in: mountTable()).map(networkKinds.contains) ?? false
}

/// As mountinfo names them (proc_pid_mountinfo(5)).
private let networkKinds: Set<String> = [
  "nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "9p", "fuse.sshfs", "fuse.rclone",
  "fuse.glusterfs", "fuse.davfs2",
]

/// Finds the kind of the file system with a device number in a mount table.
package func fileSystem(of device: String, in table: String) -> String? {
  for line in table.split(separator: "\n") {
    let fields = line.split(separator: " ")
    guard fields.count > 2, fields[2] == device,
      let dash = fields.firstIndex(of: "-"), dash + 1 < fields.endIndex
    else { continue }
    return String(fields[dash + 1])
  }
  return nil
}

/// In bytes; a line is about 100.
private let largestMountTable = 1 << 20

private func mountTable() -> String {
  let descriptor = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return "" }
  defer { close(descriptor) }
  var table: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 4096)
  while table.count < largestMountTable {
    let got = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    guard got > 0 else { break }
    table += buffer.prefix(got)
  }
  return String(decoding: table, as: UTF8.self)
}
