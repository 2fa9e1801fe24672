import SyncExecution
import SyncModel
import TestSupport

/// A story with the end that it is to have, as a file of `Fixtures/stories`: the lines of a story,
/// and lines that begin with `expect`.
public struct Rehearsal: Sendable {
  public let story: Story
  public let expected: Ending

  public init(text: String) throws(Story.Malformed) {
    let lines = text.split(separator: "\n")
    let isExpected = { (line: Substring) in line.hasPrefix("expect") }
    story = try Story(text: lines.filter { !isExpected($0) }.joined(separator: "\n"))
    var ending = Ending()
    for line in lines.filter(isExpected) {
      let words = line.split(separator: " ").map(String.init)
      let rest = words.dropFirst().joined(separator: " ")
      switch words[0] {
      case "expect": ending.items.append(rest)
      case "expect-problem": ending.problems.append(rest)
      case "expect-conflict": ending.conflicts.append(rest)
      case "expect-failure": ending.failure = rest
      default: throw Story.Malformed(line: String(line))
      }
    }
    expected = ending.sorted
  }

  /// The story, and what follows: the same run once more, with nothing to do.
  public func play() -> Result { Self.play(story) }

  /// The story with its last run stopped at an effect, counted from 1, and gone on with by another
  /// one.
  public func playStopped(at effect: Int, _ moment: Moment) -> Result {
    var stopped = story
    guard case .run(let command, let events)? = stopped.steps.last else { return play() }
    let kill = Story.Happening.kill(
      isAfter: moment != .before, powerCut: moment == .powerCut ? UInt64(effect) : nil)
    stopped.steps[stopped.steps.count - 1] = .run(
      command, events + [Story.Event(at: Story.Moment("effect", effect), kill)])
    stopped.steps.append(.run(command, events))
    return Self.play(stopped)
  }

  /// What is wrong with a result, in words.
  public func complaints(of result: Result) -> [String] {
    var found = result.violations.map(\.description)
    if result.ending != expected { found.append("ends otherwise:\n\(result.ending)") }
    if !result.isQuietAfter { found.append("the run after it is not quiet") }
    return found
  }

  /// On which side of an effect a kill falls.
  public enum Moment: Sendable, CaseIterable {
    case before
    case after
    /// After it, and what was not on disk may be gone.
    case powerCut
  }

  /// What became of it.
  public struct Result: Sendable {
    public var ending = Ending()
    /// Effects of the last run.
    public var effects = 0
    /// The run after it had nothing to do.
    public var isQuietAfter = false
    public var violations: [Violation] = []
  }

  private static func play(_ story: Story) -> Result {
    let world = World(story)
    var result = Result()
    var report: CollectionReport?
    for step in story.steps {
      switch step {
      case .run(let command, let events):
        (report, result.effects) = world.step(command, events)
      default: world.step(step)
      }
    }
    result.ending = world.ending(report)
    world.executor.advance(5_000)
    let (before, writes) = (Picture(world), world.transport.writes)
    _ = world.step(.sync, [])
    let after = Picture(world)
    result.isQuietAfter =
      before.local == after.local && before.remote == after.remote
      && world.transport.writes == writes && world.journal.state.intents.isEmpty
    result.violations = world.violations
    return result
  }
}

/// Both sides after a story, in words.
public struct Ending: Sendable, Hashable, CustomStringConvertible {
  /// As `dentist 3 -`: the UID and what its summary ends with, here and there.
  public var items: [String] = []
  /// Codes of problems.
  public var problems: [String] = []
  public var conflicts: [String] = []
  /// The kind of the failure; nil where the run came to its end.
  public var failure: String?

  public var description: String {
    (items.map { "expect \($0)" } + problems.map { "expect-problem \($0)" }
      + conflicts.map { "expect-conflict \($0)" }
      + (failure.map { ["expect-failure \($0)"] } ?? [])).joined(separator: "\n")
  }

  var sorted: Ending {
    var ending = self
    ending.items.sort()
    ending.problems.sort()
    ending.conflicts.sort()
    return ending
  }
}

extension World {
  func ending(_ report: CollectionReport?) -> Ending {
    var ending = Ending()
    let local = files.contents(of: World.folder).filter { $0.key.isVisibleItem }
      .map(\.value.data)
    let remote = Array(server.items(in: World.calendar).values)
    let uids = Set((local + remote).compactMap(ItemText.uid))
    ending.items = uids.map { uid in
      "\(uid) \(mark(uid, local)) \(mark(uid, remote))"
    }
    // That a write was not guarded is told by the run that did it, which may have been killed.
    ending.problems = (report?.problems ?? []).map(\.problem.code.rawValue)
      .filter { $0 != "unguarded" }
    ending.conflicts = (report?.conflicts ?? []).compactMap { $0.item.uid?.text }
    switch report?.failure {
    case nil: break
    case .storage(_, let error)?: ending.failure = "\(error.kind)"
    case .journal(let error)?: ending.failure = "\(error.kind)"
    case .stopped?: ending.failure = "stopped"
    }
    return ending.sorted
  }

  /// `-` where it is not there, `x2` where it is there twice, `broken` where it is not whole.
  private func mark(_ uid: String, _ texts: [[UInt8]]) -> String {
    let mine = texts.filter { ItemText.uid($0) == uid }
    guard let text = mine.first else { return "-" }
    guard mine.count == 1 else { return "x\(mine.count)" }
    guard ItemText.isWhole(text) else { return "broken" }
    let lines = String(decoding: text, as: UTF8.self).replacing("\r\n", with: "\n")
      .split(separator: "\n")
    let summary = lines.first { $0.hasPrefix("SUMMARY:") }
    return summary?.split(separator: " ").last.map(String.init) ?? "?"
  }
}
