public import SyncPlanning

/// All that happens in a simulated world, in words: the world is made of it and of nothing else, so
/// a story that fails can be cut down step by step and kept as a file.
public struct Story: Sendable, Hashable {
  /// A moment within a run: the `number`th call of a kind, from 1.
  public struct Moment: Sendable, Hashable {
    /// `any`, `effect`, a port (`files`, `http`, `journal`) or one of its calls (`http.PUT`).
    public var call: String
    public var number: Int

    public init(_ call: String, _ number: Int) {
      self.call = call
      self.number = number
    }
  }

  /// What happens at a moment.
  public enum Happening: Sendable, Hashable {
    case act(Act)
    /// A fault of the catalogue, by its name; sticky: from there on, to the end of the run. Some
    /// are that by what they are, without the word.
    case fault(String, isSticky: Bool)
    /// The program is killed before the call, or right after it, and with a number the power is
    /// cut: the number says what is left of what was not on disk.
    case kill(isAfter: Bool, powerCut: UInt64?)
  }

  public struct Event: Sendable, Hashable {
    public var moment: Moment
    public var happening: Happening

    public init(at moment: Moment, _ happening: Happening) {
      self.moment = moment
      self.happening = happening
    }
  }

  public enum Step: Sendable, Hashable {
    case act(Act)
    /// A call of calgw.
    case run(Command, [Event])
    /// Milliseconds in which nothing happens.
    case wait(Int64)
  }

  /// What a person says where he is asked whether a deletion goes to the other side, too.
  public enum Reply: String, Sendable, Hashable {
    case yes, no
  }

  /// Of the executor: the order of what is ready, and how long requests take.
  public var chance: UInt64
  /// Names of the catalogue (`C6.9`): how the server is, and the disk.
  public var traits: [String] = []
  public var policy = ConflictPolicy.merge
  public var direction = SyncDirection.both
  /// `confirm_delete`: each deletion is asked about, and this is what is said. Nil: nobody asks, or
  /// with the trait `questions` he says now this and now that.
  public var reply: Reply?
  public var steps: [Step] = [] { didSet { acts = steps.flatMap(\.acts) } }
  /// What people and other programs do in it, in the order of the steps: many checks ask for it,
  /// after each run.
  private(set) var acts: [Act] = []

  public init(chance: UInt64) { self.chance = chance }
}

extension Story.Step {
  /// What happens during it, where it is a run.
  var events: [Story.Event] {
    if case .run(_, let events) = self { events } else { [] }
  }

  /// What somebody does then, alone or during a run.
  fileprivate var acts: [Act] {
    if case .act(let act) = self { return [act] }
    return events.compactMap(\.act)
  }
}

extension Story.Event {
  var act: Act? {
    if case .act(let act) = happening { act } else { nil }
  }
}

extension Story: CustomStringConvertible {
  public var description: String {
    var lines = ["chance \(chance)"]
    if !traits.isEmpty { lines.append("traits " + traits.joined(separator: " ")) }
    lines.append("policy \(policy.rawValue)")
    if direction != .both { lines.append("direction \(direction.rawValue)") }
    if let reply { lines.append("confirm-delete \(reply.rawValue)") }
    for step in steps {
      switch step {
      case .act(let act): lines.append("\(act)")
      case .wait(let time): lines.append("wait \(time)")
      case .run(let command, let events):
        lines.append("\(command)")
        lines += events.map { "  at \($0.moment.call) \($0.moment.number) \($0.happening)" }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  public struct Malformed: Error, CustomStringConvertible {
    public let line: String
    public var description: String { "not a line of a story: \(line)" }
  }

  /// Reads what `description` gives; lines that begin with `#` are for people.
  public init(text: String) throws(Malformed) {
    self.init(chance: 0)
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ")
      guard try read(words) else { throw Malformed(line: String(line)) }
    }
  }

  private mutating func read(_ words: [Substring]) throws(Malformed) -> Bool {
    let rest = words.dropFirst()
    switch words.first {
    case nil: return true
    case "chance": chance = rest.first.flatMap { UInt64($0) } ?? 0
    case "traits": traits = rest.map(String.init)
    case "policy":
      guard let read = rest.first.flatMap({ ConflictPolicy(rawValue: String($0)) }) else {
        return false
      }
      policy = read
    case "direction":
      guard let read = rest.first.flatMap({ SyncDirection(rawValue: String($0)) }) else {
        return false
      }
      direction = read
    case "confirm-delete":
      guard let read = rest.first.flatMap({ Reply(rawValue: String($0)) }) else { return false }
      reply = read
    case "wait":
      guard let time = rest.first.flatMap({ Int64($0) }) else { return false }
      steps.append(.wait(time))
    case "at": return readEvent(words)
    default:
      if let command = Command(words: words[...]) {
        steps.append(.run(command, []))
      } else if let act = Act(words: words[...]) {
        steps.append(.act(act))
      } else {
        return false
      }
    }
    return true
  }

  private mutating func readEvent(_ words: [Substring]) -> Bool {
    guard words.count > 3, let number = Int(words[2]),
      case .run(let command, var events)? = steps.last,
      let happening = Happening(words: words[3...])
    else { return false }
    events.append(Event(at: Moment(String(words[1]), number), happening))
    steps[steps.count - 1] = .run(command, events)
    return true
  }
}

extension Story.Happening {
  /// The name of a fault, and whether it goes on to the end of the run; nil of what is none.
  var namedFault: (name: String, lasts: Bool)? {
    guard case .fault(let name, let isSticky) = self else { return nil }
    return (name, isSticky || Catalogue.fault(name)?.extent == .always)
  }
}

extension Story.Happening: CustomStringConvertible {
  public var description: String {
    switch self {
    case .act(let act): "\(act)"
    case .fault(let name, let isSticky): isSticky ? "\(name) sticky" : name
    case .kill(let isAfter, let powerCut):
      (isAfter ? "kill-after" : "kill") + (powerCut.map { " power \($0)" } ?? "")
    }
  }

  init?(words: ArraySlice<Substring>) {
    let list = Array(words)
    guard let first = list.first else { return nil }
    if first == "kill" || first == "kill-after" {
      let power = list.count > 2 ? UInt64(list[2]) : nil
      self = .kill(isAfter: first == "kill-after", powerCut: power)
    } else if let act = Act(words: words) {
      self = .act(act)
    } else if Catalogue.fault(String(first)) != nil {
      self = .fault(String(first), isSticky: list.count > 1)
    } else {
      return nil
    }
  }
}
