import WebDAV

/// The status that a write's answer really has: xandikos answers 207 to a PUT and says inside
/// what became of it.
enum InnerStatus {
  /// The first failing status within a 207, else 200; the answer's own status otherwise.
  static func of(_ answer: DAVAnswer, body: [UInt8]) -> Int {
    guard answer.status == 207 else { return answer.status }
    let sink = MultistatusSink()
    _ = body.withUnsafeBytes { sink.receive($0) }
    guard let multistatus = try? sink.result() else { return 200 }
    for response in multistatus.responses {
      if let status = response.status, !(200...299).contains(status) { return status }
      if let status = response.failedStatus { return status }
    }
    return 200
  }
}
