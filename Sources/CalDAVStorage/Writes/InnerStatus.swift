import WebDAV

/// The status that a write's answer really has: xandikos answers 207 to a PUT and says inside
/// what became of it.
enum InnerStatus {
  /// The first failing status within a 207, else 200; the answer's own status otherwise. What fails
  /// with another alone (424, RFC 4918 §11.4) counts where nothing else fails. A 207 that cannot be
  /// read counts as 200: what became of the write is read back.
  static func of(_ answer: DAVAnswer, body: [UInt8]) -> Int {
    guard answer.status == 207 else { return answer.status }
    let failures = (responses(body) ?? []).compactMap { response -> Int? in
      if let status = response.status, !(200...299).contains(status) { return status }
      return response.failedStatus
    }
    return failures.first { $0 != 424 } ?? failures.first ?? 200
  }

  /// A 207 that says nothing of any item proves nothing.
  static func isSilent(_ answer: DAVAnswer, body: [UInt8]) -> Bool {
    answer.status == 207 && (responses(body) ?? []).isEmpty
  }

  /// Nil for what is no multistatus.
  private static func responses(_ body: [UInt8]) -> [DAVResponse]? {
    let sink = MultistatusSink()
    _ = body.withUnsafeBytes { sink.receive($0) }
    return try? sink.result().responses
  }
}
