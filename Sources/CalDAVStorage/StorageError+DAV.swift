import SyncModel
import WebDAV

extension StorageError {
  /// The same trouble in the words of a storage.
  init(_ error: DAVError) {
    let kind: Kind =
      switch error.kind {
      case .unreachable, .unanswered: .unreachable
      case .tryLater(let milliseconds): .tryLater(milliseconds)
      case .protocolBroken, .illFormed, .tooLarge: .protocolBroken
      case .denied, .elsewhere: .denied
      case .local: .io
      case .stopped: .stopped
      }
    self.init(kind, error.message, why: error.why, hint: error.hint)
    sparesAddress = error.isUntrusted
  }

  /// An answer of an error status to a request about the whole collection or account.
  init(_ refusal: DAVRefusal, doing what: String) {
    self.init(status: refusal.status, of: refusal.url, doing: what, why: refusal.reason)
    switch refusal.doubt {
    case .login:
      why += ", and asks for a sign-in"
      hint =
        "check username and password, or the token; if they are right, check the account's "
        + "permission for this calendar"
    case .scope:
      why += ", and says that the token lacks rights (insufficient_scope)"
      hint =
        "change scope in oauth2 to one for calendars, and sign in again with `calgw discover`; or "
        + "set token to one that has the rights"
    case nil: break
    }
    if refusal.words.isOfDisabledAPI {
      hint =
        "open the address that Google names, enable the CalDAV API there, and try again some "
        + "minutes later"
    }
  }

  /// The same, of a status that stands for a resource within a multistatus.
  init(status: Int, of address: WebURL, doing what: String, why reason: String? = nil) {
    let place = "\(what) at \(address.shown)"
    let reason = reason ?? "the server answered \(status)"
    switch status {
    case 404, 410:
      self.init(
        .vanished, "\(place) failed: nothing is there", why: reason,
        hint: "check the URL, and whether the calendar was removed, renamed or unshared")
    case 401, 403:
      self.init(
        .denied, "\(place) is not allowed", why: reason,
        hint: "check the account's permission for this calendar")
    case 500...599:
      let kind = Kind(ofFailure: status)
      let log = kind == .unreachable ? "" : "; the server's own log says what went wrong"
      self.init(kind, "\(place) failed", why: reason, hint: "try again later\(log)")
      sparesAddress = true
    case 423:
      self.init(
        .protocolBroken, "\(place) failed", why: reason,
        hint: "another program has locked it: try again later")
    default:
      self.init(
        .protocolBroken, "\(place) failed", why: reason,
        hint: "check that the URL is that of a CalDAV server; its own log says what went wrong")
      isRefusal = (400...499).contains(status) && ![408, 425, 429].contains(status)
    }
  }

  /// What an answer says against the calendar that it is about, in a part of its own; nil where
  /// that is nothing.
  init?(_ own: DAVResponse, of calendar: WebURL, doing what: String) {
    guard let status = own.failure else { return nil }
    self.init(ownStatus: status, of: calendar, doing: what)
  }

  /// The same, by the status.
  init(ownStatus status: Int, of calendar: WebURL, doing what: String) {
    self.init(
      status: status, of: calendar, doing: what,
      why: "the server's answer has \(status) for the calendar itself")
  }

  /// The server was not reached, or wants to be asked later.
  var mayPass: Bool {
    switch kind {
    case .unreachable, .tryLater: true
    case .vanished, .protocolBroken, .denied, .cannotCreate, .io, .stopped: false
    }
  }

  /// Another address of the same server may still answer well.
  var isAboutOneAddress: Bool {
    switch kind {
    case .vanished, .protocolBroken, .denied: true
    case .unreachable, .tryLater, .cannotCreate, .io, .stopped: false
    }
  }
}

extension StorageError.Kind {
  /// Of an answer with a status from 500 on: a gateway did not reach the server that is meant, or
  /// that one failed.
  init(ofFailure status: Int) {
    self = status == 502 || status == 504 ? .unreachable : .protocolBroken
  }
}
