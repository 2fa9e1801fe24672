import SyncModel
import TestSupport
import WebDAV

/// The way to the model server, with time, faults, other clients that are quicker, and a look at
/// each request before it arrives.
final class SimulatedTransport: HTTPTransport, @unchecked Sendable {
  // Touched by the thread of the world's executor alone.
  private unowned let world: World
  private var random: SeededRandom
  /// Answers by method, for mix-ups.
  private var last: [String: (HTTPResponseHead, [UInt8])] = [:]
  /// The requests that are on their way, by number, as they were sent.
  private var underway: [Int] = []
  private var sent = 0
  private(set) var writes = 0
  private(set) var bodies = 0

  /// It is the transport of the calgw under test.
  let isObserved: Bool

  init(_ world: World, seed: UInt64, isObserved: Bool = true) {
    self.world = world
    self.isObserved = isObserved
    random = SeededRandom(seed: seed)
  }

  var traffic: HTTPTraffic { world.server.traffic }

  /// Milliseconds that a message travels.
  private var travelTime: Int64 { Int64(random.below(8)) }

  func send(
    _ request: HTTPRequest, into sink: any BodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    let isWrite = ["PUT", "DELETE"].contains(request.method)
    await world.executor.pause(travelTime)
    guard isObserved else { return try await world.server.send(request, into: sink) }
    sent += 1
    let number = sent
    underway.append(number)
    defer { underway.removeAll { $0 == number } }
    // What was sent before the kill may arrive after it.
    if world.director.isStopped { return try await arriveLate(request, isWrite) }
    let head: HTTPResponseHead
    switch world.director.reach("http", "http.\(request.method)", isEffect: isWrite) {
    case .carryOut: head = try await deliver(request, nil, into: sink)
    case .strike(let fault): head = try await deliver(request, meeting: fault, into: sink)
    case .stop: throw Self.stopped
    case .carryOutAndStop:
      _ = try? await act(request, nil, into: Kept())
      throw Self.stopped
    }
    if underway.first != number { world.note("C4.25") }
    return head
  }

  private static let stopped = TransportError(.cancelled, "stopped", mayHaveActed: true)

  private func arriveLate(
    _ request: HTTPRequest, _ isWrite: Bool
  ) async throws(TransportError) -> HTTPResponseHead {
    if isWrite, random.chance(50) {
      _ = try? await act(request, nil, into: Kept())
    }
    throw Self.stopped
  }

  private func deliver(
    _ request: HTTPRequest, meeting fault: Fault, into sink: any BodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    switch fault.effect {
    case .lost(let kind, let isDone, let mayHaveActed):
      if isDone { _ = try? await act(request, nil, into: Kept()) }
      throw TransportError(kind, fault.title, mayHaveActed: mayHaveActed)
    case .server(let model):
      return try await deliver(request, aimed(model, request), into: sink)
    case .forms(let forms):
      let mine = forms.filter { $0.calls.contains("http.\(request.method)") }
      let form = mine[Int(world.story.chance % UInt64(mine.count))]
      world.director.trace.add("  \(form.title)")
      return try await deliver(request, aimed(form.answer, request), into: sink)
    case .stalled(let bytes): return try await stall(request, fault, after: bytes, into: sink)
    case .twice:
      _ = try? await act(request, nil, into: Kept())
      return try await deliver(request, nil, into: sink)
    case .mixedUp:
      guard let (head, body) = last[request.method] else {
        return try await deliver(request, nil, into: sink)
      }
      world.note(fault.name)
      world.noteLostWrite(request, answered: head)
      _ = body.withUnsafeBytes { sink.receive($0) }
      return head
    case .slow(let time):
      await world.executor.pause(time)
      return try await deliver(request, nil, into: sink)
    case .file, .journal:
      return try await deliver(request, nil, into: sink)
    }
  }

  /// In milliseconds: so long `CurlTransport` waits for the next byte of an answer.
  private static let longestSilence: Int64 = 30_000

  private func stall(
    _ request: HTTPRequest, _ fault: Fault, after bytes: Int, into sink: any BodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    do throws(TransportError) {
      return try await deliver(request, ModelFault.truncated(bytes), into: sink)
    } catch {
      // Else the client wanted no more of it.
      guard error.kind == .interrupted else { throw error }
    }
    await world.executor.pause(Self.longestSilence)
    if world.director.isStopped { throw Self.stopped }
    throw TransportError(.timeout, fault.title, mayHaveActed: true)
  }

  /// A redirect to `?` leads to where the request went, and a date `?` is one of the server's
  /// clock: now, or when half a minute is over.
  private func aimed(_ fault: ModelFault, _ request: HTTPRequest) -> ModelFault {
    guard case .answer(let status, let headers, let body) = fault else { return fault }
    let now = world.executor.clock + world.serverSkew
    let aimed: [[String]] = headers.map { header -> [String] in
      switch header {
      case ["Location", "?"]: ["Location", request.url]
      case ["Date", "?"]: ["Date", ModelServer.httpDate(now)]
      case ["Retry-After", "?"]: ["Retry-After", ModelServer.httpDate(now + 30_000)]
      default: header
      }
    }
    return .answer(status, headers: aimed, body: body)
  }

  private func deliver(
    _ request: HTTPRequest, _ fault: ModelFault?, into sink: any BodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    let kept = Kept(sink)
    let head = try await act(request, fault, into: kept)
    last[request.method] = (head, kept.bytes)
    // The moment after the server acted and before its answer is there.
    switch world.director.reach("http", "http.answer", isEffect: false) {
    case .stop, .carryOutAndStop: throw Self.stopped
    case .carryOut, .strike: break
    }
    await world.executor.pause(travelTime)
    if world.director.isStopped { throw Self.stopped }
    world.director.trace.add("\(request.method) \(head.status)")
    return head
  }

  private func act(
    _ request: HTTPRequest, _ fault: ModelFault?, into sink: any BodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    let isWrite = ["PUT", "DELETE"].contains(request.method)
    if isWrite { writes += 1 }
    world.wire.look(at: request)
    if request.method == "GET" || request.body.holds("calendar-data") { bodies += 1 }
    let before = isWrite ? world.server.items(in: World.calendar) : [:]
    defer { if isWrite { world.wire.settle(request, before: before) } }
    let head: HTTPResponseHead
    do throws(TransportError) {
      head = try await world.server.send(request, meeting: fault, into: sink)
    } catch {
      if error.kind == .refusedBody { world.noteTooMuchAtOnce() }
      throw error
    }
    if head.status == 401, fault == nil { world.note("C5.8") }
    world.wire.note(answer: head.status, to: request)
    return head
  }
}

/// A sink that remembers what it passes on.
private final class Kept: BodySink, @unchecked Sendable {
  // One thread, as all of a world.
  private let next: (any BodySink)?
  private(set) var bytes: [UInt8] = []

  init(_ next: (any BodySink)? = nil) { self.next = next }

  func receive(_ piece: UnsafeRawBufferPointer) -> Bool {
    bytes += piece
    return next?.receive(piece) ?? true
  }
}
