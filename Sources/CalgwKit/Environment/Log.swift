import Glibc
import Logging

/// The version of calgw.
public let calgwVersion = "0.1.0"

/// Starts the log: with `isVerbose` on standard error, else nowhere.
public func startLog(isVerbose: Bool) {
  LoggingSystem.bootstrap { label in
    guard isVerbose else { return SwiftLogNoOpLogHandler() }
    return StandardErrorLog(label: label)
  }
}

/// The log of what calgw does, for `--verbose`. Never secrets; texts from outside are shown
/// escaped.
let logger = Logger(label: "calgw")

/// Writes a line a message to standard error.
private struct StandardErrorLog: LogHandler {
  let label: String
  var logLevel = Logger.Level.debug
  var metadata: Logger.Metadata = [:]

  init(label: String) { self.label = label }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let line = "\(label) \(event.level): \(visibleText("\(event.message)", limit: 1000))\n"
    _ = Array(line.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
