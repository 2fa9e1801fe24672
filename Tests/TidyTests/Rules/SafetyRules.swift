extension Rule {
  static let safety: [Rule] = [
    .each("no left-over reminders", reminders),
    .each("nothing in Sources stops the program on purpose", traps),
    .each("neither the engine nor a storage has a clock or chance of its own", outsideWorld),
    .each("neither the engine nor a storage starts a task of its own", ownTasks),
    .each("an error of a side or of the journal says what to do", withoutMend),
    Rule("nothing depends on the order of a dictionary or a set", findings: unsorted),
  ]

  static let tests: [Rule] = [
    .each("tests wait for the event and never sleep", sleeping),
    .each("every test file has an expectation", withoutExpectation),
    .each("a time limit of a test is for what hangs", hasty),
    .each("a test writes a file while no program is started", openForChildren),
  ]
}

/// In two halves, so that this file does not break its own rule.
private let reminderWords = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]

private func reminders(_ file: SourceFile) -> [Finding] {
  file.lines.enumerated().flatMap { index, line -> [Finding] in
    reminderWords.filter { line.utf8.count > $0.utf8.count && holds(line, word: $0) }.map {
      file.finding(index + 1, "'\($0)' belongs in an issue")
    }
  }
}

/// The word with nothing before or after it that continues a word: VTODO holds none.
private func holds(_ line: String, word: String) -> Bool {
  let line = Array(line.utf8)
  let word = Array(word.utf8)
  var from = 0
  while let range = line[from...].firstRange(of: word) {
    let before = range.lowerBound == 0 ? nil : line[range.lowerBound - 1]
    let after = range.upperBound == line.count ? nil : line[range.upperBound]
    if !continuesWord(before) && !continuesWord(after) { return true }
    from = range.lowerBound + 1
  }
  return false
}

private func continuesWord(_ byte: UInt8?) -> Bool {
  switch byte ?? 0 {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
  case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
  default: false
  }
}

private func traps(_ file: SourceFile) -> [Finding] {
  guard file.isSource, file.isSwift else { return [] }
  let calls = ["fatalError", "preconditionFailure"].flatMap { file.occurrences(of: [$0, "("]) }
  let stops = calls.map { file.finding($0.line, "\($0.text) stops the program; throw an error") }
  return stops + forced(file)
}

/// `try!`, `as!`, `value!` and `Type!`: an exclamation mark glued to what stands before it.
private func forced(_ file: SourceFile) -> [Finding] {
  file.tokens.indices.dropFirst().compactMap { index in
    let token = file.tokens[index]
    let before = file.tokens[index - 1]
    guard token.isSign("!"), token.isGlued else { return nil }
    // `a != b` is written with blanks around it, so its mark is never glued.
    let endsValue = before.kind != .sign || [")", "]", "}", "?", ">"].contains(before.text)
    guard endsValue else { return nil }
    return file.finding(token.line, "'\(before.text)!' traps; unwrap it or throw an error")
  }
}

/// Being stopped needs no mend.
private func withoutMend(_ file: SourceFile) -> [Finding] {
  guard file.isSource, file.isSwift else { return [] }
  return ["StorageError", "JournalError"].flatMap { name in
    file.tokens.indices.dropLast(3).compactMap { index in
      let token = file.tokens[index]
      guard token.text == name, file.tokens[index + 1].isSign("("),
        file.tokens[index + 2].isSign("."), file.tokens[index + 3].text != "stopped",
        !file.tokens[index...file.closing(index + 1)].contains(where: { $0.text == "hint" })
      else { return nil }
      return file.finding(token.line, "\(name) without a hint: say what a person can do")
    }
  }
}

/// The engine, the editing of events, and all that items and their journal are kept in: what it
/// does follows from what it is given alone.
let engine: Set = [
  "ICalendar", "Recurrence", "SyncModel", "SyncPlanning", "SyncExecution", "EventEditing",
  "VdirStorage", "WebDAV", "CalDAVStorage", "StreamStorage", "SQLiteJournal",
]

private func outsideWorld(_ file: SourceFile) -> [Finding] {
  guard file.isSource, let target = file.target, engine.contains(target) else { return [] }
  let forbidden: [[String]] = [
    ["Date", "("], ["Date", ".", "now"], [".", "random", "("], [".", "randomElement", "("],
    [".", "shuffled", "("],
    ["SystemRandomNumberGenerator"], ["UUID", "("], ["ContinuousClock"], ["SuspendingClock"],
    ["clock_gettime"], ["print", "("],
  ]
  let calls = forbidden.flatMap { texts in
    file.occurrences(of: texts).map { (line: $0.line, text: texts.joined()) }
  }
  return calls.map {
    file.finding($0.line, "'\($0.text)' in \(target): it comes in through Surroundings")
  }
}

/// Where a task begins that nobody waits for, or one sleeps: `Task {`, `Task(priority: a) {`,
/// `Task<A, B> {`, `Task.detached` and the like. A type is none, as in `let a: Task<A, B>`.
private func tasks(in file: SourceFile) -> [(line: Int, text: String)] {
  let members: Set = ["init", "detached", "immediate", "immediateDetached", "sleep"]
  return file.tokens.indices.compactMap { index -> (line: Int, text: String)? in
    let token = file.tokens[index]
    guard token.isWord("Task") else { return nil }
    let next = file.isSign("<", at: index + 1) ? file.closingAngle(index + 1) + 1 : index + 1
    if file.isSign("{", at: next) || file.isSign("(", at: next) {
      return (token.line, "Task\(file.tokens[next].text)")
    }
    guard file.isSign(".", at: next), next + 1 < file.tokens.count,
      members.contains(file.tokens[next + 1].text)
    else { return nil }
    return (token.line, "Task.\(file.tokens[next + 1].text)")
  }
}

private func ownTasks(_ file: SourceFile) -> [Finding] {
  guard file.isSource, let target = file.target, engine.contains(target) else { return [] }
  return tasks(in: file).map {
    file.finding($0.line, "'\($0.text)' in \(target): nobody waits for it, or can repeat it")
  }
}

private func sleeping(_ file: SourceFile) -> [Finding] {
  guard file.isTest else { return [] }
  return file.tokens.indices.dropLast().compactMap { index in
    let token = file.tokens[index]
    guard token.kind == .word, ["sleep", "usleep", "nanosleep"].contains(token.text),
      file.tokens[index + 1].isSign("("), index == 0 || !file.tokens[index - 1].isWord("func")
    else { return nil }
    return file.finding(token.line, "'\(token.text)' in a test: wait for the event")
  }
}

/// Tests of many files begin together, and wait for each other: on a slow machine for longer than
/// any of them takes.
private func hasty(_ file: SourceFile) -> [Finding] {
  guard file.isTest else { return [] }
  let limit = ["timeLimit", "(", ".", "minutes", "("]
  return file.tokens.indices.compactMap { index in
    let tokens = file.tokens[index...].prefix(limit.count + 1)
    guard tokens.dropLast().map(\.text) == limit,
      let minutes = tokens.last.flatMap({ Int($0.text) }), minutes < 20
    else { return nil }
    return file.finding(
      file.tokens[index].line, "a slow machine takes \(minutes) minutes for the tests before it")
  }
}

/// What is written so is open for writing in a child that another test starts just then, and calgw
/// leaves it alone: on a busy machine one run in hundreds fails by it.
private func openForChildren(_ file: SourceFile) -> [Finding] {
  guard file.isTest, file.target != "TestSupport" else { return [] }
  return file.occurrences(of: [".", "write", "(", "to", ":"]).map {
    file.finding($0.line, "Data.write(to:) in a test: Data.save(to:) waits while programs start")
  }
}

private func withoutExpectation(_ file: SourceFile) -> [Finding] {
  guard file.isTest, let first = file.occurrences(of: ["@", "Test"]).first else { return [] }
  let checks = ["expect", "require", "Issue", "confirmation"]
  let expects = file.tokens.contains { token in
    // A contract suite holds the expectations of all who run it.
    token.kind == .word
      && (checks.contains(token.text) || token.text.hasPrefix("expect")
        || token.text.hasSuffix("Contract"))
  }
  return expects ? [] : [file.finding(first.line, "the file's tests expect nothing")]
}
