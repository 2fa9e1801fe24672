import CalgwKit
import Foundation
import TestSupport
import Testing

/// `Fixtures/configs`: each faulty configuration beside the text that a person gets to see.
@Suite struct ConfigurationFixtureTests {
  static let faulty: [String] =
    (try? Project.files(in: "Fixtures/configs", endingIn: ".expected")) ?? []

  @Test func `there are fixtures`() {
    #expect(Self.faulty.count > 50)
  }

  @Test(arguments: faulty)
  func `a fault is named with file, line, key and mend`(expected: String) throws {
    let name = String(expected.dropLast(".expected".count)) + ".toml"
    let url = Project.root.appending(path: "Fixtures/configs/\(name)")
    let text = [UInt8](try Data(contentsOf: url))
    let error = try #require(throws: ConfigurationError.self) {
      _ = try Configuration.parse(text: text, file: name, environment: .home)
    }
    let shown = "error: \(error.message)\n  where: \(error.place)\n  do:    \(error.hint)\n"
    let fixture = try Project.text("Fixtures/configs/\(expected)")
    #expect(fixture == shown)
  }

  @Test func `no fault shows a secret`() throws {
    for name in Self.faulty {
      #expect(try !Project.text("Fixtures/configs/\(name)").contains("hunter2"))
    }
  }
}

extension ProcessEnvironment {
  /// A user without any variable but `HOME`.
  static let home = ProcessEnvironment(
    variables: ["HOME": "/home/ann"], workingDirectory: "/tmp")
}
