import Testing

/// The import laws, the doc comments and the documents.
@Suite struct LayerTests {
  private func messages(_ path: String, _ text: String, _ rules: [Rule]) -> [String] {
    let repository = Repository(files: [SourceFile(path, text)])
    return rules.flatMap { $0.findings(repository) }.map(\.message)
  }

  @Test(arguments: [
    ("SyncPlanning", "public import SyncModel", true), ("SyncPlanning", "import Glibc", false),
    ("SyncModel", "import FoundationEssentials", false), ("WebDAV", "import Glibc", true),
    ("VdirStorage", "import CalDAVStorage", false), ("calgw", "import SQLiteJournal", false),
    ("CalgwKit", "internal import SQLiteJournal", true), ("CalgwKit", "import Foundation", false),
    ("SyncExecution", "import Synchronization", true), ("SyncExecution", "import Glibc", false),
    ("WebDAV", "import struct SyncModel.Href", false),
    ("ICalendar", "private import func Glibc.memchr", true),
    ("ICalendar", "import func Glibc.open", false), ("ICalendar", "import Glibc", false),
    ("SQLiteJournal", "import GRDB", true),
  ])
  func `an import keeps to the layers`(target: String, line: String, isAllowed: Bool) {
    let found = messages("Sources/\(target)/a.swift", line + "\n", [Rule.imports[0]])
    #expect(found.isEmpty == isAllowed, "\(found)")
  }

  @Test func `what implements a requirement needs no comment of its own`() {
    let files = [
      SourceFile("Sources/A/a.swift", "/// A.\npublic protocol A {\n  func run() async\n}\n"),
      SourceFile("Sources/B/b.swift", "  public func run() {}\n  public func walk() {}\n"),
    ]
    let found = Rule.documentation[0].findings(Repository(files: files))
    #expect(found.map(\.message) == ["public func walk has no doc comment"])
  }

  private static let package = """
    let package = Package(
      products: [.executable(name: "calgw", targets: ["calgw"])],
      targets: [
        .systemLibrary(name: "CXML2", pkgConfig: "libxml-2.0"),
        layer("SyncModel"),
        layer("VdirStorage", uses: ["SyncModel", "WebDAV", toml]),
        .executableTarget(
          name: "calgw", dependencies: ["CalgwKit", argumentParser], swiftSettings: strict),
        .target(name: "TestSupport", dependencies: ["SyncModel"]),
        tests(
          "SyncModelTests", uses: ["TestSupport"]),
      ]
    )
    """

  @Test func `Package.swift is read and held to the layers`() {
    let file = SourceFile("Package.swift", Self.package)
    let targets = declaredTargets(file)
    #expect(targets.filter(\.isOurs).map(\.name) == ["CXML2", "SyncModel", "VdirStorage", "calgw"])
    #expect(targets.map(\.uses).prefix(4) == [[], [], ["SyncModel", "WebDAV"], ["CalgwKit"]])
    #expect(
      messages("Package.swift", Self.package, [Rule.imports[1]]) == [
        "VdirStorage may not depend on WebDAV"
      ])
  }

  @Test(arguments: [
    ("public struct A {}", false), ("/// An a.\npublic struct A {}", true),
    ("/// An a.\n@frozen\npublic struct A {}", true), ("struct A {}", true),
    ("public static func == (a: A, b: A) -> Bool { true }", true), ("public import A", true),
    ("public var description: String { \"\" }", true), ("public func a() {}", false),
    ("  public var a = 1", true), ("public let a = 1", false), ("  public var a: Int { 1 }", false),
    ("public init(a: Int) {\n  self.a = a\n}", true), ("public init() {}", true),
    ("public init(a: Int) {\n  load(a)\n}", false), ("  public private(set) var a = 1", true),
    ("public final class A {}", false), ("/// A.\npublic init?(a: Int) { nil }", true),
    ("@discardableResult public func a() {}", false), ("  public static let a = 1", false),
  ])
  func `a public declaration needs a doc comment`(text: String, isFine: Bool) {
    let found = messages("Sources/A/a.swift", text + "\n", [Rule.documentation[0]])
    #expect(found.isEmpty == isFine, "\(text): \(found)")
  }

  @Test func `a document may not refer to what is not there`() {
    let text = """
      See [the rules](docs/rules.md#first), `Scripts/test --all`, [this](#here) and
      [that](https://example.org/a) or `Sources/<target>` or `sync`.
      """
    let found = messages("README.md", text, [Rule.documentation[2]])
    #expect(found == ["docs/rules.md does not exist", "Scripts/test does not exist"])
    #expect(
      messages("docs/a.md", "[b](b.md)", [Rule.documentation[2]]) == ["docs/b.md does not exist"])
  }

  private func architecture(_ rows: String) -> [String] {
    let files = [
      SourceFile("Package.swift", Self.package),
      SourceFile(
        "Sources/SyncModel/a.swift",
        "extension Side { func opposite(of a: [Int: Int] = [:], _ b: Int) {} }"),
      SourceFile("Sources/VdirStorage/a.swift", "struct Vdir { init(at a: Int) {} }"),
      SourceFile("Sources/calgw/a.swift", "struct Main { static func run<A>(_ a: A) async {} }"),
      SourceFile("Sources/CXML2/shim.h", ""),
      SourceFile(
        "docs/architecture.md",
        "# Architecture\n\n| target | sentence | entry |\n|---|---|---|\n" + rows),
    ]
    return architectureFindings(Repository(files: files)).map(\.message)
  }

  @Test func `an architecture that names all is fine`() {
    let rows = """
      | SyncModel | The nouns of it all. | `Side.opposite(of:_:)` |
      | `VdirStorage` | A folder of files. | `Vdir.init(at:)` |
      | `calgw` | The command line itself. | `Main.run(_:)` |

      `CXML2` is a C library.

      | side | meaning | note |
      |---|---|---|
      | local | this one here | |
      """
    #expect(architecture(rows) == [])
  }

  @Test func `an architecture that names what is not there is found out`() {
    let rows = """
      | `SyncModel` | The nouns of it all. | `Side.opposite(of:)` |
      | `VdirStorage` | Files. | `Folder.init(at:)` |
      | `calgw` | The command line itself. | |
      | `Gone` | Nothing at all here. | `a()` |
      """
    #expect(
      architecture(rows) == [
        "docs/architecture.md does not name CXML2",
        "Side.opposite(of:) is not declared in Sources/SyncModel",
        "VdirStorage has no sentence",
        "Folder.init(at:) is not declared in Sources/VdirStorage",
        "calgw has no entry function",
        "Gone is no target of Package.swift",
      ])
  }
}
