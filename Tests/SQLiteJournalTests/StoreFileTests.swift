import Glibc
import SQLiteJournal
import SyncModel
import TestSupport
import Testing

@Suite struct StoreFileTests {
  /// PITFALLS E2.14
  @Test(arguments: [0o000, 0o077] as [mode_t])
  func `nobody else can read a journal, whatever the umask`(mask: mode_t) async throws {
    try await withStateDirectory { parent in
      let directory = parent + "/state/calgw"
      let path = directory + "/home.sqlite"
      let store = try await withUmask(mask) {
        write([], to: parent + "/plain")
        return try PairStore.open(path: path, digest: sha256).store
      }
      #expect(mode(of: parent + "/plain") == 0o666 & ~mask, "the umask is in force")
      #expect(mode(of: parent + "/state") == 0o700)
      #expect(mode(of: directory) == 0o700)
      for suffix in ["", "-wal", "-shm"] { #expect(mode(of: path + suffix) == 0o600) }
      try await store.close()
    }
  }

  @Test func `a journal that others may read is closed to them`() async throws {
    try await withStateDirectory { directory in
      let path = directory + "/home.sqlite"
      try await PairStore.open(path: path, digest: sha256).store.close()
      #expect(chmod(path, 0o664) == 0)
      try await PairStore.open(path: path, digest: sha256).store.close()
      #expect(mode(of: path) == 0o600)
    }
  }

  @Test func `what was made beside a read-only journal is opened to its owner`() async throws {
    try await withStateDirectory { directory in
      let path = directory + "/home.sqlite"
      try await PairStore.open(path: path, digest: sha256).store.close()
      write([], to: path + "-shm")
      #expect(chmod(path + "-shm", 0o400) == 0)
      let store = try PairStore.open(path: path, digest: sha256).store
      #expect(mode(of: path + "-shm") == 0o600)
      _ = try await store.openCollection(.sample(), at: Instant(seconds: 0))
      try await store.close()
    }
  }

  @Test func `a link beside a journal is not followed, and is named`() async throws {
    try await withStateDirectory { directory in
      let (path, other) = (directory + "/home.sqlite", directory + "/other")
      try await PairStore.open(path: path, digest: sha256).store.close()
      write([], to: other)
      #expect(chmod(other, 0o400) == 0)
      #expect(symlink(other, path + "-shm") == 0)
      let error = #expect(throws: JournalError.self) {
        try PairStore.open(path: path, digest: sha256)
      }
      #expect(error?.hint == "check the owner and mode of \(path)-shm")
      #expect(mode(of: other) == 0o400)
    }
  }

  @Test func `a journal that is a link, a directory or a pipe is refused`() async throws {
    try await withStateDirectory { directory in
      let path = directory + "/home.sqlite"
      try await PairStore.open(path: path, digest: sha256).store.close()
      #expect(symlink(path, directory + "/link.sqlite") == 0)
      #expect(symlink("nowhere", directory + "/dangling.sqlite") == 0)
      #expect(mkdir(directory + "/directory.sqlite", 0o700) == 0)
      #expect(mkfifo(directory + "/pipe.sqlite", 0o600) == 0)
      for name in ["link", "dangling", "directory", "pipe"] {
        let error = #expect(throws: JournalError.self) {
          try PairStore.open(path: "\(directory)/\(name).sqlite", digest: sha256)
        }
        #expect(error?.kind == .unusable)
      }
      #expect(mode(of: directory + "/nowhere") == nil)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
  func `a journal or a directory of another user is refused`() async throws {
    try await withStateDirectory { directory in
      let path = directory + "/home.sqlite"
      try await PairStore.open(path: path, digest: sha256).store.close()
      for owned in [path, directory] {
        #expect(chown(owned, 12345, 12345) == 0)
        let error = #expect(throws: JournalError.self) {
          try PairStore.open(path: path, digest: sha256)
        }
        #expect(error?.kind == .unusable)
        #expect(error?.message.contains("another user") == true)
        #expect(chown(owned, 0, 0) == 0)
      }
    }
  }

  @Test func `a directory that anybody may write to is refused`() async throws {
    try await withStateDirectory { directory in
      #expect(chmod(directory, 0o777) == 0)
      let error = #expect(throws: JournalError.self) {
        try PairStore.open(path: directory + "/home.sqlite", digest: sha256)
      }
      #expect(error?.kind == .unusable)
      let left = try names(in: directory)
      #expect(left == [])
    }
  }

  @Test func `a directory that cannot be made is named`() async throws {
    try await withStateDirectory { directory in
      write([], to: directory + "/file")
      let error = #expect(throws: JournalError.self) {
        try PairStore.open(path: directory + "/file/home.sqlite", digest: sha256)
      }
      #expect(error?.kind == .cannotWrite || error?.kind == .unusable)
      #expect(error?.message.contains(directory + "/file") == true)
    }
  }

  @Test func `a clean close leaves one file and nothing to report`() async throws {
    try await withStateDirectory { directory in
      let path = directory + "/home.sqlite"
      let (store, notices) = try PairStore.open(path: path, digest: sha256)
      #expect(notices == [.created])
      _ = try await store.openCollection(.sample(), at: Instant(seconds: 0))
      try await store.close()
      #expect(try names(in: directory) == ["home.sqlite"])
      let again = try PairStore.open(path: path, digest: sha256)
      #expect(again.notices == [])
      #expect(try await again.store.collections() == [.sample()])
      try await again.store.close()
      await #expect(throws: JournalError.self) { try await again.store.collections() }
    }
  }

  @Test func `what was begun before a kill is there after it`() async throws {
    try await withStateDirectory { directory in
      let path = directory + "/home.sqlite"
      let store = try PairStore.open(path: path, digest: sha256).store
      let journal = try await store.openCollection(.sample(), at: Instant(seconds: 0)).journal
      let intent = JournalSample.deletion(
        of: JournalSample.item("u", at: "/u", "A"), on: .remote)
      let ids = try await journal.begin([intent], history: [], contents: [])

      // What a kill leaves: the files as they are while the program runs.
      let after = directory + "/after"
      #expect(mkdir(after, 0o700) == 0)
      for suffix in ["", "-wal"] {
        write(try #require(bytes(of: path + suffix)), to: after + "/home.sqlite" + suffix)
      }
      let next = try PairStore.open(path: after + "/home.sqlite", digest: sha256)
      #expect(next.notices == [])
      let found = try #require(try await next.store.journal(of: "work"))
      #expect(try await found.openIntents() == [OpenIntent(id: ids[0], intent: intent)])
      try await next.store.close()
      try await store.close()
    }
  }

  @Test func `a dry run works on a copy`() async throws {
    try await withStateDirectory { directory in
      let path = directory + "/home.sqlite"
      let missing = try PairStore.openCopy(path: path, digest: sha256)
      #expect(missing.notices == [.created])
      #expect(try names(in: directory) == [])

      let store = try PairStore.open(path: path, digest: sha256).store
      try await store.openCollection(.sample(), at: Instant(seconds: 0)).journal
        .agree([JournalSample.agreement("u", "A")])
      try await store.close()
      let before = bytes(of: path)
      let copy = try PairStore.openCopy(path: path, digest: sha256)
      #expect(copy.notices == [])
      let journal = try #require(try await copy.store.journal(of: "work"))
      #expect(try await journal.agreementCount() == 1)
      try await journal.forget([ItemID("u")])
      try await copy.store.close()
      #expect(bytes(of: path) == before)
      #expect(try names(in: directory) == ["home.sqlite"])
    }
  }
}
