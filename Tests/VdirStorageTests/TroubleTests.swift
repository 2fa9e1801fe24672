import Glibc
import SyncModel
import Testing
import VdirStorage

@Suite struct TroubleTests {
  @Test func `every error of the system comes with something to do`() {
    for code in Int32(1)...133 where code != ECANCELED {
      let error = FileError(.list, code).trouble("listing the folder", at: "/cal")
      #expect(!error.hint.isEmpty, "\(code)")
    }
    #expect(FileError.stopped(.list).trouble("listing the folder", at: "/cal").kind == .stopped)
  }

  /// Who follows a hint must not delete the item elsewhere without knowing it.
  @Test(arguments: [ELOOP, EISDIR, EFBIG])
  func `what is no item says how to get the item back, and what taking it away does`(
    code: Int32
  ) throws {
    let name = try #require(FileName("a.ics"))
    let hint = FileError(.read, code).readProblem(name, limit: 100).hint
    #expect(hint.contains("`calgw restore ID`"))
    #expect(hint.contains("deletes the item on the other side"))
  }
}
