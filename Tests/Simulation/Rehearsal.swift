import SyncExecution
import SyncModel
import TestSupport

/// What is written down with the end that it is to have, and may be stopped on the way.
public protocol Rehearsed: Sendable {
  associatedtype Result: Sendable

  func play() -> Result

  /// Stopped at an effect of the last command, counted from 1, which is then given once more, as by
  /// a person who saw it die.
  func playStopped(at effect: Int, _ moment: Rehearsal.Moment) -> Result

  /// What is wrong with a result, in words.
  func complaints(of result: Result) -> [String]

  /// Of the last command.
  func effects(of result: Result) -> Int
}

extension Rehearsed {
  /// What is wrong where it is stopped at an effect, of each of them, in words.
  public func complaintsWhereStopped() -> [String] {
    let effects = effects(of: play())
    return stride(from: 1, through: effects, by: 1).flatMap { effect in
      Rehearsal.Moment.allCases.flatMap { moment in
        complaints(of: playStopped(at: effect, moment))
          .map { "stopped \(moment) effect \(effect) of \(effects): \($0)" }
      }
    }
  }
}

/// A story with the end that it is to have, as a file of `Fixtures/stories`: the lines of a story,
/// and lines that begin with `expect`.
///
///     expect dentist 3 -           the title's last word, here and there; - is nothing there
///     expect-text dentist LOCATION:room 7    a line that it has on both sides
///     expect-conflict dentist      what the last command reports
///     expect-problem read-only
///     expect-failure denied
public struct Rehearsal: Rehearsed {
  public let story: Story
  public let expected: Ending
  /// Lines that items have on both sides.
  private let texts: [(uid: String, line: String)]

  public init(text: String) throws(Story.Malformed) {
    let lines = text.split(separator: "\n")
    let isExpected = { (line: Substring) in line.hasPrefix("expect") }
    story = try Story(text: lines.filter { !isExpected($0) }.joined(separator: "\n"))
    var ending = Ending()
    var texts: [(uid: String, line: String)] = []
    for line in lines.filter(isExpected) {
      let words = line.split(separator: " ").map(String.init)
      let rest = words.dropFirst().joined(separator: " ")
      switch words[0] {
      case "expect": ending.items.append(rest)
      case "expect-text" where words.count > 2:
        texts.append((words[1], words.dropFirst(2).joined(separator: " ")))
      case "expect-problem": ending.problems.append(rest)
      case "expect-conflict": ending.conflicts.append(rest)
      case "expect-failure": ending.failure = rest
      default: throw Story.Malformed(line: String(line))
      }
    }
    expected = ending.sorted
    self.texts = texts
  }

  /// The story, and what follows: a sync with nothing to do.
  public func play() -> Result { Self.play(story) }

  public func playStopped(at effect: Int, _ moment: Moment) -> Result {
    var stopped = story
    guard case .run(let command, let events)? = stopped.steps.last else { return play() }
    let kill = moment.kill(at: effect)
    stopped.steps[stopped.steps.count - 1] = .run(
      command, events + [Story.Event(at: Story.Moment("effect", effect), kill)])
    stopped.steps.append(.run(command, events))
    return Self.play(stopped)
  }

  public func effects(of result: Result) -> Int { result.effects }

  public func complaints(of result: Result) -> [String] {
    var found = result.violations.map(\.description)
    if result.ending != expected { found.append("ends otherwise:\n\(result.ending)") }
    for (uid, line) in texts where !result.holds(line, in: ItemText.realUID(uid)) {
      found.append("\(uid) does not have '\(line)' on both sides")
    }
    found += result.idle.map { "'\($0)' finds nothing to do" }
    found += result.noises.map { "in the run after it: \($0)" }
    return found
  }

  /// On which side of an effect a kill falls.
  public enum Moment: Sendable, CaseIterable {
    case before
    case after
    /// After it, and what was not on disk may be gone.
    case powerCut

    func kill(at effect: Int) -> Story.Happening {
      .kill(isAfter: self != .before, powerCut: self == .powerCut ? UInt64(effect) : nil)
    }
  }

  /// What became of it.
  public struct Result: Sendable {
    public var ending = Ending()
    /// Effects of the last run.
    public var effects = 0
    /// What the run after it did, which had nothing to do.
    public var noises: [String] = []
    /// Words of a person that came to nothing, since there was no version or no conflict.
    public var idle: [String] = []
    public var violations: [Violation] = []
    /// The texts of both sides by UID.
    var sides: [[String: [[UInt8]]]] = []

    func holds(_ line: String, in uid: String) -> Bool {
      sides.allSatisfy { side in
        guard let texts = side[uid], texts.count == 1 else { return false }
        return texts[0].holds("\n\(line)\r\n") || texts[0].holds("\n\(line)\n")
      }
    }
  }

  private static func play(_ story: Story) -> Result {
    let world = World(story)
    var result = Result()
    var report: CollectionReport?
    for step in story.steps {
      switch step {
      case .run(let command, let events):
        (report, result.effects) = world.step(command, events)
        if command != .sync, result.effects == 0 { result.idle.append("\(command)") }
      case .act, .wait: world.step(step)
      }
    }
    result.ending = world.ending(report)
    result.sides = [world.textsHere, world.textsThere]
    world.executor.advance(5_000)
    let calm = Calm(world)
    let (next, _) = world.step(.sync, [])
    result.noises = calm.noises(of: next, in: world, isSettled: false)
    if !world.journal.state.intents.isEmpty { result.noises.append("intents stay open") }
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
      // Nobody can read the UID of a second item, which calgw made.
      "\(ItemText.isMade(uid) ? "second" : uid) \(mark(uid, local)) \(mark(uid, remote))"
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
