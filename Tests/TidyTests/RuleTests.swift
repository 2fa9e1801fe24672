import Testing

/// Each rule finds what it is for, and only that.
@Suite struct RuleTests {
  private func lines(_ path: String, _ text: String, _ rules: [Rule]) -> [Int] {
    let repository = Repository(files: [SourceFile(path, text)])
    return rules.flatMap { $0.findings(repository) }.map(\.line)
  }

  private static let engine = [
    "ICalendar", "Recurrence", "SyncModel", "SyncPlanning", "SyncExecution", "EventEditing",
    "VdirStorage", "WebDAV", "CalDAVStorage", "StreamStorage", "SQLiteJournal",
  ]

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
    for target in Self.engine {
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
  func `neither the engine nor a storage starts a task of its own`(text: String, isFound: Bool) {
    for target in Self.engine {
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
    ("let c = Array(Set(d.map { e($0) }))", true), ("let c = Array(Set(d)).sorted()", false),
    ("func d() -> Set<A> { [] }\nlet c = d().map { e($0) }.sorted()", false),
    ("func d(_ c: Set<A>?) { let e = c.map { f($0) } }", false),
    ("func d(_ c: Set<A>?) { let e = c?.map { f($0) } }", true),
    ("let c: [A: [B]] = [:]\nlet d = c[e]?.first { f($0) }", false),
  ])
  func `an array of what a set or a dictionary holds is found`(text: String, isFound: Bool) {
    #expect(lines("Sources/VdirStorage/a.swift", text, Rule.safety).isEmpty != isFound, "\(text)")
    #expect(lines("Sources/CalgwKit/a.swift", text, Rule.safety).isEmpty)
  }

  private static let elsewhere = """
    struct Unordered {
      var set: Set<A> = []
      var table: [A: B]
      var perhaps: Set<A>?
      let list: [A]
      func gone(in a: A) async throws(E) -> Set<A> { [] }
      var either: Set<A>
    }
    struct Ordered { var either: [A] }
    struct Outer { let inner: Unordered }
    func global() -> [A: B] { [:] }
    """

  /// `Unordered` and the others are declared in another file, in another target.
  @Test(arguments: [
    ("for a in c.set { b(a) }", true), ("for a in c.set.sorted() { b(a) }", false),
    ("for a in c.list { b(a) }", false), ("for (a, b) in c.table { d(a, b) }", true),
    ("for (a, b) in c.list.enumerated() { d(a, b) }", false),
    ("for a in c.set where a.list.contains(b) { d(a) }", true),
    ("for a in try await c.gone(in: b) { d(a) }", true),
    ("for a in c.perhaps ?? [] { b(a) }", true),
    ("for a in c.table[d] ?? [] { b(a) }", false), ("let d = c.set\nfor a in d { b(a) }", true),
    ("for a in global() { b(a) }", true), ("for a in c.global() { b(a) }", false),
    ("let d = c.table.map { b($0) }", true), ("let d = c.table.map { b($0) }.sorted()", false),
    ("let d = c.table.map { b($0) }.isEmpty", false), ("let d = Set(c.set.map { b($0) })", false),
    ("let d = c.perhaps.map { b($0) }", false), ("let d = c.perhaps?.map { b($0) }", true),
    ("c.set.forEach { b($0) }", true), ("c.set.filter { b($0) }.forEach { d($0) }", true),
    ("let d = try await c.gone(in: b).map { e($0) }.sorted()", false),
    ("let d = c.set.first", true),
    ("let d = c.table[b]?.first", false), ("let d = Array(c.e?.set)", true),
    ("let d = Array(c.set).sorted()", false), ("b(c.set.contains(d), c.set.count)", false),
    ("guard c.set.count == 1, let d = c.set.first else { return }", false),
  ])
  func `what members of other files hold is sorted, or taken as a set is`(
    text: String, isFound: Bool
  ) {
    #expect(findings(text).isEmpty != isFound, "\(text)")
  }

  /// Two types have a member `either`: what it is shows from whose it is.
  @Test(arguments: [
    ("for a in c.either { b(a) }", false),
    ("func d(_ c: Unordered) { for a in c.either {} }", true),
    ("func d(_ c: inout Unordered?) { let e = c?.either.map { b($0) } }", true),
    ("func d(_ c: Ordered) { for a in c.either {} }", false),
    ("let c = Unordered(d)\nfor a in c.either { b(a) }", true),
    ("let c = Ordered()\nlet d = c.either.map { b($0) }", false),
    ("func d(_ c: Outer) { for a in c.inner.either {} }", true),
    ("let c = d.inner\nlet e = c.either.first", true),
    ("extension Unordered {\n  func d() { for a in either { b(a) } }\n}", true),
    ("extension Unordered {\n  func d() { for a in self.either { b(a) } }\n}", true),
    ("extension Ordered {\n  func d() { for a in either { b(a) } }\n}", false),
    ("extension Outer {\n  func d() { for a in inner.either { b(a) } }\n}", true),
    ("extension Outer {\n  func d() { for a in set { b(a) } }\n}", false),
  ])
  func `a member is the one of its own type`(text: String, isFound: Bool) {
    #expect(findings(text).isEmpty != isFound, "\(text)")
  }

  private func findings(_ text: String) -> [Finding] {
    let files = [
      SourceFile("Sources/SyncModel/b.swift", Self.elsewhere),
      SourceFile("Sources/VdirStorage/a.swift", text),
    ]
    return Rule.safety.flatMap { $0.findings(Repository(files: files)) }
  }

  @Test(arguments: [
    ("try await Task.sleep(for: a)", true), ("usleep(5)", true), ("func sleep() {}", false),
    ("// usleep(5)", false), ("asleep(5)", false),
  ])
  func `a sleeping test is found`(text: String, isFound: Bool) {
    #expect(lines("Tests/ATests/a.swift", text, [Rule.tests[0]]).isEmpty != isFound)
  }

  @Test(arguments: [
    ("try Data(a).write(to: b)", true), ("try Data(a).save(to: b)", false),
    ("server.write(\"a\", to: b)", false), ("// a.write(to: b)", false),
  ])
  func `a file that a starting program would have open is found`(text: String, isFound: Bool) {
    #expect(lines("Tests/ATests/a.swift", text, [Rule.tests[3]]).isEmpty != isFound)
    #expect(lines("Tests/TestSupport/a.swift", text, [Rule.tests[3]]).isEmpty)
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

  @Test(arguments: [
    ("@Suite(.timeLimit(.minutes(2)))", true), ("@Suite(.timeLimit(.minutes(20)))", false),
    ("@Suite(.timeLimit(.minutes(20))) @Test(.timeLimit(.minutes(5)))", true),
    ("wait(.minutes(2))", false),
  ])
  func `a time limit that a slow machine exceeds is found`(text: String, isFound: Bool) {
    #expect(lines("Tests/ATests/a.swift", text, [Rule.tests[2]]).isEmpty != isFound)
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
