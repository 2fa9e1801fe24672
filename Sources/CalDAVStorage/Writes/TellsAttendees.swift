public import SyncModel
import WebDAV

extension CalDAVStorage {
  /// Whether the server tells attendees of what becomes of a meeting, as it says of itself
  /// (RFC 6638 §2, and its drafts, which Google and Zimbra keep to).
  ///
  /// - Throws: where it does not answer.
  public func tellsAttendees() async throws(StorageError) -> Bool {
    do throws(DAVError) {
      let (answer, _) = try await client.send(DAVRequest("OPTIONS", url)) {
        BytesSink(limit: 64 << 10, dropsExcess: true)
      }
      // Who keeps to it answers; who is refused or meets a failure has no answer, and is careful.
      guard (200...299).contains(answer.status) else {
        return ![404, 405, 501].contains(answer.status)
      }
      let features = answer.head.values(of: "DAV").flatMap { value in
        String(decoding: value, as: UTF8.self).lowercased().split(separator: ",")
      }
      let telling: Set = ["calendar-auto-schedule", "calendar-schedule"]
      return features.contains { telling.contains(String($0.filter { $0 != " " && $0 != "\t" })) }
    } catch {
      throw StorageError(error)
    }
  }
}
