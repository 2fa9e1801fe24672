import SyncExecution
import SyncModel
import TestSupport
import VdirStorage

/// A side's items by name, to see what a run did.
struct Picture {
  let local: [String: [UInt8]]
  let remote: [[UInt8]: [UInt8]]
  let agreements: [ItemID: Agreement]
  /// The items of writes of which nobody knows yet what became of them.
  let open: Set<ItemID>
  /// The names of items that both sides share, and those to which a write of that kind goes.
  private let knownNames: [Side: Set<String>]

  /// - Parameter folder: what to see in the folder; nil: what is there.
  init(_ world: World, folder: [FileName: [UInt8]]? = nil) {
    let folder = folder ?? world.files.contents(of: World.folder).mapValues(\.data)
    local = Dictionary(
      folder.filter { $0.key.isVisibleItem }.map { ($0.key.text, $0.value) },
      uniquingKeysWith: { first, _ in first })
    remote = world.server.items(in: World.calendar)
    let state = world.journal.state
    agreements = state.agreements
    let intents = state.intents.values
    open = Set(intents.map(\.uid))
    let here =
      state.agreements.values.map(\.local.href)
      + intents.filter { $0.side == .local }.map(\.href)
    let there =
      state.agreements.values.map(\.remote.href)
      + intents.filter { $0.side == .remote }.map(\.href)
    knownNames = [
      .local: Set(here.map(\.text)),
      .remote: Set(
        there.map { String(decoding: ModelServer.name(ofPath: $0.spelling), as: UTF8.self) }),
    ]
  }

  /// All texts, for people.
  var lines: [String] {
    let files = local.sorted { $0.key < $1.key }.map { ("file \($0.key)", $0.value) }
    let resources = remote.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
      ("on the server \(String(decoding: $0.key, as: UTF8.self))", $0.value)
    }
    return (files + resources).flatMap { name, text in
      [name]
        + String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline).map {
          "    \($0)"
        }
    }
  }

  /// What a run created, updated and deleted between two pictures.
  static func counts<Key: Hashable>(_ before: [Key: [UInt8]], _ after: [Key: [UInt8]])
    -> WriteCounts
  {
    var counts = WriteCounts()
    counts.created = after.keys.count { before[$0] == nil }
    counts.deleted = before.keys.count { after[$0] == nil }
    counts.updated = before.count { after[$0.key] != nil && after[$0.key] != $0.value }
    return counts
  }
}

extension Picture {
  /// A file or a resource, and the UID that is in it.
  struct Named {
    let name: String
    let uid: String?
  }

  /// The items of which a write was under way, or which both sides shared.
  var known: Set<ItemID> { Set(agreements.keys).union(open) }

  /// The journal had something of an item, under its UID or, where a server gives its own, under
  /// its name.
  func knows(_ item: Named, on side: Side) -> Bool {
    item.uid.map { known.contains(ItemID($0)) } ?? false
      || knownNames[side, default: []].contains(item.name)
  }

  /// What a side has nowhere any more in a later picture, under whatever name, in the order of the
  /// names.
  func missing(in later: Picture, on side: Side) -> [Named] {
    let now = later.texts(on: side)
    let gone = texts(on: side).filter { now[$0.key] == nil }
    if gone.isEmpty { return [] }
    let uids = Set(now.values.compactMap(ItemText.uid))
    return gone.sorted { $0.key < $1.key }
      .map { Named(name: $0.key, uid: ItemText.uid($0.value)) }
      .filter { item in !(item.uid.map { uids.contains($0) } ?? false) }
  }

  private func texts(on side: Side) -> [String: [UInt8]] {
    switch side {
    case .local: local
    case .remote:
      Dictionary(
        remote.map { (String(decoding: $0.key, as: UTF8.self), $0.value) },
        uniquingKeysWith: { first, _ in first })
    }
  }
}
