import ICalendar
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// What a second look makes of versions whose digests differ.
@Suite struct SecondLookTests {
  private let zones = ItemZones(.machine)
  private let full = "vienna-since-1970"
  private let short = "vienna-since-2010"
  private let wrong = "vienna-two-hours-ahead"

  private var texts: [ContentDigest: ItemData] = [:]

  init() throws {
    for definition in [full, short, wrong, "none"] {
      for title in ["A", "B"] {
        let data = try Self.text(definition, title)
        texts[sha256(data.bytes)] = data
      }
    }
  }

  private static func text(_ definition: String, _ title: String) throws -> ItemData {
    let zone =
      definition == "none" ? "" : try Project.text("Fixtures/zones/definitions/\(definition).ics")
    let text = """
      BEGIN:VCALENDAR
      \(zone)BEGIN:VEVENT
      UID:dentist
      DTSTART;TZID=Europe/Vienna:20260706T090000
      SUMMARY:\(title)
      END:VEVENT
      END:VCALENDAR

      """
    return ItemData(bytes: Array(text.utf8))
  }

  private func version(
    _ definition: String, _ title: String = "A", lastModified: Instant? = nil
  ) throws -> ItemVersion {
    let data = try Self.text(definition, title)
    return ItemVersion(
      href: Href("dentist.ics"), uid: ItemID("dentist"),
      version: Version(tag: nil, digest: sha256(data.bytes)),
      canonical: sha256(canonicalForm(of: SyntaxTree(bytes: data.bytes))), summary: title,
      lastModified: lastModified, modified: nil, components: ["VEVENT"])
  }

  private func look(_ state: DifferingItem.State) -> DifferingItem {
    DifferingItem(uid: ItemID("dentist"), state: state).lookedAtTwice(texts, zones: zones)
  }

  private func plan(_ state: DifferingItem.State, policy: ConflictPolicy = .ask) -> Plan {
    var rules = ReconcileRules(now: Build.now)
    rules.policy = policy
    return reconcile([look(state)], rules: rules)
  }

  private func agreed(_ base: ItemVersion, _ local: ItemVersion, _ remote: ItemVersion)
    -> DifferingItem.State
  {
    .agreed(
      Agreement(uid: base.uid, local: base, remote: base),
      local: detectChange(from: base, to: local), remote: detectChange(from: base, to: remote))
  }

  @Test func `a new definition that says the same is taken note of`() throws {
    let (old, new) = (try version(full), try version(short))
    for (local, remote) in [(old, new), (new, old), (new, try version("none"))] {
      #expect(
        plan(agreed(old, local, remote)).actions
          == [.record(Agreement(uid: old.uid, local: local, remote: remote))])
    }
  }

  @Test func `items that meet for the first time are one item`() throws {
    let (here, there) = (try version(full), try version("none"))
    #expect(
      plan(.unmet(local: here, remote: there)).actions
        == [.record(Agreement(uid: here.uid, local: here, remote: there))])
    let other = try version(wrong)
    #expect(plan(.unmet(local: here, remote: other)).conflicts.count == 1)
  }

  @Test func `the same edit on both sides is recorded`() throws {
    let old = try version(full)
    let (here, there) = (try version(full, "B"), try version(short, "B"))
    #expect(
      plan(agreed(old, here, there)).actions
        == [.record(Agreement(uid: old.uid, local: here, remote: there))])
  }

  @Test func `an edit travels into the other side's text, with the definition that is there`()
    throws
  {
    let (old, edited, new) = (try version(full), try version(full, "B"), try version(short))
    #expect(
      plan(agreed(old, edited, new)).actions == [
        .replace(
          on: .remote, old: new, source: edited, text: .changeSince(old.version.digest),
          reason: "changed here")
      ])
    // Where nobody touched a definition, the whole text does.
    #expect(
      plan(agreed(old, edited, old)).actions == [
        .replace(on: .remote, old: old, source: edited, text: .whole, reason: "changed here")
      ])
  }

  @Test func `a deletion is not stopped by a new definition`() throws {
    let (old, new) = (try version(full), try version(short))
    let base = Agreement(uid: old.uid, local: old, remote: old)
    #expect(
      plan(.agreed(base, local: .deleted, remote: .modified(new))).actions
        == [.delete(on: .remote, old: new, gone: old, reason: "deleted here")])
  }

  @Test func `a definition that says something else is a change`() throws {
    let (old, new) = (try version(full), try version(wrong))
    #expect(plan(agreed(old, old, new)).actions.map(\.targets) == [[.local]])
    #expect(plan(agreed(old, try version(short), new)).actions.map(\.targets) == [[.local]])
    #expect(plan(agreed(old, try version(full, "B"), new)).conflicts.count == 1)
  }

  @Test func `texts are asked for only where they can tell`() throws {
    let base = try version(full)
    func asked(_ state: DifferingItem.State) -> Int {
      DifferingItem(uid: base.uid, state: state).textsToCompare.count
    }
    #expect(asked(agreed(base, base, base)) == 0)
    #expect(asked(agreed(base, base, try version(short))) == 2)
    #expect(asked(.unmet(local: base, remote: nil)) == 0)
    // A program that dates its edits has changed the item, whatever else it wrote.
    let edited = try version(short, lastModified: Build.now)
    #expect(asked(agreed(base, edited, base)) == 0)
  }

  @Test func `a text that is lost changes nothing`() throws {
    let (old, new) = (try version(full), try version(short))
    let item = DifferingItem(uid: old.uid, state: agreed(old, old, new))
    #expect(item.lookedAtTwice([:], zones: zones) == item)
    #expect(item.lookedAtTwice(texts, zones: .ownDefinitions) == item)
  }
}
