import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// What of a server's writes shows whether it stores what it is sent byte by byte.
@Suite struct KeptBytesTests {
  private let href = ModelAccount.href("a.ics")

  private func read(_ storage: CalDAVStorage) async throws -> (Version, ItemData) {
    guard case .found(let version, let data, _) = try await storage.read([href])[0].result else {
      throw StorageError(.io, "the item cannot be read")
    }
    return (version, data)
  }

  /// Changes the title in the text that is there, and sends that; whether it is read back so.
  private func retitle(
    _ storage: CalDAVStorage, _ old: String, _ new: String
  ) async throws -> Bool {
    let (version, data) = try await read(storage)
    let text = String(decoding: data.bytes, as: UTF8.self)
      .replacing("SUMMARY:\(old)", with: "SUMMARY:\(new)")
    let edited = ItemData(bytes: Array(text.utf8))
    _ = await storage.carryOut([.replace(href, expecting: version, with: edited)])
    return try await read(storage).1 == edited
  }

  /// It is in the server's own form before it is sent.
  @Test func `an edit that is stored as it was sent shows nothing, and any other edit does`()
    async throws
  {
    let model = ModelAccount { $0.rewritesOrder = true }
    let (_, maker) = try await model.open()
    _ = await maker.carryOut([.create(href, event("a"))])
    let (account, storage) = try await model.open()
    #expect(try await retitle(storage, "Dentist", "Doctor"))
    #expect(account.learned.profile[.keepsBytes] == nil)
    let (version, _) = try await read(storage)
    _ = await storage.carryOut([.replace(href, expecting: version, with: event("a", "Surgery"))])
    #expect(try await read(storage).1 != event("a", "Surgery"))
    #expect(account.learned.profile[.keepsBytes]?.holds == false)
    #expect(try await retitle(storage, "Surgery", "Clinic"))
    #expect(account.learned.profile[.keepsBytes]?.holds == false)
  }
}
