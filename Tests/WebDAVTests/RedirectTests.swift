import TestSupport
import Testing
import WebDAV

@Suite struct RedirectTests {
  @Test func `a redirect without an address is told as one`() async throws {
    let transport = ScriptedTransport(
      try Exchange("> PROPFIND https://a.example/x\n< 302\n< Location: "))
    let client = DAVClient(
      transport: transport, access: DAVAccess { 0 }, trusting: "https://a.example")
    let request = DAVRequest("PROPFIND", try WebURL(absolute: "https://a.example/x"))
    let error = try await #require(throws: DAVError.self) {
      _ = try await client.send(request) { BytesSink(limit: 1000) }
    }
    #expect(error.kind == .protocolBroken)
    #expect(error.why == "its answer 302 is a redirect without an address")
    #expect(transport.complaints == [])
  }

  @Test(arguments: [
    (["x", "x", "x", "x", "x", "x"], "they lead in a circle"),
    (["x", "y", "x", "y", "x", "y"], "they lead in a circle"),
    (["x", "1", "2", "3", "4", "5"], "there were more than 5 of them"),
  ])
  func `redirects without an end are told as such`(places: [String], why: String) async throws {
    let steps = zip(places, places.dropFirst() + ["x"]).map { from, to in
      "> PROPFIND https://a.example/\(from)\n< 302\n< Location: /\(to)\n"
    }
    let transport = ScriptedTransport(try Exchange(steps.joined(separator: "\n")))
    let client = DAVClient(
      transport: transport, access: DAVAccess { 0 }, trusting: "https://a.example")
    let request = DAVRequest("PROPFIND", try WebURL(absolute: "https://a.example/x"))
    let error = try await #require(throws: DAVError.self) {
      _ = try await client.send(request) { BytesSink(limit: 1000) }
    }
    #expect(error.kind == .protocolBroken && error.isEndless && error.why == why)
    #expect(error.message == "the server's redirects of https://a.example/x lead nowhere")
    #expect(transport.complaints == [])
  }

  /// The statuses of reads of one collection, one after the other.
  private func reads(_ count: Int, _ exchange: String) async throws -> [Int] {
    let transport = ScriptedTransport(try Exchange(exchange))
    let client = DAVClient(
      transport: transport, access: DAVAccess { 0 }, trusting: "https://a.example")
    let request = DAVRequest("PROPFIND", try WebURL(absolute: "https://a.example/x/"))
    var statuses: [Int] = []
    for _ in 0..<count {
      statuses.append(try await client.send(request) { BytesSink(limit: 1000) }.0.status)
    }
    #expect(transport.complaints == [])
    return statuses
  }

  private func led(_ status: Int, to place: String = "/y/", then answer: Int = 207) -> String {
    """
    > PROPFIND https://a.example/x/
    < \(status)
    < Location: \(place)
    > PROPFIND https://a.example\(place)
    < \(answer)

    """
  }

  @Test(arguments: [301, 308])
  func `a collection that was moved for good is read where it is`(status: Int) async throws {
    let again = "> PROPFIND https://a.example/y/\n< 207\n"
    #expect(try await reads(3, led(status) + again + again) == [207, 207, 207])
  }

  @Test(arguments: [(302, "/y/", 207), (307, "/y/", 207), (301, "/y/", 404), (301, "/y", 207)])
  func `another redirect is followed each time`(
    status: Int, place: String, answer: Int
  ) async throws {
    let each = led(status, to: place, then: answer)
    #expect(try await reads(2, each + each) == [answer, answer])
  }

  @Test(arguments: [403, 404, 410, 500])
  func `where the new address fails, the old one is asked`(status: Int) async throws {
    let back = """
      > PROPFIND https://a.example/y/
      < \(status)
      > PROPFIND https://a.example/x/
      < 207
      > PROPFIND https://a.example/x/
      < 207
      """
    #expect(try await reads(3, led(301) + back) == [207, 207, 207])
  }

  @Test func `a write goes where it was told to`() async throws {
    let transport = ScriptedTransport(
      try Exchange(
        led(301) + "> PUT https://a.example/x/a.ics\n< 201\n> PROPPATCH https://a.example/x/\n< 207"
      ))
    let client = DAVClient(
      transport: transport, access: DAVAccess { 0 }, trusting: "https://a.example")
    for (method, path) in [("PROPFIND", "/x/"), ("PUT", "/x/a.ics"), ("PROPPATCH", "/x/")] {
      let request = DAVRequest(method, try WebURL(absolute: "https://a.example\(path)"))
      _ = try await client.send(request) { BytesSink(limit: 1000) }
    }
    #expect(transport.complaints == [])
  }

  // MARK: Writes that are led to something else

  /// Sends a write that is led from one path to another, and whether it went there.
  private func isFollowed(
    _ method: String, _ path: String, to target: String, guarded: Bool = true
  ) async throws -> (Bool, DAVError?) {
    let end = target.hasPrefix("https:") ? target : "https://a.example\(target)"
    let transport = ScriptedTransport(
      try Exchange(
        """
        > \(method) https://a.example\(path)
        < 301
        < Location: \(target)
        > \(method) \(end)
        < 204
        """))
    let client = DAVClient(
      transport: transport, access: DAVAccess { 0 }, trusting: "https://a.example")
    let request = DAVRequest(
      method, try WebURL(absolute: "https://a.example\(path)"),
      headers: guarded ? [HTTPHeader("If-Match", "\"1\"")] : [])
    var refusal: DAVError?
    do throws(DAVError) {
      _ = try await client.send(request) { BytesSink(limit: 1000) }
    } catch {
      refusal = error
    }
    #expect(transport.traffic.requests == (refusal == nil ? 2 : 1))
    return (refusal == nil, refusal)
  }

  @Test(
    arguments: ["DELETE", "PUT", "MOVE"],
    [
      "/cal/work/", "/cal/work", "/cal//work", "/cal/w%6Frk/", "/cal/", "/cal", "/", "/cal/home/",
      "/cal/work/a.ics/", "https://a.example/cal/work/", "/cal/work/?x=y",
    ])
  func `a change of an item is never led to a calendar`(
    method: String, target: String
  ) async throws {
    let (isFollowed, error) = try await isFollowed(method, "/cal/work/a.ics", to: target)
    #expect(!isFollowed)
    #expect(error?.kind == .protocolBroken && error?.mayHaveActed == false)
    #expect(error?.message.contains("https://a.example/cal/work/a.ics") == true)
    #expect(error?.why.contains("it leads to https://a.example/") == true, "\(error?.why ?? "")")
    #expect(error?.hint.contains("set the account's url to their new address") == true)
  }

  @Test(
    arguments: [
      ("DELETE", "/cal/new/", "/cal/"), ("DELETE", "/cal/new/", "/cal"),
      ("DELETE", "/cal/new/", "/"), ("DELETE", "/cal/new/", "/cal/work/"),
      ("DELETE", "/cal/new/", "/cal/work"), ("PROPPATCH", "/cal/work/", "/cal/"),
      ("MKCALENDAR", "/cal/new/", "/"), ("DELETE", "/cal/work/a.ics", "/cal/home"),
      ("MOVE", "/cal/work/a.ics", "/cal/work/b.ics"),
    ])
  func `a change is never led to what holds more, and a removal not to another name`(
    method: String, path: String, target: String
  ) async throws {
    let (isFollowed, _) = try await isFollowed(method, path, to: target, guarded: false)
    #expect(!isFollowed)
  }

  @Test(
    arguments: [
      ("DELETE", "/cal/work/a.ics", "/dav/work/a.ics"), ("PUT", "/cal/work/a.ics", "/dav/a.ics"),
      ("MOVE", "/cal/work/a.ics", "/dav/work/a.ics"), ("DELETE", "/cal/new/", "/dav/new/"),
      ("DELETE", "/cal/new/", "/cal/new"), ("PROPPATCH", "/cal/work", "/cal/work/"),
      ("MKCALENDAR", "/cal/new", "/cal/new/"), ("MKCOL", "/cal/new/", "/dav/new/"),
      ("PROPPATCH", "/cal/work/", "/dav/17/"), ("PUT", "/cal/work/a.ics", "/cal/work/a.ics?x=y"),
    ])
  func `a change is led to another address of the same thing`(
    method: String, path: String, target: String
  ) async throws {
    let (isFollowed, error) = try await isFollowed(method, path, to: target, guarded: false)
    #expect(isFollowed, "\(error?.why ?? "")")
  }

  @Test func `a chain of redirects leads a removal no further than one`() async throws {
    let transport = ScriptedTransport(
      try Exchange(
        """
        > DELETE https://a.example/cal/work/a.ics
        < 302
        < Location: /cal/a.ics
        > DELETE https://a.example/cal/a.ics
        < 302
        < Location: /cal/home
        """))
    let client = DAVClient(
      transport: transport, access: DAVAccess { 0 }, trusting: "https://a.example")
    let request = DAVRequest(
      "DELETE", try WebURL(absolute: "https://a.example/cal/work/a.ics"),
      headers: [HTTPHeader("If-Match", "\"1\"")])
    await #expect(throws: DAVError.self) {
      _ = try await client.send(request) { BytesSink(limit: 1000) }
    }
    #expect(transport.complaints == [])
  }
}
