import CalgwKit
import Foundation
import SyncModel
import Testing

/// Names and colours of collections in whole runs, and folders that get another name.
@Suite struct CollectionMetadataTests {
  private struct World {
    let folder: TemporaryFolder
    var more = "metadata = [\"displayname\", \"color\", \"description\", \"order\"]"

    init() throws {
      folder = try TemporaryFolder()
      for uid in ["a", "b", "c"] { try write("here/work/\(uid).ics", item(uid)) }
    }

    @discardableResult
    func sync(isDryRun: Bool = false) async throws -> PairReport {
      let gateway = try gateway()
      var options = RunOptions()
      options.isDryRun = isDryRun
      return await gateway.sync(try #require(try gateway.targets([]).first), options)
    }

    func status(offline: Bool = false) async throws -> [PendingEntry] {
      let gateway = try gateway()
      let target = try #require(try gateway.targets([]).first)
      return await gateway.status(target, offline: offline).items
    }

    private func gateway() throws -> Gateway {
      let text =
        "state_dir = \"state\"\n[pair.copy]\nlocal = \"here\"\n"
        + "remote = { local = \"there\" }\n\(more)\n"
      let configuration = try Configuration.parse(
        text: Array(text.utf8), file: folder.path + "/config.toml", environment: .home)
      return try Gateway(configuration, environment: .home, signals: nil)
    }

    func item(_ uid: String) -> String {
      [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//", "BEGIN:VEVENT", "UID:\(uid)",
        "DTSTAMP:20260101T000000Z", "DTSTART:20260105T100000Z", "SUMMARY:\(uid)", "END:VEVENT",
        "END:VCALENDAR", "",
      ].joined(separator: "\r\n")
    }

    func write(_ name: String, _ text: String) throws { try folder.write(name, text) }

    func text(_ name: String) -> String? {
      try? String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
    }

    func move(_ from: String, _ to: String) throws {
      try FileManager.default.moveItem(
        atPath: folder.path + "/" + from, toPath: folder.path + "/" + to)
    }
  }

  @Test func `values travel both ways, and a side's own form of a colour stays`() async throws {
    let world = try World()
    try world.write("here/work/color", "#FF8800\n")
    #expect(try await world.sync().status == .success)
    #expect(world.text("there/work/color") == "#ff8800")
    try world.write("there/work/displayname", "Office")
    try world.write("there/work/order", "3")
    try world.write("here/work/description", "Two\nlines")
    try await world.sync()
    #expect(world.text("here/work/displayname") == "Office")
    #expect(world.text("here/work/order") == "3")
    #expect(world.text("there/work/description") == "Two\nlines")
    try world.write("there/work/color", "#FF8800ff")
    try await world.sync()
    #expect(world.text("here/work/color") == "#FF8800\n")
    #expect(world.text("there/work/color") == "#FF8800ff")
    try world.write("here/work/displayname", "My office\n")
    try await world.sync()
    #expect(world.text("there/work/displayname") == "My office")
    #expect(world.text("here/work/displayname") == "My office\n")
  }

  @Test func `only what the configuration names is carried over`() async throws {
    var world = try World()
    world.more = "metadata = [\"color\"]"
    try world.write("here/work/displayname", "Work")
    try world.write("here/work/color", "#aabbcc")
    try world.write("here/work/description", "Text")
    #expect(try await world.sync().status == .success)
    #expect(world.text("there/work/color") == "#aabbcc")
    #expect(world.text("there/work/displayname") == nil)
    #expect(world.text("there/work/description") == nil)
  }

  @Test func `where both changed it the policy says who wins`() async throws {
    var world = try World()
    try world.write("here/work/displayname", "A")
    try await world.sync()
    for (policy, winner, loser) in [("local", "B", "C"), ("merge", "E", "D")] {
      world.more = "conflict = \"\(policy)\""
      try world.write("here/work/displayname", policy == "local" ? winner : loser)
      try world.write("there/work/displayname", policy == "local" ? loser : winner)
      let report = try await world.sync()
      #expect(report.status == .success)
      #expect(report.notices.contains { $0.contains("'\(loser)' gives way") })
      #expect(try await world.sync().notices.isEmpty)
      #expect(world.text("here/work/displayname") == winner)
      #expect(world.text("there/work/displayname") == winner)
    }
  }

  @Test func `a dry run and status say what the run does, and change nothing`() async throws {
    let world = try World()
    try world.write("here/work/displayname", "Work")
    let first = try await world.sync()
    #expect(first.collectionActions["work"]?.made?.side == .remote)
    try world.write("here/work/displayname", "Office")
    try world.write("there/work/color", "#00FF00")
    let carried = [
      CarriedValue(key: .color, side: .local, value: "#00ff00"),
      CarriedValue(key: .displayname, side: .remote, value: "Office", before: "Work"),
    ]
    for _ in 0..<2 {
      let dry = try await world.sync(isDryRun: true)
      #expect(dry.collectionActions == ["work": CollectionActions(carried: carried)])
      #expect(world.text("here/work/color") == nil)
      #expect(world.text("there/work/displayname") == "Work")
      let items = try await world.status()
      #expect(items.map(\.local) == [.updated])
      #expect(items.map(\.remote) == [.updated])
      #expect(items.map(\.localChanges) == [["displayname \"Work\" → \"Office\""]])
      #expect(items.map(\.remoteChanges) == [["color \"#00ff00\" added"]])
      let offline = try await world.status(offline: true)
      #expect(offline.map(\.localChanges) == [["displayname \"Work\" → \"Office\""]])
      #expect(offline.map(\.remote) == [.unchanged])
    }
    #expect(try await world.sync().collectionActions["work"]?.carried == carried)
    #expect(try await world.status().isEmpty)
    #expect(try await world.sync().collectionActions.isEmpty)
  }

  @Test func `what a pair of one direction leaves alone is pending, and no run's`() async throws {
    var world = try World()
    world.more = "direction = \"pull\""
    try world.write("there/work/displayname", "Work")
    #expect(try await world.sync().status == .success)
    try world.write("here/work/displayname", "Mine")
    #expect(try await world.sync(isDryRun: true).collectionActions.isEmpty)
    #expect(try await world.sync().collectionActions.isEmpty)
    #expect(world.text("there/work/displayname") == "Work")
    let items = try await world.status().filter { $0.item.uid == nil }
    #expect(items.map(\.localChanges) == [["displayname \"Work\" → \"Mine\""]])
  }

  @Test func `a folder gets what one with nothing in it says of itself, as the dry run has it`()
    async throws
  {
    let world = try World()
    #expect(try await world.sync().status == .success)
    try world.write("there/empty/displayname", "Nothing yet")
    try world.write("there/empty/order", "3")
    let dry = try await world.sync(isDryRun: true).collectionActions
    #expect(dry["empty"]?.made == MadeCollection(side: .local, name: "empty", isFolder: true))
    #expect(dry["empty"]?.carried.map(\.key) == [.order])
    #expect(world.folder.names(in: "here") == ["work"])
    #expect(try await world.status().map(\.remote) == [.created])
    #expect(try await world.sync().collectionActions == dry)
    #expect(world.text("here/empty/displayname") == "Nothing yet")
    #expect(world.text("here/empty/order") == "3")
    #expect(try await world.status().isEmpty)
  }

  @Test func `a file that is no value is left alone, and a value removed here stays there`()
    async throws
  {
    let world = try World()
    try world.write("here/work/color", "#aabbcc")
    try world.write("here/work/displayname", "Work")
    try await world.sync()
    try world.write("here/work/color", "no colour")
    try FileManager.default.removeItem(atPath: world.folder.path + "/here/work/displayname")
    try world.write("there/work/color", "#112233")
    #expect(try await world.sync().status == .success)
    #expect(world.text("here/work/color") == "no colour")
    #expect(world.text("there/work/displayname") == "Work")
  }

  @Test func `a file that is no value is named once, and again when it is another`() async throws {
    let world = try World()
    try world.write("here/work/color", "nonsense")
    try world.write("here/work/order", "abc")
    try world.write("here/work/displayname", "a\u{1}b")
    let dry = try await world.sync(isDryRun: true).notices
    let first = try await world.sync().notices
    #expect(dry == first)
    #expect(first.count == 3)
    let words = "/here/work/color is left alone: \"nonsense\" is no colour; write one as #RRGGBB"
    #expect(first.contains { $0.hasPrefix("copy/work: the file /") && $0.contains(words) })
    #expect(try await world.sync().notices.isEmpty)
    try world.write("here/work/color", "other")
    #expect(try await world.sync().notices.count == 1)
    try world.write("here/work/color", "#aabbcc")
    #expect(try await world.sync().notices.isEmpty)
    #expect(world.text("there/work/color") == "#aabbcc")
    #expect(world.text("there/work/displayname") == nil)
  }

  @Test func `what a side fails at for a day counts as refused`() {
    var bases = MetadataBases()
    let value = CarriedValue(key: .color, side: .remote, value: "#112233")
    let day: Int64 = 86_400_000
    func fails(after time: Int64) -> Bool {
      bases.mayFail(at: value, Instant(milliseconds: 1_700_000_000_000 + time))
    }
    #expect(fails(after: 0))
    #expect(fails(after: day - 1))
    // A clock that was set back is no day.
    #expect(fails(after: -day))
    #expect(fails(after: -1))
    #expect(!fails(after: 0))
    #expect(bases.failing.isEmpty)
    #expect(fails(after: day))
  }

  @Test func `what a person was told is remembered with the values`() {
    var bases = MetadataBases()
    bases.renaming = [.local: "Desk", .remote: "B\u{FC}ro"]
    bases.told = ["p/work: one thing", "p/work: another"]
    bases.awaited = [CarriedValue(key: .color, side: .remote, value: "#112233")]
    let value = CarriedValue(key: .color, side: .remote, value: "#112233")
    bases.failing[value] = Instant(milliseconds: 1_700_000_000_000)
    #expect(MetadataBases(encoded: bases.encoded) == bases)
    #expect(MetadataBases(encoded: Array("awaited color there x61".utf8)) == MetadataBases())
    #expect(MetadataBases(encoded: Array("told -\ntold x0\ntold".utf8)) == MetadataBases())
  }

  // MARK: Folders

  @Test func `a folder that is renamed is the same collection`() async throws {
    let world = try World()
    #expect(try await world.sync().status == .success)
    try world.move("here/work", "here/office")
    try world.write("here/office/a.ics", world.item("a") + "\r\n")
    try world.write("here/office/d.ics", world.item("d"))
    let report = try await world.sync()
    #expect(report.status == .success)
    #expect(report.collections.map(\.name) == ["office"])
    #expect(report.collections.first?.pushed.created == 1)
    #expect(world.folder.names(in: "there") == ["work"])
    #expect(world.folder.names(in: "there/work") == ["a.ics", "b.ics", "c.ics", "d.ics"])
    #expect(try await world.sync().collections.first?.unchanged == 4)
  }

  @Test func `two folders that exchange their names stay what they are`() async throws {
    let world = try World()
    try world.write("here/home/h.ics", world.item("h"))
    #expect(try await world.sync().status == .success)
    try world.move("here/work", "here/aside")
    try world.move("here/home", "here/work")
    try world.move("here/aside", "here/home")
    let report = try await world.sync()
    #expect(report.status == .success)
    #expect(report.collections.allSatisfy { $0.pulled.total + $0.pushed.total == 0 })
    #expect(world.folder.names(in: "there/home") == ["h.ics"])
  }

  @Test func `another folder that only has the inode of the old one is no rename`() async throws {
    let world = try World()
    #expect(try await world.sync().status == .success)
    // Emptied, filled with something else and renamed: the same directory, another collection.
    for uid in ["a", "b", "c"] {
      try FileManager.default.removeItem(atPath: "\(world.folder.path)/here/work/\(uid).ics")
    }
    try world.move("here/work", "here/new")
    try world.write("here/new/n.ics", world.item("n"))
    let report = try await world.sync()
    #expect(report.status == .io)
    #expect(world.folder.names(in: "there/work") == ["a.ics", "b.ics", "c.ics"])
    #expect(world.folder.names(in: "there/new") == ["n.ics"])
  }
}
