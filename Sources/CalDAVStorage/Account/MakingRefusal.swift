import SyncModel
import WebDAV

/// The answers of a server that makes no calendar by either method.
struct MakingRefusal: Sendable {
  let makeCalendar: DAVRefusal
  let makeCollection: DAVRefusal

  /// MKCALENDAR's answer says more where MKCOL is merely unknown, or finds what that one made.
  private var telling: DAVRefusal {
    let isOfFirst = isUnclear && makeCollection.mayMeanTaken
    return makeCollection.lacksMethod || isOfFirst ? makeCalendar : makeCollection
  }

  /// The error that it is: a server that fails, has no room or forbids it is told as such, and any
  /// other one as a server that makes no such calendar.
  ///
  /// - Parameters:
  ///   - message: what cannot be done.
  ///   - wayOut: what a person can do instead.
  func error(_ message: String, wayOut: String) -> StorageError {
    let reason = telling.reason
    if telling.isOutOfRoom {
      return StorageError(.io, message, why: reason, hint: "make room on the server")
    }
    guard telling.isServerError || telling.isForbidden, !telling.mayMeanTaken else {
      let passes = telling.status == 423 ? "a lock passes: try again later, or " : ""
      return StorageError(.cannotCreate, message, why: reason, hint: passes + wayOut)
    }
    var error = StorageError(telling, doing: "making a calendar")
    error.message = message
    let bin = mayBeOfAddress ? "; what is in a trash bin there may be in the way" : ""
    error.hint = telling.isForbidden ? wayOut : "\(error.hint)\(bin), or \(wayOut)"
    return error
  }

  /// By the words of the server something may have the address all the same.
  var mayMeanTaken: Bool { makeCalendar.mayMeanTaken || makeCollection.mayMeanTaken }

  /// Something in the server failed, and may have made the calendar before that.
  var isUnclear: Bool {
    [makeCalendar, makeCollection].contains { $0.isServerError && !$0.mayMeanTaken }
  }

  /// The server itself fails, and nothing on the way to it: where that stays so, it may be over
  /// what has the address and does not show, as Nextcloud does over what is in its trash bin.
  var mayBeOfAddress: Bool {
    isUnclear
      && [makeCalendar, makeCollection].allSatisfy { !$0.isServerError || $0.status == 500 }
  }

  /// It may take other kinds: a bare 403 may be about them, too. A server that fails, lacks the
  /// methods or speaks of privileges says nothing of them, but where it names them; what it answers
  /// to the other method tells only where it has not the first.
  var mayBeOfKinds: Bool {
    if telltale.namesKinds { return true }
    let isOther = telltale.isServerError || telltale.namesPrivileges || telltale.namesProperties
    return !isOfMethods && !isOther
  }

  /// It may take the calendar without a colour: a bare refusal may be about that, since a property
  /// that cannot be set fails the whole request (RFC 4791 §5.3.1). One that names anything else,
  /// that is about the address or about who asks, or that passes by itself is not.
  var mayBeOfColor: Bool {
    if telltale.namesProperties { return namesColor }
    let isOther = telltale.namesKinds || telltale.mayMeanTaken || telltale.namesAddress
    return mayBeOfKinds && telltale.isLasting && !isOther
  }

  /// It says that it is the colour.
  var namesColor: Bool { telltale.namesColor }

  /// The answer that says what of the request is wrong.
  private var telltale: DAVRefusal { makeCalendar.lacksMethod ? makeCollection : makeCalendar }

  /// It has neither method, whatever is to be made: another calendar would meet the same. A server
  /// that knows only the plain MKCOL answers 415 to the extended one.
  var isOfMethods: Bool {
    makeCalendar.lacksMethod && (makeCollection.lacksMethod || makeCollection.status == 415)
  }

  /// Until somebody changes something on the server it answers the same: nothing of it failed, was
  /// busy, or was full.
  var isLasting: Bool { makeCalendar.isLasting && makeCollection.isLasting }
}

extension DAVRefusal {
  /// It is how some servers say that an address is taken. sabre/dav answers 405; where its database
  /// finds out, it is 500 with the database's words.
  fileprivate var mayMeanTaken: Bool {
    if namesProperties { return false }
    if [405, 409].contains(status) { return true }
    let said = words.text.lowercased()
    return [400, 500].contains(status)
      && ["already", "duplicate", "unique"].contains { said.contains($0) }
  }

  /// A disk or an account on the server is full (RFC 4918 §11.5, RFC 4331 §6).
  var isOutOfRoom: Bool {
    let limits = ["quota-not-exceeded", "sufficient-disk-space"]
    return status == 507 || words.preconditions.contains { limits.contains($0) }
  }

  /// Who asks may make nothing there. Any other precondition says that something of the request is
  /// wrong, and not who sent it.
  fileprivate var isForbidden: Bool {
    namesPrivileges || status == 403 && words.preconditions.isEmpty && !namesProperties
  }

  fileprivate var namesPrivileges: Bool { words.preconditions.contains("need-privileges") }

  /// The address, or the whole server, has no such method; but see `mayMeanTaken`.
  fileprivate var lacksMethod: Bool { [405, 501].contains(status) && !namesProperties }

  /// Another calendar would meet the same.
  var isOfAll: Bool { lacksMethod || isForbidden }

  fileprivate var isLasting: Bool {
    !isServerError && !isOutOfRoom && ![401, 408, 423, 425, 429].contains(status)
  }

  /// Something in the server failed. One that lacks the method (501) did not.
  var isServerError: Bool { (500...599).contains(status) && status != 501 }

  fileprivate var namesKinds: Bool {
    (words.preconditions + [words.text] + properties).contains {
      $0.lowercased().contains("component")
    }
  }

  /// It says which properties it is about.
  fileprivate var namesProperties: Bool { !properties.isEmpty }

  var namesColor: Bool { properties.contains(MetadataKey.color.property.local) }

  /// Something has the address (RFC 4791 §5.3.1.1).
  fileprivate var namesAddress: Bool { words.preconditions.contains("resource-must-be-null") }
}

/// What became on a server of a calendar that was asked for.
package struct MakingTrace: Sendable {
  /// Where it may be, the likeliest first, as `places(naming:or:in:beside:)` gives them: at an
  /// address that was asked for before the last one there is nothing of ours. Empty: none was.
  var places: [WebURL] = []
  /// The server said that it made it.
  var isMade = false
  /// Somebody else made it since this run listed the calendars.
  package internal(set) var isTheirs = false
  /// It is not made, and would not be the next time either: only a person changes that.
  package internal(set) var isRefused = false
  /// What was asked for, as long as nobody can say that it is not made; at first that of an earlier
  /// run.
  package var asked: AskedCalendar?
  /// That was so long ago that what does not show by now is not waited for any more.
  package var isOverdue = false
  /// Keeps what is asked for, before it is.
  package var note: @Sendable (AskedCalendar) async -> Void = { _ in }

  package init() {}
}
