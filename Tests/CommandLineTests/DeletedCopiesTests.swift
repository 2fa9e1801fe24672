import Foundation
import Testing

/// Items of one folder of which another folder of the pair has copies: their deletion comes in a
/// step of its own, and the guard counts it with the rest.
@Suite struct DeletedCopiesTests {
  private let folders: TwoFolders
  private var calgw: CommandLine { folders.calgw }

  init() throws { folders = try TwoFolders() }

  /// Items `e0`… in the folder `alpha`, and copies of the first ones in `beta`.
  private func fill(_ count: Int, copies: Int) async throws {
    for number in 0..<count { try write("alpha", number) }
    for number in 0..<copies { try write("beta", number) }
    #expect(try await calgw("sync").status == 0)
    #expect(counts() == [count, copies])
  }

  private func write(_ folder: String, _ number: Int, _ title: String = "Title") throws {
    try calgw.write("one/\(folder)/e\(number).ics", event("e\(number)", title))
  }

  private func remove(_ numbers: Range<Int>) throws {
    for number in numbers {
      try FileManager.default.removeItem(atPath: "\(calgw.home)/one/alpha/e\(number).ics")
    }
  }

  /// How many items `alpha` and `beta` have on the other side.
  private func counts() -> [Int] {
    ["alpha", "beta"].map { folder in
      let place = "\(calgw.home)/two/\(folder)"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
      return names.filter { $0.hasSuffix(".ics") }.count
    }
  }

  private func expectStop(
    _ figure: String, _ counted: [Int], at place: SourceLocation = #_sourceLocation
  ) async throws {
    let status = try await calgw("status")
    #expect(status.output.contains(figure), "\(status.output)", sourceLocation: place)
    for options in [["--dry-run"], []] {
      let run = try await calgw.run(["sync"] + options)
      #expect(run.status == 1, "\(run.output) \(run.errors)", sourceLocation: place)
      #expect(
        run.errors.components(separatedBy: "this would delete").count == 2, "\(run.errors)",
        sourceLocation: place)
      #expect(run.errors.contains(figure), "\(run.errors)", sourceLocation: place)
      #expect(counts() == counted, sourceLocation: place)
    }
  }

  @Test func `count with those that are nowhere else`() async throws {
    try await fill(20, copies: 5)
    try remove(0..<10)
    try await expectStop("this would delete 10 of 20 items", [20, 5])
    // One that comes back is no yes to the copies.
    try write("alpha", 9)
    try await expectStop("this would delete 9 of 20 items", [20, 5])
    let run = try await calgw("sync", "--allow-mass-delete")
    #expect(run.status == 0 && run.output.contains("p/alpha: up: 9 deleted"), "\(run.output)")
    #expect(counts() == [11, 5])
    #expect(try await calgw("sync").output.contains("p/alpha: nothing to do"))
  }

  @Test func `also where the copies are edited in the same hour`() async throws {
    try await fill(20, copies: 5)
    try remove(0..<10)
    for number in 0..<5 { try write("beta", number, "Another title") }
    try await expectStop("this would delete 10 of 20 items", [20, 5])
  }

  @Test func `are one problem with the rest of a folder that was emptied`() async throws {
    try await fill(8, copies: 1)
    try remove(0..<8)
    try await expectStop("this would delete 8 of 8 items", [8, 1])
  }

  @Test func `go where that is no more than may go`() async throws {
    try await fill(20, copies: 3)
    try remove(0..<5)
    let run = try await calgw("sync")
    #expect(run.status == 0 && run.output.contains("p/alpha: up: 5 deleted"), "\(run.errors)")
    #expect(counts() == [15, 3])
  }

  @Test func `what was moved counts not`() async throws {
    try await fill(20, copies: 0)
    try remove(0..<5)
    for number in 5..<15 {
      try write("beta", number)
      try remove(number..<number + 1)
    }
    let run = try await calgw("sync")
    #expect(run.status == 0 && run.output.contains("p/alpha: up: 15 deleted"), "\(run.errors)")
    #expect(counts() == [5, 10])
  }
}
