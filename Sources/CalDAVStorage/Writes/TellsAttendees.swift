import WebDAV

extension CalDAVStorage {
  /// Whether the server tells attendees of what becomes of a meeting, as it says of itself
  /// (RFC 6638 §2, and its drafts, which Google and Zimbra keep to). Who gives no clear answer is
  /// taken for one that does: a mail cannot be taken back. Asked once a run.
  public func tellsAttendees() async -> Bool {
    if let known = withRunMemory(\.tellsAttendees) { return known }
    let tells = await askWhetherItTells()
    withRunMemory { $0.tellsAttendees = tells }
    return tells
  }

  private func askWhetherItTells() async -> Bool {
    do throws(DAVError) {
      let (answer, _) = try await client.send(DAVRequest("OPTIONS", url)) {
        BytesSink(limit: 64 << 10, dropsExcess: true)
      }
      // To tell attendees is to have the method, which says so.
      if [405, 501].contains(answer.status) { return false }
      let features = answer.head.values(of: "DAV").flatMap { value in
        String(decoding: value, as: UTF8.self).lowercased().split(separator: ",").map {
          $0.filter { $0 != " " && $0 != "\t" }
        }
      }
      // A proxy may answer in its place, and says nothing of calendars.
      guard (200...299).contains(answer.status), features.contains("calendar-access") else {
        return true
      }
      return features.contains { ["calendar-auto-schedule", "calendar-schedule"].contains($0) }
    } catch {
      return true
    }
  }
}
