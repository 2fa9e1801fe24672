import SyncModel

extension StorageContract {
  static let namingChecks: [Check] = [
    Check(name: "a name is the same each time, and another for each attempt") { bench in
      for uid in bench.fixture.oddUIDs {
        let names = (0..<4).map { bench.storage.freshHref(for: ItemID(uid), attempt: $0) }
        let again = (0..<4).map { bench.storage.freshHref(for: ItemID(uid), attempt: $0) }
        try bench.require(names == again, "UID \(uid.debugDescription) has changing names")
        try bench.require(
          Set(names).count == 4, "UID \(uid.debugDescription) has one name for two attempts")
      }
    },

    Check(name: "two odd UIDs never have one name") { bench in
      var owners: [Href: String] = [:]
      for uid in bench.fixture.oddUIDs {
        let href = bench.storage.freshHref(for: ItemID(uid), attempt: 0)
        // Bytes: Swift takes texts that differ in normalisation alone for equal.
        let other = owners.updateValue(uid, forKey: href)
        try bench.require(
          other == nil,
          "\(uid.debugDescription) and \((other ?? "").debugDescription) share \(href.text)")
      }
    },

    Check(name: "items with odd UIDs neither meet nor escape") { bench in
      var texts: [Href: ItemData] = [:]
      for (number, uid) in bench.fixture.oddUIDs.enumerated() {
        let data = event(uid, "Number \(number)")
        let href = try await bench.create(uid, data).href
        try bench.require(texts.updateValue(data, forKey: href) == nil, "\(href.text) came twice")
      }
      let listed = try await bench.list(since: nil).hrefs
      try bench.require(
        listed == Set(texts.keys), "\(listed.count) of \(texts.count) items are listed")
      for (href, data) in texts.sorted(by: { $0.key < $1.key }) {
        try await bench.requireContent(href, data)
      }
    },
  ]
}
