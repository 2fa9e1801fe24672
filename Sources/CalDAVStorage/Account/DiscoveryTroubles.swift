import SyncModel
import WebDAV

/// Why a discovery led to no calendars.
extension Discovery {
  func leadsToHTTP(_ target: WebURL) -> StorageError {
    let address = url.replacingPath(String(decoding: target.path, as: UTF8.self))
    let way =
      target.host == url.host
      ? "set url to \(client.secrets.shown(address)), if the server answers there by https, too"
      : "set url to the server's address for CalDAV, by https"
    return StorageError(
      .protocolBroken,
      "no calendars were found from \(url.shown), which leads from https to http",
      why: "a redirect leads to \(client.secrets.shown(target)), and is not followed: anybody could"
        + " listen there",
      hint: "\(way); and tell its operator that its redirects have to be to https")
  }

  func namesNothing(_ place: WebURL) -> StorageError {
    StorageError(
      .protocolBroken, "no calendars were found from \(client.secrets.shown(place))",
      why: "the server names no principal, no calendar home and no calendar there",
      hint: "check the URL; your provider's help names it, often under CalDAV")
  }

  func namesUnusable(_ place: WebURL, _ error: HrefError) -> StorageError {
    StorageError(
      .protocolBroken, "no calendars were found from \(client.secrets.shown(place))",
      why: "the server names a principal or a calendar home there by an address that cannot be"
        + " used: \(error.reason)", hint: "tell the server's operator")
  }

  /// Where nobody is signed in at the place that was looked for.
  func takenForGuest(at place: WebURL) -> StorageError {
    StorageError(
      .protocolBroken,
      "nobody is signed in at \(client.secrets.shown(place)), so no calendars were found there",
      why: "the server names no principal, and says that we are a guest",
      hint: client.isAnonymous
        ? "set username and password"
        : "check the URL: the server asks for no password there, and takes none; your provider's "
          + "help names the address, often under CalDAV")
  }
}
