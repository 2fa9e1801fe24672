import Foundation
import TestSupport
import Testing

/// The real program with a pair of two servers, in a home directory that goes with it.
final class Migration: Sendable {
  /// What a run printed and how it ended: 128 + the signal where one ended it.
  struct Run: Sendable {
    let status: Int32
    let output: String
    let errors: String

    /// What `--json` says of each collection.
    func collections() throws -> [[String: Any]] {
      let report = try #require(
        try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
      return try #require(report["collections"] as? [[String: Any]])
    }
  }

  /// A run that has not ended.
  struct Running: Sendable {
    let process: ChildProcess
    let output: ProgramStream
    let errors: ProgramStream

    /// Waits for its end, or kills it after so many milliseconds.
    func end(killedAfter milliseconds: Int32? = nil) async -> Run {
      await onOwnThread { () -> Run in
        let (status, texts) = process.finish([output, errors], killedAfter: milliseconds)
        return Run(
          status: status, output: String(decoding: texts[0], as: UTF8.self),
          errors: String(decoding: texts[1], as: UTF8.self))
      }
    }
  }

  private let home: String

  /// Takes the URLs of two servers that know the user of `RealServer`, or ask for none.
  init(local: String, remote: String) throws {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "calgw-migration-\(UUID().uuidString)")
    let folder = url.appending(path: "config/calgw")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    home = url.path()
    let accounts = [("here", local), ("there", remote)].map { name, url in
      """
      [account.\(name)]
      url = "\(url)"
      username = "\(RealServer.username)"
      password = { env = "PASSWORD" }

      """
    }
    let pair = """
      [pair.move]
      local = { remote = "here" }
      remote = "there"
      """
    try Data((accounts.joined() + pair).utf8).save(to: folder.appending(path: "config.toml"))
  }

  deinit { try? FileManager.default.removeItem(atPath: home) }

  /// Starts a sync without waiting for its end.
  func start(_ options: [String] = []) throws -> Running {
    let (output, errors) = (try ProgramStream(), try ProgramStream())
    let process = try ChildProcess(
      [Checkout.calgw, "sync"] + options,
      environment: [
        "HOME": home, "XDG_CONFIG_HOME": home + "/config", "XDG_STATE_HOME": home + "/state",
        "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PASSWORD": RealServer.password,
      ], output: output.writing, errors: errors.writing)
    output.closeWriting()
    errors.closeWriting()
    return Running(process: process, output: output, errors: errors)
  }

  /// Runs a sync to its end, or kills it after so many milliseconds.
  func sync(_ options: String..., killedAfter milliseconds: Int32? = nil) async throws -> Run {
    try await start(options).end(killedAfter: milliseconds)
  }

  /// A sync changes nothing on either side, and finds so many items in step in each collection.
  func expectQuiet(_ unchanged: [String: Int]) async throws {
    let run = try await sync("--json")
    #expect(run.status == 0, "\(run.errors)")
    var found: [String: Int] = [:]
    for collection in try run.collections() {
      for direction in ["pulled", "pushed"] {
        let counts = try #require(collection[direction] as? [String: Int])
        #expect(counts == ["created": 0, "updated": 0, "deleted": 0], "\(run.output)")
      }
      #expect(collection["merged"] as? Int == 0)
      #expect((collection["conflicts"] as? [Any])?.isEmpty == true)
      #expect((collection["problems"] as? [Any])?.isEmpty == true)
      let name = try #require(collection["name"] as? String)
      found[name] = try #require(collection["unchanged"] as? Int)
    }
    #expect(found == unchanged)
  }
}

extension RealServer {
  /// Makes a calendar, with a display name where one is given.
  func makeCalendar(_ id: String, called name: String? = nil) async throws {
    let question = """
      <C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop>\
      <D:displayname>\(name ?? id)</D:displayname></D:prop></D:set></C:mkcalendar>
      """
    let made = try await otherClient.send(
      "MKCALENDAR", path(of: id), headers: ["Content-Type: application/xml"],
      body: Array(question.utf8))
    #expect(made.status == 201)
  }

  /// What the server answers to who asks for the display name of a calendar.
  func displayName(of calendar: String) async throws -> String {
    let question = #"<propfind xmlns="DAV:"><prop><displayname/></prop></propfind>"#
    let answer = try await otherClient.send(
      "PROPFIND", path(of: calendar), headers: ["Depth: 0", "Content-Type: application/xml"],
      body: Array(question.utf8))
    return String(decoding: answer.body, as: UTF8.self)
  }

  /// Puts an item under a name that is made of its UID.
  func put(_ item: SampleItem, in calendar: String) async throws {
    let place = path(of: calendar) + item.uid + ".ics"
    let answer = try await otherClient.put(place, Array(item.text.utf8))
    #expect([200, 201, 204].contains(answer.status))
  }

  /// What counts of each item, by its path: a double has a path of its own.
  func items(of calendar: String) async throws -> [String: [String]] {
    var items: [String: [String]] = [:]
    for path in try await otherClient.list(path(of: calendar)).keys.sorted() {
      let body = try await otherClient.get(path).body
      items[path] = SampleItem.telling(String(decoding: body, as: UTF8.self))
    }
    return items
  }

  /// What counts of the items, sorted.
  func contents(of calendar: String) async throws -> [[String]] {
    try await items(of: calendar).values.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Where an item is, under a name that somebody else chose.
  func path(of uid: String, in calendar: String) async throws -> String {
    let found = try await items(of: calendar).filter { $0.value.contains("UID:\(uid)") }
    #expect(found.count == 1)
    return try #require(found.keys.first)
  }
}
