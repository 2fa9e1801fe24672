import Glibc
import SQLiteJournal
import SyncModel

/// What a pair's journal shows.
struct PairHistory {
  var findings: [Finding]
  /// It has synced before, or nobody can tell.
  var isThere = false
  /// Sides that are other directories than in the last run.
  var repointed: Set<Side> = []

  /// The folder of a side may have held what was synced.
  func knows(_ side: Side) -> Bool { isThere && !repointed.contains(side) }
}

/// What the journal of a pair says of it.
extension Doctor {
  /// So many writes of which the outcome cannot be seen are named one by one.
  private static let namedWrites = 10

  func examineJournal(_ pair: PairConfiguration, _ gateway: Gateway) async -> PairHistory {
    let subject = Finding.Subject.pair(pair.name)
    let path = gateway.opener.databasePath(pair)
    guard access(path, F_OK) == 0 else {
      return PairHistory(findings: [
        findingOfLoss(of: pair, isGone: true, gateway)
          ?? Finding(.ok, subject, .journal, "there is none yet: no sync has run")
      ])
    }
    do throws(RunFailure) {
      var damage: String?
      let store = try gateway.opener.openStore(pair, .look) { notice in
        if case .damaged(let reason, _) = notice { damage = reason }
      }
      if let damage {
        let finding = Finding(
          .warning, subject, .journal, "the journal \(path) is damaged", why: damage,
          hint: "the next sync keeps it aside and begins anew; nothing is deleted by it")
        return PairHistory(findings: [finding], isThere: true)
      }
      let standings = try await gateway.journaled(pair) { () throws(JournalError) in
        try await store.standings()
      }
      if standings.isEmpty, let loss = findingOfLoss(of: pair, isGone: false, gateway) {
        return PairHistory(findings: [loss])
      }
      var history = PairHistory(
        findings: findings(standings, subject), isThere: !standings.isEmpty)
      for (which, side) in [(Side.local, pair.local), (.remote, pair.remote)] {
        guard case .directory(let path) = side else { continue }
        let isElsewhere = try await gateway.journaled(pair) { () throws(JournalError) in
          try await store.wasElsewhere(which, thanDirectory: path)
        }
        if isElsewhere { history.repointed.insert(which) }
      }
      return history
    } catch {
      return PairHistory(findings: [Finding(error, subject, .journal)], isThere: true)
    }
  }

  /// Nil where the pair has never synced, or had all of it forgotten.
  private func findingOfLoss(
    of pair: PairConfiguration, isGone: Bool, _ gateway: Gateway
  ) -> Finding? {
    gateway.opener.lossOfJournal(of: pair.name, isGone: isGone, .look).map {
      Finding(.warning, .pair(pair.name), .journal, $0)
    }
  }

  private func findings(_ standings: [CollectionStanding], _ subject: Finding.Subject) -> [Finding]
  {
    let items = standings.reduce(0) { $0 + $1.agreementCount }
    let (count, all) = (standings.count, standings.reduce(0) { $0 + $1.openIntents.count })
    let unseen = standings.flatMap(\.unseenWrites)
    let open = all - unseen.count
    let text =
      "\(count) collection\(count == 1 ? "" : "s"), \(items) item\(items == 1 ? "" : "s") in step"
    var findings = [
      open == 0
        ? Finding(.ok, subject, .journal, text)
        : Finding(
          .warning, subject, .journal,
          "\(text); what became of \(open) write\(open == 1 ? "" : "s") is not known yet",
          why: "a run was cut off, or the other side does not show it yet",
          hint: "the next sync looks")
    ]
    findings += unseen.prefix(Self.namedWrites).map { $0.finding(subject) }
    if unseen.count > Self.namedWrites {
      findings.append(
        Finding(
          .warning, subject, .journal,
          "what became of \(unseen.count - Self.namedWrites) more writes cannot be seen",
          hint: "the next sync names them all"))
    }
    return findings
  }
}

/// A write of which nobody can see what became of it: what is there cannot be read.
private struct UnseenWrite {
  let collection: String
  let intent: Intent
  /// What keeps it from being read.
  let problem: ItemProblem

  func finding(_ subject: Finding.Subject) -> Finding {
    let title = (intent.source?.summary).flatMap { $0.isEmpty ? nil : "\"\($0)\"" }
    let item = visibleText(title ?? intent.uid.text, limit: 60)
    return Finding(
      .warning, subject, .journal,
      "\(collection): whether the \(intent.side.rawValue) side has taken what became of \(item) "
        + "cannot be seen, so it is left alone",
      why: problem.message,
      hint: "look at \(visibleText(intent.href.text)) there, and correct it or remove it; the sync "
        + "after that goes on with it")
  }
}

extension CollectionStanding {
  fileprivate var unseenWrites: [UnseenWrite] {
    var problems: [Side: [Href: ItemProblem]] = [:]
    for seen in differing.observations {
      if case .obstructed(_, let problem) = seen.state {
        problems[seen.side, default: [:]][seen.href] = problem
      }
    }
    return openIntents.map(\.intent).compactMap { intent in
      problems[intent.side]?[intent.href].map {
        UnseenWrite(collection: record.identity.name, intent: intent, problem: $0)
      }
    }
  }
}
