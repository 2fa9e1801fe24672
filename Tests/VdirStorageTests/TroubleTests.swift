import Glibc
import SyncModel
import Testing

@testable import VdirStorage

@Suite struct TroubleTests {
  @Test func `every error of the system comes with something to do`() {
    for code in Int32(1)...133 where code != ECANCELED {
      let error = FileError(.list, code).trouble("listing the folder", at: "/cal")
      #expect(!error.hint.isEmpty, "\(code)")
    }
    #expect(FileError.stopped(.list).trouble("listing the folder", at: "/cal").kind == .stopped)
  }
}
