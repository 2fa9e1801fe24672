import Glibc

/// Plays the scripts of one connection on a thread of its own.
struct ScriptedConnection {
  /// The longest head that is read; more is a fault of the client under test.
  private static let longestHead = 1 << 20

  let core: ServerCore
  let descriptor: Int32
  let number: Int

  func play() {
    var isOpen = perform(core.greeting(number))
    var input: [UInt8] = []
    while isOpen, let (head, body) = readRequest(&input) {
      let request = core.record(connection: number, head: head, body: body)
      isOpen = perform(core.answer(request))
    }
    close(descriptor)
  }

  /// False when the connection is to be closed.
  private func perform(_ steps: [ServerStep]) -> Bool {
    for step in steps {
      let goesOn =
        switch step {
        case .send(let bytes): send(bytes[...])
        case .trickle(let bytes, let pause): trickle(bytes, pause)
        case .sendForever(let bytes): sendForever(bytes)
        case .read(let count): skip(count)
        case .wait(let gate): waitFor([(core.stopping, POLLIN), (gate.descriptor, POLLIN)]) == 1
        case .silence: waitForEnd()
        case .run(let work): run(work)
        case .endOutput: shutdown(descriptor, Int32(SHUT_WR)) == 0
        case .close: finish()
        case .reset: reset()
        }
      guard goesOn else { return false }
    }
    return true
  }

  // MARK: Sending

  private func send(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      guard waitFor([(core.stopping, POLLIN), (descriptor, POLLOUT)]) == 1 else { return false }
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count < 0 {
        if errno == EAGAIN || errno == EINTR { continue }
        return false
      }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private func trickle(_ bytes: [UInt8], _ pause: Duration) -> Bool {
    let (seconds, attoseconds) = pause.components
    let milliseconds = Int32(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    for byte in bytes {
      guard send([byte]) else { return false }
      if waitFor([(core.stopping, POLLIN)], milliseconds: milliseconds) != nil { return false }
    }
    return true
  }

  private func sendForever(_ bytes: [UInt8]) -> Bool {
    while send(bytes[...]) {}
    return false
  }

  private func run(_ work: () -> Void) -> Bool {
    work()
    return true
  }

  // MARK: Ending

  private func waitForEnd() -> Bool {
    // Unread bytes of the client must not hide its end.
    while read() != nil {}
    return false
  }

  private func finish() -> Bool {
    // Closing with unread bytes would break the connection instead of ending it.
    shutdown(descriptor, Int32(SHUT_WR))
    return waitForEnd()
  }

  private func reset() -> Bool {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    return false
  }

  // MARK: Reading

  /// What came next; nil at the end of the connection or of the server.
  private func read(most: Int = 65536) -> [UInt8]? {
    guard waitFor([(core.stopping, POLLIN), (descriptor, POLLIN)]) == 1 else { return nil }
    var buffer = [UInt8](repeating: 0, count: most)
    let count = recv(descriptor, &buffer, most, 0)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  private func skip(_ count: Int) -> Bool {
    var rest = count
    while rest > 0 {
      guard let bytes = read(most: min(rest, 65536)) else { return false }
      rest -= bytes.count
    }
    return true
  }

  private func readRequest(_ input: inout [UInt8]) -> (head: [UInt8], body: [UInt8])? {
    var searched = 0
    var end = endOfHead(input, from: searched)
    while end == nil {
      guard input.count < Self.longestHead, let bytes = read() else { return nil }
      searched = max(0, input.count - 3)
      input += bytes
      end = endOfHead(input, from: searched)
    }
    guard let end else { return nil }
    let head = Array(input[..<end])
    let probe = ReceivedRequest(number: 0, connection: 0, head: head, body: [])
    guard probe.values(of: "transfer-encoding").isEmpty else { return nil }
    let length = Int(probe.header("content-length") ?? "0") ?? 0
    while input.count - end < length {
      guard let bytes = read() else { return nil }
      input += bytes
    }
    let body = Array(input[end..<end + length])
    input.removeFirst(end + length)
    return (head, body)
  }

  private func endOfHead(_ input: [UInt8], from start: Int) -> Int? {
    guard input.count >= 4 else { return nil }
    for index in start...(input.count - 4)
    where input[index..<index + 4].elementsEqual([0x0D, 0x0A, 0x0D, 0x0A]) {
      return index + 4
    }
    return nil
  }
}
