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
    ("Task { a() }", true), ("Task.detached { }", true), ("let a = Date()", true),
    ("Int.random(in: a)", true), ("Task(executorPreference: a) { b() }", false),
    ("let a: Task<Int, Never>", false),
  ])
  func `the engine has no clock, chance or task of its own`(text: String, isFound: Bool) {
    #expect(lines("Sources/SyncExecution/a.swift", text, Rule.safety).isEmpty != isFound)
    #expect(lines("Sources/CalgwKit/a.swift", text, Rule.safety).isEmpty)
  }

  @Test(arguments: [
    ("Task { a() }", true), ("Task.detached { a() }", true), ("group.addTask { a() }", false),
    ("for key in a.keys { b(key) }", true), ("for key in a.keys.sorted() { b(key) }", false),
    ("let c = a.values.map { b($0) }", true), ("let c = Set(a.keys)", false),
    ("let c = line?.values ?? []", false), ("let c = line.values.first", false),
    ("line.values += c", false), ("let c = names.values[key]", false),
    ("let c = head.values(of: name)", false), ("a.values.contains { b($0) }", false),
    ("for key in Set(a).union(c) { b(key) }", true),
    ("for key in Set(a).union(c).sorted() { b(key) }", false),
    ("for key in a where Set(c).contains(key) { b(key) }", false),
    ("a(for: c, in: b(Set(d)))", false),
  ])
  func `what the simulator plays has no task and no order of chance`(text: String, isFound: Bool) {
    #expect(lines("Sources/VdirStorage/a.swift", text, Rule.safety).isEmpty != isFound)
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
