import Testing

/// Each rule finds what it is for, and only that.
@Suite struct RuleTests {
  private func lines(_ path: String, _ text: String, _ rules: [Rule]) -> [Int] {
    let repository = Repository(files: [SourceFile(path, text)])
    return rules.flatMap { $0.findings(repository) }.map(\.line)
  }

  @Test(arguments: [300: 0, 301: 1])
  func `a source file has at most 300 lines`(count: Int, findings: Int) {
    let text = String(repeating: "let x = 1\n", count: count)
    #expect(lines("Sources/A/a.swift", text, Rule.sizes).count == findings)
    #expect(lines("Tests/ATests/a.swift", text, Rule.sizes).isEmpty)
  }

  @Test func `a line has at most 100 columns, counted in characters`() {
    let wide = String(repeating: "ä", count: 100)
    #expect(lines("Sources/A/a.swift", "// \n\(wide)\n", Rule.sizes) == [])
    #expect(lines("Sources/A/a.swift", "// \n\(wide)b\n", Rule.sizes) == [2])
  }

  @Test(arguments: [58: [], 59: [2]] as [Int: [Int]])
  func `a function has at most 60 lines`(body: Int, found: [Int]) {
    let inside = String(repeating: "    if x { y() }\n", count: body)
    let text = "struct A {\n  func a(_ x: () -> Bool = { true }) {\n\(inside)  }\n}\n"
    #expect(lines("Sources/A/a.swift", text, Rule.sizes) == found)
  }

  @Test(arguments: [
    ("// TO" + "DO: later", true), ("let a = 1 // FIX" + "ME", true), ("case VTO" + "DO", false),
    ("let toDo = 1", false), ("mktemp a.XXXX" + "XX", false),
  ])
  func `a reminder is found and VTODO is none`(line: String, isFound: Bool) {
    #expect(lines("Sources/A/a.swift", line, Rule.safety).isEmpty != isFound)
  }

  @Test(arguments: [
    ("try! a()", true), ("a as! B", true), ("a!.b", true), ("a[0]!", true), ("b()!", true),
    ("var a: B!", true), ("fatalError(\"x\")", true), ("a != b", false), ("!a", false),
    ("if !a && !(b) {}", false), ("// a!", false), ("\"a!\"", false),
    ("\"\\(a ? \"b!\" : c)!\"", false),
    ("/* a! /* b! */ c! */", false), ("\"\"\"\n a!\n\"\"\"", false), ("#\"\\(a!\"#", false),
    ("func `so it goes!`() {}", false),
  ])
  func `what stops the program is found in code alone`(text: String, isFound: Bool) {
    #expect(lines("Sources/A/a.swift", text, Rule.safety).isEmpty != isFound, "\(text)")
    #expect(lines("Tests/ATests/a.swift", text, Rule.safety).isEmpty)
  }

  @Test(arguments: [
    ("throw StorageError(.io, \"a\")", true), ("JournalError(.busy, \"hint: a\", why: b())", true),
    ("throw StorageError(.io, \"a\", hint: b(c))", false), ("StorageError(.stopped, \"a\")", false),
    ("func a() throws(StorageError) { .b }", false),
  ])
  func `an error says what to do`(text: String, isFound: Bool) {
    #expect(lines("Sources/VdirStorage/a.swift", text, Rule.safety).isEmpty != isFound, "\(text)")
  }

  @Test(arguments: [
    ("let a = Date()", true), ("Int.random(in: a)", true), ("print(a)", true),
    ("let a = ContinuousClock().now", true), ("clock_gettime(CLOCK_REALTIME, &a)", true),
    ("let a = UUID()", true), ("let a: Date", false), ("let a = surroundings.now()", false),
    ("let a = surroundings.newUUID()", false), ("let a = CivilDate(b)", false),
  ])
  func `neither the engine nor a storage has a clock or chance of its own`(
    text: String, isFound: Bool
  ) {
    let targets = [
      "ICalendar", "Recurrence", "SyncModel", "SyncPlanning", "SyncExecution", "EventEditing",
      "VdirStorage", "WebDAV", "CalDAVStorage", "StreamStorage", "SQLiteJournal",
    ]
    for target in targets {
      let found = lines("Sources/\(target)/a.swift", text, Rule.safety)
      #expect(found.isEmpty != isFound, "\(text) in \(target)")
    }
    #expect(lines("Sources/CalgwKit/a.swift", text, Rule.safety).isEmpty)
  }

  @Test(arguments: [
    ("Task { a() }", true), ("Task.detached { }", true), ("Task(priority: .high) { a() }", true),
    ("Task(executorPreference: a) { b() }", true), ("Task<Int, Never> { a() }", true),
    ("let a = Task<() -> Int, any Error>(priority: b) { c }", true), ("Task.init { a() }", true),
    ("Task.immediate { a() }", true), ("Task.immediateDetached { a() }", true),
    ("Task<Int, Never>.detached { a() }", true), ("try await Task.sleep(for: a)", true),
    ("let a: Task<Int, Never>", false), ("if Task.isCancelled { a() }", false),
    ("group.addTask { a() }", false), ("await withTaskGroup(of: A.self) { b($0) }", false),
  ])
  func `what the simulator plays starts no task of its own`(text: String, isFound: Bool) {
    for target in ["SyncExecution", "VdirStorage"] {
      let found = lines("Sources/\(target)/a.swift", text, Rule.safety)
      #expect(found.isEmpty != isFound, "\(text) in \(target)")
    }
    #expect(lines("Sources/CalgwKit/a.swift", text, Rule.safety).isEmpty)
  }

  @Test(arguments: [
    ("for key in a.keys { b(key) }", true), ("for key in a.keys.sorted() { b(key) }", false),
    ("let c = a.values.map { b($0) }", true), ("let c = Set(a.keys)", false),
    ("let c = a.keys.map { b($0) }\nlet d = e.count", true),
    ("let c = d.isEmpty ? e : Array(a.keys)", true), ("c += a.keys; d.formUnion(e)", true),
    ("let c = a.keys.filter { b($0) }.sorted()", false), ("let c = a.keys.first", true),
    ("let c = (Array(a.values) + b.values).map { d($0) }.sorted()", false),
    ("let c = a.values.filter { $0 > 0 }.reduce(0, +)", false),
    ("let c = a.values.reduce(d) { e($0, $1) }", true), ("c.formUnion(a.keys)", false),
    ("c.formUnion(d(a.keys))", true), ("c(\n  Set(d.filter { e($0.key) }.values))", false),
    ("let c = Dictionary(uniqueKeysWithValues: a.keys.map { ($0, 1) })", false),
    ("let c = line.parameter(named: d)?.values ?? []", false),
    ("let c = line?.values ?? []", true), ("let c = line.values.first", true),
    ("line.values += c", false), ("let c = names.values[key]", false),
    ("let c = head.values(of: name)", false), ("a.values.contains { b($0) }", false),
  ])
  func `keys and values are sorted, or taken as a set is`(text: String, isFound: Bool) {
    #expect(lines("Sources/VdirStorage/a.swift", text, Rule.safety).isEmpty != isFound, "\(text)")
    #expect(lines("Sources/CalgwKit/a.swift", text, Rule.safety).isEmpty)
  }

  @Test(arguments: [
    ("for key in Set(a).union(c) { b(key) }", true),
    ("for key in Set(a).union(c).sorted() { b(key) }", false),
    ("for key in a where Set(c).contains(key) { b(key) }", false),
    ("a(for: c, in: b(Set(d)))", false), ("for (a, b) in c { d(a, b) }", true),
    ("for (a, b) in c.d.filter({ e($0) }) { f(a, b) }", true),
    ("for (a, b) in c.sorted(by: d) { e(a, b) }", false),
    ("for (a, b) in c.enumerated() { d(a, b) }", false),
    ("let c: [A: B]\nfor (a, b) in c.enumerated() { d(a, b) }", true),
    ("for case (let a, let b?) in zip(c, d) { e(a, b) }", false),
    ("for (a, b) in [(c, d), (e, f)] { g(a, b) }", false),
    ("for await (a, b) in c { d[a] = b }", false),
    ("for case .some(let a, let b) in c { d(a, b) }", false),
    ("let c: [A: [B]] = [:]\nfor (a, b) in c { d(a, b) }", true),
    ("var c: [(A, B)] = []\nfor (a, b) in c { d(a, b) }", false),
    ("let c: KeyValuePairs<A, B> = [d: e]\nfor (a, b) in c { f(a, b) }", false),
    ("let c = d.sorted { $0 < $1 }\nfor (_, b) in c { e(b) }", false),
    ("func c() -> [(A, B)]? { nil }\nlet d = c()\nfor (a, b) in d + [e] { f(a, b) }", false),
    ("for (a, b) in c.d { e(a, b) }\nextension C { var d: [(A, B)] { [] } }", false),
  ])
  func `a loop takes pairs that are in order`(text: String, isFound: Bool) {
    #expect(lines("Sources/VdirStorage/a.swift", text, Rule.safety).isEmpty != isFound, "\(text)")
    #expect(lines("Sources/CalgwKit/a.swift", text, Rule.safety).isEmpty)
  }

  @Test(arguments: [
    ("var c: Set<A> = []\nfor a in c { b(a) }", true),
    ("var c: Set<A> = []\nfor a in c.sorted() { b(a) }", false),
    ("let c: Set = [d]\nfor a in c.map({ e($0) }) { b(a) }", true),
    ("let c = d(Set<A>())\nfor a in c { b(a) }", false),
    ("func d(_ c: [A: B]) {\n  for a in c { b(a) }\n}", true),
    ("func d(_ c: Set<A>) {}\nfunc e(_ c: [A]) {\n  for a in c { b(a) }\n}", false),
    ("func d(_ c: Set<A>) {}\nlet (c, f) = (g, h)\nfor a in c { b(a) }", false),
    ("func d() -> Set<A> { [] }\nlet c = d()\nfor a in c { b(a) }", true),
    ("let c = [d: e]\nfor a in self.c { b(a) }", true),
    ("var c: Set<A> = []\nfor a in d.c { b(a) }", false),
    ("let c = [d ? e : f]\nfor a in c { b(a) }", false),
    ("let c = [d: [e]]\nfor a in c[d] ?? [] { b(a) }", false),
  ])
  func `a loop over a set or a dictionary of the same file is found`(text: String, isFound: Bool) {
    #expect(lines("Sources/VdirStorage/a.swift", text, Rule.safety).isEmpty != isFound, "\(text)")
  }

  @Test(arguments: [
    ("var c: Set<A> = []\nlet d = c.map { e($0) }", true),
    ("var c: Set<A> = []\nlet d = c.map { e($0) }.sorted()", false),
    ("var c: Set<A> = []\nlet d = Set(c.map { e($0) })", false),
    ("var c: Set<A> = []\nlet d = c.filter { e($0) }", false),
    ("var c: Set<A> = []\nlet d = c.filter { e($0) }.first", true),
    ("var c: Set<A> = []\nlet d = c.first { e($0) }", true),
    ("var c: Set<A> = []\nlet d = c.compactMap { e($0) }.count", false),
    ("let c: [A: B] = [:]\nlet d = c.map { e($0) }", true),
    ("let c: [A: B] = [:]\nlet d = c[e]?.map { f($0) }", false),
    ("let c: [A: B] = [:]\nlet d = Dictionary(uniqueKeysWithValues: c.map { e($0) })", false),
    ("let c: [A] = []\nlet d = c.map { e($0) }", false),
    ("var c: Set<A> = []\nlet d = Array(c)", true),
    ("var c: Set<A> = []\nlet d = Array(c).sorted()", false),
    ("var c: Set<A> = []\nlet d = e.c.map { f($0) }", false),
    ("var c: Set<A> = []\nlet d = self.c.joined()", true),
  ])
  func `an array of what a set or a dictionary holds is found`(text: String, isFound: Bool) {
    #expect(lines("Sources/VdirStorage/a.swift", text, Rule.safety).isEmpty != isFound, "\(text)")
    #expect(lines("Sources/CalgwKit/a.swift", text, Rule.safety).isEmpty)
  }

  @Test(arguments: [
    ("try await Task.sleep(for: a)", true), ("usleep(5)", true), ("func sleep() {}", false),
    ("// usleep(5)", false), ("asleep(5)", false),
  ])
  func `a sleeping test is found`(text: String, isFound: Bool) {
    #expect(lines("Tests/ATests/a.swift", text, [Rule.tests[0]]).isEmpty != isFound)
  }

  @Test(arguments: [
    ("@Test func a() { run() }", true), ("@Test func a() { #expect(b) }", false),
    ("@Test func a() throws { expectQuiet(b) }", false),
    ("@Test(arguments: JournalContract.checks) func a(b: Check) { b.run() }", false),
    ("func a() {}", false),
  ])
  func `a test file without an expectation is found`(text: String, isFound: Bool) {
    #expect(lines("Tests/ATests/a.swift", text, [Rule.tests[1]]).isEmpty != isFound)
  }

  @Test func `a built file that Git keeps is found`() {
    let found = generated([".build/debug.yaml", "Package.resolved", "Package.swift", "a/b.swift"])
    #expect(found.map(\.file) == [".build/debug.yaml", "Package.resolved"])
  }

  @Test func `a path of this machine is found, one that ends like it is not`() {
    let text = "a\nlet a = \"/src/calgw/x\"\n"
    let other = "my/src/calgw/x or /src/calgw-2/x"
    let files = [SourceFile("a.swift", text), SourceFile("b.md", other)]
    #expect(
      machinePaths(files, paths: ["/src/calgw", "/tmp"]).map(\.description) == [
        "a.swift:2: the path of one machine: /src/calgw/"
      ])
  }
}
