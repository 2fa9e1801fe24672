import SyncModel
import WebDAV

/// What a person is told where the calendars are on a server for which nobody has vouched.
extension Discovery {
  /// The URL's server named it.
  func wantsConsent(_ address: WebURL) -> StorageError {
    wantsConsent(
      address, because: "\(url.origin) says so, and nobody has vouched for that server",
      with: [address])
  }

  /// - Parameter all: the servers that have to be vouched for.
  func wantsConsent(
    _ address: WebURL, because why: String, with all: [WebURL]
  ) -> StorageError {
    let lack = client.isAnonymous ? "which is not asked" : "which gets no password"
    if let refusal = all.lazy.compactMap({ hosts.refusal(of: $0) }).first {
      return StorageError(
        .denied, "the calendars are on another server, \(address.origin), \(lack)",
        why: DAVClient.refused(by: refusal), hint: DAVClient.allowing(refusal))
    }
    return StorageError(
      .denied, "the calendars are on another server, \(address.origin), \(lack)", why: why,
      hint: "if that server belongs to your provider, set url to \(client.secrets.shown(address)), "
        + "or " + CalDAVAccount.vouching(for: all.map(\.trustedName)))
  }
}
