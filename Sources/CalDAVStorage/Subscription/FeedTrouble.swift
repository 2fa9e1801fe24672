import SyncModel
import WebDAV

extension StorageError {
  /// Why a feed could not be read. It has no account, and so none of the keys that mends name.
  init(ofFeed error: DAVError) {
    self.init(error)
    if let mend = Self.mends.first(where: { error.hint.contains($0.key) }) { hint = mend.value }
    self = concealed
  }

  private static let overHTTP =
    "a calendar is read over https alone, since over http anybody on the way could change it"

  /// The key that a mend names, and what to do where there is none. A certificate's trouble may be
  /// answered with several; the first counts.
  private static let mends: KeyValuePairs<String, String> = [
    DAVError.signInFirst:
      "\(DAVError.signInFirst); if it stays, look for another address of the calendar: \(overHTTP)",
    "allow_http":
      "the address leads to one without https: look for another address of the calendar;"
      + " \(overHTTP)",
    "client_cert and client_key":
      "use the private address that the provider gives out for it: a subscription shows no"
      + " certificate",
    "if the certificate is for another name":
      "if the certificate is for another name, correct the address; if the server has an authority"
      + " of its own, add that one to those that this machine trusts",
    "ca_file":
      "if it is your own server, add its authority to those that this machine trusts; else somebody"
      + " may be in between",
    "does not speak TLS":
      "what answers there has no https: correct the address, or look for another one of the"
      + " calendar; \(overHTTP), also where its address begins with webcal:",
    "the proxy if there is one":
      "check the address and the network connection, or try again later; \(overHTTP), also where"
      + " its address begins with webcal:",
    "raise timeout": "try again later",
    DAVError.findAddress:
      "only whoever runs that server can mend that; look for another address of the calendar",
    "proxy =": "give the proxy's URL with them in the environment, as https_proxy",
  ]
}
