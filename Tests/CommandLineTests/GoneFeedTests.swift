import Synchronization
import TestSupport
import Testing

/// A subscription whose server has nothing at its address, from the start or by now.
@Suite struct GoneFeedTests {
  @Test(arguments: [404, 410], [false, true])
  func `doctor ends as the sync does`(code: Int, wasThere: Bool) async throws {
    let isThere = Mutex(wasThere)
    let feed = try SubscribedFeed { _ in
      isThere.withLock { $0 }
        ? SubscribedFeed.answer([SubscribedFeed.event("a", "A")]) : [.answer(code)]
    }
    if wasThere {
      #expect(try await feed.calgw("sync").status == 0)
      #expect(try await feed.calgw("doctor").status == 0)
      isThere.withLock { $0 = false }
    }
    let run = try await feed.calgw("sync")
    #expect(run.status == 1 && run.errors.contains("[collection-gone]"), "\(run.errors)")
    let doctor = try await feed.calgw("doctor")
    #expect(doctor.status == 1, "\(doctor.output)")
    #expect(doctor.output.contains("failed  remote: "), "\(doctor.output)")
    #expect(doctor.output.contains("get its new address"), "\(doctor.output)")
  }
}
