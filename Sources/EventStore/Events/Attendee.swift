/// Somebody who takes part in an event (RFC 5545 §3.8.4.1), or who organizes it (§3.8.4.3).
///
/// Read-only, as with EventKit: who is invited is settled by invitations, which are not this
/// library's. A change of an event keeps the lines as they are.
public struct Attendee: Sendable, Hashable, Codable {
  /// CN; nil where none is given.
  public var name: String?
  /// As it is written, as `mailto:ann@example.org`.
  public var address: String
  /// ROLE, as `REQ-PARTICIPANT`; that one where it is not written.
  public var role: String
  /// PARTSTAT, as `ACCEPTED`; `NEEDS-ACTION` where it is not written.
  public var status: String

  public init(
    name: String? = nil, address: String, role: String = "REQ-PARTICIPANT",
    status: String = "NEEDS-ACTION"
  ) {
    self.name = name
    self.address = address
    self.role = role
    self.status = status
  }
}
