import SyncModel
import SyncPlanning
import TestSupport

/// Twins: what a server stores under a UID of its own is another item to every client, and the two
/// must not make more of each other.
extension CleanRun {
  /// What the server has is not sent again.
  func checkTwins(_ now: CleanRun, _ world: World) {
    guard world.story.hasTwinsAlone else { return }
    for uid in now.puts.keys.sorted() where now.puts[uid] != puts[uid] {
      let hasTwin = remote.keys.contains { $0 != uid && ItemText.sentUID($0) == uid }
      if hasTwin, remote[uid] == nil, local[uid] != nil, !world.story.deletes(uid) {
        world.violate("Twins", "\(uid) was sent again, and the server has what it made of it")
      }
    }
  }
}

extension World {
  /// When all has settled, each item is on each side once, under whatever UID.
  func checkTwins() {
    guard story.hasTwinsAlone else { return }
    let counts = [textsHere, textsThere].map { texts in
      texts.reduce(into: [String: Int]()) { counts, item in
        counts[ItemText.sentUID(item.key), default: 0] += item.value.count
      }
    }
    let uids = Set(counts.flatMap(\.keys)).sorted()
    for uid in uids where !story.deletes(uid) && counts.contains(where: { $0[uid] != 1 }) {
      violate("Twins", "\(uid) is not there once on each side")
    }
  }
}

extension Story {
  /// The server gives items UIDs of its own, and maybe addresses, and nothing else happens than
  /// that people edit and delete them between runs.
  fileprivate var hasTwinsAlone: Bool {
    let kinds: Set<Act.Kind> = [
      .localSave, .localOverwrite, .localTouch, .localRename, .localDelete, .remoteSave,
      .remoteTouch, .remoteDelete, .bothSave,
    ]
    let odd = [Trait.ownUIDs.name, Trait.untoldAddresses.name]
    return traits.contains(Trait.ownUIDs.name) && traits.allSatisfy(odd.contains)
      && direction == .both
      && acts.allSatisfy { kinds.contains($0.kind) }
      && steps.allSatisfy { step in
        if case .run(let command, let events) = step {
          command == .sync && events.isEmpty
        } else {
          true
        }
      }
  }

  /// Somebody deletes it, and may make it anew beside what was made of it before.
  fileprivate func deletes(_ uid: String) -> Bool {
    acts.contains { [.localDelete, .remoteDelete].contains($0.kind) && $0.isAbout(uid) }
  }
}
