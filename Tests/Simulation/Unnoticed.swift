import CalDAVStorage
import SyncModel
import TestSupport
import WebDAV

/// Items that were made anew on a server whose tags count an item's writes, and that nobody named:
/// a listing of everything shows them by their address and their former tag, as if nothing had
/// happened (docs/reliability.md).
final class Unnoticed {
  // Touched by the thread of the world's executor alone.
  private unowned let world: World
  /// What is there instead of what calgw knows, by UID; of both items where it is another one.
  private var texts: [String: (name: [UInt8], bytes: [UInt8])] = [:]
  /// The server has just named what changed since the token.
  private var isTold = false

  init(_ world: World) { self.world = world }

  func contains(_ uid: String) -> Bool { texts[uid] != nil }

  /// What is not there any more was written over, or changed and has another tag.
  func beginRun() {
    texts = texts.filter { world.server.data($0.value.name, in: World.calendar) == $0.value.bytes }
  }

  func look(at request: HTTPRequest) {
    guard world.server.switches.tagIsCounter, request.asksForEverything else { return }
    defer { isTold = false }
    if isTold { return }
    let items = world.server.items(in: World.calendar)
    let read = world.journal.state.observations.compactMap { place, observation in
      if place.side == .remote, case .read(let item) = observation.state { item } else { nil }
    }
    for known in world.journal.state.agreements.values.map(\.remote) + read {
      let name = ModelServer.name(ofPath: known.href.spelling)
      guard let there = items[name], let tag = known.version.tag?.bytes,
        world.server.tag(of: name, in: World.calendar) == tag, sha256(there) != known.version.digest
      else { continue }
      texts[known.uid.text] = (name, there)
      if let uid = ItemText.uid(there) { texts[uid] = (name, there) }
    }
  }

  func note(answer status: Int, to request: HTTPRequest) {
    // One that gives its first page again and again never names all.
    if request.asksForChanges { isTold = status == 207 && !world.server.switches.repeatsToken }
  }
}

extension HTTPRequest {
  /// For what changed since a token.
  var asksForChanges: Bool { body.holds("sync-collection") && body.holds("/sync/") }

  var asksForEverything: Bool {
    let depth = headers.first { $0.name.lowercased() == "depth" }?.value
    return method == "PROPFIND" && depth == [UInt8(ascii: "1")]
      || body.holds("sync-collection") && !body.holds("/sync/")
  }

  /// For the entity tags of some items, without their texts.
  var asksForTags: Bool { body.holds("calendar-multiget") && !body.holds("calendar-data") }
}

extension World {
  func isUnnoticed(_ uid: String) -> Bool { wire.unnoticed.contains(uid) }

  /// Earlier runs have seen that two items have one tag.
  var knowsTagsAreShared: Bool { learned?.profile[.ownTags]?.holds == false }
}
