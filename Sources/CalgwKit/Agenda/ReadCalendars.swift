import Glibc
import ICalendar
import Recurrence
import SyncModel
import Synchronization
import VdirStorage

/// Reads the events of some places, from as many threads as there are cores.
struct CalendarReader: Sendable {
  let window: AgendaWindow
  let glance: Glance?
  let signals: StopSignals?

  /// What was found, and what could not be read.
  struct Findings: Sendable {
    var entries: [AgendaEntry] = []
    var failures: [RunFailure] = []
    /// What a person should know although nothing failed.
    var notices: [String] = []
  }

  /// More threads than this only wait for each other's files.
  private static let threadLimit = 4
  /// Files that a thread takes at a time: large enough that taking costs nothing, small enough that
  /// all threads end at the same time.
  private static let chunk = 64
  /// All occurrences of a run: some hundred bytes each, so that they fit a small machine's memory.
  static let entryLimit = 2_000_000

  init(_ window: AgendaWindow, signals: StopSignals?) {
    self.window = window
    self.signals = signals
    glance = Glance(window.window)
  }

  func read(_ places: [CalendarPlace]) async throws(RunFailure) -> Findings {
    var findings = Findings()
    for place in places {
      let read = place.isFolder ? await readFolder(place) : readFile(place)
      findings.entries += read.entries
      findings.failures += read.failures
      findings.notices += read.notices
      if let reason = signals?.reason { throw .stopped(reason, place: "") }
      guard findings.entries.count <= Self.entryLimit else {
        throw .usage(
          "there are more than \(Self.entryLimit) occurrences in this time",
          hint: "ask for a shorter time with --from and --to")
      }
    }
    findings.entries.sort(by: <)
    return findings
  }

  // MARK: Files

  /// A file of one life's events; what is larger is something else.
  private static let fileLimit = 256 * 1024 * 1024

  private func readFile(_ place: CalendarPlace) -> Findings {
    var findings = Findings()
    let bytes: [UInt8]
    do throws(RunFailure) {
      bytes = try readNamedFile(place.path, limit: Self.fileLimit)
    } catch {
      findings.failures.append(error)
      return findings
    }
    let folder = place.path.split(separator: UInt8(ascii: "/")).dropLast().last.map(Array.init)
    let calendar = AgendaCalendar(name: nameText(folder ?? []).text)
    let tree = SyntaxTree(bytes: bytes)
    if let trouble = tree.wholeness.trouble {
      findings.failures.append(
        RunFailure(
          .badInput, code: "no-icalendar", message: trouble, place: place.text,
          hint: "see `calgw check`, or name another file"))
      return findings
    }
    add(tree, EventFile(path: place.path, calendar: calendar), to: &findings)
    return findings
  }

  // MARK: Folders

  private func readFolder(_ place: CalendarPlace) async -> Findings {
    var findings = Findings()
    let reader: FolderReader
    let storage: VdirStorage
    do throws(FileError) {
      if let open = place.reader {
        reader = open
      } else {
        reader = try FolderReader(path: place.path)
      }
    } catch {
      findings.failures.append(PlaceFinder.unreadable(place.text, error.code))
      return findings
    }
    do throws(StorageError) {
      storage = try VdirStorage.open(path: place.path, access: .forReading)
    } catch {
      findings.failures.append(RunFailure(error, place: place.text))
      return findings
    }
    let last = place.path.split(separator: UInt8(ascii: "/")).last.map(Array.init)
    let calendar = AgendaCalendar(
      name: nameText(place.name ?? last ?? []).text, title: place.title, color: place.color)
    let (quick, odd) = await readQuickly(reader, calendar)
    findings = quick
    let others = reader.others.filter { !place.calendarsInside.contains($0) }
    for name in (odd + others).sorted() {
      await readSlowly(name, storage, reader.path, calendar, &findings)
    }
    // In the order of the names, whichever thread was faster.
    findings.failures.sort { $0.place < $1.place }
    findings.notices.sort()
    return findings
  }

  /// The plain files, and the names of those that are not.
  private func readQuickly(_ reader: FolderReader, _ calendar: AgendaCalendar) async -> (
    Findings, odd: [FileName]
  ) {
    let counter = Counter()
    let threads = min(
      Self.threadLimit, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))),
      (reader.names.count + Self.chunk - 1) / Self.chunk)
    return await withTaskGroup(of: (Findings, odd: [FileName]).self) { group in
      for _ in 0..<threads {
        group.addTask { readChunks(reader, calendar, counter) }
      }
      var whole: (Findings, odd: [FileName]) = (Findings(), [])
      for await part in group {
        whole.0.entries += part.0.entries
        whole.0.failures += part.0.failures
        whole.0.notices += part.0.notices
        whole.odd += part.odd
      }
      return whole
    }
  }

  /// Where the next chunk starts.
  private final class Counter: Sendable {
    let next = Atomic<Int>(0)
  }

  private func readChunks(
    _ reader: FolderReader, _ calendar: AgendaCalendar, _ counter: Counter
  ) -> (Findings, odd: [FileName]) {
    var findings = Findings()
    var odd: [FileName] = []
    let buffer = FolderReader.Buffer()
    while true {
      let start = counter.next.add(Self.chunk, ordering: .relaxed).oldValue
      guard start < reader.names.count, signals?.reason == nil,
        findings.entries.count <= Self.entryLimit
      else { return (findings, odd) }
      for name in reader.names[start..<min(start + Self.chunk, reader.names.count)] {
        let isRead = reader.withBytes(of: name, in: buffer) { bytes -> Bool in
          if let glance, !glance.mayOccur(bytes) { return true }
          let tree = SyntaxTree(bytes: Array(bytes))
          guard tree.wholeness.trouble == nil else { return false }
          add(tree, EventFile(path: path(of: name, reader.path), calendar: calendar), to: &findings)
          return true
        }
        if isRead != true { odd.append(name) }
      }
    }
  }

  /// A file that is large, is being written, or is in trouble.
  private func readSlowly(
    _ name: FileName, _ storage: VdirStorage, _ folder: [UInt8], _ calendar: AgendaCalendar,
    _ findings: inout Findings
  ) async {
    let path = path(of: name, folder)
    func fail(_ message: String, _ hint: String) {
      findings.failures.append(
        RunFailure(
          .attention, code: "unreadable", message: message, place: nameText(path).text, hint: hint))
    }
    do throws(StorageError) {
      guard let outcome = try await storage.read([Href(name.bytes)]).first else { return }
      switch outcome.result {
      case .missing: return
      case .problem(let problem): fail(problem.message, problem.hint)
      case .found(_, let data, _):
        let tree = SyntaxTree(bytes: data.bytes)
        if let trouble = tree.wholeness.trouble {
          fail(trouble, "save it again, or see `calgw check`")
        } else {
          add(tree, EventFile(path: path, calendar: calendar), to: &findings)
        }
      }
    } catch {
      findings.failures.append(RunFailure(error, place: nameText(path).text))
    }
  }

  private func path(of name: FileName, _ folder: [UInt8]) -> [UInt8] {
    folder + (folder.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + name.bytes
  }

  // MARK: Occurrences

  private func add(_ tree: SyntaxTree, _ file: EventFile, to findings: inout Findings) {
    let series = ItemSeries.all(
      in: CalendarObject(tree), of: file, catalog: .system, placement: window.placement)
    let expansion = FileExpansion(series, window)
    findings.entries += expansion.entries
    let place = nameText(file.path).text
    if expansion.isTooMany {
      findings.failures.append(
        RunFailure(
          .attention, code: "too-many",
          message: "a series has more than \(FileExpansion.limit) occurrences in this time",
          place: place, why: "those after them are left out",
          hint: "ask for a shorter time with --from and --to"))
    }
    for clash in expansion.zoneClashes {
      findings.failures.append(
        RunFailure(
          .attention, code: "unlike-vtimezones", message: clash, place: place,
          hint: ZoneClash.mend))
    }
    for limit in expansion.searchLimits {
      findings.failures.append(
        RunFailure(
          .attention, code: limit.rawValue, message: limit.reason, place: place,
          hint: "simplify the rule, see `calgw check`"))
    }
    if let note = expansion.unreadNote {
      findings.notices.append("\(note): see `calgw check \(shellWord(place))`")
    }
    if expansion.isCut {
      findings.notices.append(
        "\(place): the first \(window.first ?? 0) occurrences of a series; --to says how far to go")
    }
  }
}

extension Wholeness {
  /// Why nothing of a text can be shown; nil where all of it can. A byte that is no UTF-8, or an
  /// END too many, hides no event.
  var trouble: String? {
    switch self {
    case .whole, .notUTF8, .conflictMarker, .strayEnd: nil
    case .empty: "the file is empty"
    case .notCalendar(let line): "this is no iCalendar: line \(line) is not BEGIN:VCALENDAR"
    case .cutOff(let line):
      "the file is cut off: the component that begins in line \(line) has no END"
    case .tooLarge: "the file is larger than can be read"
    }
  }
}

extension Glance {
  /// Nil for a window without bounds.
  fileprivate init?(_ window: OccurrenceWindow) {
    let from = Gregorian.floorDivide(window.from, 86_400)
    let to = Gregorian.floorDivide(window.to, 86_400)
    guard from <= to else { return nil }
    self.init(days: from...to)
  }
}
