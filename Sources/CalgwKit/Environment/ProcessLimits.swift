import CLinux
import Glibc

/// What the program settles for itself before it begins.
public enum ProcessLimits {
  /// Keeps the program and what it starts from leaving core files, which would hold passwords and
  /// calendars. The hard limit stays, for a command that wants one of its own.
  public static func forbidCoreFiles() {
    let core = __rlimit_resource_t(RLIMIT_CORE.rawValue)
    var limit = rlimit()
    guard getrlimit(core, &limit) == 0 else { return }
    limit.rlim_cur = 0
    // Where even this is refused, nothing else would help.
    _ = setrlimit(core, &limit)
  }

  /// Keeps libcurl and OpenSSL from writing the keys of TLS connections into a file, as a variable
  /// that was set for a browser once would have it: whoever has both reads passwords and calendars.
  /// For a process of one thread, since others may read the environment meanwhile.
  public static func forbidKeyLogs() { unsetenv("SSLKEYLOGFILE") }

  /// Keeps the exit statuses of what the program starts: whoever starts it with SIGCHLD ignored, as
  /// some supervisors do, would have the kernel throw them away (waitpid(2)).
  public static func keepExitStatuses() { signal(SIGCHLD, SIG_DFL) }

  /// Puts `/dev/null` where the process was started without standard input, output or error. The
  /// next file that it opens would have that number, and get what is printed.
  public static func openStandardFiles() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest number that is free is this one.
      _ = open("/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY)
    }
  }

  /// Gives large blocks back to the system as soon as they are free. Left alone, glibc keeps them
  /// once it has seen one, in pieces between smaller ones: with items of 15 MB a run took twice the
  /// memory.
  public static func returnLargeBlocks() { clinux_return_blocks_larger_than(1 << 20) }
}
