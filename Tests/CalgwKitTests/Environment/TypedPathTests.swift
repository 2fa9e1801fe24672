import CalgwKit
import Glibc
import Testing

/// Words of a command line that are not UTF-8 reach the file system as they were typed.
@Suite struct TypedPathTests {
  /// `café.ics` in ISO 8859-1.
  private static let name: [UInt8] = [0x63, 0x61, 0x66, 0xE9] + ".ics".utf8

  private func make(_ name: [UInt8], in folder: TemporaryFolder) throws -> [UInt8] {
    let path = Array("\(folder.path)/".utf8) + name
    let file = open(path.map { CChar(bitPattern: $0) } + [0], O_CREAT | O_WRONLY, 0o600)
    try #require(file >= 0)
    close(file)
    return path
  }

  @Test(
    arguments: [
      name, [0xFF], [0x80, 0x41, 0xC3], [0xC3, 0xA9, 0xE9, 0x25], [0xEF, 0xB7, 0x90],
      [0xEF, 0xB7, 0xA0], Array("100% é 🦷".utf8), [],
    ])
  func `every byte comes back`(word: [UInt8]) {
    #expect(typedPath(argumentText(word)) == word)
  }

  @Test func `a word in UTF-8 is its own text, and others are shown as reports have them`() {
    #expect(argumentText(Array("naïve %E9".utf8)) == "naïve %E9")
    #expect(visibleText(argumentText(Self.name)) == "caf%E9.ics")
  }

  @Test func `the spelling of reports names the file, unless one is called so`() throws {
    let folder = try TemporaryFolder()
    let odd = try make(Self.name, in: folder)
    let text = "\(folder.path)/caf%E9.ics"
    #expect(typedPath(text) == odd)
    let plain = try make(Array("caf%E9.ics".utf8), in: folder)
    #expect(typedPath(text) == plain)
    #expect(typedPath(argumentText(odd)) == odd)
  }

  @Test func `a path may be spelled as a whole`() throws {
    let folder = try TemporaryFolder()
    try folder.write("50%/a.ics", "")
    let odd = try make(Array("50%/".utf8) + Self.name, in: folder)
    #expect(typedPath("\(folder.path)/50%25/caf%E9.ics") == odd)
    #expect(typedPath("\(folder.path)/50%/caf%E9.ics") == odd)
  }

  @Test(arguments: ["caf%C3%A9.ics", "100%.ics", "caf%e9.ics", "a%2Fb%E9.ics", "%00%E9"])
  func `no other percent sign stands for anything`(text: String) {
    #expect(typedPath(text) == Array(text.utf8))
  }
}
