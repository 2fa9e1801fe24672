public import SyncModel
import Synchronization
import WebDAV

/// A calendar that the account's own server names and that is on another server, for which nobody
/// has vouched: it is not part of the account before somebody has.
public struct ForeignCalendar: Sendable, Hashable {
  public let calendar: CollectionDescription
  /// As `trusted_hosts` has it.
  public let host: String
}

extension CalDAVAccount {
  /// Servers that the last look found named and did not ask, or was redirected to in vain, as
  /// `TrustedHosts` has them: nobody has vouched for them.
  public var foreignHosts: [String] {
    known.withLock { known in
      known.foreignHosts + known.foreignOfListing.filter { !known.foreignHosts.contains($0) }
    }
  }

  /// The calendars of such servers that the last listing named.
  public var foreignCalendars: [ForeignCalendar] { known.withLock { $0.foreignCalendars } }

  /// The home sets on such servers that the last search found named: nobody knows what is in them.
  /// What has the path of the account's own URL is that, and so is what is on the server's own
  /// machine: behind a proxy a server may call itself by another name.
  public var homesElsewhere: [UnseenPlace] {
    let own = url.asCollection.pathKey
    return (found?.homesElsewhere ?? []).compactMap { text in
      guard let home = try? WebURL(absolute: text), !options.trustedHosts.refuse(home),
        home.asCollection.pathKey != own, url.isLoopback || !home.isLoopback
      else { return nil }
      return UnseenPlace.elsewhere(client.secrets.shown(home), on: home.trustedName)
    }
  }

  /// The server of a calendar that was known, as `TrustedHosts` has it, where it is none of those
  /// that are asked, and nobody vouches for it any more; nil for any other.
  public func foreignHost(of calendar: Href) -> String? {
    guard let address = addressElsewhere(of: calendar),
      !options.trustedHosts.allow(address, namedBy: url), !options.trustedHosts.refuse(address)
    else { return nil }
    return address.trustedName
  }

  /// What a person wrote into `TrustedHosts` that refuses the server of a calendar that was known,
  /// as `!HOST`; nil for any other.
  public func refusal(of calendar: Href) -> String? {
    addressElsewhere(of: calendar).flatMap { options.trustedHosts.refusal(of: $0) }
  }

  /// The address of a calendar on a server that is none of those that are asked; nil for any other.
  private func addressElsewhere(of calendar: Href) -> WebURL? {
    guard let address = try? url.resolve(href: calendar.spelling), !client.trusts(address.origin)
    else { return nil }
    let asked = (location?.addresses ?? []).compactMap { try? WebURL(absolute: $0) }
    return asked.contains { $0.origin == address.origin } ? nil : address
  }

  /// What is wrong where the last listing named calendars on such servers alone; nil where it named
  /// none at all.
  public var allAreElsewhere: StorageError? {
    guard let first = foreignCalendars.first else { return nil }
    return StorageError(
      .denied, "the calendars are on another server, \(first.host), which is not asked",
      why: "\(url.origin) says so, and nobody has vouched for that server",
      hint: "if that server belongs to your provider, \(Self.vouching(for: foreignHosts))")
  }

  /// How a person says that servers are his provider's.
  ///
  /// - Parameter hosts: as `TrustedHosts` has them.
  public static func vouching(for hosts: [String]) -> String {
    let names = hosts.map { "\"\($0)\"" }.joined(separator: ", ")
    return "add this line to the account: trusted_hosts = [\(names)]"
  }

  /// How a person says that servers are his provider's, or that they are none of his: in one line,
  /// since there can be only one.
  ///
  /// - Parameter hosts: as `TrustedHosts` has them.
  public static func deciding(on hosts: [String]) -> String {
    let refused = hosts.map { "\"!\($0)\"" }.joined(separator: ", ")
    let (those, they) =
      hosts.count == 1
      ? ("that server belongs", "it has") : ("those servers belong", "they have")
    return "if \(those) to your provider, \(vouching(for: hosts)); if you want nothing of what"
      + " \(they), trusted_hosts = [\(refused)]"
  }
}

extension UnseenPlace {
  /// A place on another server, which is not asked.
  ///
  /// - Parameter host: as `TrustedHosts` has it.
  public static func elsewhere(_ address: String, on host: String) -> UnseenPlace {
    var place = UnseenPlace(
      address,
      StorageError(
        .denied, "it is on another server, \(host), for which nobody has vouched",
        hint: CalDAVAccount.deciding(on: [host])))
    place.foreignHost = host
    return place
  }
}
