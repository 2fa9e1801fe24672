import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// One side was edited, and of the other only the times and counters are new: nobody is asked.
@Suite struct TouchTests {
  private static let href = Href("dentist.ics")

  private func dentist(_ letter: Character, sequence: Int, with lines: [String] = []) -> ItemData {
    let text = String(decoding: World.event("dentist", letter).bytes, as: UTF8.self)
    let end = (["SEQUENCE:\(sequence)"] + lines + ["END:VEVENT"]).joined(separator: "\r\n")
    return ItemData(bytes: Array(text.replacing("END:VEVENT", with: end).utf8))
  }

  private func agreedWorld(
    _ item: ItemData, mayNotify: Bool = false,
    rewrite: @escaping @Sendable (ItemData) -> ItemData = { $0 }
  ) throws -> World {
    var traits = World.serverTraits
    traits.mayNotify = mayNotify
    let world = World(remoteTraits: traits, rewrite: rewrite)
    world.local.put(Self.href, item)
    _ = try world.sync()
    world.executor.advance(60_000)
    return world
  }

  private func text(_ world: World, on side: Side) -> String {
    String(decoding: world.storage(side).items[Self.href]?.bytes ?? [], as: UTF8.self)
  }

  private static let policies = [ConflictPolicy.merge, .ask, .newest, .local, .remote]

  @Test(arguments: policies)
  func `an edit goes to the side that was touched, and no counter goes back`(
    policy: ConflictPolicy
  ) throws {
    for side in Side.allCases {
      let world = try agreedWorld(dentist("A", sequence: 0))
      world.storage(side).put(Self.href, dentist("B", sequence: 1))
      world.storage(side.opposite).put(Self.href, dentist("A", sequence: 5))
      let report = try world.sync { $0.policy = policy }
      #expect(report.conflicts.isEmpty && report.problems.isEmpty)
      for side in Side.allCases {
        #expect(text(world, on: side).contains("SUMMARY:dentist B"))
        #expect(text(world, on: side).contains("SEQUENCE:5"))
      }
      #expect(try world.sync { $0.policy = policy }.merged == 0)
    }
  }

  @Test(arguments: policies)
  func `two sides that were both touched are merged, and no counter goes back`(
    policy: ConflictPolicy
  ) throws {
    for side in Side.allCases {
      let world = try agreedWorld(dentist("A", sequence: 0))
      world.storage(side).put(Self.href, dentist("A", sequence: 2))
      world.executor.advance(60_000)
      world.storage(side.opposite).put(Self.href, dentist("A", sequence: 1))
      let report = try world.sync { $0.policy = policy }
      #expect(report.conflicts.isEmpty && report.problems.isEmpty)
      for side in Side.allCases { #expect(text(world, on: side).contains("SEQUENCE:2")) }
    }
  }

  @Test(arguments: [ConflictPolicy.newest, .remote])
  func `a pair that goes one way takes touches from the side that holds`(
    policy: ConflictPolicy
  ) throws {
    let world = try agreedWorld(dentist("A", sequence: 0))
    world.local.put(Self.href, dentist("A", sequence: 2))
    world.executor.advance(60_000)
    world.remote.put(Self.href, dentist("A", sequence: 1))
    let report = try world.sync {
      $0.policy = policy
      $0.direction = .pull
      $0.settlesOneWay = true
    }
    #expect(report.conflicts.isEmpty && report.problems.isEmpty)
    #expect(text(world, on: .local).contains("SEQUENCE:1"))
    #expect(text(world, on: .remote).contains("SEQUENCE:1"))
  }

  @Test(arguments: policies)
  func `nobody gets mail because a file was touched`(policy: ConflictPolicy) throws {
    let people = ["ORGANIZER:mailto:a@example.org", "ATTENDEE:mailto:b@example.org"]
    let world = try agreedWorld(dentist("A", sequence: 0, with: people), mayNotify: true)
    let edited = dentist("B", sequence: 1, with: people)
    world.remote.put(Self.href, edited)
    world.local.put(Self.href, dentist("A", sequence: 5, with: people))
    let report = try world.sync { $0.policy = policy }
    #expect(report.conflicts.isEmpty && report.invitations == 0)
    #expect(world.remote.items[Self.href] == edited)
    #expect(text(world, on: .local).contains("SUMMARY:dentist B"))
    let writes = world.remote.counts.writes
    #expect(try world.sync { $0.policy = policy }.problems.isEmpty)
    #expect(world.remote.counts.writes == writes)
  }

  @Test(arguments: policies)
  func `nobody gets mail because both sides were touched`(policy: ConflictPolicy) throws {
    let people = ["ORGANIZER:mailto:a@example.org", "ATTENDEE:mailto:b@example.org"]
    let world = try agreedWorld(dentist("A", sequence: 0, with: people), mayNotify: true)
    world.local.put(Self.href, dentist("A", sequence: 5, with: people))
    let touched = dentist("A", sequence: 2, with: people)
    world.remote.put(Self.href, touched)
    let writes = world.remote.counts.writes
    for _ in 1...2 {
      let report = try world.sync { $0.policy = policy }
      #expect(report.conflicts.isEmpty && report.problems.isEmpty && report.invitations == 0)
      #expect(world.remote.counts.writes == writes && world.remote.items[Self.href] == touched)
    }
  }

  @Test(arguments: policies)
  func `nobody gets mail because both sides were touched, and the server drops lines`(
    policy: ConflictPolicy
  ) throws {
    let people = ["ORGANIZER:mailto:a@example.org", "ATTENDEE:mailto:b@example.org"]
    let world = try agreedWorld(
      dentist("A", sequence: 0, with: people + ["X-KEEP:yes"]), mayNotify: true
    ) { data in
      let text = String(decoding: data.bytes, as: UTF8.self)
      return ItemData(bytes: Array(text.replacing("X-KEEP:yes\r\n", with: "").utf8))
    }
    world.local.put(Self.href, dentist("A", sequence: 5, with: people + ["X-KEEP:yes"]))
    world.remote.put(Self.href, dentist("A", sequence: 2, with: people))
    let writes = world.remote.counts.writes
    let report = try world.sync { $0.policy = policy }
    #expect(report.conflicts.isEmpty && report.invitations == 0)
    #expect(world.remote.counts.writes == writes)
    #expect(text(world, on: .local).contains("X-KEEP:yes"))
  }

  @Test func `a meeting that was touched here alone is not sent again, and its next edit is`()
    throws
  {
    let people = ["ORGANIZER:mailto:a@example.org", "ATTENDEE:mailto:b@example.org"]
    let agreed = dentist("A", sequence: 0, with: people)
    let world = try agreedWorld(agreed, mayNotify: true)
    let writes = world.remote.counts.writes
    let touched = dentist("A", sequence: 5, with: people + ["TRANSP:OPAQUE"])
    world.local.put(Self.href, touched)
    for _ in 1...2 {
      let report = try world.sync()
      #expect(report.problems.isEmpty && report.invitations == 0)
      #expect(world.remote.counts.writes == writes)
    }
    #expect(world.local.items[Self.href] == touched && world.remote.items[Self.href] == agreed)
    world.local.put(Self.href, dentist("B", sequence: 6, with: people + ["TRANSP:OPAQUE"]))
    #expect(try world.sync().invitations == 1)
    #expect(text(world, on: .remote).contains("SUMMARY:dentist B"))
    #expect(text(world, on: .remote).contains("SEQUENCE:6"))
  }

  @Test func `a touch is not sent because the server wrote the time zone anew`() throws {
    let people = "ORGANIZER:mailto:a@example.org\r\nATTENDEE:mailto:b@example.org\r\nEND:VEVENT"
    let text = String(decoding: World.event("dentist", "AAAF").bytes, as: UTF8.self)
      .replacing("END:VEVENT", with: people)
    let world = try agreedWorld(ItemData(bytes: Array(text.utf8)), mayNotify: true)
    let touch = "SEQUENCE:3\r\nLAST-MODIFIED:20260104T000000Z\r\nSUMMARY"
    world.local.put(
      Self.href, ItemData(bytes: Array(text.replacing("SUMMARY", with: touch).utf8)))
    let rewritten = ScenarioText.defined(ItemData(bytes: Array(text.utf8)), by: "S")
    world.remote.put(Self.href, rewritten)
    let report = try world.sync()
    #expect(report.conflicts.isEmpty && report.invitations == 0)
    #expect(world.remote.items[Self.href] == rewritten)
  }

  @Test func `what has no attendees is sent when it was touched`() throws {
    let world = try agreedWorld(dentist("A", sequence: 0), mayNotify: true)
    let touched = dentist("A", sequence: 5)
    world.local.put(Self.href, touched)
    _ = try world.sync()
    #expect(world.remote.items[Self.href] == touched)
  }

  @Test func `a touch does not bring back what the other side deleted, and an edit does`() throws {
    for side in Side.allCases {
      let world = try agreedWorld(dentist("A", sequence: 0))
      world.storage(side).put(Self.href, dentist("A", sequence: 5, with: ["TRANSP:OPAQUE"]))
      world.storage(side.opposite).remove(Self.href)
      #expect(try world.sync().problems.isEmpty)
      #expect(Side.allCases.allSatisfy { world.storage($0).items.isEmpty })
      let edited = try agreedWorld(dentist("A", sequence: 0))
      edited.storage(side).put(Self.href, dentist("B", sequence: 5))
      edited.storage(side.opposite).remove(Self.href)
      _ = try edited.sync()
      #expect(Side.allCases.allSatisfy { text(edited, on: $0).contains("SUMMARY:dentist B") })
    }
  }

  @Test func `a touch that was refused there goes with the item's deletion there`() throws {
    let world = try agreedWorld(dentist("A", sequence: 0))
    world.remote.refuse(Self.href, ItemProblem(.refused, "the server says no", hint: "ask it"))
    world.local.put(Self.href, dentist("A", sequence: 5))
    #expect(try world.sync().problems.count == 1)
    world.remote.remove(Self.href)
    #expect(try world.sync().problems.isEmpty)
    #expect(world.local.items.isEmpty)
  }

  @Test(arguments: policies)
  func `beside a read-only side a touch is no edit, and what is edited there comes`(
    policy: ConflictPolicy
  ) throws {
    for side in Side.allCases {
      let world = try agreedWorld(dentist("A", sequence: 0))
      let (here, there) = (world.storage(side), world.storage(side.opposite))
      func sync() throws -> CollectionReport {
        try world.sync {
          $0.policy = policy
          $0.readOnly = [side.opposite]
        }
      }
      let touched = dentist("A", sequence: 5)
      here.put(Self.href, touched)
      for _ in 1...2 {
        #expect(try sync().problems.isEmpty)
        #expect(here.items[Self.href] == touched)
      }
      here.put(Self.href, dentist("A", sequence: 7))
      let edited = dentist("B", sequence: 1)
      there.put(Self.href, edited)
      let report = try sync()
      #expect(report.problems.isEmpty && report.conflicts.isEmpty)
      #expect(text(world, on: side).contains("SUMMARY:dentist B"))
      #expect(there.items[Self.href] == edited)
    }
  }

  /// As in a first sync, after a lost journal or under another address of a subscription. In the
  /// third case each side has what the other one lacks.
  @Test(arguments: policies)
  func `beside a read-only side a touch is no edit where the sides never agreed, either`(
    policy: ConflictPolicy
  ) throws {
    let (first, second) = ("CREATED:20250101T000000Z", "CREATED:20250202T000000Z")
    let cases = [
      (dentist("A", sequence: 5), dentist("A", sequence: 0), ["SEQUENCE:5"]),
      (dentist("A", sequence: 0), dentist("A", sequence: 5), ["SEQUENCE:5"]),
      (
        dentist("A", sequence: 5, with: [second]), dentist("A", sequence: 0, with: [first]),
        ["SEQUENCE:5", first]
      ),
    ]
    for side in Side.allCases {
      for (touched, other, lines) in cases {
        let world = World()
        let (here, there) = (world.storage(side), world.storage(side.opposite))
        here.put(Self.href, touched)
        there.put(Self.href, other)
        for _ in 1...2 {
          let report = try world.sync {
            $0.policy = policy
            $0.readOnly = [side.opposite]
          }
          #expect(report.problems.isEmpty && report.conflicts.isEmpty)
          #expect(there.items[Self.href] == other)
          #expect(lines.allSatisfy { text(world, on: side).contains($0) })
        }
      }
    }
  }

  @Test func `a one-way run leaves it to a person, as any item that both sides changed`() throws {
    let world = try agreedWorld(dentist("A", sequence: 0))
    world.local.put(Self.href, dentist("B", sequence: 1))
    world.remote.put(Self.href, dentist("A", sequence: 5))
    let report = try world.sync { $0.direction = .push }
    #expect(report.conflicts.map(\.reason) == [.bothChanged])
  }
}
