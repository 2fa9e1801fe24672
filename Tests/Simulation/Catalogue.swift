import Glibc
import SyncModel
import TestSupport
import VdirStorage
import WebDAV

/// A fault that strikes one call of a port, or goes on to the end of the run.
package struct Fault: Sendable {
  enum Effect: Sendable {
    /// An `errno`; with `partial`, so much of a write is written; with `isDone`, all is done.
    case file(Int32, partial: Int? = nil, isDone: Bool = false)
    case journal(JournalError.Kind)
    /// No answer; whether the server acted, and whether the client has to reckon with it.
    case lost(TransportError.Kind, isDone: Bool, mayHaveActed: Bool)
    case server(ModelFault)
    /// One of these answers: the story's chance says which.
    case forms([Form])
    /// The answer begins, so many bytes of it, and never goes on: the client's time limit ends it.
    case stalled(Int)
    /// The request is delivered twice, and the second answer comes back.
    case twice
    /// The answer to an earlier request of the same method comes back; this one is not carried out.
    case mixedUp
    /// The answer takes so many milliseconds more.
    case slow(Int64)
  }

  /// How an answer may look, and to which calls.
  struct Form: Sendable {
    let title: String
    let calls: [String]
    let answer: ModelFault
  }

  /// Which calls it strikes once it goes on.
  enum Extent: Sendable {
    /// Those of the name that it struck first: one file or one table is damaged, or a server, or
    /// what stands before it, does badly with one kind of request. The others work, and a run that
    /// half works is worse than one that does not.
    case oneCall
    /// All of its calls, and nothing else goes wrong with them: what is broken is the host, the way
    /// to it, the disk or the journal as a whole.
    case allCalls
    /// The same, whether the story calls it sticky or not: by its name it does not pass.
    case always
  }

  package let name: String
  let title: String
  /// The calls that it may strike, as moments name them.
  let calls: [String]
  let effect: Effect
  var extent = Extent.oneCall
  /// By its name it happens once, so none is drawn that goes on.
  var isOnce = false

  /// That it struck does not say yet that anything came of it: whoever plays it notes it then.
  var isNotedWhenItActs: Bool {
    switch effect {
    case .mixedUp, .server(.cutUnnoticed): true
    case .file, .journal, .lost, .server, .forms, .stalled, .twice, .slow: false
    }
  }
}

/// The faults of the simulator by their names (docs/reliability.md has the table).
enum Catalogue {
  static func fault(_ name: String) -> Fault? { byName[name] }

  static let faults: [Fault] = files + journal + network + answers

  private static let byName = Dictionary(
    faults.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  /// The calls that write a file's content, give it its name, and take it away.
  private static let naming = ["files.exchange", "files.renameNoReplace"]
  /// All that changes which names are in a folder.
  private static let entries =
    naming + ["files.create", "files.rename", "files.link", "files.unlink"]
  /// All that a disk refuses on which nothing may be changed. An fsync has nothing to change there.
  private static let changes = entries + ["files.setMode", "files.write"]

  private static let files: [Fault] = [
    Fault(
      name: "C2.1", title: "no space while writing", calls: ["files.write"],
      effect: .file(ENOSPC, partial: 40)),
    Fault(
      name: "C2.2", title: "no space at fsync", calls: ["files.syncData"], effect: .file(ENOSPC)),
    Fault(
      name: "C2.3", title: "quota exceeded", calls: ["files.write", "files.create"],
      effect: .file(EDQUOT, partial: 0), extent: .allCalls),
    Fault(
      name: "C2.4", title: "input error", calls: ["files.read", "files.readContent"],
      effect: .file(EIO)),
    Fault(
      name: "C2.5", title: "output error", calls: ["files.write"],
      effect: .file(EIO, partial: 7)),
    Fault(
      name: "C2.6", title: "fsync fails once", calls: ["files.syncData", "files.syncDirectory"],
      effect: .file(EIO), isOnce: true),
    Fault(
      name: "C2.10", title: "a file may not be read", calls: ["files.read"],
      effect: .file(EACCES)),
    Fault(
      name: "C2.11", title: "the folder may not be written", calls: entries,
      effect: .file(EACCES), extent: .allCalls),
    Fault(
      name: "C2.12", title: "read-only midway", calls: changes, effect: .file(EROFS),
      extent: .always),
    Fault(
      name: "C2.13", title: "too many open files",
      calls: ["files.create", "files.read", "files.openDirectory"], effect: .file(EMFILE),
      extent: .allCalls),
    Fault(
      name: "C2.14", title: "the name is too long", calls: ["files.renameNoReplace"],
      effect: .file(ENAMETOOLONG)),
    Fault(
      name: "C2.15", title: "rename across devices", calls: naming, effect: .file(EXDEV),
      extent: .allCalls),
    Fault(
      name: "C2.16", title: "stale handle",
      calls: ["files.list", "files.status", "files.read"], effect: .file(ESTALE)),
    Fault(
      name: "C2.17", title: "gone between listing and opening", calls: ["files.read"],
      effect: .file(ENOENT)),
    Fault(
      name: "C2.18", title: "the temporary name is taken",
      calls: ["files.create", "files.renameNoReplace"], effect: .file(EEXIST)),
    Fault(
      name: "C2.27", title: "the listing fails midway", calls: ["files.list"], effect: .file(EIO)),
    Fault(
      name: "C2.35", title: "done, and an error all the same",
      calls: naming + ["files.unlink", "files.syncDirectory"],
      effect: .file(EIO, isDone: true)),
  ]

  private static let writes = [
    "begin", "close", "record", "agree", "forget", "keep", "setWaits", "forgetCursor", "prune",
  ].map { "journal.\($0)" }
  private static let looks = ["known", "differing", "contents", "openIntents", "cursor"].map {
    "journal.\($0)"
  }

  private static let journal: [Fault] = [
    // Sticky it is C3.2: whoever has the lock lets others read, as SQLite does with its log beside
    // the file.
    Fault(
      name: "C3.1", title: "busy", calls: writes, effect: .journal(.busy), extent: .allCalls),
    // Sticky for one kind of commit: what is small may have room where more has none.
    Fault(name: "C3.3", title: "full at commit", calls: writes, effect: .journal(.cannotWrite)),
    Fault(name: "C3.4", title: "input error", calls: looks, effect: .journal(.unusable)),
    Fault(name: "C3.5", title: "a damaged page", calls: looks, effect: .journal(.unusable)),
    Fault(
      name: "C3.10", title: "read-only file", calls: ["journal.begin", "journal.record"],
      effect: .journal(.cannotWrite), extent: .allCalls),
  ]

  private static let reading = ["http.PROPFIND", "http.REPORT", "http.GET"]
  private static let sending = ["http.PUT", "http.DELETE"]
  private static let any = reading + sending

  private static func lost(
    _ name: String, _ title: String, _ kind: TransportError.Kind, isDone: Bool = false,
    mayHaveActed: Bool = false, extent: Fault.Extent = .oneCall
  ) -> Fault {
    Fault(
      name: name, title: title, calls: any,
      effect: .lost(kind, isDone: isDone, mayHaveActed: mayHaveActed), extent: extent)
  }

  private static let network: [Fault] = [
    lost("C4.1", "the name does not resolve", .unknownHost, extent: .allCalls),
    Fault(
      name: "C4.2", title: "the name is slow to resolve", calls: any, effect: .slow(12_000)),
    lost("C4.3", "connection refused", .noConnection, extent: .allCalls),
    lost("C4.4", "no answer to connecting", .noConnection, extent: .allCalls),
    lost("C4.5", "the handshake fails", .tls, extent: .allCalls),
    lost("C4.6", "the certificate is bad", .tls, extent: .allCalls),
    lost("C4.7", "reset before the request was sent", .interrupted),
    lost("C4.8", "reset within the request", .interrupted, mayHaveActed: true),
    lost("C4.9", "reset after the server acted", .interrupted, isDone: true, mayHaveActed: true),
    lost("C4.10", "reset before the server acted", .unanswered, mayHaveActed: true),
    lost("C4.11", "timeout after the server acted", .timeout, isDone: true, mayHaveActed: true),
    lost("C4.12", "timeout before the server acted", .timeout, mayHaveActed: true),
    Fault(
      name: "C4.13", title: "the body stalls", calls: reading, effect: .stalled(90)),
    Fault(
      name: "C4.14", title: "the body is too short", calls: reading,
      effect: .server(.truncated(300))),
    Fault(
      name: "C4.15", title: "a chunk is cut", calls: reading, effect: .server(.truncated(150))),
    Fault(
      name: "C4.16", title: "the body is cut and nobody notices", calls: reading,
      effect: .server(.cutUnnoticed(260))),
    lost("C4.17", "the compressed stream is broken", .malformed, isDone: true, mayHaveActed: true),
    Fault(name: "C4.19", title: "the answer of another request", calls: any, effect: .mixedUp),
    Fault(name: "C4.20", title: "a captive portal", calls: any, effect: .server(.webPage)),
    Fault(
      name: "C4.21", title: "the proxy wants credentials", calls: any,
      effect: .server(.answer(407)), extent: .allCalls),
    Fault(name: "C4.22", title: "very slow", calls: any, effect: .slow(45_000)),
    lost("C4.23", "the server ends the connection (GOAWAY)", .interrupted),
    Fault(name: "C4.24", title: "delivered twice", calls: sending, effect: .twice),
    lost("C4.26", "no connection any more", .noConnection, extent: .always),
  ]

  /// What a server says that names a condition (RFC 4918 §16).
  private static func refusal(_ status: Int, _ condition: String) -> ModelFault {
    .answer(
      status, headers: [["Content-Type", "application/xml"]],
      body: "<?xml version=\"1.0\"?><D:error xmlns:D=\"DAV:\" "
        + "xmlns:C=\"urn:ietf:params:xml:ns:caldav\" xmlns:s=\"http://sabredav.org/ns\">"
        + "\(condition)</D:error>")
  }

  private static func answer(
    _ name: String, _ title: String, _ status: Int, _ headers: [[String]] = [],
    element: String? = nil, body: String = "", calls: [String] = any,
    extent: Fault.Extent = .oneCall, isOnce: Bool = false
  ) -> Fault {
    let answer: ModelFault =
      element.map { refusal(status, "<\($0)/>") }
      ?? .answer(status, headers: headers, body: body)
    return Fault(
      name: name, title: title, calls: calls, effect: .server(answer), extent: extent,
      isOnce: isOnce)
  }

  private static func moved(
    _ name: String, _ title: String, _ status: Int, _ to: String,
    extent: Fault.Extent = .oneCall
  ) -> Fault {
    answer(name, title, status, [["Location", to]], extent: extent)
  }

  private static let answers: [Fault] = [
    moved("C5.1", "301 to the same server", 301, "?"),
    moved("C5.2", "302 to another server", 302, "https://elsewhere.example/calendars/"),
    moved("C5.3", "307 to the same server", 307, "?"),
    moved("C5.4", "a redirect to plain http elsewhere", 301, "http://elsewhere.example/"),
    moved("C5.5", "redirects without end", 302, "?", extent: .always),
    answer("C5.6", "400", 400),
    answer("C5.7", "401 once", 401, [["WWW-Authenticate", "Basic realm=\"x\""]], isOnce: true),
    answer("C5.9", "403 need-privileges", 403, element: "D:need-privileges", calls: sending),
    answer("C5.10", "403 no-uid-conflict", 403, element: "C:no-uid-conflict", calls: ["http.PUT"]),
    answer(
      "C5.11", "403 valid-sync-token", 403, element: "D:valid-sync-token", calls: ["http.REPORT"]),
    answer(
      "C5.12", "403 with a quota in JSON", 403, [["Content-Type", "application/json"]],
      body: "{\"error\":{\"errors\":[{\"domain\":\"usageLimits\"}]}}"),
    answer("C5.13", "404 of an item", 404, calls: ["http.GET"] + sending),
    answer("C5.14", "404 of the calendar", 404, calls: ["http.REPORT", "http.PROPFIND"]),
    answer("C5.15", "405", 405),
    Fault(
      name: "C5.16", title: "409, with and without a condition", calls: sending + ["http.REPORT"],
      effect: .forms(conflicts)),
    answer("C5.17", "410 of an item", 410, calls: ["http.GET"] + sending),
    answer("C5.18", "410 of the token", 410, calls: ["http.REPORT"]),
    answer("C5.19", "412", 412, calls: sending),
    answer("C5.20", "413", 413, calls: ["http.PUT"]),
    answer("C5.21", "415", 415, calls: ["http.PUT"]),
    answer("C5.22", "418 to a report", 418, calls: ["http.REPORT"]),
    answer("C5.23", "423 locked", 423, calls: sending),
    answer("C5.24", "429 with seconds", 429, [["Retry-After", "30"]]),
    Fault(
      name: "C5.25", title: "429 without a time, or with a date", calls: any,
      effect: .forms(waits)),
    Fault(
      name: "C5.26", title: "500, and it was done", calls: sending,
      effect: .server(.actThenAnswer(500))),
    answer("C5.27", "500, and it was not done", 500),
    answer("C5.28", "502", 502),
    answer("C5.29", "503 with a time", 503, [["Retry-After", "60"]]),
    answer("C5.30", "507 of the whole request", 507),
    answer(
      "C5.32", "207 for a PUT that failed within", 207, [["Content-Type", "application/xml"]],
      body: "<?xml version=\"1.0\"?><D:multistatus xmlns:D=\"DAV:\"><D:response>"
        + "<D:href>/x</D:href><D:status>HTTP/1.1 403 Forbidden</D:status></D:response>"
        + "</D:multistatus>", calls: ["http.PUT"]),
  ]

  /// RFC 4918 §9.7.1, in the words of sabre/dav; RFC 6578 §3.2. Of a UID that is taken is C5.10.
  private static let conflicts = [
    Fault.Form(title: "409 alone", calls: sending + ["http.REPORT"], answer: .answer(409)),
    Fault.Form(
      title: "409: no parent", calls: ["http.PUT"],
      answer: refusal(
        409,
        "<s:exception>Sabre\\DAV\\Exception\\Conflict</s:exception>"
          + "<s:message>Files can only be created as children of collections</s:message>")),
    Fault.Form(
      title: "409: valid-sync-token", calls: ["http.REPORT"],
      answer: refusal(409, "<D:valid-sync-token/>")),
  ]

  /// RFC 9110 §10.2.3; the date is half a minute ahead by the server's clock, which `Date` tells.
  private static let waits = [
    Fault.Form(title: "429 without a time", calls: any, answer: .answer(429)),
    Fault.Form(
      title: "429 with a date", calls: any,
      answer: .answer(429, headers: [["Retry-After", "?"], ["Date", "?"]])),
  ]
}
