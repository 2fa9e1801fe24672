import TestSupport
import Testing
import VdirStorage

struct ContractTests {
  @Test(arguments: StorageContract.checks)
  func `a vdir on the model file system keeps the contract`(check: StorageContract.Check)
    async throws
  {
    try await check.run(on: ModelVdirFixture())
  }

  @Test(arguments: StorageContract.checks)
  func `a vdir on a disk keeps the contract`(check: StorageContract.Check) async throws {
    try await check.run(on: DiskVdir())
  }

  @Test(arguments: StorageContract.checks)
  func `a vdir without exchange keeps the contract`(check: StorageContract.Check) async throws {
    let fixture = try ModelVdirFixture()
    fixture.files.fail(.init(.exchange, 22))
    fixture.files.fail(.init(.renameNoReplace, 22))
    try await check.run(on: fixture)
  }

  @Test(arguments: StorageContract.checks)
  func `a vdir with coarse times keeps the contract`(check: StorageContract.Check) async throws {
    let fixture = try ModelVdirFixture()
    fixture.files.setGranularity(2_000_000_000)
    try await check.run(on: fixture)
  }

  @Test(arguments: StorageContract.checks, [NameFolding.letterCase, .accents])
  func `a vdir that folds names keeps the contract`(
    check: StorageContract.Check, folding: NameFolding
  ) async throws {
    let fixture = try ModelVdirFixture()
    fixture.files.setNameFolding(folding)
    try await check.run(on: fixture)
  }
}
