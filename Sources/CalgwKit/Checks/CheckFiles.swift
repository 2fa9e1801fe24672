import Glibc
import ICalendar
import SyncModel
import VdirStorage

/// Looks for what is not as RFC 5545 wants it in folders and files, and mends what is safe.
public struct FileChecker: Sendable {
  private let environment: ProcessEnvironment
  private let namedConfiguration: String?
  private let signals: StopSignals?
  private let isMending: Bool
  /// Tells a person something that is no finding.
  private let notice: @Sendable (String) -> Void

  /// - Parameters:
  ///   - configuration: What `--config` says.
  ///   - mends: What is safe to mend is mended; the text before goes to the history.
  public init(
    environment: ProcessEnvironment, configuration: String?, signals: StopSignals?,
    mends: Bool, notice: @escaping @Sendable (String) -> Void
  ) {
    self.environment = environment
    self.signals = signals
    self.notice = notice
    namedConfiguration = configuration
    isMending = mends
  }

  /// Checks what the arguments name, as `list` understands them, and hands out each file that has
  /// findings, in the order of the names. Gives what is not there or could not be mended.
  public func check(_ targets: [String], _ found: (CheckedFile) -> Void) async throws(RunFailure)
    -> [RunFailure]
  {
    let finder = PlaceFinder(environment: environment) { () throws(RunFailure) in
      try configuration()
    }
    var (places, failures) = try await finder.places(targets)
    for place in places {
      do throws(RunFailure) {
        if place.isFolder {
          failures += try await check(folder: place, found)
        } else {
          failures += try await check(file: place, found)
        }
      } catch {
        if error.status == .interrupted || signals?.reason != nil { throw error }
        failures.append(error)
      }
    }
    return failures
  }

  private func configuration() throws(RunFailure) -> Configuration {
    do throws(ConfigurationError) {
      return try environment.loadConfigurationIfAny(from: namedConfiguration)
    } catch {
      throw RunFailure(error)
    }
  }

  // MARK: Folders

  /// Files that are mended together.
  private static let batch = 100

  private func check(folder place: CalendarPlace, _ found: (CheckedFile) -> Void)
    async throws(RunFailure) -> [RunFailure]
  {
    var checks: [FolderCheck] = []
    var names: [[UInt8]: [Href]] = [:]
    let doubled: [Href: Href]
    do throws(StorageError) {
      let storage = try VdirStorage.open(path: place.path, access: .forReading)
      let calendars = Set(place.calendarsInside.map { Href($0.bytes) })
      let present = try await storage.listChanges(since: nil).present.map(\.href)
        .filter { !calendars.contains($0) }
      var parts = ReadInParts(present, of: storage)
      while let part = try await parts.next() {
        for outcome in part {
          guard let check = FolderCheck(outcome) else { continue }
          for uid in check.uids { names[uid, default: []].append(check.href) }
          checks.append(check)
        }
        if let reason = signals?.reason { throw StorageError(.stopped, reason.words) }
      }
      doubled = try await doubledParts(among: checks, in: storage)
    } catch {
      throw RunFailure(error, place: place.text, stop: signals?.reason)
    }
    for uid in names.keys where (names[uid]?.count ?? 0) < 2 { names[uid] = nil }
    var failures: [RunFailure] = []
    if isMending { try await mend(&checks, place, &failures) }
    for check in checks {
      let file = check.report(twins: names, doubled: doubled, folder: place.path)
      if !file.findings.isEmpty { found(file) }
    }
    return failures
  }

  /// Mends the files of a folder that need it.
  private func mend(
    _ checks: inout [FolderCheck], _ place: CalendarPlace, _ failures: inout [RunFailure]
  ) async throws(RunFailure) {
    let wanted = checks.indices.filter { checks[$0].findings.contains { $0.mend != nil } }
    guard !wanted.isEmpty else { return }
    let mended = try await mend(wanted.map { checks[$0].href }, in: place.path, &failures)
    for index in wanted where mended.contains(checks[index].href) {
      for finding in checks[index].findings.indices
      where checks[index].findings[finding].mend != nil {
        checks[index].findings[finding].isMended = true
      }
    }
  }

  // MARK: Files

  /// A file of one life's events; what is larger is something else.
  private static let fileLimit = 256 * 1024 * 1024

  private func check(file place: CalendarPlace, _ found: (CheckedFile) -> Void)
    async throws(RunFailure) -> [RunFailure]
  {
    let bytes: [UInt8]
    do throws(RunFailure) {
      bytes = try readNamedFile(place.path, limit: Self.fileLimit)
    } catch {
      let start = TextPosition(startOf: 1)
      let finding: CheckFinding
      switch error.code {
      case "not-a-file":
        finding = CheckFinding(.notAFile, message: "\(error.message): \(error.hint)", at: start)
      case "unreadable":
        finding = CheckFinding(
          .unreadable, message: "the file cannot be read: \(error.why)", at: start)
      default: throw error
      }
      found(CheckedFile(path: place.path, findings: [.init(finding: finding)]))
      return []
    }
    let tree = SyntaxTree(bytes: bytes)
    var file = CheckedFile(path: place.path, findings: ItemMender.findings(in: tree))
    if let second = CalendarObject(tree).secondUID {
      // A file by itself may well hold a whole calendar.
      let place = second.position
      file.findings.append(
        .init(finding: CheckFinding(.severalUIDs, severity: .warning, at: place)))
    }
    var failures: [RunFailure] = []
    if isMending, file.findings.contains(where: { $0.mend != nil }) {
      let slash = place.path.lastIndex(of: UInt8(ascii: "/")) ?? 0
      let folder = Array(place.path[..<max(slash, 1)])
      let href = Href(Array(place.path[(slash + 1)...]))
      let mended = try await mend([href], in: folder, &failures)
      if mended.contains(href) {
        for index in file.findings.indices where file.findings[index].mend != nil {
          file.findings[index].isMended = true
        }
      }
    }
    if !file.findings.isEmpty { found(file) }
    return failures
  }

  // MARK: Mending

  /// Rewrites files, each as it is now and under a guard; gives those that were.
  private func mend(_ hrefs: [Href], in path: [UInt8], _ failures: inout [RunFailure])
    async throws(RunFailure) -> Set<Href>
  {
    let gateway = try Gateway(
      try configuration(), environment: environment, signals: signals)
    let office = gateway.office(notice)
    let folder = try await office.finder.folders.folder(atPath: path)
    let mender = ItemMender(
      calendar: folder.calendar, digest: liveDigest, now: office.surroundings.now())
    let place = folder.name
    let outcomes = try await office.write(to: folder) { desk async throws(RunFailure) in
      var outcomes: [(Href, ChangeOutcome)] = []
      for start in stride(from: 0, to: hrefs.count, by: Self.batch) {
        let batch = Array(hrefs[start..<min(start + Self.batch, hrefs.count)])
        let (changes, problems) = try await mender.changes(batch, desk.storage, place: place)
        outcomes += problems.map { ($0.href, .refused($0.problem)) }
        let done = try await office.remembered { () throws(JournalError) in
          try await desk.carryOutEach(changes)
        }
        outcomes += zip(changes, done).map { ($0.href, $1) }
      }
      return outcomes
    }
    var mended: Set<Href> = []
    for (href, outcome) in outcomes {
      do throws(RunFailure) {
        try outcome.check("mending \(folder.pathText(of: href))", at: place)
        mended.insert(href)
      } catch {
        failures.append(error)
      }
    }
    return mended
  }
}

extension ItemMender {
  /// What mending some files means, for each as it is now.
  fileprivate func changes(_ hrefs: [Href], _ storage: any Storage, place: String)
    async throws(RunFailure) -> ([ItemChange], problems: [(href: Href, problem: ItemProblem)])
  {
    do throws(StorageError) {
      var changes: [ItemChange] = []
      var problems: [(href: Href, problem: ItemProblem)] = []
      for outcome in try await storage.readAll(hrefs) {
        switch outcome.result {
        case .missing: continue
        case .problem(let problem): problems.append((outcome.href, problem))
        case .found(let version, let data, _):
          // Somebody may have mended it meanwhile.
          guard let bytes = mended(data.bytes) else { continue }
          let uid = CalendarObject(SyntaxTree(bytes: bytes)).uids.first ?? outcome.href.spelling
          changes.append(
            ItemChange(
              ItemID(bytes: uid),
              .replace(outcome.href, expecting: version, old: data, new: ItemData(bytes: bytes)),
              reason: "mended by calgw check --fix"))
        }
      }
      return (changes, problems)
    } catch {
      throw RunFailure(error, place: place)
    }
  }
}

extension StopReason {
  fileprivate var words: String { "the run was told to stop" }
}
