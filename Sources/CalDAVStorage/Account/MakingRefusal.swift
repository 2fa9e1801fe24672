import WebDAV

/// The answers of a server that makes no calendar by either method.
struct MakingRefusal: Sendable {
  let makeCalendar: DAVRefusal
  let makeCollection: DAVRefusal

  /// MKCALENDAR's answer says more where MKCOL is merely unknown.
  var reason: String {
    ([405, 501].contains(makeCollection.status) ? makeCalendar : makeCollection).reason
  }

  /// By the words of the server something may have the address all the same.
  var mayMeanTaken: Bool { makeCalendar.mayMeanTaken || makeCollection.mayMeanTaken }

  /// It may take other kinds. A server that fails says nothing of them, but where it names them;
  /// what it answers to the other method tells only where it has not the first.
  var mayBeOfKinds: Bool {
    let answer = [405, 501].contains(makeCalendar.status) ? makeCollection : makeCalendar
    return !answer.isServerError || answer.namesKinds
  }
}

extension DAVRefusal {
  /// It is how some servers say that an address is taken. sabre/dav answers 405; where its database
  /// finds out, it is 500 with the database's words.
  fileprivate var mayMeanTaken: Bool {
    if [405, 409].contains(status) { return true }
    let said = words.text.lowercased()
    return [400, 500].contains(status)
      && ["already", "duplicate", "unique"].contains { said.contains($0) }
  }

  /// Something in the server failed. One that lacks the method (501) did not.
  var isServerError: Bool { (500...599).contains(status) && status != 501 }

  fileprivate var namesKinds: Bool {
    (words.preconditions + [words.text]).contains { $0.lowercased().contains("component") }
  }
}
