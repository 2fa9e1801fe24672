import SyncModel
import TestSupport

extension ServerAnswer {
  /// The catalogue, by number.
  static let all: [ServerAnswer] = redirects + refusals + absences + contents + overloads

  private static func location(_ target: String) -> [[String]] { [["Location", target]] }

  /// A precondition of CalDAV or WebDAV in an error body.
  private static func error(_ status: Int, _ element: String) -> ModelFault {
    .answer(
      status, headers: [["Content-Type", "application/xml"]],
      body: """
        <D:error xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><\(element)/></D:error>
        """)
  }

  @Sendable private static func changeElsewhere(_ model: ModelAccount) {
    model.put("a.ics", event("a", "Theirs"))
  }

  /// Four items in pages of two.
  @Sendable private static func giveFourInPages(_ model: ModelAccount) {
    model.server.change { $0.pageSize = 2 }
    for name in ["b", "c", "d"] { model.put("\(name).ics", event(name)) }
  }

  @Sendable private static func removeElsewhere(_ model: ModelAccount) { model.remove("a.ics") }

  @Sendable private static func removeCalendar(_ model: ModelAccount) {
    model.server.removeCalendar(ModelAccount.work)
  }

  private static let item = ModelAccount.work + "a.ics"

  private static let redirects = [
    ServerAnswer(
      1, "301 to the same origin", "followed with method, body and guard",
      AnswerPlay(.replace, .answer(301, headers: location(item)), .stored, requests: 2),
      AnswerPlay(.read, .answer(301, headers: location(item)), .found, requests: 2)),
    ServerAnswer(
      2, "302 to another origin", "a write never goes there",
      AnswerPlay(
        .replace, .answer(302, headers: location("https://other.example/a.ics")),
        .refused(.refused, mayPass: true), requests: 1),
      AnswerPlay(
        .delete, .answer(302, headers: location("http://127.0.0.1:8081/a.ics")),
        .refused(.refused, mayPass: true), requests: 1)),
    ServerAnswer(
      3, "307 and 308", "followed with method, body and guard",
      AnswerPlay(.replace, .answer(307, headers: location(item)), .stored, requests: 2),
      AnswerPlay(.replace, .answer(308, headers: location(item)), .stored, requests: 2),
      AnswerPlay(.delete, .answer(308, headers: location(item)), .removed, requests: 2)),
    ServerAnswer(
      4, "a redirect to plain http", "never followed to another machine, for reading neither",
      AnswerPlay(
        .read, .answer(301, headers: location("http://other.example/a.ics")),
        .problem,
        requests: 1),
      AnswerPlay(
        .replace, .answer(308, headers: location("http://other.example/a.ics")),
        .refused(.refused, mayPass: true), requests: 1)),
    ServerAnswer(
      5, "a redirect loop", "five are followed, then it is an error",
      AnswerPlay(
        .replace, .answer(302, headers: location(item)), times: 99,
        .refused(.refused, mayPass: true),
        requests: 6)),
  ]

  private static let refusals = [
    ServerAnswer(
      6, "400", "the item is refused, the others go on",
      AnswerPlay(.create, .answer(400), .refused(.refused), requests: 1),
      AnswerPlay(.replace, .answer(400), .refused(.refused), requests: 1)),
    ServerAnswer(
      7, "401 once", "a read goes out again after a look; another scheme is used from then on",
      AnswerPlay(.list, .answer(401), .everything(1), requests: 2),
      AnswerPlay(.relist, .answer(401), .changes(0), requests: 2),
      AnswerPlay(.read, .answer(401), .found, requests: 2),
      AnswerPlay(.replace, .answer(401), .refused(.refused, mayPass: true), requests: 1),
      AnswerPlay(
        .replace,
        .answer(401, headers: [["WWW-Authenticate", "Digest realm=\"x\", nonce=\"1\""]]),
        .stored, requests: 2)),
    ServerAnswer(
      8, "401 always", "asked no more: a server that goes on refusing locks the account",
      // The look is let in.
      AnswerPlay(
        .replace, .answer(401), times: 99, .refused(.refused, mayPass: true), requests: 1),
      AnswerPlay(.list, .answer(401), times: 99, .failed(.denied), requests: 2),
      AnswerPlay(.read, .answer(401), times: 99, .problem, requests: 2)),
    ServerAnswer(
      9, "403 need-privileges", "the calendar is read-only for us",
      AnswerPlay(.create, error(403, "D:need-privileges"), .refused(.readOnly)),
      AnswerPlay(.delete, error(403, "D:need-privileges"), .refused(.readOnly))),
    ServerAnswer(
      10, "403 no-uid-conflict", "refused, or ours where an earlier answer was lost",
      AnswerPlay(.create, error(403, "C:no-uid-conflict"), .refused(.refused)),
      AnswerPlay(.create, error(403, "C:no-uid-conflict"), .stored) { model in
        model.put("n.ics", event("n"))
      }),
    ServerAnswer(
      11, "403 valid-sync-token", "everything is listed once",
      AnswerPlay(.relist, error(403, "D:valid-sync-token"), .everything(1), requests: 2)),
    ServerAnswer(
      12, "403 with a quota in JSON", "waited for, and sent again",
      AnswerPlay(
        .list, .answer(403, body: "{\"error\":{\"errors\":[{\"domain\":\"usageLimits\"}]}}"),
        .everything(1), requests: 2),
      AnswerPlay(
        .create, .answer(403, body: "{\"error\":{\"status\":\"rateLimitExceeded\"}}"), times: 99,
        .failed(.tryLater(nil)), requests: 6)),
  ]

  private static let absences = [
    ServerAnswer(
      13, "404 for an item", "it is gone: missing, deleted, or changed meanwhile",
      AnswerPlay(.read, .answer(404), .missing),
      AnswerPlay(.delete, .answer(404), .removed, after: removeElsewhere),
      AnswerPlay(.replace, .answer(404), .changedMeanwhile, after: removeElsewhere)),
    ServerAnswer(
      14, "404 for the calendar", "nothing in it counts as deleted",
      AnswerPlay(.read, nil, .failed(.vanished), after: removeCalendar),
      AnswerPlay(.list, nil, .failed(.vanished), after: removeCalendar),
      AnswerPlay(.delete, nil, .failed(.vanished), after: removeCalendar)),
    ServerAnswer(
      15, "405", "of a report: another way of listing; of a write: refused",
      AnswerPlay(.list, .answer(405), times: 9, .everything(1), requests: 1),
      AnswerPlay(.create, .answer(405), .refused(.refused))),
    ServerAnswer(
      16, "409 for the parent, a UID or a token", "each by its reason",
      AnswerPlay(.create, nil, .failed(.vanished), after: removeCalendar),
      AnswerPlay(.create, error(409, "C:no-uid-conflict"), .refused(.refused)),
      AnswerPlay(.replace, .answer(409), .changedMeanwhile, after: changeElsewhere),
      AnswerPlay(.relist, .answer(409), .everything(1), requests: 2)),
    ServerAnswer(
      17, "410 for an item", "as 404",
      AnswerPlay(.read, .answer(410), .missing),
      AnswerPlay(.delete, .answer(410), .removed, after: removeElsewhere)),
    ServerAnswer(
      18, "410 for a token", "everything is listed once",
      AnswerPlay(.relist, .answer(410), .everything(1), requests: 2)),
  ]

  private static let contents = [
    ServerAnswer(
      19, "412", "what is there decides: another's change, or a tag that moved by itself",
      AnswerPlay(.replace, .answer(412), .changedMeanwhile, requests: 1, after: changeElsewhere),
      AnswerPlay(.delete, .answer(412), .changedMeanwhile, requests: 0, after: changeElsewhere),
      AnswerPlay(.replace, nil, .stored, requests: 2) { model in
        model.server.touch(Array("a.ics".utf8), in: ModelAccount.work)
      }),
    ServerAnswer(
      20, "413", "too large",
      AnswerPlay(.create, .answer(413), .refused(.tooLarge), requests: 1)),
    ServerAnswer(
      21, "415", "a kind that the calendar does not take",
      AnswerPlay(.create, .answer(415), .refused(.unsupported), requests: 1)),
    ServerAnswer(
      22, "418 to a report", "as a token that is not known any more; with a time, as 429",
      AnswerPlay(.relist, .answer(418), .everything(1), requests: 2),
      AnswerPlay(.relist, .answer(418, headers: later("30")), .changes(0), requests: 2),
      AnswerPlay(.replace, .answer(418, headers: later("30")), .stored, requests: 2),
      AnswerPlay(
        .replace, .answer(418, headers: later("3600")), .failed(.tryLater(3_600_000)),
        requests: 1),
      AnswerPlay(.relist, nil, .changes(1)) { model in
        model.server.change { $0.goneStatus = 418 }
        model.remove("a.ics")
      }),
    ServerAnswer(
      23, "423", "refused for now: another program has locked it",
      AnswerPlay(.replace, .answer(423), .refused(.refused, mayPass: true), requests: 1)),
  ]

  private static func later(_ seconds: String) -> [[String]] { [["Retry-After", seconds]] }

  private static let overloads = [
    ServerAnswer(
      24, "429 with seconds", "waited for, and sent again",
      AnswerPlay(.replace, .answer(429, headers: later("30")), .stored, requests: 2),
      AnswerPlay(.list, .answer(429, headers: later("30")), .everything(1), requests: 2),
      AnswerPlay(
        .replace, .answer(429, headers: later("3600")), .failed(.tryLater(3_600_000)),
        requests: 1)),
    ServerAnswer(
      25, "429 with a date or nothing", "waited for, and sent again",
      AnswerPlay(
        .delete, .answer(429, headers: later("Mon, 05 Jan 2026 08:00:40 GMT")), .removed,
        requests: 2),
      AnswerPlay(.create, .answer(429), times: 2, .stored, requests: 3),
      AnswerPlay(.create, .answer(429), times: 99, .failed(.tryLater(nil)), requests: 6)),
    ServerAnswer(
      26, "500 although it was done", "found done",
      AnswerPlay(.create, .actThenAnswer(500), .stored, requests: 1),
      AnswerPlay(.delete, .actThenAnswer(500), .removed, requests: 1)),
    ServerAnswer(
      27, "500, and it was not done", "refused for now",
      AnswerPlay(.create, .answer(500), .refused(.refused, mayPass: true), requests: 1),
      AnswerPlay(.replace, .answer(500), .refused(.refused, mayPass: true), requests: 1)),
    ServerAnswer(
      28, "502 and 504", "of a write, the next look decides; of a report: another way of listing",
      AnswerPlay(.create, .actThenAnswer(502), .unknown, requests: 1),
      AnswerPlay(.replace, .answer(504), .unknown, requests: 1),
      AnswerPlay(.list, .answer(504), times: 9, .everything(1), requests: 1)),
    ServerAnswer(
      29, "503 with Retry-After", "waited for, and sent again",
      AnswerPlay(.replace, .answer(503, headers: later("60")), .stored, requests: 2),
      AnswerPlay(
        .list, .answer(503, headers: later("7200")), .failed(.tryLater(7_200_000)), requests: 1)),
    ServerAnswer(
      30, "507 to a whole request", "of a write: no room; of a report: another way of listing",
      AnswerPlay(.create, .answer(507), .refused(.refused, mayPass: true), requests: 1),
      AnswerPlay(.list, .answer(507), times: 9, .everything(1), requests: 1)),
    ServerAnswer(
      31, "507 inside a multistatus", "there are more pages",
      AnswerPlay(.list, nil, .part(2), requests: 1, after: giveFourInPages),
      AnswerPlay(.listToTheEnd, nil, .everything(4), requests: 2, after: giveFourInPages)),
    ServerAnswer(
      32, "207 to a PUT, with a failure inside", "the failure counts",
      AnswerPlay(
        .create,
        .answer(
          207,
          body: """
            <D:multistatus xmlns:D="DAV:"><D:response><D:href>/x</D:href>
            <D:status>HTTP/1.1 413 Too Large</D:status></D:response></D:multistatus>
            """), .refused(.tooLarge), requests: 1)),
  ]
}
