import Glibc
import Simulation
import Synchronization
import TestSupport

/// The value after an option's name.
private func option(_ name: String, in arguments: ArraySlice<String>) -> String? {
  guard let index = arguments.firstIndex(of: name), index + 1 < arguments.endIndex else {
    return nil
  }
  return arguments[index + 1]
}

private func range(_ arguments: ArraySlice<String>) -> (UInt64, UInt64)? {
  let numbers = arguments.prefix(2).compactMap { UInt64($0) }
  return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
}

/// What several threads find together.
private struct Findings {
  var next: UInt64
  var played = 0
  var runs = 0
  var hits: [String: Int] = [:]
  var failing: [(seed: UInt64, violation: Violation)] = []
}

/// Plays seeds on as many threads as wanted, until all are played or the time is over.
func playSeeds(_ arguments: ArraySlice<String>) -> Int32 {
  guard let (from, to) = range(arguments) else { return 64 }
  let minutes = option("--minutes", in: arguments).flatMap(Double.init)
  let threads = option("--threads", in: arguments).flatMap(Int.init) ?? 2
  let isShort = arguments.contains("--first")
  let trait = option("--with", in: arguments)
  let end = minutes.map { time(nil) + Int($0 * 60) }
  let shared = Shared(Findings(next: from))
  let handles = (0..<max(1, threads)).map { _ in
    startThread {
      while end.map({ time(nil) < $0 }) ?? true,
        let seed = shared.take(below: to, stopsAtFailure: isShort)
      {
        let story = Story(seed: seed)
        if let trait, !story.traits.contains(trait) { continue }
        let outcome = Simulation.play(story)
        shared.add(seed, outcome)
        if let first = outcome.violations.first {
          tell("seed \(seed): \(first)")
        }
      }
    }
  }
  for handle in handles { pthread_join(handle, nil) }
  if isShort { return shared.findings.failing.isEmpty ? 0 : 1 }
  let findings = shared.findings
  if let trait, findings.played == 0 {
    print("no story of these seeds has \(trait)")
    return 64
  }
  printTable(findings.hits)
  print(
    "\(findings.played) seeds, \(findings.runs) runs, \(findings.failing.count) failed"
      + " (\(from) to before \(findings.next))")
  return findings.failing.isEmpty ? 0 : 1
}

/// Prints a line at once, also into a file.
private func tell(_ line: String) {
  let bytes = Array("\(line)\n".utf8)
  _ = write(1, bytes, bytes.count)
}

private final class Shared: Sendable {
  private let held: Mutex<Findings>

  init(_ findings: Findings) { held = Mutex(findings) }

  var findings: Findings { held.withLock { $0 } }

  func take(below limit: UInt64, stopsAtFailure: Bool) -> UInt64? {
    held.withLock { findings in
      guard findings.next < limit, !stopsAtFailure || findings.failing.isEmpty else { return nil }
      defer { findings.next += 1 }
      return findings.next
    }
  }

  func add(_ seed: UInt64, _ outcome: Simulation.Outcome) {
    held.withLock { findings in
      findings.played += 1
      findings.runs += outcome.runs
      for (name, count) in outcome.hits { findings.hits[name, default: 0] += count }
      if let first = outcome.violations.first { findings.failing.append((seed, first)) }
    }
  }
}

private func printTable(_ hits: [String: Int]) {
  for entry in FaultTable.entries {
    print("\(entry.name)\t\(hits[entry.name] ?? 0)\t\(entry.title)")
  }
}

/// The trace of every seed as a number, and a number that differs between two processes if Swift
/// seeds its hashes anew in each.
func printHashes(_ arguments: ArraySlice<String>) -> Int32 {
  guard let (from, to) = range(arguments) else { return 64 }
  print("hashing \("witness".hashValue)")
  for seed in from..<to {
    print("\(seed) \(Simulation.play(Story(seed: seed)).hash)")
  }
  return 0
}

/// Shows a seed's story; where it fails, the smallest one that fails alike.
func show(_ arguments: ArraySlice<String>) -> Int32 {
  guard let seed = arguments.first.flatMap({ UInt64($0) }) else { return 64 }
  return tell(Story(seed: seed))
}

func playFile(_ arguments: ArraySlice<String>) -> Int32 {
  guard let text = arguments.first.flatMap(text(of:)) else { return 66 }
  do {
    return tell(try Story(text: text))
  } catch {
    print(error)
    return 65
  }
}

/// Plays written stories and tables: unbroken, and stopped at every effect.
func rehearse(_ arguments: ArraySlice<String>) -> Int32 {
  var status: Int32 = 0
  for path in arguments {
    guard let broken = complaints(of: path) else {
      print("\(path): no story, and no table")
      return 66
    }
    for line in broken.prefix(6) { print("\(path): \(line)") }
    if !broken.isEmpty { status = 1 }
  }
  return status
}

/// Nil where the file holds neither.
private func complaints(of path: String) -> [String]? {
  guard let text = text(of: path) else { return nil }
  if path.hasSuffix(".scenario") {
    return (try? Scenario(named: path, text: text)).map { complaints(of: TableRehearsal($0)) }
  }
  return (try? Rehearsal(text: text)).map { complaints(of: $0) }
}

private func complaints(of rehearsal: some Rehearsed) -> [String] {
  let broken = rehearsal.complaints(of: rehearsal.play()).map { "unbroken: \($0)" }
  return broken.isEmpty ? rehearsal.complaintsWhereStopped() : broken
}

private func text(of path: String) -> String? {
  guard let file = fopen(path, "rb") else { return nil }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 14)
  while true {
    let count = fread(&buffer, 1, buffer.count, file)
    guard count > 0 else { break }
    bytes += buffer.prefix(count)
  }
  return String(decoding: bytes, as: UTF8.self)
}

private func tell(_ story: Story) -> Int32 {
  let outcome = Simulation.play(story)
  guard let first = outcome.violations.first else {
    print(story)
    print("keeps all promises")
    return 0
  }
  let small = story.shrunk(breaking: first.rule)
  print("# \(first.rule)\n\(small)")
  let told = Simulation.play(small, keepsLines: true)
  let dull = ["files.status", "files.list", "files.open", "journal.agreementCount", "http.answer"]
  for line in told.lines where !dull.contains(where: { line.hasPrefix($0) }) {
    print("  | \(line)")
  }
  for violation in told.violations { print(violation) }
  return 1
}
