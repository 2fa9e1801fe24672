import Foundation
import TestSupport
import Testing

/// A calendar that somebody removed from its server: each mend that a sync tells then is followed
/// to the letter, until nothing is left to attend to.
@Suite struct GoneCalendarMendTests {
  /// How the pair takes the calendar `work`, called "Our Work", which is there beside two others.
  enum Form: String, CaseIterable {
    case all = ""
    case glob = "collections = [\"wo*\", \"other\"]"
    case name = "collections = [\"work\", \"other\"]"
    case displayName = "collections = [\"Our Work\", \"other\"]"
    case nameAlone = "collections = [\"work\"]"
    case mappedByID = "collections = [{ work = \"work\" }, \"other\"]"
    case mappedByPath = "collections = [{ work = \"/calendars/alice/work/\" }, \"other\"]"
    case calendar = "calendar = \"work\""

    /// The words between the first mend, to bring it back, and the last one.
    var told: String {
      let anew = "run `calgw forget p/work` and sync to have it made anew"
      let entry = "remove its counterpart and its entry in `collections`"
      switch self {
      case .all, .glob: return "remove its counterpart, or \(anew)"
      case .name, .displayName, .mappedByID: return "\(entry), or \(anew)"
      case .nameAlone:
        return "remove its counterpart and put another entry in the place of its own in"
          + " `collections`, or \(anew)"
      case .mappedByPath: return "map work to another one in `collections`, or \(entry)"
      case .calendar: return "name another one with `calendar`, or \(anew)"
      }
    }

    var mends: [Mend] {
      switch self {
      case .all, .glob, .name, .displayName, .nameAlone, .mappedByID:
        [.bringBack, .remove, .forget]
      case .mappedByPath: [.bringBack, .choose, .remove]
      case .calendar: [.bringBack, .choose, .forget]
      }
    }

    /// The pair's keys once the entry of the calendar is taken out, or replaced.
    var without: String {
      self == .all || self == .glob ? rawValue : "collections = [\"other\"]"
    }

    /// The pair's keys with another calendar.
    var withThird: String {
      switch self {
      case .mappedByPath: "collections = [{ work = \"/calendars/alice/third/\" }, \"other\"]"
      default: "calendar = \"third\""
      }
    }

    static var followed: [(Form, Mend)] {
      allCases.flatMap { form in form.mends.map { (form, $0) } }
    }
  }

  enum Mend { case bringBack, remove, forget, choose }

  @Test(arguments: Form.followed)
  func `each mend leaves nothing to attend to`(form: Form, mend: Mend) async throws {
    let world = try FolderAndCalendar(displayName: "Our Work")
    for name in ["other", "third"] { world.model.makeCalendar(name) }
    func configure(_ keys: String) throws {
      let folder = form == .calendar ? "~/calendars/work" : "~/calendars"
      try world.calgw.configure(server: world.server.url, folder: folder, pair: keys)
    }
    try configure(form.rawValue)
    try world.write("a.ics", event("a", "Dentist"))
    _ = try await world.sync()
    #expect(world.there() == ["a"])
    world.model.removeCalendar(FolderAndCalendar.path)
    let gone = try await world.sync(status: 1)
    let words = "do:    bring it back there, \(form.told)\n"
    #expect(gone.run.errors.contains(words), "\(gone.run.errors)")

    switch mend {
    case .bringBack: world.model.makeCalendar("work", displayName: "Our Work")
    case .remove:
      try FileManager.default.removeItem(atPath: world.calgw.home + "/calendars/work")
      try configure(form.without)
    case .forget: #expect(try await world.calgw("forget", "p/work").status == 0)
    case .choose: try configure(form.withThird)
    }
    _ = try await world.sync()
    let status = try await world.calgw("status", "--exit-code")
    #expect(status.status == 0, "\(status.output) \(status.errors)")
    let items = world.model.calendarPaths.flatMap { world.there($0) }
    #expect(items == (mend == .remove ? [] : ["a"]))
    #expect(world.calgw.exists("calendars/work") == (mend != .remove))
  }

  @Test(arguments: [true, false])
  func `of two servers, too`(isRemoved: Bool) async throws {
    let models = TwoServers.plain()
    let (here, there) = (models[0], models[1])
    let path = here.makeCalendar("work", displayName: "Work")
    here.put("a.ics", event("a", "Dentist"), in: path)
    for model in models { model.makeCalendar("other") }
    let pair = try TwoServers(models)
    let calgw = pair.calgw
    #expect(try await calgw("sync").status == 0)
    there.removeCalendar(path)
    let gone = try await calgw("sync")
    #expect(gone.status == 1)
    let words =
      "do:    bring it back there, run `calgw forget p/work` and sync to have it made anew, or"
      + " remove its counterpart and run `calgw forget p/work`\n"
    #expect(gone.errors.contains(words), "\(gone.errors)")
    if isRemoved { here.removeCalendar(path) }
    #expect(try await calgw("forget", "p/work").status == 0)
    #expect(try await calgw("sync").status == 0)
    let status = try await calgw("status", "--exit-code")
    #expect(status.status == 0, "\(status.output) \(status.errors)")
    #expect(models.map(\.calendarPaths.count) == (isRemoved ? [1, 1] : [2, 2]))
    withExtendedLifetime(pair) {}
  }
}
